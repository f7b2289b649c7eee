import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Notices a query that forgets its transaction on a pool of one, which would wait for itself. A store is entered by
 * `transaction()` alone, and asked only when a connection is acquired.
 */
const inside = new AsyncLocalStorage<object>();

export const insideTransaction = <T>(owner: object, work: () => Promise<T>): Promise<T> => inside.run(owner, work);
export const isInsideTransaction = (owner: object): boolean => inside.getStore() === owner;
