import { currentTrace, type Observation, type TraceContext } from "framewright/host";
import type { Knex } from "knex";

/** A query as knex reports it. */
interface ReportedQuery {
  readonly sql: string;
  readonly __knexQueryUid?: string;
  /** Set where a replica answered: see replicas/routed_knex.ts. */
  readonly server?: "replica";
}
interface OpenStatement {
  readonly sql: string;
  readonly uid: string | undefined;
  readonly startedAt: number;
}

/** A text that was written into a statement, not bound to it: it may be of a person. */
const TEXT = /'(?:[^']|'')*'/g;
/** Characters of a statement in the log. */
const MAX_LOGGED = 2000;
/** Statements whose end is not reported, as those of a connection that was lost, are forgotten after so many. */
const MAX_OPEN = 100;
/** Without an answer of their own. */
const OF_TRANSACTIONS = /^\s*(?:begin|commit|rollback|savepoint|release|start|set)\b/i;
const OPERATION = /^\s*(select|insert|update|delete|replace|with|create|alter|drop)\b/i;
const TABLE = /\b(?:from|into|update)\s+[`"]?(\w{1,64})/i;

interface Warner {
  warn(details: object, message: string): void;
}
/** A statement that knex or a fast path ran. */
interface EndedStatement {
  readonly sql: string;
  readonly trace: TraceContext | undefined;
  readonly server: "primary" | "replica";
  /** As of performance.now(). */
  readonly startedAt: number;
  readonly milliseconds: number;
  readonly failed: boolean;
}

/** Reports every statement with its duration, and without its text or values. */
export const reportTo =
  (observation: Observation) =>
  ({ sql, ...ended }: EndedStatement): void => {
    const operation = OPERATION.exec(sql)?.[1]?.toLowerCase() ?? "other";
    observation.report({ kind: "statement", ...ended, operation, table: TABLE.exec(sql)?.[1] });
  };

/** Logs statements that take so many milliseconds or more: their text, with placeholders in place of values. */
export const logSlow =
  (log: () => Warner, least: number) =>
  ({ sql, trace, milliseconds, failed }: EndedStatement): void => {
    if (milliseconds < least) return;
    const took = Math.round(milliseconds);
    const statement = sql.replace(TEXT, "?").slice(0, MAX_LOGGED);
    log().warn({ statement, milliseconds: took, failed, trace: trace?.traceId }, `a statement took ${took} ms`);
  };

/** Times every statement that knex and the fast paths run. */
export function timeStatements(knex: Knex, listeners: readonly ((statement: EndedStatement) => void)[]): void {
  const open = new OpenStatements();
  const ended = ({ sql, __knexQueryUid: uid, server: answered }: ReportedQuery, failed: boolean) => {
    const trace = currentTrace();
    const startedAt = open.take(trace, sql, uid);
    if (startedAt === undefined) return;
    const milliseconds = performance.now() - startedAt;
    for (const listener of listeners)
      listener({ sql, trace, server: answered ?? "primary", startedAt, milliseconds, failed });
  };
  knex.on("query", ({ sql, __knexQueryUid: uid }: ReportedQuery) => {
    if (!OF_TRANSACTIONS.test(sql)) open.add(currentTrace(), { sql, uid, startedAt: performance.now() });
  });
  knex.on("query-response", (_response: unknown, query: ReportedQuery) => ended(query, false));
  knex.on("query-error", (_error: Error, query: ReportedQuery) => ended(query, true));
}

/** The statements that are being answered, by the trace they run for. */
class OpenStatements {
  readonly #ofTraces = new WeakMap<TraceContext, OpenStatement[]>();
  readonly #others: OpenStatement[] = [];

  add(trace: TraceContext | undefined, statement: OpenStatement): void {
    const list = this.#of(trace);
    if (list.push(statement) > MAX_OPEN) list.shift();
  }
  /** When it was sent; undefined where that is not known. */
  take(trace: TraceContext | undefined, sql: string, uid: string | undefined): number | undefined {
    const list = this.#of(trace);
    const index = list.findIndex((one) => one.sql === sql && one.uid === uid);
    return index < 0 ? undefined : list.splice(index, 1)[0]?.startedAt;
  }

  #of(trace: TraceContext | undefined): OpenStatement[] {
    if (!trace) return this.#others;
    const known = this.#ofTraces.get(trace) ?? [];
    this.#ofTraces.set(trace, known);
    return known;
  }
}
