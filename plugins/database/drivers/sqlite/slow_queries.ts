import { availableParallelism } from "node:os";
import { errors } from "../../errors.ts";
import { TransactionQueue } from "../../transactions/transaction_queue.ts";
import { unavailable } from "../unavailable.ts";
import type { SlowReader } from "./library/library.ts";
import { bindable, compileRow, type Query, type Shape } from "./prepared_statements.ts";

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

interface SlowConnection {
  reader: SlowReader;
  /** Of the schema that it knows: with another one it is of no use. */
  version: unknown;
}

/** Runs the selects that may take long beside the event loop: a few at a time, each on a connection of its own. */
export class SlowQueries {
  readonly #open: () => Promise<SlowReader>;
  readonly #timeout: number;
  readonly #queue: TransactionQueue;
  readonly #free: SlowConnection[] = [];
  /** Interrupts a query that runs, again and again until it ends. */
  readonly #busy = new Set<() => void>();
  #isClosed = false;

  constructor(open: () => Promise<SlowReader>, { statementTimeout, acquireTimeout }: SlowLimits) {
    this.#open = open;
    this.#timeout = statementTimeout;
    const busy = () => errors.FW_DATABASE_SLOW("other slow queries were before it");
    this.#queue = new TransactionQueue(MAX_THREADS, acquireTimeout, { busy, queue: MAX_WAITING });
  }

  run(query: Query, shape: Shape): Promise<Query> {
    return this.#queue.run(async () => {
      const held = await this.#take(shape);
      const { reader } = held;
      let isGood = false;
      try {
        const done = await this.#within(reader, () => answer(reader, query, shape));
        isGood = !this.#isClosed && reader.isUsable;
        return done;
      } finally {
        if (isGood) this.#free.push(held);
        else reader.close();
      }
    });
  }

  async #take({ version }: Shape): Promise<SlowConnection> {
    for (let held = this.#free.pop(); held; held = this.#free.pop()) {
      if (held.version === version && held.reader.isUsable) return held;
      held.reader.close();
    }
    return { reader: await this.#open(), version };
  }

  /** Ends what runs, and what waits for its turn. */
  close(): void {
    this.#isClosed = true;
    this.#queue.close(unavailable(errors.FW_DATABASE_CLOSED(), undefined));
    for (const interrupt of this.#busy) interrupt();
    for (const { reader } of this.#free.splice(0)) reader.close();
  }

  async #within<T>(reader: SlowReader, work: () => Promise<T>): Promise<T> {
    let again: NodeJS.Timeout | undefined;
    const interrupt = () => {
      clearTimeout(again);
      reader.interrupt();
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

async function answer(reader: SlowReader, query: Query, shape: Shape): Promise<Query> {
  const lists = await reader.all({ sql: query.sql, bindings: bindable(query.bindings ?? []) }, shape);
  query.response = query.first ? lists[0] : lists.map(compileRow(shape.names));
  return query;
}
