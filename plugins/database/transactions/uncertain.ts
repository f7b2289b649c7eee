/** Module-level: marks an error, and goes with it. */
const uncertain = new WeakSet<object>();
/** What a commit fails with that got no answer. */
const withoutAnswer = /^FW_(?:DATABASE_AWAY|DATABASE_SLOW|TRANSACTION_LATE)$/;

/** Notes an error of a commit, and throws it. */
export function commitFailed(error: unknown): never {
  if (error instanceof Error && withoutAnswer.test((error as { code?: string }).code ?? "")) uncertain.add(error);
  throw error;
}

/**
 * Whether a transaction failed at its commit without an answer, so that what it wrote may be stored all the same: what
 * belongs to it outside of the database, as its files, has to stay.
 */
export const isUncertain = (error: unknown): boolean =>
  typeof error === "object" && error !== null && uncertain.has(error);
