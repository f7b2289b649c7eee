import { html, type SafeHtml } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import { iconOrNothing } from "framewright/plugins/views";

const steps = ["file", "columns", "check", "import"] as const;
export type ImportStep = (typeof steps)[number];

/** The steps of an import; those that can be gone back to are links. */
export function stepper(
  controller: ResourceController,
  current: ImportStep,
  urls: Partial<Record<ImportStep, string>> = {},
): SafeHtml {
  const at = steps.indexOf(current);
  const t = (key: string) => controller.t(key);
  const items = steps.map((step, index) => {
    const isDone = index < at;
    const sign = isDone ? iconOrNothing("check") : html`${index + 1}`;
    const said = isDone && html`<span class="visually-hidden">(${t("resource.import.steps.done")})</span>`;
    const inside = html`<span class="fw-stepper-number" aria-hidden="true">${sign}</span><span class="fw-stepper-label">${t(`resource.import.steps.${step}`)}</span>${said}`;
    const link = urls[step];
    const body = link === undefined ? html`<span>${inside}</span>` : html`<a href="${link}">${inside}</a>`;
    if (index === at) return html`<li aria-current="step">${body}</li>`;
    return isDone ? html`<li class="fw-stepper-done">${body}</li>` : html`<li>${body}</li>`;
  });
  return html`<nav class="fw-stepper" aria-label="${t("resource.import.steps.title")}"><ol>${items}</ol></nav>`;
}
