import { html, type SafeHtml } from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import { numberText } from "framewright/plugins/resources/toolkit";
import { processedOf, type RunRow } from "./run.ts";

/** How far a run is: "12 of 400". */
export function progressOf(controller: ResourceController, run: RunRow): SafeHtml {
  const processed = processedOf(run);
  const total = Math.max(run.total, processed);
  const text = controller.t("resource.background.progress", {
    processed: numberText(controller, processed),
    total: numberText(controller, total),
  });
  return html`<progress class="progress" max="${Math.max(1, total)}" value="${processed}" aria-label="${text}"></progress><p>${text}</p>`;
}
