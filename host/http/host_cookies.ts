import { timingSafeEqual } from "node:crypto";
import type { Settings } from "framewright/kernel";
import { type Digests, openDigests } from "../support/token_digest.ts";
import type { Session } from "./session.ts";

/** Cookies and sessions that are valid at one host name alone, where host names are tenants'. */
export class HostCookies {
  readonly #digests: Digests;

  constructor(settings: Pick<Settings, "secrets">) {
    this.#digests = openDigests(settings, "host of a cookie");
  }

  bind(name: string, value: string, host: string): string {
    return `${this.#digests.digest(textOf(name, value, host))}.${value}`;
  }
  /** The value that was bound to this host; undefined for any other. */
  open(name: string, bound: string, host: string): string | undefined {
    const end = bound.indexOf(".");
    const value = bound.slice(end + 1);
    const given = Buffer.from(bound.slice(0, Math.max(end, 0)));
    const known = this.#digests.all(textOf(name, value, host)).map((digest) => Buffer.from(digest));
    return known.some((digest) => digest.length === given.length && timingSafeEqual(digest, given)) ? value : undefined;
  }
  /** What was stored at another host is not read. */
  bindSession(session: Session, host: string): void {
    const [current, ...previous] = this.#digests.all(textOf("session", "", host)).map((digest) => digest.slice(0, 32));
    session.bindTo(current!, previous);
  }
}

const textOf = (...parts: string[]): string => JSON.stringify(parts);
