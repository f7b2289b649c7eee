import { AsyncLocalStorage } from "node:async_hooks";

interface Scope {
  owner: object;
  open: boolean;
}
/**
 * Module-level: it follows a transaction through queries, and notices one that forgets it on a pool of one, which would
 * wait for itself. Only `transaction()` enters a store, and it is read only when a connection is acquired.
 */
const scopes = new AsyncLocalStorage<Scope>();

export async function insideTransaction<T>(owner: object, work: () => PromiseLike<T>): Promise<T> {
  const scope: Scope = { owner, open: true };
  try {
    return await scopes.run(scope, async () => await work());
  } finally {
    scope.open = false; // work that goes on after the transaction is outside of it
  }
}

/** Whether the code that runs is inside a transaction of this client of knex, for a driver whose one connection that is. */
export function isInsideTransaction(owner: object): boolean {
  const scope = scopes.getStore();
  return scope?.open === true && scope.owner === owner;
}
