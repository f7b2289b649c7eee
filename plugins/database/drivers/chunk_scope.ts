import { AsyncLocalStorage } from "node:async_hooks";
import type { Knex } from "knex";
import type { Transaction } from "objection";

/** Where statements of a chunk go: to the one transaction that it is committed by. */
export interface ChunkScope {
  /** The client of knex whose statements these are. */
  readonly owner: object;
  readonly connection: object;
  readonly outer: Knex.Transaction;
  /** Resolves when the transaction within it that is open is over; undefined while none is. */
  readonly busy: Promise<void> | undefined;
  readonly isOpen: boolean;
  /** Runs work in a transaction within it. */
  transaction<T>(work: (transaction: Transaction) => PromiseLike<T>): Promise<T>;
}
/**
 * Module-level: it follows a chunk through all that is awaited in it, so that what reads past its transaction sees what it has
 * written. Only `inChunk()` enters a store, and it is read only when a connection is chosen.
 */
const scopes = new AsyncLocalStorage<ChunkScope>();

export const runInScope = <T>(scope: ChunkScope, work: () => Promise<T>): Promise<T> => scopes.run(scope, work);

/** The open chunk that code runs in, of this client of knex. */
export function chunkScope(owner: object): ChunkScope | undefined {
  const scope = scopes.getStore();
  return scope?.isOpen && scope.owner === owner ? scope : undefined;
}
/** Whether a connection is that of the chunk that code runs or ran in, which alone returns it. */
export const isOfChunk = (connection: object): boolean => scopes.getStore()?.connection === connection;
