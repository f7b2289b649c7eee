import { currentOrigin } from "framewright/host";
import type { ChangedBy } from "framewright/plugins/database";

/** By what means records are changed now: what a plugin or command says, else what the request, the wizard or the job is. */
export function meansOf(by: ChangedBy | undefined): string | null {
  if (by === undefined) return null;
  if (by.means !== undefined) return by.means.slice(0, 30);
  if (by.wizard !== undefined) return "wizard";
  if (by.job !== undefined) return "job";
  const request = currentOrigin()?.request;
  if (!request) return null;
  if (request.routeParams.action_key !== undefined) return "action";
  if (/^bearer /i.test(request.header("authorization") ?? "")) return "key";
  return request.format === "json" ? "json" : "form";
}
