import type { Reply } from "framewright/host";
import type { Notice, Run, StepProgress } from "../contract/index.ts";
import { frameLocals, layoutOf, type StepPageOptions, stepLabel } from "./frame.ts";
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
  const step = mount.wizard.flow.step(key)!;
  const url = stepPath(visit, run, key);
  const content = stepContent(context, run, step, progress, shown);
  const locals = {
    ...frameLocals(context),
    ...content,
    title: `${stepLabel(step)} · ${titleOf(context)}`,
    step: { key, label: stepLabel(step), description: step.description, review: step.review },
    steps: mount.wizard.metadata.stepper ? progress.map((one, index) => stepView(context, run, one, key, index)) : [],
    is_first: progress[0]?.step.key === key,
    is_last: progress.at(-1)?.step.key === key,
    action: url,
    csrf: hiddenInputs(controller, run, url),
    notices: noticeTexts(context, [...run.notices, ...(shown.notices ?? [])]),
    offered: await offeredRuns(context, run, key === progress[0]?.step.key),
  };
  return controller.render("wizards/step", { status: shown.status ?? 200, locals, ...layoutOf(context) });
}

/** The notices; in a frame, which has no layout, with the flash. */
function noticeTexts({ controller }: PageContext, notices: readonly Notice[]): string[] {
  const waiting = controller.request.frame === undefined ? [] : controller.flash.take();
  return [...waiting.map(({ message }) => message), ...notices.map(({ text, vars }) => controller.t(text, vars))];
}

function stepView(
  { visit }: PageContext,
  run: Run,
  { step, complete, reachable }: StepProgress,
  shown: string,
  index: number,
) {
  const current = step.key === shown;
  const url = reachable && !current ? stepPath(visit, run, step.key) : undefined;
  return { label: stepLabel(step), number: index + 1, current, complete, url };
}
