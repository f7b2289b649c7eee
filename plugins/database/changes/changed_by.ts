import { actorFor, currentOrigin } from "framewright/host";
import type { ChangedBy } from "./change.ts";

/** Who makes a change that is written now, by where the running code was entered. */
export function changedBy(): ChangedBy | undefined {
  const origin = currentOrigin();
  if (!origin) return undefined;
  const { request, wizard, job } = origin;
  const user = request?.controller?.currentUser;
  return { user, actor: actorFor(request, user), portal: request?.engine?.name, wizard, job };
}
