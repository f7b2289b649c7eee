import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isKnownTag } from "./known_tag.ts";
import { copyOf, Reply } from "./reply.ts";
import type { RequestContext } from "./request.ts";

/** Seconds at most for which caches may keep a page of guests. */
export const MAX_PUBLIC_AGE = 86_400;

/** What a page of guests may differ by, besides its address and the language. Caches that leave the host name out of their keys are led by it. */
const VARIES_BY = ["cookie", "authorization", "accept", "turbo-frame", "host", "accept-encoding"];

/**
 * A reply as proxies may keep it, where its route sets for how long, and everybody without a cookie of ours gets the same;
 * else the reply as it is. A client that has it already gets 304.
 */
export function publicReply(reply: Reply, request: RequestContext): Reply {
  if (request.publicMaxAge === 0 || !isPublic(reply, request)) return reply;
  const kept = copyOf(reply); // a controller may keep one reply for everybody
  const before = reply.headers.vary === undefined ? [] : [reply.headers.vary].flat().join(", ").split(/,\s*/);
  kept.headers.vary = [...new Set([...before, ...VARIES_BY])].join(", ");
  kept.headers["cache-control"] = `public, max-age=${request.publicMaxAge}`;
  kept.headers.etag ??= `W/"${createHash("sha256").update(reply.body).digest("base64url").slice(0, 20)}"`; // weak: it may be sent compressed
  return isKnownTag(request.header("if-none-match"), String(kept.headers.etag)) ? notModified(kept) : kept;
}

/** Nothing that a visitor brought, and nothing that a visitor is to keep. */
function isPublic({ status, headers, stream }: Reply, request: RequestContext): boolean {
  const { raw, controller } = request;
  if (raw.method !== "GET" && raw.method !== "HEAD") return false;
  if (status !== 200 || stream || controller?.currentUser !== undefined) return false;
  if (headers["set-cookie"] !== undefined || headers["cache-control"] !== undefined) return false;
  if ([headers.vary ?? ""].flat().some((names) => names.includes("*"))) return false;
  return !carriesOwn(raw) && !request.carriesSession && !request.isCrossOrigin;
}

/** A cookie of the framework, whatever its name is over this connection; a header that identifies the account; or a body. */
function carriesOwn({ headers }: IncomingMessage): boolean {
  if (headers.authorization !== undefined || headers["transfer-encoding"] !== undefined) return true;
  if (Number(headers["content-length"] ?? 0) > 0) return true;
  return /(?:^|[;,\s])(?:__(?:Host|Secure)-)?fw_/i.test(headers.cookie ?? "");
}

function notModified({ headers }: Reply): Reply {
  const { "content-type": _, ...others } = headers;
  return new Reply(304, "", others);
}
