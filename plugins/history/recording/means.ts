import { currentOrigin, html, type RequestContext, type SafeHtml } from "framewright/host";
import type {} from "framewright/plugins/api_keys";
import type { ChangedBy } from "framewright/plugins/database";

const DUPLICATE = "_duplicate";

/** By what means records are changed now: what a plugin or command sets, else what the request, the wizard or the job is. */
export function meansOf(by: ChangedBy | undefined): string | null {
  if (by === undefined) return null;
  if (by.means !== undefined) return by.means.slice(0, 30);
  if (by.wizard !== undefined) return "wizard";
  if (by.job !== undefined) return "job";
  const request = currentOrigin()?.request;
  if (!request) return null;
  if (keyName() !== undefined) return "key";
  if (request.routeParams.action_key !== undefined) return "action";
  if (/^bearer /i.test(request.header("authorization") ?? "")) return "key";
  if (request.format === "json") return "json";
  return request.body.get(DUPLICATE) === "1" ? "duplicate" : "form";
}

/** What the person calls the key that their program came with; undefined without one. */
export function keyName(): string | undefined {
  const request = currentOrigin()?.request;
  return request?.kernel.has("api_keys") ? request.kernel.service("api_keys").grantOf(request)?.name : undefined;
}

/** In the form of a new record with the values of another: what is sent names where they come from. */
export const duplicateMark = ({ route }: RequestContext): SafeHtml | undefined =>
  route?.action === "newDuplicate" ? html`<input type="hidden" name="${DUPLICATE}" value="1">` : undefined;
