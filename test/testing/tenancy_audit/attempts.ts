import type { Application } from "framewright/host";
import type { Person } from "./people.ts";
import type { Recorder } from "./recorder.ts";
import type { MarkedRecords } from "./records.ts";
import type { AuditAttempt } from "./report.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Answer, Sent } from "./visitor.ts";

/** One request of a person, and what it is to show. */
export interface Attempt {
  readonly kind: AuditAttempt;
  readonly person: Person;
  readonly sent: Sent;
  /** Guests may enter every tenant. */
  readonly isPublic: boolean;
  /** The request is the portal's list of tenants. */
  readonly isChooser: boolean;
  /** Whether rows may have changed. */
  readonly writes: boolean;
}
/** What an attempt showed: a leak, or why it shows nothing. */
export interface Shown {
  readonly answer: Answer;
  readonly problem: string | undefined;
  readonly leaks: boolean;
}

const MAX_REDIRECTS = 2;

/** Sends requests, and looks for what must not be in what follows. */
export class Attempts {
  readonly #application: Application;
  readonly #recorder: Recorder;
  readonly #records: MarkedRecords;
  readonly #snapshot: Snapshot;
  /** The paths of each tenant begin with this, where a URL names the tenant. */
  readonly #prefixes: Record<"a" | "b", string> | undefined;

  constructor(
    parts: { application: Application; recorder: Recorder; records: MarkedRecords; snapshot: Snapshot },
    prefixes: Record<"a" | "b", string> | undefined,
  ) {
    this.#application = parts.application;
    this.#recorder = parts.recorder;
    this.#records = parts.records;
    this.#snapshot = parts.snapshot;
    this.#prefixes = prefixes;
  }

  async run(attempt: Attempt): Promise<Shown> {
    const { person, sent, kind } = attempt;
    this.#recorder.clear();
    const answer = await person.visitor.send(sent, this.#tenant(kind));
    const problems = [...this.#refusal(attempt, answer), ...this.#look(attempt, answer)];
    const failed = this.#recorder.lastLog;
    if (kind !== "other tenant") problems.push(...(await this.#follow(attempt, answer)));
    if (attempt.writes) {
      const changed = await this.#snapshot.compare();
      if (changed !== undefined) problems.push(`rows of the other tenant: ${changed}`);
    }
    const leaks = problems.length > 0;
    const problem = leaks ? problems.join("; ") : answer.status >= 500 ? failed : undefined;
    return { answer, problem, leaks };
  }

  /** For portals that find the tenant by a method. */
  #tenant(kind: AuditAttempt): Record<string, string> {
    return this.#prefixes ? {} : { [this.#recorder.tenantHeader]: kind === "other tenant" ? "b" : "a" };
  }

  #refusal(attempt: Attempt, answer: Answer): string[] {
    if (this.#isRefused(attempt, answer)) return [];
    return [`answers ${answer.status} in a tenant that this person may not enter`];
  }

  #look(attempt: Attempt, answer: Answer): string[] {
    const problems: string[] = [];
    const texts = [
      { what: "the body", text: answer.text },
      { what: "a header", text: answer.headers },
      ...this.#recorder.texts(this.#application),
    ];
    for (const mark of this.#forbidden(attempt)) {
      if (attempt.sent.url.includes(mark) && answer.status >= 400) continue; // its own words
      for (const { what, text } of texts) {
        const at = text.toLowerCase().indexOf(mark);
        if (at >= 0) problems.push(`${what} has a text of the other tenant: "${excerpt(text, at)}"`);
      }
    }
    return problems;
  }

  /** Whether somebody who may not enter the tenant was refused; true for others. */
  #isRefused({ kind, person, isPublic, isChooser }: Attempt, { status, location }: Answer): boolean {
    const mayEnter = isChooser || isPublic || (kind !== "other tenant" && person.member === "a");
    if (mayEnter || status >= 500) return true;
    if (status >= 300 && status < 400)
      return !this.#prefixes || !isBelow(location ?? "", Object.values(this.#prefixes));
    return status >= 400 && status !== 409 && status !== 422;
  }

  #forbidden({ person, isPublic, isChooser }: Attempt): string[] {
    const { a, b } = this.#records.marks;
    if (isPublic) return isChooser ? [] : [b];
    return person.member === "a" ? [b] : person.member === "b" ? [a] : [a, b];
  }

  /** The pages that an answer leads to, as a browser would open them: what was done shows there. */
  async #follow(attempt: Attempt, { status, location }: Answer): Promise<string[]> {
    const problems: string[] = [];
    let next = status >= 300 && status < 400 ? location : undefined;
    for (let count = 0; next?.startsWith("/") && count < MAX_REDIRECTS; count++) {
      const followed = { ...attempt, sent: { method: "GET", url: next } };
      const answer = await attempt.person.visitor.send(followed.sent, this.#tenant(attempt.kind));
      problems.push(...this.#look(followed, answer).map((problem) => `${next}: ${problem}`));
      next = answer.status >= 300 && answer.status < 400 ? answer.location : undefined;
    }
    return problems;
  }
}

const isBelow = (location: string, prefixes: readonly string[]): boolean =>
  prefixes.some(
    (prefix) => location === prefix || location.startsWith(`${prefix}/`) || location.startsWith(`${prefix}?`),
  );

/** A few characters around a place. */
const excerpt = (text: string, at: number): string =>
  text
    .slice(Math.max(0, at - 30), at + 40)
    .replaceAll(/\s+/g, " ")
    .trim();
