/** What is sent: the rows of the table. */
export const kinds = [
  "read",
  "other tenant",
  "sign-in",
  "sign-out",
  "note",
  "edit",
  "upload",
  "order step",
  "order",
  "mail",
  "sign-up",
  "verification",
  "refresh",
] as const;
export type Kind = (typeof kinds)[number];

/** What became of a request: answered as it was hoped for, refused, or failed: 5xx, or no answer. */
export type Outcome = "ok" | "refused" | "failed";

/** Something that was asked for and must be there once, if it was answered. */
export interface Item {
  readonly kind: Kind;
  readonly mark: string;
  /** The record that it changed. */
  readonly id?: string;
  /** Milliseconds since the start. */
  readonly at: number;
  outcome: Outcome | "pending";
}

export interface Counts {
  sent: number;
  ok: number;
  /** Refused as it must be. */
  expected: number;
  refused: number;
  failed: number;
}
export interface Failure {
  readonly at: number;
  readonly kind: Kind;
  readonly what: string;
  readonly status: string;
}

/** What was sent and answered. */
export class Ledger {
  readonly start = performance.now();
  readonly counts = new Map<Kind, Counts>(kinds.map((kind) => [kind, zero()]));
  readonly items: Item[] = [];
  /** Requests that were refused or failed, in order. */
  readonly failures: Failure[] = [];
  /** Marks of other tenants that an answer had. */
  readonly leaks: string[] = [];
  /** Promises that the answers themselves broke. */
  readonly broken: string[] = [];
  #serial = 0;

  now(): number {
    return Math.round(performance.now() - this.start);
  }
  /** A text that stands for one thing that is sent. */
  mark(tenant: string, person: number): string {
    return `${tenant}-p${person}-${++this.#serial}`;
  }
  /** Before its request is sent. */
  add(kind: Kind, mark: string, id?: string): Item {
    const item: Item = { kind, mark, at: this.now(), outcome: "pending", ...(id === undefined ? {} : { id }) };
    this.items.push(item);
    return item;
  }
  count(kind: Kind, outcome: Outcome | "expected", what: string, status: string): void {
    const counts = this.counts.get(kind)!;
    counts.sent++;
    counts[outcome]++;
    if (outcome === "refused" || outcome === "failed") this.failures.push({ at: this.now(), kind, what, status });
  }
  of(kind: Kind): Item[] {
    return this.items.filter((item) => item.kind === kind);
  }
  /** Of all requests, in percent: those that were refused without being expected to, and those that failed. */
  get share(): number {
    let [sent, bad] = [0, 0];
    for (const counts of this.counts.values()) {
      sent += counts.sent;
      bad += counts.refused + counts.failed;
    }
    return sent === 0 ? 100 : (bad / sent) * 100;
  }
}

export function outcomeOf({ status }: Response): Outcome {
  if (status === 0 || status >= 500) return "failed";
  return status >= 400 ? "refused" : "ok";
}

const zero = (): Counts => ({ sent: 0, ok: 0, expected: 0, refused: 0, failed: 0 });
