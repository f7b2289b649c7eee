import type { Application } from "framewright/host";
import { decoded, withoutEchoes } from "./echoes.ts";
import type { HiddenRecords, HiddenText } from "./hidden_records.ts";
import type { Person } from "./people.ts";
import type { Recorder } from "./recorder.ts";
import type { MarkedRecords } from "./records.ts";
import type { AuditAttempt } from "./report.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Answer, Sent } from "./visitor.ts";

type Side = "a" | "b";
const other = (side: Side): Side => (side === "a" ? "b" : "a");

/** One request of a person, and what it is to show. */
export interface Attempt {
  readonly kind: AuditAttempt;
  readonly person: Person;
  /** The tenant whose members send; the other's marks must not show. */
  readonly side: Side;
  readonly sent: Sent;
  /** The request names a record of the other tenant: a file in answer is that record's. */
  readonly namesForeign?: boolean;
  /** Guests may enter every tenant. */
  readonly isPublic: boolean;
  /** The request is the portal's list of tenants. */
  readonly isChooser: boolean;
  /** What the policies of the portal hide from the person. */
  readonly hidden?: readonly HiddenText[];
}
/** What an answer must not have: what it is, and where a text has it; -1 where it does not. */
export interface Forbidden {
  readonly of: string;
  at(text: string): number;
}
const foreignText = (mark: string): Forbidden => ({
  of: "a text of the other tenant",
  at: (text) => text.toLowerCase().indexOf(mark),
});

/** A text that a policy hides: as it is, or in an address; not as the beginning of another one. Who a mail is for is no text of it. */
function hiddenText({ of, text }: HiddenText): Forbidden {
  const words = text.split(" ").map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const pattern = new RegExp(`${words.join("(?: |%20|\\+)")}(?!\\d)`, "i");
  return {
    of,
    at: (whole) => (whole.includes(words[0]!) ? (pattern.exec(whole.replaceAll(RECIPIENT, ""))?.index ?? -1) : -1),
  };
}
const RECIPIENT = /\\*"(?:to|cc|bcc|replyTo)\\*":\s*\\*"[^"\\]*/g;

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
  readonly #hidden: HiddenRecords | undefined;
  /** The paths of each tenant begin with this, where a URL names the tenant. */
  readonly #prefixes: Record<"a" | "b", string> | undefined;

  constructor(
    parts: { application: Application; recorder: Recorder; records: MarkedRecords; snapshot: Snapshot },
    prefixes: Record<"a" | "b", string> | undefined,
    hidden?: HiddenRecords,
  ) {
    this.#hidden = hidden;
    this.#application = parts.application;
    this.#recorder = parts.recorder;
    this.#records = parts.records;
    this.#snapshot = parts.snapshot;
    this.#prefixes = prefixes;
  }

  async run(given: Attempt): Promise<Shown> {
    const attempt = { ...given, hidden: await this.#hiddenFrom(given) };
    const { person, sent, kind } = attempt;
    this.#recorder.clear();
    const answer = await person.visitor.send(sent, this.#tenant(attempt));
    const problems = [...this.#refusal(attempt, answer), ...this.#look(attempt, answer), ...fileOf(attempt, answer)];
    const failed = this.#recorder.lastLog;
    if (kind !== "other tenant") problems.push(...(await this.#follow(attempt, answer)));
    if (this.#recorder.hasWritten) {
      const changed = await this.#snapshot.compare(other(attempt.side));
      if (changed !== undefined) problems.push(changed);
    }
    const leaks = problems.length > 0;
    const problem = leaks ? problems.join("; ") : answer.status >= 500 ? failed : undefined;
    return { answer, problem, leaks };
  }

  /** Within the person's own tenant, or any where guests may enter each. */
  async #hiddenFrom({ person, kind, side, isPublic }: Attempt): Promise<readonly HiddenText[]> {
    const isInside = kind !== "other tenant" && (isPublic || person.member === side);
    return this.#hidden && isInside ? this.#hidden.textsFor(person) : [];
  }

  /** For portals that find the tenant by a method. */
  #tenant({ kind, side }: Attempt): Record<string, string> {
    return this.#prefixes ? {} : { [this.#recorder.tenantHeader]: kind === "other tenant" ? other(side) : side };
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
    const request = decoded(attempt.sent.url) + decoded(attempt.sent.body ?? "");
    const hidden = (attempt.hidden ?? []).filter(({ text }) => !request.includes(text)).map(hiddenText);
    const forbidden = [...this.#forbidden(attempt), ...hidden];
    for (const { what, text } of texts) {
      const found = forbidden.filter((one) => one.at(text) >= 0);
      if (found.length === 0) continue;
      const plain = withoutEchoes(text, attempt.sent, answer.status);
      for (const one of found) {
        const at = one.at(plain);
        if (at >= 0) problems.push(`${what} has ${one.of}: "${excerpt(plain, at)}"`);
      }
    }
    return problems;
  }

  /** Whether somebody who may not enter the tenant was refused; true for others. */
  #isRefused({ kind, person, side, isPublic, isChooser }: Attempt, { status, location }: Answer): boolean {
    const mayEnter = isChooser || isPublic || (kind !== "other tenant" && person.member === side);
    if (mayEnter || status >= 500) return true;
    if (status >= 300 && status < 400)
      return !this.#prefixes || !isBelow(location ?? "", Object.values(this.#prefixes));
    return status >= 400 && status !== 409 && status !== 422;
  }

  /** The marks of tenants that an answer must not have, and the names that their files are stored under. */
  #forbidden({ person, side, isPublic, isChooser, sent: { url, body = "" } }: Attempt): Forbidden[] {
    if (isPublic && isChooser) return [];
    const all = isPublic ? [other(side)] : (["a", "b"] as const).filter((one) => one !== person.member);
    const request = url + body;
    const named = (name: string) => request.includes(name); // what the file is called was sent
    return all.flatMap((one) => [
      foreignText(this.#records.marks[one]),
      ...this.#records.files.names(one).flatMap((name) => (named(name) ? [] : [foreignText(name)])),
    ]);
  }

  /** The pages that an answer leads to, as a browser would open them: what was done shows there. */
  async #follow(attempt: Attempt, { status, location }: Answer): Promise<string[]> {
    const problems: string[] = [];
    let next = status >= 300 && status < 400 ? location : undefined;
    for (let count = 0; next?.startsWith("/") && count < MAX_REDIRECTS; count++) {
      const followed = { ...attempt, sent: { method: "GET", url: next } };
      const answer = await attempt.person.visitor.send(followed.sent, this.#tenant(attempt));
      problems.push(...this.#look(followed, answer).map((problem) => `${next}: ${problem}`));
      next = answer.status >= 300 && answer.status < 400 ? answer.location : undefined;
    }
    return problems;
  }
}

/** A file, or the way to one, in answer to a request that names a record of the other tenant: whatever the file contains. */
function fileOf({ kind, namesForeign, sent }: Attempt, { status, headers, location = "" }: Answer): string[] {
  if (!namesForeign || kind !== "other records" || sent.method !== "GET") return [];
  const isFile = status < 300 && /"content-disposition":/.test(headers);
  if (isFile) return [`answers ${status} with a file of a record of the other tenant`];
  const leadsOut = status >= 300 && status < 400 && /^(https?:)?\/\/(?!127\.0\.0\.1)/.test(location);
  return leadsOut ? [`redirects to ${location.slice(0, 80)} for a record of the other tenant`] : [];
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
