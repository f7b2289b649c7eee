import { currentOrigin, type Origin } from "framewright/host";
import type { ChangedBy } from "./change.ts";

/** Who makes a change that is written now, by where the running code was entered; `otherwise`: by what means where it was not. */
export function changedBy(otherwise?: string): ChangedBy | undefined {
  const origin = currentOrigin() ?? (otherwise === undefined ? undefined : { means: otherwise });
  if (!origin) return undefined;
  const { request, wizard, job, means, actor }: Origin = origin;
  const user = request?.controller?.currentUser;
  const acting = actor ?? request?.actorFor(user);
  return { user, actor: acting, portal: request?.engine?.name, wizard, job, means };
}
