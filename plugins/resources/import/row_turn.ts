import { AsyncLocalStorage } from "node:async_hooks";
import type { Database } from "framewright/plugins/database";

/** A row that takes longer than this before it writes may be waiting for the transaction of its batch. */
const MAX_WAIT_MS = 250;

/** A row has read what rows before it in its batch have written and not committed, or waits for them: it is for a transaction of its own. */
export class StaleRowError extends Error {
  constructor() {
    super("a row of an import has to be written by itself");
  }
}

/** A statement as knex reports it. */
interface Statement {
  readonly sql: string;
  /** Set where it runs in a transaction. */
  readonly __knexTxId?: string | null;
}
const WRITE = /^\s*(?:insert|update|delete|replace|with)\b/i;
const WRITTEN = /\b(?:into|update|from)\s+(?:[`"]?\w+[`"]?\.)?[`"]?(\w+)/i;
const turns = new AsyncLocalStorage<RowTurn>();

/** The tables that the transaction of a batch has written to, in lower case. */
export class WrittenTables {
  readonly #names = new Set<string>();
  #isAny = false;

  add(sql: string): void {
    const name = WRITTEN.exec(sql)?.[1];
    if (name === undefined) this.#isAny = true;
    else this.#names.add(name.toLowerCase());
  }
  /** Whether a statement may read what was written: it contains the name of a table. */
  areIn(sql: string): boolean {
    if (this.#isAny) return true;
    const text = sql.toLowerCase();
    for (const name of this.#names) if (text.includes(name)) return true;
    return false;
  }
}

/**
 * The turn of a row in a batch. What it reads beside the transaction of the batch does not show what the rows before it
 * have written: where it reads one of their tables, the row may not be written in it.
 */
export class RowTurn {
  readonly hasSavepoint: boolean;
  readonly #tables: WrittenTables;
  #isStale = false;
  #isWriting = false;

  constructor(tables: WrittenTables, hasSavepoint: boolean) {
    this.#tables = tables;
    this.hasSavepoint = hasSavepoint;
  }
  /** Whether it may have written something. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Runs a row's work, and gives it up where it doesn't begin to write in time. @throws StaleRowError, and what the work throws */
  async run(work: () => Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        if (this.#isWriting) return;
        this.#isStale = true;
        reject(new StaleRowError());
      }, MAX_WAIT_MS);
    });
    const running = turns.run(this, work);
    running.catch(() => undefined); // it may go on after it was given up
    try {
      await Promise.race([running, late]);
    } finally {
      clearTimeout(timer);
    }
  }
  /** Before the row writes. @throws StaleRowError */
  begin(): void {
    this.check();
    this.#isWriting = true;
  }
  /** @throws StaleRowError */
  check(): void {
    if (this.#isStale) throw new StaleRowError();
  }
  notice({ sql, __knexTxId }: Statement): void {
    if (!__knexTxId) this.#isStale ||= this.#tables.areIn(sql);
    else if (WRITE.test(sql)) this.#tables.add(sql);
  }
}

/** Has the turns of rows notice the statements that they run, as long as the work lasts. */
export async function noticingStatements<T>({ knex }: Database, work: () => Promise<T>): Promise<T> {
  const notice = (statement: Statement) => turns.getStore()?.notice(statement);
  knex.on("query", notice);
  try {
    return await work();
  } finally {
    knex.removeListener("query", notice);
  }
}
