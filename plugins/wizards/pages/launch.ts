import type { Reply } from "framewright/host";
import type { Entered } from "./open_request.ts";
import { completedPath, forgetCancelled } from "./redirects.ts";
import { answerMove } from "./replies.ts";

/** Finds or makes the run, and leads to its entry step. HEAD and prefetch are led there too, and make none. */
export async function launchWizard(entered: Entered): Promise<Reply> {
  const { controller, engine, visit } = entered;
  const move = await engine.launch(visit);
  forgetCancelled(controller, visit.mount.name);
  if (move.kind === "done") return controller.redirectTo(completedPath(visit, move.run));
  return answerMove(entered, move);
}
