import { AsyncLocalStorage } from "node:async_hooks";

/** Module-level: it follows the code that runs within it, of whichever application. */
const permitted = new AsyncLocalStorage<true>();

/**
 * Runs code that may write any state, as seeds and migrations do: `await anyState(() => Permit.query().insert({ status: "approved" }))`.
 * Everywhere else a transition writes it.
 */
export const anyState = <T>(work: () => T | PromiseLike<T>): Promise<T> =>
  permitted.run(true, async () => await work()); // a query runs once it is waited for

/** Whether the code that runs now may write any state. */
export const isAnyState = (): boolean => permitted.getStore() === true;
