import { AsyncLocalStorage } from "node:async_hooks";

interface Stay {
  owner: object;
  open: boolean;
}
/**
 * Notices a query that forgets its transaction on a pool of one, which would wait for itself. A store is entered by
 * `transaction()` alone, and asked only when a connection is acquired.
 */
const stays = new AsyncLocalStorage<Stay>();

export async function insideTransaction<T>(owner: object, work: () => PromiseLike<T>): Promise<T> {
  const stay: Stay = { owner, open: true };
  try {
    return await stays.run(stay, async () => await work());
  } finally {
    stay.open = false; // work that goes on after the transaction is outside of it
  }
}

export function isInsideTransaction(owner: object): boolean {
  const stay = stays.getStore();
  return stay?.open === true && stay.owner === owner;
}
