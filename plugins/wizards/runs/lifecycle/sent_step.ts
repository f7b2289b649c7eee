import { type FieldErrors, Params } from "framewright/host";
import type { Notice, SentStep } from "../../contract/index.ts";
import type { RunStepContext } from "../context.ts";
import { runInfo } from "../run.ts";

/** What plugins make of a step that was sent. */
export interface HeardStep {
  readonly params: Params;
  /** The errors that were found, with what plugins refuse or wait for. */
  withErrors(found: FieldErrors): FieldErrors;
  /** What has to follow before the step is stored; JSON has it among the errors. */
  readonly notices: readonly Notice[];
}

/** Calls the hook `sent` of a step. */
export async function hearStep({ core, visit, run, step }: RunStepContext, params: Params): Promise<HeardStep> {
  const hook = core.parts.hooks.sent;
  if (!hook.isUsed()) return { params, withErrors: (found) => found, notices: [] };
  const { controller } = visit;
  const parts = { before: run.staged[step.key] ?? {}, errors: {}, pending: {} };
  const sent: SentStep = { run: runInfo(run), step, controller, sent: params.toObject(), ...parts };
  await hook.promise(sent);
  const waiting = Object.entries(sent.pending);
  const isJson = controller.request.format === "json";
  const texts: FieldErrors = Object.fromEntries(
    waiting.map(([name, { text, vars }]) => [name, [controller.t(text, vars)]]),
  );
  return {
    params: new Params(sent.sent, "wizard"),
    withErrors(found) {
      const others = Object.entries(found).filter(([path]) => !Object.hasOwn(sent.pending, path));
      return { ...Object.fromEntries(others), ...sent.errors, ...(isJson ? texts : {}) };
    },
    notices: isJson ? [] : waiting.map(([, notice]) => notice),
  };
}
