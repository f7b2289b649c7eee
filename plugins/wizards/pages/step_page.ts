import type { Reply } from "framewright/host";
import type { Notice, Run, StepProgress, StepSpec } from "../contract/index.ts";
import { frameLocals, layoutOf, type StepPageOptions, stepLabel, textOf } from "./frame.ts";
import type { PageContext } from "./open_request.ts";
import { hiddenInputs } from "./posted_run.ts";
import { stepPath } from "./redirects.ts";
import { titleOf } from "./replies.ts";
import { offeredRuns } from "./runs_page.ts";
import { stepContent } from "./step_content.ts";

/** The page of a step: stepper, form and buttons. */
export async function stepPage(
  context: PageContext,
  run: Run,
  key: string,
  shown: StepPageOptions = {},
): Promise<Reply> {
  const { engine, visit, controller, mount } = context;
  const progress = await engine.progress(visit, run);
  const { flow, metadata } = mount.wizard;
  const step = flow.step(key)!;
  const url = stepPath(visit, run, key);
  const content = await stepContent(context, run, step, progress, shown);
  const locals = Object.assign(frameLocals(context), content, {
    title: `${stepLabel(context, step)} · ${titleOf(context)}`,
    step: {
      key,
      label: stepLabel(context, step),
      review: step.review !== undefined,
      description: textOf(context)(`descriptions.${key}`, step.description ?? "") || undefined,
    },
    steps: metadata.stepper ? progress.map((_, index) => stepView(context, run, progress, key, index)) : [],
    is_first: progress[0]?.step.key === key,
    is_reviewed: isReviewed(run, step, progress),
    is_last: progress.at(-1)?.step.key === key,
    action: url,
    csrf: hiddenInputs(controller, run, url),
    notices: noticeTexts(context, [...run.notices, ...(shown.notices ?? [])]),
    offered: await offeredRuns(context, run, key === progress[0]?.step.key),
  });
  return controller.render("wizards/step", { status: shown.status ?? 200, locals, ...layoutOf(context) });
}

/** Whether the person has been at the review, and changes an answer. */
const isReviewed = ({ visited }: Run, { review }: StepSpec, progress: readonly StepProgress[]): boolean =>
  !review && progress.some(({ step }) => step.review && visited.includes(step.key));

/** The notices; in a frame, which has no layout, with the flash. */
function noticeTexts({ controller }: PageContext, notices: readonly Notice[]): string[] {
  const waiting = controller.request.frame === undefined ? [] : controller.flash.take();
  return [...waiting.map(({ message }) => message), ...notices.map(({ text, vars }) => controller.t(text, vars))];
}

function stepView(context: PageContext, run: Run, progress: readonly StepProgress[], shown: string, index: number) {
  const { visit, mount } = context;
  const { step, complete } = progress[index]!;
  const current = step.key === shown;
  const isLinked =
    mount.wizard.metadata.navigation === "free" ? hasBeenOpened(progress[index]!) : isBehind(progress, index);
  const url = isLinked && !current ? stepPath(visit, run, step.key) : undefined;
  return { label: stepLabel(context, step), number: index + 1, current, complete, url };
}

/** A step that has to be submitted again keeps its link, although it is not visited any more. */
const hasBeenOpened = ({ visited, complete, current }: StepProgress): boolean => visited || complete || current;
const isBehind = (progress: readonly StepProgress[], index: number): boolean =>
  progress[index]!.reachable && index <= progress.findIndex(({ current }) => current);
