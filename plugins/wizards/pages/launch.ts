import type { Reply } from "framewright/host";
import { checkApplies, type PageContext } from "./open_request.ts";
import { completedPath, forgetCancelled } from "./redirects.ts";
import { replyTo } from "./replies.ts";

/** Finds or creates the run, and redirects to its entry step. HEAD and prefetch are redirected too, but create none. */
export async function launchWizard(context: PageContext): Promise<Reply> {
  const { controller, engine, visit, mount } = context;
  const isCompleted = !context.applies && mount.wizard.metadata.oneTime && (await engine.isCompleted(visit));
  if (!isCompleted) checkApplies(context);
  const result = await engine.launch(visit);
  forgetCancelled(controller, visit.mount.name);
  if (result.kind === "done") return controller.redirectTo(completedPath(visit, result.run));
  return replyTo(context, result);
}
