import type { Session, SessionValue } from "./session.ts";

/** How a message looks. */
export type FlashKind = "success" | "info" | "warning" | "error";
/** One message for the next page. */
export interface FlashMessage {
  kind: FlashKind;
  message: string;
}

/** Pending messages in a session. */
const MAX_MESSAGES = 5;

/** Messages that the next page shows once. */
export class Flash {
  readonly #session: () => Session;
  readonly #now: FlashMessage[] = [];
  readonly #isSpeculative: () => boolean;

  /** `isSpeculative`: the page may not be seen, as with HEAD; messages stay pending. */
  constructor(session: () => Session, isSpeculative: () => boolean = () => false) {
    this.#session = session;
    this.#isSpeculative = isSpeculative;
  }

  /** For the page after a redirect. */
  add(kind: FlashKind, message: string): void {
    const pending = (this.#session().get("flash") ?? []) as SessionValue[];
    this.#session().setExpendable("flash", [...pending.slice(1 - MAX_MESSAGES), { kind, message }]);
  }
  /** For the page that this request renders. */
  now(kind: FlashKind, message: string): void {
    this.#now.push({ kind, message });
  }
  /** What is to be shown now; shown once. */
  take(): FlashMessage[] {
    const session = this.#session();
    const pending = ((this.#isSpeculative() ? session.get("flash") : session.take("flash")) ??
      []) as unknown as FlashMessage[];
    return [...pending, ...this.#now];
  }
}
