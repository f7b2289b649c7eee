import type { Item, Kind, Ledger } from "./ledger.ts";
import type { Note, Stored } from "./stored.ts";

/** Milliseconds between a mail's acceptance and the record of it. */
const RECORDING_MS = 1000;

/** What of a kind is there. */
export interface Found {
  found: number;
  readonly missing: string[];
  readonly double: string[];
  /** There in part: a record without what was written with it. */
  readonly half: string[];
}

/** Compares what was sent and answered with what is stored. */
export class Promises {
  readonly byKind = new Map<Kind, Found>();
  readonly #ledger: Ledger;
  readonly #stored: Stored;
  readonly #notes = new Map<string, Note[]>();
  readonly #lines = new Map<string, number>();
  readonly #mails = new Map<string, number>();

  constructor(ledger: Ledger, stored: Stored) {
    this.#ledger = ledger;
    this.#stored = stored;
    for (const note of stored.notes) this.#notes.set(note.title, [...(this.#notes.get(note.title) ?? []), note]);
    for (const { kind, mark } of stored.lines) add(this.#lines, `${kind} ${mark}`);
    for (const { to, subject } of unique(stored.mails)) add(this.#mails, to.endsWith("@new.test") ? to : subject);
    for (const item of ledger.items) this.#check(item);
    this.#checkLastValues();
  }

  /**
   * Mails that were accepted more than once under one Message-ID, and how many of them came again since the process that
   * sent them was killed before it could record it: no program can know then whether the mail server has the mail.
   */
  repeated(kills: readonly number[]): { again: string[]; afterKill: number } {
    const times = new Map<string, number[]>();
    for (const { id, at } of this.#stored.mails) times.set(id, [...(times.get(id) ?? []), at]);
    const repeated = [...times].filter(([, { length }]) => length > 1);
    const isOfKill = ([, [first]]: [string, number[]]) => kills.some((kill) => Math.abs(kill - first!) < RECORDING_MS);
    const again = repeated.filter((mail) => !isOfKill(mail)).map(([id, { length }]) => `${id}: ${length} times`);
    return { again, afterKill: repeated.length - again.length };
  }
  get differences(): readonly string[] {
    return this.#stored.differences;
  }
  /** Rows that are in another tenant than the one whose mark they have. */
  get strays(): string[] {
    const rows = [...this.#stored.notes.map(({ title, tenant }) => ({ mark: title, tenant })), ...this.#stored.orders];
    return rows
      .filter(({ mark, tenant }) => !mark.startsWith(tenant))
      .map(({ mark, tenant }) => `${mark} in ${tenant}`);
  }
  /** Files that no record names: left by a process that was killed while it wrote one. */
  get orphans(): string[] {
    const named = new Set(this.#stored.notes.map(({ paper }) => paper?.key));
    return [...this.#stored.files.keys()].filter((key) => !named.has(key) && !key.startsWith("staged/"));
  }

  #check(item: Item): void {
    const { kind, mark, id } = item;
    const isNew = id === undefined;
    if (kind === "note" || (kind === "upload" && isNew)) {
      const count = this.#notes.get(mark)?.length ?? 0;
      this.#settle(item, count, [this.#line(`created ${mark}`), this.#mail(`note ${mark}`)]);
    } else if (kind === "edit" || kind === "upload") this.#settle(item, this.#line(`updated ${mark}`));
    else if (kind === "order") {
      const count = this.#stored.orders.filter((order) => order.mark === mark).length;
      this.#settle(item, count, [this.#mail(`order ${mark}`)]);
    } else if (kind === "mail") this.#settle(item, this.#mail(`announce ${mark}`));
    else if (kind === "sign-up" || kind === "verification") this.#checkAccount(item);
  }
  #checkAccount(item: Item): void {
    const accounts = this.#stored.accounts.filter(({ login }) => login === item.mark);
    if (item.kind === "sign-up") this.#settle(item, accounts.length, [this.#mail(item.mark)]);
    else this.#settle(item, accounts.filter(({ status }) => status === "verified").length);
  }
  /** `others`: of what belongs to it, how many there are: as many as of itself. */
  #settle({ kind, mark, outcome }: Item, count: number, others: readonly number[] = []): void {
    const of = this.#of(kind);
    if (outcome === "ok" && count === 0) of.missing.push(mark);
    else if (outcome === "refused" && count > 0 && kind !== "verification")
      of.half.push(`${mark} was refused, and is there`);
    if (count > 1) of.double.push(mark);
    if (count > 0) of.found++;
    if (others.some((other) => other !== count)) of.half.push(`${mark}: ${count}, with ${others.join(" and ")}`);
  }

  /** The last answered value of a record is there, or one that was sent after it and got no answer. */
  #checkLastValues(): void {
    const changes = new Map<string, Item[]>();
    for (const item of this.#ledger.items)
      if (item.id !== undefined && item.kind !== "mail") changes.set(item.id, [...(changes.get(item.id) ?? []), item]);
    for (const note of this.#stored.notes) {
      const items = changes.get(String(note.id)) ?? [];
      const last = items.findLastIndex(({ outcome }) => outcome === "ok");
      const allowed = items.slice(Math.max(last, 0)).filter(({ outcome }) => outcome !== "refused");
      const marks = [...allowed.map(({ mark }) => mark), ...(last < 0 ? [note.title] : [])];
      const value = note.paper ? note.paper.filename.replace(".txt", "") : note.body;
      if (!marks.includes(value))
        this.#of(note.paper ? "upload" : "edit").missing.push(`${note.title} has ${value}, not ${marks}`);
      if (note.paper) this.#checkFile(note, value);
    }
  }
  #checkFile({ title, paper }: Note, mark: string): void {
    const text = this.#stored.files.get(paper!.key);
    if (text === undefined) this.#of("upload").half.push(`${title} names a file that is not there`);
    else if (text !== `${mark}\n`.repeat(200))
      this.#of("upload").half.push(`${title} has another file, of ${text.length} bytes`);
  }
  #of(kind: Kind): Found {
    const found = this.byKind.get(kind) ?? { found: 0, missing: [], double: [], half: [] };
    this.byKind.set(kind, found);
    return found;
  }
  #line(name: string): number {
    return this.#lines.get(name) ?? 0;
  }
  #mail(name: string): number {
    return this.#mails.get(name) ?? 0;
  }
}

const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
/** What a mailbox shows that drops a mail whose Message-ID it has. */
const unique = (mails: Stored["mails"]) => [...new Map(mails.map((mail) => [mail.id, mail])).values()];
