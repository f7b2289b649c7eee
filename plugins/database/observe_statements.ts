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

/** Statements whose end is not reported, as those of a connection that was lost, are forgotten after so many. */
const MAX_OPEN = 100;
/** Without an answer of their own. */
const OF_TRANSACTIONS = /^\s*(?:begin|commit|rollback|savepoint|release|start|set)\b/i;
const OPERATION = /^\s*(select|insert|update|delete|replace|with|create|alter|drop)\b/i;
const TABLE = /\b(?:from|into|update)\s+[`"]?(\w{1,64})/i;

/** Reports every statement that knex and the fast paths run, with its duration and without its text or values. */
export function observeStatements(knex: Knex, observation: Observation): void {
  const open = new OpenStatements();
  const ended = ({ sql, __knexQueryUid: uid, server: answered }: ReportedQuery, failed: boolean) => {
    const trace = currentTrace();
    const startedAt = open.take(trace, sql, uid);
    if (startedAt === undefined) return;
    const milliseconds = performance.now() - startedAt;
    const operation = OPERATION.exec(sql)?.[1]?.toLowerCase() ?? "other";
    const server = answered ?? "primary";
    const table = TABLE.exec(sql)?.[1];
    observation.report({ kind: "statement", trace, operation, table, server, startedAt, milliseconds, failed });
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
