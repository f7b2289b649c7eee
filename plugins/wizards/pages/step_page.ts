import {
  demodulize,
  type FieldErrors,
  humanize,
  type ParamObject,
  pluralize,
  type Reply,
  underscore,
} from "framewright/host";
import type { ResourceController } from "framewright/plugins/resources";
import type { Notice, Run, StepProgress, StepSpec } from "../contract/index.ts";
import { faceOf } from "./customization.ts";
import type { Entered } from "./open_request.ts";
import { hiddenInputs } from "./posted_run.ts";
import { stepPath } from "./redirects.ts";
import { titleOf } from "./replies.ts";
import { offeredRuns } from "./runs_page.ts";
import { stepContent } from "./step_content.ts";

export interface StepShown {
  readonly status?: number;
  readonly errors?: FieldErrors;
  /** What was typed, shown instead of what is kept. */
  readonly typed?: ParamObject;
  readonly notices?: readonly Notice[] | undefined;
}

export const labelOf = ({ label, key }: StepSpec): string => label ?? humanize(key);

/** One step: where it stands among the others, its form, and the buttons. */
export async function stepPage(entered: Entered, run: Run, key: string, shown: StepShown = {}): Promise<Reply> {
  const { engine, visit, controller, mount } = entered;
  const progress = await engine.progress(visit, run);
  const step = mount.wizard.flow.step(key)!;
  const url = stepPath(visit, run, key);
  const content = stepContent(entered, run, step, progress, shown);
  const locals = {
    ...around(entered),
    ...content,
    title: `${labelOf(step)} · ${titleOf(entered)}`,
    step: { key, label: labelOf(step), description: step.description, review: step.review },
    steps: mount.wizard.facts.stepper ? progress.map((one, index) => stepView(entered, run, one, key, index)) : [],
    is_first: progress[0]?.step.key === key,
    is_last: progress.at(-1)?.step.key === key,
    action: url,
    csrf: hiddenInputs(controller, run, url),
    notices: noticesOf(entered, [...run.notices, ...(shown.notices ?? [])]),
    offered: await offeredRuns(entered, run, key === progress[0]?.step.key),
  };
  return controller.render("wizards/step", { status: shown.status ?? 200, locals, ...layoutOf(entered) });
}

/** What the person has to be told; in a frame no layout shows what waits, so that the step does. */
function noticesOf({ controller }: Entered, notices: readonly Notice[]): string[] {
  const waiting = controller.request.frame === undefined ? [] : controller.flash.take();
  return [...waiting.map(({ message }) => message), ...notices.map(({ text, vars }) => controller.t(text, vars))];
}

function stepView(
  { visit }: Entered,
  run: Run,
  { step, complete, reachable }: StepProgress,
  shown: string,
  index: number,
) {
  const current = step.key === shown;
  const url = reachable && !current ? stepPath(visit, run, step.key) : undefined;
  return { label: labelOf(step), number: index + 1, current, complete, url };
}

/** What stands around every page of a wizard. */
export function around(entered: Entered): Record<string, unknown> {
  const { controller, mount, visit } = entered;
  const { presents, width } = mount.wizard.facts;
  const title = titleOf(entered);
  return {
    bare: true, // the layout "basic" of a wizard has no top bar
    ...faceOf(controller).wizardLocals(),
    title,
    wizard: { title, icon: presents.icon, description: presents.description, width, base: visit.base || "/" },
    breadcrumbs: [...crumbs(entered), { label: title }],
  };
}

/** The way back to the resource that it stands on: its list, and the record. */
function crumbs({ mount, visit, controller, onto }: Entered): { label: string; url: string }[] {
  if (mount.resource === undefined || onto === undefined) return [];
  const { listUrl, registration } = controller as ResourceController;
  const name = underscore(demodulize(mount.resource));
  const list = { label: humanize(registration.singular ? name : pluralize(name)), url: listUrl };
  return mount.onRecord && !registration.singular ? [list, { label: visit.anchor!.toLabel(), url: onto }] : [list];
}

/** A layout that the mount itself says goes before the controller's. */
export const layoutOf = ({ mount }: Entered): { layout?: string } =>
  mount.layoutSaid && mount.layout !== undefined ? { layout: mount.layout } : {};
