import { messageOf } from "framewright/kernel";
import { ModelInfo, type Transaction } from "framewright/plugins/database";
import { type Interaction, labelOf, type RefusalKind, type ResourceRequest } from "framewright/plugins/resources";
import { authorizeTarget, executeIn, findOnList, Refusal, targetProblem } from "framewright/plugins/resources/toolkit";
import type { BulkAction } from "./bulk_action.ts";

/** What became of a selected record. The label is there where the person may see it. */
export interface Turn {
  readonly id: string | number;
  readonly label?: string;
  /** It was not done, since it may not be, or since another one could not be. */
  readonly refused?: RefusalKind;
  /** It was tried, and undone. */
  readonly failed?: string;
}
/** What is done, and to which records. */
export interface Bulk {
  readonly action: BulkAction;
  readonly values: Record<string, unknown>;
  readonly ids: readonly string[];
}
/** A turn; what has to be done once it is committed. */
interface Done {
  readonly turn: Turn;
  readonly interaction?: Interaction;
}

/**
 * Acts on each record by itself, in the order of the selection. What is done stays; what becomes of those after one that could
 * not be done is set by the interaction. @throws HttpError 503 where nothing is done
 */
export async function performChosen(controller: ResourceRequest, bulk: Bulk): Promise<Turn[]> {
  const { action, ids } = bulk;
  const turns: Turn[] = [];
  for (const [at, id] of ids.entries()) {
    try {
      const { turn, interaction } = await perform(controller, bulk, id);
      turns.push(turn);
      if (interaction) await finish(controller, interaction);
      if (action.interaction.onFailure !== "stop" || interaction) continue;
      turns.push(...ids.slice(at + 1).map((left): Turn => ({ id: left, refused: "stopped" })));
      break;
    } catch (error) {
      if (at === 0) throw error; // the database is unavailable, and nothing is done
      const failed = messageOf(error);
      turns.push(...ids.slice(at).map((left) => ({ id: left, failed })));
      break;
    }
  }
  controller.record = undefined;
  return turns;
}

/** Carries what could not be done out of the transaction, which it undoes. */
class Undone extends Error {
  readonly at: number;
  readonly turn: Turn;
  constructor(at: number, turn: Turn) {
    super("one of several records could not be done");
    this.at = at;
    this.turn = turn;
  }
}

/** Acts on all records in one transaction, or on none of them. @throws HttpError 503 */
export async function performAll(controller: ResourceRequest, bulk: Bulk): Promise<Turn[]> {
  const { ids } = bulk;
  try {
    const all = await controller.resources.database.transaction(
      async (transaction) => {
        const done: Done[] = [];
        for (const [at, id] of ids.entries()) {
          const one = await perform(controller, bulk, id, transaction);
          if (!one.interaction) throw new Undone(at, one.turn);
          done.push(one);
        }
        return done;
      },
      limitsOf(controller, bulk),
    );
    for (const { interaction } of all) await finish(controller, interaction!);
    return all.map(({ turn }) => turn);
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    return ids.map((id, at) => (at === error.at ? { ...error.turn, id } : { id, refused: "stopped" }));
  } finally {
    controller.record = undefined;
  }
}

const limitsOf = ({ request }: ResourceRequest, { action }: Bulk) => ({
  until: request.deadline,
  by: `the interaction "${action.interaction.name}"`,
});

/** Gives a record its turn, within a transaction or in one of its own. @throws HttpError 503 */
async function perform(
  controller: ResourceRequest,
  bulk: Bulk,
  sent: string,
  transaction?: Transaction,
): Promise<Done> {
  const { action, values } = bulk;
  const turn: { id: string | number; label?: string } = { id: sent };
  const execute = (within: Transaction) => executeIn(within, action.interaction, { controller, values });
  controller.record = undefined;
  try {
    const record = await findOnList(controller, action.interaction, { id: sent, ids: [sent], values, transaction });
    controller.record = record;
    Object.assign(turn, { id: ModelInfo.keyOf(record)!, label: labelOf(controller, record) });
    await authorizeTarget(controller, action);
    const { database } = controller.resources;
    const limits = limitsOf(controller, bulk);
    const [, interaction] = await (transaction ? execute(transaction) : database.transaction(execute, limits));
    return { turn, interaction };
  } catch (error) {
    const problem = targetProblem(controller, error);
    return { turn: problem instanceof Refusal ? { ...turn, refused: problem.kind } : { ...turn, failed: problem } };
  } finally {
    controller.reply = undefined; // one record's answer is not that of all
  }
}

/** What was committed stays, whatever comes after it. */
async function finish({ request }: ResourceRequest, interaction: Interaction): Promise<void> {
  try {
    await interaction.afterCommit();
  } catch (error) {
    const about = { err: error, record: interaction.record.$id() };
    request.application.log.error(about, `${interaction.constructor.name}.afterCommit() failed: ${messageOf(error)}`);
  }
}
