import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { csrfRefused } from "../errors.ts";
import { Recent } from "../support/bounded_cache.ts";
import { randomDraws } from "../support/random_pool.ts";
import type { ParamObject } from "./params.ts";
import type { RequestContext } from "./request.ts";
import type { Session } from "./session.ts";

export const csrfField = "authenticity_token";
const LENGTH = 32;
const safe = new Set(["GET", "HEAD", "OPTIONS"]);

/** A token for one form: bound to the session, the verb and the path, and different on every page. */
export function formToken(session: Session, method: string, path: string): string {
  return mask(digest(secretOf(session), `${method.toUpperCase()} ${path}`));
}

/** A token for requests that scripts make with X-CSRF-Token: bound to the session. Forms do not take it. */
export function headerToken(session: Session): string {
  return mask(digest(secretOf(session), "header"));
}

/**
 * Refuses an unsafe request that a page of another site may have sent. Exempt are requests with a bearer token and
 * JSON requests without a cookie of ours and without a foreign Origin, but for those that may call: all act without
 * the session.
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
  const { session } = request;
  const header = request.header("x-csrf-token");
  if (header !== undefined && matches(header, digest(secretOf(session), "header"))) return;
  const given = request.body.get(csrfField);
  const path = request.path;
  if (typeof given !== "string") throw csrfRefused();
  if (!matches(given, digest(secretOf(session), `${request.method} ${path}`))) throw csrfRefused();
}

/** Whether the browser brought a cookie of ours: the session, or a key that signs a device in. */
function carriesOurs({ carriesSession, cookies }: RequestContext): boolean {
  return carriesSession || Object.keys(cookies).some((name) => /^(?:__Host-)?fw_/.test(name));
}

/** Whether a page of another site made the request, as far as the browser says. */
export function isForeign(request: RequestContext): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const origin = request.header("origin");
  return origin !== undefined && origin !== request.origin && origin !== request.settings.appUrl?.origin;
}

/** The fields of the transport are nobody's parameters. */
export function forgetTransport(request: RequestContext): void {
  const { body } = request;
  if (!body.has(csrfField) && !body.has("_method")) return;
  const values: ParamObject = Object.create(null);
  for (const name of body.keys()) if (name !== csrfField && name !== "_method") values[name] = body.get(name)!;
  request.setBody(values);
}

function secretOf(session: Session): string {
  const known = session.get("csrf");
  if (typeof known === "string") return known;
  const secret = randomBytes(LENGTH).toString("base64url");
  session.setReserved("csrf", secret);
  return secret;
}

const digests = new Recent<Buffer>(1000); // a page asks for the same few of its session again and again
const digest = (secret: string, subject: string): Buffer =>
  digests.of(`${secret} ${subject}`, () => createHmac("sha256", secret).update(subject).digest());

const drawPad = randomDraws(LENGTH);

const masked = Buffer.alloc(LENGTH * 2);
/** XORs with a one-time pad, so that compression over TLS can't guess a token that every page repeats. */
function mask(token: Buffer): string {
  drawPad(masked);
  for (let at = 0; at < LENGTH; at++) masked[LENGTH + at] = masked[at]! ^ token[at]!;
  return masked.toString("base64url");
}
function matches(given: string, token: Buffer): boolean {
  const bytes = Buffer.from(given, "base64url");
  if (bytes.length !== LENGTH * 2) return false;
  return timingSafeEqual(xor(bytes.subarray(LENGTH), bytes.subarray(0, LENGTH)), token);
}
function xor(a: Buffer, b: Buffer): Buffer {
  const out = Buffer.allocUnsafe(a.length);
  for (let index = 0; index < a.length; index++) out[index] = a[index]! ^ b[index]!;
  return out;
}
