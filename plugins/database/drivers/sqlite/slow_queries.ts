import { availableParallelism } from "node:os";
import { errors } from "../../errors.ts";
import { TransactionQueue } from "../../transactions/transaction_queue.ts";
import { unavailable } from "../unavailable.ts";
import { hasLarge, wholeNumbers } from "./large_integers.ts";
import { bindable, compileRow, type Query, type Shape, withArrayBuffers } from "./prepared_statements.ts";

/** What is used of the driver's asynchronous connections, which run statements in threads. */
export interface ThreadConnection {
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<ThreadStatement>;
  interrupt(): void;
  close(): void;
}
interface ThreadStatement {
  raw(): ThreadStatement;
  safeIntegers(toggle: boolean): ThreadStatement;
  all(bindings: readonly unknown[]): Promise<unknown[][]>;
}
export interface SlowLimits {
  /** Milliseconds that a query may take; 0: as long as it likes. */
  statementTimeout: number;
  /** Milliseconds that it waits for its turn. */
  acquireTimeout: number;
}

/** The event loop keeps a core; more than a few queries of this kind only take the disk from each other. */
const MAX_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
const MAX_WAITING = 100;
/** Milliseconds between two interrupts of a query that is over its time: the first may come before it has started. */
const INTERRUPT_AGAIN_MS = 100;

/** SQL texts whose statements a connection keeps. */
const MAX_STATEMENTS = 50;

/**
 * A connection with its statements, which end with it: one that is dropped ends when its object is collected, and
 * would wait in the event loop then for whichever runs.
 */
interface SlowConnection {
  connection: ThreadConnection;
  /** Of the schema that it knows: with another one it is of no use. */
  version: unknown;
  statements: Map<string, ThreadStatement>;
}

/** Runs the selects that may take long in threads: a few at a time, each on a connection of its own. */
export class SlowQueries {
  readonly #open: () => Promise<ThreadConnection>;
  readonly #timeout: number;
  readonly #queue: TransactionQueue;
  readonly #free: SlowConnection[] = [];
  /** Interrupts a query that runs, again and again until it ends. */
  readonly #busy = new Set<() => void>();
  #isClosed = false;

  constructor(open: () => Promise<ThreadConnection>, { statementTimeout, acquireTimeout }: SlowLimits) {
    this.#open = open;
    this.#timeout = statementTimeout;
    const busy = () => errors.FW_DATABASE_SLOW("other slow queries were before it");
    this.#queue = new TransactionQueue(MAX_THREADS, acquireTimeout, { busy, queue: MAX_WAITING });
  }

  run(query: Query, shape: Shape): Promise<Query> {
    return this.#queue.run(async () => {
      const held = await this.#take(shape);
      const { connection, statements } = held;
      let isGood = false;
      try {
        const done = await this.#within(connection, () => answer(held, query, shape));
        isGood = !this.#isClosed && statements.size < MAX_STATEMENTS;
        return done;
      } finally {
        if (isGood) this.#free.push(held);
        else connection.close();
      }
    });
  }

  async #take({ version }: Shape): Promise<SlowConnection> {
    for (let held = this.#free.pop(); held; held = this.#free.pop()) {
      if (held.version === version) return held;
      held.connection.close();
    }
    return { connection: await this.#open(), version, statements: new Map() };
  }

  /** Ends what runs, and what waits for its turn. */
  close(): void {
    this.#isClosed = true;
    this.#queue.close(unavailable(errors.FW_DATABASE_CLOSED(), undefined));
    for (const interrupt of this.#busy) interrupt();
    for (const { connection } of this.#free.splice(0)) connection.close();
  }

  async #within<T>(connection: ThreadConnection, work: () => Promise<T>): Promise<T> {
    let again: NodeJS.Timeout | undefined;
    const interrupt = () => {
      clearTimeout(again);
      connection.interrupt();
      again = setTimeout(interrupt, INTERRUPT_AGAIN_MS);
    };
    if (this.#isClosed)
      interrupt(); // while the connection was opened
    else if (this.#timeout > 0) again = setTimeout(interrupt, this.#timeout);
    this.#busy.add(interrupt);
    try {
      return await work();
    } finally {
      this.#busy.delete(interrupt);
      clearTimeout(again);
    }
  }
}

/**
 * The driver runs a statement in its thread up to the first row, and the rest where rows are requested. So all rows
 * are materialized before the first is returned.
 */
async function answer({ connection, statements }: SlowConnection, query: Query, shape: Shape): Promise<Query> {
  const { names, large } = shape;
  const columns = names.map((_, index) => `c${index}`).join(", ");
  const sql = `with slow(${columns}) as materialized (${query.sql}) select * from slow`;
  const statement = statements.get(sql) ?? (await connection.prepare(sql)).raw();
  statements.set(sql, statement);
  const bindings = bindable(query.bindings ?? []);
  let lists = await statement.all(bindings);
  if (lists.some((values) => hasLarge(values, large))) lists = await allExactly(statement, bindings);
  for (const values of lists) withArrayBuffers(values);
  query.response = query.first ? lists[0] : lists.map(compileRow(names));
  return query;
}

/** Reads again, with whole numbers that a number would round as texts. */
async function allExactly(statement: ThreadStatement, bindings: readonly unknown[]): Promise<unknown[][]> {
  statement.safeIntegers(true);
  try {
    return (await statement.all(bindings)).map(wholeNumbers);
  } finally {
    statement.safeIntegers(false);
  }
}
