import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { csrfRefused } from "../errors.ts";
import { BoundedCache } from "../support/bounded_cache.ts";
import { randomPool } from "../support/random_pool.ts";
import type { ParamObject } from "./params.ts";
import type { RequestContext } from "./request.ts";
import type { Session } from "./session.ts";

/** The name of the hidden field of forms. */
export const csrfField = "authenticity_token";
const TOKEN_BYTES = 32;
const safe = new Set(["GET", "HEAD", "OPTIONS"]);

/** A token for one form: bound to the session, the verb and the path, and different on every page. */
export function formToken(session: Session, method: string, path: string): string {
  return mask(signature(secretOf(session), `${method.toUpperCase()} ${path}`));
}

/** A token for requests that scripts make with X-CSRF-Token: bound to the session. Forms do not take it. */
export function headerToken(session: Session): string {
  return mask(signature(secretOf(session), "header"));
}

/**
 * Refuses an unsafe request that a page of another site may have sent. Exempt are requests with a bearer token and
 * JSON requests without a session cookie and without a foreign Origin (unless that origin is allowed): they all run
 * without the session.
 * @throws HttpError 403
 */
export function checkCsrf(request: RequestContext): void {
  if (safe.has(request.method)) return;
  if (isForeign(request) && !request.isCrossOrigin) throw csrfRefused();
  if (request.cookieless || !carriesOurs(request)) {
    if (request.bearer !== undefined || request.isJson) {
      request.forgetSession();
      return;
    }
  }
  if (request.route?.metadata.csrf === "origin" && isOwn(request)) return;
  const { session } = request;
  const header = request.header("x-csrf-token");
  if (header !== undefined && matches(header, signature(secretOf(session), "header"))) return;
  const given = request.body.get(csrfField);
  const path = request.path;
  if (typeof given !== "string") throw csrfRefused();
  if (!matches(given, signature(secretOf(session), `${request.method} ${path}`))) throw csrfRefused();
}

/** Whether the request carries a cookie of the framework: the session, or the key of a remembered device. */
function carriesOurs({ carriesSession, cookies }: RequestContext): boolean {
  return carriesSession || Object.keys(cookies).some((name) => /^(?:__Host-)?fw_/.test(name));
}

/** Whether a page of another site made the request, as the browser reports. */
export function isForeign(request: RequestContext): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const origin = request.header("origin");
  return origin !== undefined && origin !== request.origin && !isAppUrl(request, origin);
}

/**
 * Whether an Origin is that of APP_URL, which is the application's own where a proxy passes another Host on. At a name that a
 * wildcard of ALLOWED_HOSTS or a plugin serves, as that of a tenant, a page of APP_URL is another site's.
 */
function isAppUrl({ hostname, settings: { appUrl, allowedHosts } }: RequestContext, origin: string): boolean {
  if (origin !== appUrl?.origin) return false;
  return (
    hostname === appUrl.hostname || allowedHosts.includes(hostname) || !hostname.includes(".") || isIP(hostname) > 0
  );
}

/** Whether a page of this application made the request, as the browser reports; false where it reports nothing. */
function isOwn(request: RequestContext): boolean {
  return request.header("sec-fetch-site") === "same-origin" || request.header("origin") === request.origin;
}

/** Removes authenticity_token and _method, so that actions never see them. */
export function stripFormFields(request: RequestContext): void {
  const { body } = request;
  if (!body.has(csrfField) && !body.has("_method")) return;
  const values: ParamObject = Object.create(null);
  for (const name of body.keys()) if (name !== csrfField && name !== "_method") values[name] = body.get(name)!;
  request.setBody(values);
}

/** The secret of a session, by which its forms and messages are signed. */
export function secretOf(session: Session): string {
  const known = session.get("csrf");
  if (typeof known === "string") return known;
  const secret = randomBytes(TOKEN_BYTES).toString("base64url");
  session.setReserved("csrf", secret);
  return secret;
}

/** Module-level: a pure function, cached: a page needs the same few signatures of its session many times. */
const digests = new BoundedCache<Buffer>(1000);
/** What the secret of a session makes of a subject; it must not be changed. */
export const signature = (secret: string, subject: string): Buffer =>
  digests.getOrMake(`${secret} ${subject}`, () => createHmac("sha256", secret).update(subject).digest());

const fillPad = randomPool(TOKEN_BYTES);

const masked = Buffer.alloc(TOKEN_BYTES * 2);
/** XORs with a one-time pad, so that compression over TLS can't guess a token that every page repeats. */
function mask(token: Buffer): string {
  fillPad(masked);
  for (let at = 0; at < TOKEN_BYTES; at++) masked[TOKEN_BYTES + at] = masked[at]! ^ token[at]!;
  return masked.toString("base64url");
}
function matches(given: string, token: Buffer): boolean {
  const bytes = Buffer.from(given, "base64url");
  if (bytes.length !== TOKEN_BYTES * 2) return false;
  return timingSafeEqual(xor(bytes.subarray(TOKEN_BYTES), bytes.subarray(0, TOKEN_BYTES)), token);
}
function xor(a: Buffer, b: Buffer): Buffer {
  const out = Buffer.allocUnsafe(a.length);
  for (let index = 0; index < a.length; index++) out[index] = a[index]! ^ b[index]!;
  return out;
}
