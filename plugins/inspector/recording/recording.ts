import { performance } from "node:perf_hooks";
import type {
  RecordedDecision,
  RecordedError,
  RecordedHook,
  RecordedLine,
  RecordedStatement,
  RecordedTemplate,
  Section,
} from "./recorded_request.ts";

/** What is stored of a request at most: entries of each list, and characters of all. */
const MAX_ENTRIES: Readonly<Record<Section, number>> = {
  hooks: 100,
  statements: 200,
  decisions: 200,
  templates: 50,
  log: 50,
};
const MAX_CHARS = 65_536;
const MAX_SQL_CHARS = 2000;
const MAX_STACK_CHARS = 6000;
const MAX_TEXT_CHARS = 500;

/** A query as knex reports it. */
export interface ReportedQuery {
  sql: string;
  bindings?: readonly unknown[];
  method?: string;
  first?: boolean;
  __knexQueryUid?: string;
}
interface OpenStatement {
  entry: RecordedStatement;
  sql: string;
  uid: string | undefined;
  start: number;
}

/** What is recorded of a request while it runs. It takes no more than so much memory, whatever the request does. */
export class Recording {
  readonly at = new Date();
  readonly hooks: RecordedHook[] = [];
  readonly statements: RecordedStatement[] = [];
  readonly decisions: RecordedDecision[] = [];
  readonly templates: RecordedTemplate[] = [];
  readonly log: RecordedLine[] = [];
  readonly dropped: Record<Section, number> = { hooks: 0, statements: 0, decisions: 0, templates: 0, log: 0 };
  error: RecordedError | undefined;
  isFinished = false;
  readonly #running: OpenStatement[] = [];
  /** The lines of the application that created a query of a table, which has not run yet. */
  readonly #askers = new Map<string, string>();
  #chars = MAX_CHARS;

  addCall(hook: string, plugin: string, milliseconds: number): void {
    const known = this.hooks.find((one) => one.hook === hook && one.plugin === plugin);
    if (known) {
      known.calls++;
      known.milliseconds += milliseconds;
    } else this.#add("hooks", this.hooks, { hook, plugin, calls: 1, milliseconds }, hook.length + plugin.length);
  }
  addDecision(decision: Omit<RecordedDecision, "calls">): void {
    const { kind, about, asked, id, why } = decision;
    const isSame = (one: RecordedDecision) =>
      one.asked === asked &&
      one.about === about &&
      one.kind === kind &&
      one.why === why &&
      (one.id === id || kind === "names");
    const known = this.decisions.find(isSame);
    if (known) known.calls++;
    else
      this.#add(
        "decisions",
        this.decisions,
        { ...decision, why: cut(why, MAX_TEXT_CHARS), calls: 1 },
        sizeOf(about, asked, why),
      );
  }
  addTemplate(template: RecordedTemplate): void {
    const files = [template.file, ...template.partials.map(({ file }) => file)];
    this.#add("templates", this.templates, template, sizeOf(...files));
  }
  addLine(line: RecordedLine): void {
    const kept = { ...line, text: cut(line.text, MAX_TEXT_CHARS) };
    this.#add("log", this.log, kept, kept.text.length);
  }
  setError(error: RecordedError): void {
    if (this.error) return;
    const stack = cut(error.stack, MAX_STACK_CHARS);
    const message = cut(error.message, 2 * MAX_TEXT_CHARS);
    this.error = { ...error, stack, message, fields: error.fields.slice(0, 20).map((one) => cut(one, 200)) };
  }

  /** The application's code created a query of a table: an awaited query does not know by whom it was written. */
  handedOut(table: string, caller: string | undefined): void {
    if (caller !== undefined) this.#askers.set(table, caller);
    else this.#askers.delete(table);
  }
  #askerOf(sql: string): string | undefined {
    const table = /\b(?:from|into|update) `([^`]+)`/i.exec(sql)?.[1] ?? "";
    const caller = this.#askers.get(table);
    this.#askers.delete(table);
    return caller;
  }

  /** A statement is sent. `describe` is called where it is recorded. */
  sent(
    { sql, __knexQueryUid: uid }: ReportedQuery,
    describe: () => Pick<RecordedStatement, "sql" | "values" | "caller">,
  ): void {
    if (this.statements.length >= MAX_ENTRIES.statements || this.#chars <= 0) return void this.dropped.statements++;
    const { sql: text, values, caller = this.#askerOf(sql) } = describe();
    const entry: RecordedStatement = {
      sql: cut(text, MAX_SQL_CHARS),
      values: values.slice(0, 50),
      caller,
      milliseconds: undefined,
      rows: undefined,
      failure: undefined,
    };
    this.#add("statements", this.statements, entry, sizeOf(entry.sql, ...entry.values));
    this.#running.push({ entry, sql, uid, start: performance.now() });
  }
  /** A statement was answered, or failed. */
  ended(
    { sql, __knexQueryUid: uid }: ReportedQuery,
    outcome: Partial<Pick<RecordedStatement, "rows" | "failure">>,
  ): void {
    const isIt = (one: OpenStatement) => one.sql === sql && one.uid === uid;
    const index = this.#running.findIndex(isIt);
    const [running] = index < 0 ? [] : this.#running.splice(index, 1);
    if (running) Object.assign(running.entry, { milliseconds: performance.now() - running.start, ...outcome });
  }

  #add<T>(section: Section, list: T[], entry: T, chars: number): void {
    if (list.length >= MAX_ENTRIES[section] || chars > this.#chars) {
      this.dropped[section]++;
      return;
    }
    this.#chars -= chars;
    list.push(entry);
  }
}

const sizeOf = (...texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0);
const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);
