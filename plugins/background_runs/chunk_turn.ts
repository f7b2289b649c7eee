import type { Database } from "framewright/plugins/database";
import type { BackgroundRuns } from "./contract.ts";
import type { RunRow } from "./run.ts";
import { RunMovedError } from "./store.ts";

/** Transactions that are committed together. */
export type Chunk = Parameters<Parameters<Database["inChunk"]>[0]>[0];

/** Milliseconds after which a chunk gets no more records: writers wait for it meanwhile. */
export const CHUNK_MS = 100;
/** Milliseconds that a record may wait for something that is not the database, as for a caller that waits for the chunk itself. */
const MAX_WAIT_MS = 1000;

/** Whether records of a run may be committed together: after a failure they have transactions of their own. */
export const mayChunk = ({ database }: BackgroundRuns, { starts }: RunRow): boolean =>
  starts <= 1 && database.driver.commitsInChunks?.(database.knex) === true;

/** Until when a chunk may last: as long as a request. */
export function chunkDeadline({ parts }: BackgroundRuns): number {
  const { deadline } = parts.registry.application.settings.limits;
  return deadline > 0 ? performance.now() + deadline : Number.POSITIVE_INFINITY;
}

/**
 * One turn in a chunk. Undefined where it waits for something that is not the database before its transaction has begun, which may
 * in turn wait for the chunk: it comes to nothing then, and the record has its turn by itself.
 */
export async function turnIn<T>(
  chunk: Chunk,
  take: (transact: Chunk["transaction"]) => Promise<T>,
): Promise<{ result: T; isLong: boolean } | undefined> {
  let isLeft = false;
  const turn = take((work) => (isLeft ? Promise.reject(new RunMovedError()) : chunk.transaction(work)));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_MS, undefined).unref();
  });
  const ended = turn.then((result) => ({ result, isLong: false }));
  const first = await Promise.race([ended, late]).finally(() => clearTimeout(timer));
  if (first) return first;
  if (chunk.busy) return { result: await turn, isLong: true };
  isLeft = true;
  ended.catch(() => undefined);
  return undefined;
}
