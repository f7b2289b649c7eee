import { bindable, isSelect, type Preparing, type Query } from "./prepared_statements.ts";

/** Rows beyond which reading through a table, or sorting it, keeps others waiting. */
const MANY_ROWS = 20_000;
/** Milliseconds after which the tables are looked at again, and how many statements go by between two looks at the clock. */
const CHECK_TABLES_MS = 10_000;
const STATEMENTS_BETWEEN_CHECKS = 64;
/** A statement that took so many milliseconds, so many times, is slow whatever its plan shows. */
const SLOW_MS = 50;
const MAX_SLOW_RUNS = 3;
/** How often it counts as slow then, before it is tried again: the machine may have been busy. */
const RUNS_BEFORE_RETRY = 1000;
const MAX_VERDICTS = 1000;

/** Without virtual tables: counting their rows may take long itself. */
const TABLES =
  "select name, type from sqlite_master where type in ('table', 'view') and sql not like 'create virtual%'";

interface Verdict {
  isSlow: boolean;
  slowRuns: number;
  /** How often it still counts as slow, when its plan does not show it. */
  left?: number;
}

/**
 * Which statements of an embedded database may take so long that others would wait for the event loop. Decided once
 * for each SQL text, from its plan and the sizes of the tables that it names; no plan is read as long as all are small.
 */
export class SlowStatements {
  readonly #verdicts = new Map<string, Verdict>();
  /** Matches what names a large table; undefined while there is none. */
  #names: RegExp | undefined;
  #large = new Set<string>();
  /** The schema's version and the large tables: what verdicts are valid for. */
  #known = "";
  #isStale = true;
  #lookAt = 0;
  #statements = 0;

  /** Tables were created or changed, or many rows written. */
  changed(): void {
    this.#isStale = true;
  }

  /** Whether any table is large. */
  get mayBeSlow(): boolean {
    return this.#names !== undefined;
  }

  isSlow(connection: Preparing, { sql, bindings = [] }: Query): boolean {
    if (this.#isStale || (++this.#statements % STATEMENTS_BETWEEN_CHECKS === 0 && performance.now() > this.#lookAt))
      this.#look(connection);
    if (!this.#names) return false;
    let verdict = this.#verdicts.get(sql);
    if (!verdict) {
      const isLarge = isSelect(sql) && this.#names.test(sql);
      verdict = { isSlow: isLarge && hasLongPlan(connection, sql, bindings), slowRuns: 0 };
      if (this.#verdicts.size >= MAX_VERDICTS) this.#verdicts.clear();
      this.#verdicts.set(sql, verdict);
    }
    if (verdict.left !== undefined && --verdict.left === 0) this.#verdicts.delete(sql);
    return verdict.isSlow;
  }

  /** Runs a statement that isSlow took for fast, and notices when it is slow. */
  timed<T>(sql: string, run: () => T): T {
    const start = performance.now();
    const result = run();
    if (performance.now() - start > SLOW_MS) this.#noticeSlowRun(sql);
    return result;
  }

  #noticeSlowRun(sql: string): void {
    const verdict = this.#verdicts.get(sql);
    if (verdict && isSelect(sql) && this.#names?.test(sql) && ++verdict.slowRuns >= MAX_SLOW_RUNS)
      Object.assign(verdict, { isSlow: true, left: RUNS_BEFORE_RETRY });
  }

  #look(connection: Preparing): void {
    this.#isStale = false;
    this.#lookAt = performance.now() + CHECK_TABLES_MS;
    try {
      const version = firstValue(connection, "pragma schema_version");
      const tables = connection.prepare(TABLES).all([]);
      this.#sort(connection, version, tables as { name: string; type: string }[]);
    } catch {
      // The database can't be read now: the statement itself will fail.
    }
  }

  #sort(connection: Preparing, version: unknown, tables: readonly { name: string; type: string }[]): void {
    const large = tables.filter(({ name, type }) => type === "table" && this.#isLarge(connection, name));
    this.#large = new Set(large.map(({ name }) => name));
    const known = `${version} ${[...this.#large].join()}`;
    if (known === this.#known) return;
    this.#known = known;
    this.#verdicts.clear();
    const views = tables.filter(({ type }) => type === "view"); // which tables a view reads is not known
    const names = large.length > 0 ? [...large, ...views].map(({ name }) => escaped(name)) : [];
    this.#names = names.length > 0 ? new RegExp(`(?<!\\w)(?:${names.join("|")})(?!\\w)`, "i") : undefined;
  }

  /** The largest rowid is found at once, and no table has more rows than that unless ids were set by hand. */
  #isLarge(connection: Preparing, table: string): boolean {
    const quoted = `"${table.replaceAll('"', '""')}"`;
    const beyond = () => firstValue(connection, `select 1 from ${quoted} limit 1 offset ${MANY_ROWS}`) !== undefined;
    try {
      const last = Number(firstValue(connection, `select max(rowid) from ${quoted}`));
      return last > MANY_ROWS && (this.#large.has(table) || beyond());
    } catch {
      return beyond(); // it has no rowid
    }
  }
}

const escaped = (name: string): string => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

function firstValue(connection: Preparing, sql: string): unknown {
  return (connection.prepare(sql).raw().get([]) as unknown[] | undefined)?.[0];
}

/** Whether a plan reads through a table, or sorts what it found, with nothing that ends it early. */
function hasLongPlan(connection: Preparing, sql: string, bindings: readonly unknown[]): boolean {
  let steps: string[];
  try {
    const plan = connection.prepare(`explain query plan ${sql}`).all(bindable(bindings)) as { detail: string }[];
    steps = plan.map(({ detail }) => detail);
  } catch {
    return false; // the statement itself will fail
  }
  if (steps.some((step) => /USE TEMP B-TREE|AUTOMATIC/.test(step))) return true;
  const inner = new Set(steps.map((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\S+)/.exec(step)?.[1]));
  const scans = steps.filter((step) => /^SCAN (?!CONSTANT ROW)/.test(step) && !inner.has(step.split(" ")[1]));
  return scans.length > 1 || (scans.length === 1 && !endsEarly(sql));
}

/** Whether every row that is read is one that is wanted, up to a limit. */
const endsEarly = (sql: string): boolean =>
  / limit \?/i.test(sql) &&
  !/\b(?:where|having|group by|distinct|union|intersect|except)\b/i.test(sql) &&
  !/\b(?:count|sum|total|avg|min|max|group_concat)\s*\(/i.test(sql) &&
  !/(?<!\bleft )(?<!\bleft outer )\bjoin\b/i.test(sql);
