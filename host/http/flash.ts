import { timingSafeEqual } from "node:crypto";
import { secretOf, signature } from "./csrf.ts";
import type { Session } from "./session.ts";

/** How a message looks. */
export type FlashKind = "success" | "info" | "warning" | "error";
/** One message for the next page. */
export interface FlashMessage {
  kind: FlashKind;
  message: string;
  action?: FlashAction;
}
/** A button of a message: what it is called, and the path that it posts to, with where to return to as `return_to`. */
export interface FlashAction {
  label: string;
  url: string;
}

/** Pending messages of a browser. */
const MAX_MESSAGES = 5;
/** They have a cookie of their own, so that the session need not be sealed anew for each of them. */
const COOKIE = "fw_flash";
const MAX_COOKIE_CHARS = 3000;
/** Seconds. */
const MAX_AGE = 3600;

/** What messages need of their request. */
interface Place {
  readonly session: Session;
  /** The page may not be seen, as with HEAD; messages stay pending. */
  readonly isSpeculative: boolean;
  cookie(name: string): string | undefined;
  setCookie(name: string, value: string, maxAge: number): void;
}

/** Messages that the next page shows once: signed by the session's secret, so that they end with it. */
export class Flash {
  readonly #place: Place;
  readonly #now: FlashMessage[] = [];
  #pending: readonly FlashMessage[] | undefined;
  #changed = false;

  constructor(place: Place) {
    this.#place = place;
  }

  /** For the page after a redirect, once for equal messages; `flash.add("success", "Sent.", { label: "Undo", url: "/mails/3/undo" })` has a button. */
  add(kind: FlashKind, message: string, action?: FlashAction): void {
    const added = { kind, message, ...(action ? { action } : {}) };
    const others = this.#read().filter((one) => one.message !== message || one.action?.url !== action?.url);
    this.#pending = [...others.slice(1 - MAX_MESSAGES), added];
    this.#changed = true;
  }
  /** For the page that this request renders. */
  now(kind: FlashKind, message: string): void {
    this.#now.push({ kind, message });
  }
  /** What is to be shown now; shown once. */
  take(): FlashMessage[] {
    const pending = this.#read();
    if (!this.#place.isSpeculative && (pending.length > 0 || this.#place.cookie(COOKIE) !== undefined)) {
      this.#pending = [];
      this.#changed = true;
    }
    return [...pending, ...this.#now];
  }
  /** Sets the cookie where messages were added or taken; to be called before the session is saved. */
  save(): void {
    if (!this.#changed) return;
    const value = sealedWithin(this.#read(), this.#place.session);
    if (value !== undefined) this.#place.setCookie(COOKIE, value, MAX_AGE);
    else if (this.#place.cookie(COOKIE) !== undefined) this.#place.setCookie(COOKIE, "", 0);
  }

  #read(): readonly FlashMessage[] {
    this.#pending ??= messagesOf(this.#place.cookie(COOKIE), this.#place.session);
    return this.#pending;
  }
}

/** The messages as a cookie, without the oldest where there is no room for all; undefined for none. */
function sealedWithin(messages: readonly FlashMessage[], session: Session): string | undefined {
  if (messages.length === 0) return undefined;
  const text = Buffer.from(JSON.stringify(messages)).toString("base64url");
  if (text.length > MAX_COOKIE_CHARS) return sealedWithin(messages.slice(1), session);
  return `${text}.${signature(secretOf(session), `flash ${text}`).toString("base64url")}`;
}

/** The messages of a cookie; none where this session did not sign it. */
function messagesOf(cookie: string | undefined, session: Session): readonly FlashMessage[] {
  const [text = "", given = ""] = cookie?.split(".") ?? [];
  const secret = text === "" ? undefined : session.get("csrf");
  if (typeof secret !== "string") return [];
  const [expected, actual] = [signature(secret, `flash ${text}`), Buffer.from(given, "base64url")];
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return [];
  return JSON.parse(Buffer.from(text, "base64url").toString()) as FlashMessage[];
}
