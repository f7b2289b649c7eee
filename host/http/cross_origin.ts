import type { IncomingMessage } from "node:http";
import { errors } from "../errors.ts";
import { Reply } from "./reply.ts";

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const REQUEST_HEADERS = "authorization, content-type, accept, if-match, if-none-match";
const EXPOSED_HEADERS = "etag, location, retry-after, www-authenticate, content-disposition";
/** Seconds for which a browser keeps what a preflight was answered. */
const PREFLIGHT_SECONDS = 7200;

interface Rule {
  readonly prefix: string;
  readonly origins: ReadonlySet<string>;
}

/**
 * Which pages of other origins may call the paths below a prefix with a bearer token; cookies are neither read nor
 * allowed. All other paths answer no other origin.
 */
export class CrossOrigins {
  readonly #rules: Rule[] = [];

  /** @throws FW_ORIGIN for what is no origin, `*` included */
  add(prefix: string, origins: readonly string[]): void {
    for (const origin of origins) if (!isOrigin(origin)) throw errors.FW_ORIGIN(prefix, origin);
    this.#rules.push({ prefix, origins: new Set(origins) });
  }

  /** The rule for a request, by its path; undefined where there is none. */
  of({ url = "/", headers }: IncomingMessage): CrossOrigin | undefined {
    if (this.#rules.length === 0) return undefined;
    const path = url.split("?", 1)[0]!;
    const rule = this.#rules.find(({ prefix }) => path === prefix || path.startsWith(`${prefix}/`));
    if (!rule) return undefined;
    const { origin } = headers;
    return { origin: origin !== undefined && rule.origins.has(origin) ? origin : undefined };
  }
}

/** A request to a path that other origins may call; `origin` where it comes from one of them. */
export interface CrossOrigin {
  readonly origin: string | undefined;
}

function isOrigin(text: string): boolean {
  if (!/^https?:\/\/[^*]+$/.test(text) || !URL.canParse(text)) return false;
  return new URL(text).origin === text;
}

/** The answer to a preflight, which comes without token and cookie; undefined for any other request. */
export function preflightReply(
  cross: CrossOrigin | undefined,
  { method, headers }: IncomingMessage,
): Reply | undefined {
  if (!cross || method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return undefined;
  if (cross.origin === undefined) return new Reply(204, "", {});
  return new Reply(204, "", {
    "access-control-allow-methods": METHODS,
    "access-control-allow-headers": REQUEST_HEADERS,
    "access-control-max-age": String(PREFLIGHT_SECONDS),
  });
}

/** Lets the page of an origin that may call read an answer. */
export function allowOrigin(reply: Reply, { origin }: CrossOrigin): void {
  const { vary } = reply.headers;
  reply.headers.vary = vary === undefined ? "origin" : `${String(vary)}, origin`;
  if (origin === undefined) return;
  reply.headers["access-control-allow-origin"] = origin;
  reply.headers["access-control-expose-headers"] = EXPOSED_HEADERS;
}
