import { problemReply, type Reply, type RequestContext } from "framewright/host";
import { pageRefused } from "./errors.ts";

const safe: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * A page that is about to be sent to a key, as by a route that has no JSON: pages show choices and records of other resources than
 * the scopes name. What was written stays written, and is answered without a body.
 */
export function withholdPage(reply: Reply, request: RequestContext): void {
  const type = String(reply.headers["content-type"] ?? "");
  const isFile = /^\s*attachment/i.test(String(reply.headers["content-disposition"] ?? ""));
  if (reply.status >= 400 || isFile || !/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return;
  void reply.stream?.[Symbol.asyncIterator]().return?.(); // what it reads from is released
  reply.stream = undefined;
  for (const name of ["content-length", "content-type", "etag", "last-modified"]) delete reply.headers[name];
  const refusal = safe.has(request.method) ? problemReply(pageRefused(), request.application, request) : undefined;
  reply.status = refusal?.status ?? 204;
  reply.body = refusal?.body ?? "";
  if (refusal) Object.assign(reply.headers, refusal.headers);
}
