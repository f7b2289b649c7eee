import type { RequestContext } from "framewright/host";
import type { Part } from "./contract.ts";
import type { Follower } from "./followers.ts";

/** Milliseconds between two events of a stream. */
const GAP_MS = 2000;
const HEARTBEAT_MS = 25_000;
/** The browser opens a stream that was lost again after this time, each after another. */
const RETRY_MS = 2000;
const RETRY_SPREAD_MS = 3000;

interface Parts {
  readonly request: RequestContext;
  readonly topics: ReadonlyMap<string, Part>;
  readonly since: number;
  /** What may have changed before it was opened. */
  readonly changed: Set<Part>;
  /** Whether the person may see the page still: false when not, undefined where it can't be known. */
  isAllowed(): Promise<boolean | undefined>;
  /** It has ended. */
  closed(): void;
}

/** The stream of one page: it reports that a part of it may have changed, and never what. */
export class LiveStream implements Follower {
  readonly topics: ReadonlyMap<string, Part>;
  readonly since: number;
  readonly #parts: Parts;
  readonly #changed: Set<Part>;
  readonly #heartbeat: number;
  readonly #close = () => this.end();
  #wake: (() => void) | undefined;
  #hasEnded = false;
  #isReleased = false;
  #lastEvent = Number.NEGATIVE_INFINITY;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.topics = parts.topics;
    this.since = parts.since;
    this.#changed = parts.changed;
    const { deadline, requestTimeout } = parts.request.settings.limits;
    const idle = deadline > 0 ? deadline + requestTimeout : HEARTBEAT_MS * 3; // the server ends a socket without traffic
    this.#heartbeat = Math.min(HEARTBEAT_MS, idle / 3);
    const { socket } = parts.request.raw;
    socket.once("close", this.#close);
    if (socket.destroyed) this.end();
  }

  notify(part: Part, within: number): void {
    if (this.#changed.size === 0) this.#notBefore = performance.now() + Math.random() * within;
    this.#changed.add(part);
    this.#wake?.();
  }
  /** Ends it without waiting for its next chunk; the browser opens another one. */
  end(): void {
    this.#hasEnded = true;
    this.#release();
    this.#wake?.();
  }

  /** What is sent. Nothing is queued: parts that change meanwhile are one event. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    try {
      yield `retry: ${RETRY_MS + Math.floor(Math.random() * RETRY_SPREAD_MS)}\n\n`;
      for (let waiting = 0; ; ) {
        const isDue = await this.#due();
        if (this.#hasEnded) return;
        const { socket } = this.#parts.request.raw;
        waiting = socket.writableLength > 0 ? waiting + 1 : 0;
        if (waiting > 1) return void socket.destroy(); // nobody has read the last two
        const isAllowed = await this.#parts.isAllowed();
        if (isAllowed === false) yield "event: end\ndata:\n\n";
        if (isAllowed !== true || this.#hasEnded) return;
        if (!isDue) yield ":\n\n";
        else {
          const parts = [...this.#changed];
          this.#changed.clear();
          this.#lastEvent = performance.now();
          yield parts.map((part) => `event: ${part}\ndata:\n\n`).join("");
        }
      }
    } finally {
      this.end();
    }
  }

  /** Resolves with true where something changed, with false when a heartbeat is due, and at its end. */
  async #due(): Promise<boolean> {
    const until = performance.now() + this.#heartbeat;
    while (!this.#hasEnded) {
      const now = performance.now();
      const isChanged = this.#changed.size > 0;
      const next = isChanged ? Math.max(this.#lastEvent + GAP_MS, this.#notBefore) : until;
      if (next <= now) return isChanged;
      await this.#sleep(next - now);
    }
    return false;
  }
  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, milliseconds).unref();
      this.#wake = done;
    });
  }

  #release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#parts.request.raw.socket.off("close", this.#close);
    this.#parts.closed();
  }
}
