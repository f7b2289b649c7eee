import { setImmediate } from "node:timers/promises";
import { Refusal } from "framewright/plugins/resources/toolkit";
import { CHUNK_MS, type Chunk, chunkDeadline, turnIn } from "./chunk_turn.ts";
import type { BackgroundRuns } from "./contract.ts";
import type { RunAction } from "./enter.ts";
import { afterCommit, moveBy, type Turn, takeTurn } from "./perform_record.ts";
import type { RunRow } from "./run.ts";

/** What became of records that were committed together. */
interface ChunkResult {
  readonly run: RunRow;
  readonly turns: readonly Turn[];
  /** What keeps all that are left from their turns. */
  readonly refusal?: Refusal | undefined;
  /** A record waited for something else: chunks hold it up. */
  readonly isStuck: boolean;
}

/**
 * Gives the first of these records their turns, each as a request of the person for it alone would have it, and commits what is
 * done to them together with the cursor: the next one sees what the ones before have written, in whatever it reads.
 * @throws RunMovedError, and errors of a database that is unavailable
 */
export async function performChunk(
  runs: BackgroundRuns,
  run: RunRow,
  about: RunAction,
  ids: readonly string[],
): Promise<ChunkResult> {
  const result = await runs.database.inChunk((chunk) => takeTurns(runs, run, about, { chunk, ids }), {
    until: chunkDeadline(runs),
    by: `the interaction "${about.interaction.name}"`,
  });
  for (const { interaction } of result.turns) if (interaction) await afterCommit(runs, run, interaction);
  return result;
}

async function takeTurns(
  runs: BackgroundRuns,
  run: RunRow,
  about: RunAction,
  { chunk, ids }: { chunk: Chunk; ids: readonly string[] },
): Promise<ChunkResult> {
  const until = performance.now() + CHUNK_MS;
  const claimed = await runs.store.write(run, runs.renewed()); // of two processes one acts
  const turns: Turn[] = [];
  let refusal: Refusal | undefined;
  let isStuck = false;
  for (const id of ids) {
    const turn = await turnIn(chunk, (transact) => turnOrRefusal(runs, claimed, about, id, transact));
    isStuck = turn === undefined || turn.isLong;
    if (!turn) break;
    if (turn.result instanceof Refusal) refusal = turn.result;
    else turns.push(turn.result);
    if (refusal || isStuck || runs.isStopping || performance.now() > until || stops(about, turns)) break;
    await setImmediate(); // requests of this process have their turn between two records
  }
  const moved = turns.length > 0 ? await moveBy(runs, claimed, turns) : claimed;
  return { run: moved, turns, refusal, isStuck };
}

const turnOrRefusal = (...given: Parameters<typeof takeTurn>): Promise<Turn | Refusal> =>
  takeTurn(...given).catch((error: unknown) => (error instanceof Refusal ? error : Promise.reject(error)));

/** Whether what became of the last of these records leaves all that follow. */
export const stops = ({ interaction }: RunAction, turns: readonly Turn[]): boolean =>
  interaction.onFailure === "stop" && turns.at(-1)?.problem !== undefined;
