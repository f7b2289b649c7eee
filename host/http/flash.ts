import type { Session, SessionValue } from "./session.ts";

export type FlashKind = "success" | "info" | "warning" | "error";
export interface FlashMessage {
  kind: FlashKind;
  message: string;
}

/** Messages that wait at once; they travel in the session. */
const MAX_MESSAGES = 5;

/** Messages that the next page shows once. */
export class Flash {
  readonly #session: () => Session;
  readonly #now: FlashMessage[] = [];
  readonly #onlyLooks: () => boolean;

  /** `onlyLooks`: nobody sees the page that is rendered, as with HEAD; what waits goes on waiting. */
  constructor(session: () => Session, onlyLooks: () => boolean = () => false) {
    this.#session = session;
    this.#onlyLooks = onlyLooks;
  }

  /** For the page after a redirect. */
  add(kind: FlashKind, message: string): void {
    const waiting = (this.#session().get("flash") ?? []) as SessionValue[];
    this.#session().setExpendable("flash", [...waiting.slice(1 - MAX_MESSAGES), { kind, message }]);
  }
  /** For the page that this request renders. */
  now(kind: FlashKind, message: string): void {
    this.#now.push({ kind, message });
  }
  /** What is to be shown now; shown once. */
  take(): FlashMessage[] {
    const session = this.#session();
    const waiting = ((this.#onlyLooks() ? session.get("flash") : session.take("flash")) ??
      []) as unknown as FlashMessage[];
    return [...waiting, ...this.#now];
  }
}
