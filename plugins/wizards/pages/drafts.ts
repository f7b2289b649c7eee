import type { Reply } from "framewright/host";
import type { Run } from "../contract/index.ts";
import { stepLabel } from "./frame.ts";
import type { PageContext } from "./open_request.ts";
import { stepPath } from "./redirects.ts";
import { titleOf } from "./replies.ts";
import { cancelInputs, openRunsOfMount, runUrl } from "./runs_page.ts";

/** The Turbo frames in which lists and records offer a person's unfinished runs: `fw-draft-<key>`. */
export const DRAFT_FRAME = "fw-draft-";
/** Unfinished runs that are offered; the page of the runs lists all. */
const MAX_OFFERED = 3;

export const isDraftFrame = ({ controller }: PageContext): boolean =>
  controller.request.frame?.startsWith(DRAFT_FRAME) === true;

/** The person's unfinished runs of a wizard, to continue or to discard; nothing where there is none. */
export async function wizardDrafts(context: PageContext): Promise<Reply> {
  const open = await openRunsOfMount(context);
  const begun = open.filter(({ startedAt }) => startedAt !== undefined).slice(0, MAX_OFFERED);
  const drafts: Record<string, unknown>[] = [];
  for (const run of begun) drafts.push(await draftView(context, run));
  return context.controller.render("wizards/drafts", { locals: { drafts } });
}

async function draftView(context: PageContext, run: Run): Promise<Record<string, unknown>> {
  const { controller, engine, visit } = context;
  const steps = (await engine.progress(visit, run)).map(({ step }) => step);
  const index = steps.findIndex(({ key }) => key === run.cursor);
  const step = steps[index];
  const cancelUrl = runUrl(visit, run);
  return {
    wizard: titleOf(context),
    number: index + 1,
    count: steps.length,
    step: step ? stepLabel(context, step) : run.cursor,
    url: stepPath(visit, run, run.cursor),
    updated_at: run.updatedAt,
    cancel_url: cancelUrl,
    cancel_inputs: cancelInputs(controller, cancelUrl),
  };
}
