import { type BaseModel, ModelInfo, type Transaction } from "framewright/plugins/database";
import type { Interaction, InteractionClass, ResourceAction, ResourceController } from "framewright/plugins/resources";
import { authorizeTarget, executeIn, isDenial, Refusal, readSent } from "framewright/plugins/resources/toolkit";
import type { BatchEntry } from "./enter.ts";
import type { Step } from "./perform.ts";
import { BatchRefused } from "./problems.ts";
import { sentValues } from "./values.ts";

export interface RecordRun {
  readonly action: ResourceAction;
  readonly interaction: InteractionClass;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Finds the record as the person sees it, and reads the inputs for it. @throws Refusal, BatchRefused */
export async function prepareRun<M extends BaseModel>(
  entry: BatchEntry,
  { action, interaction, values }: RecordRun,
  record: M,
): Promise<Step<M>> {
  const id = String(entry.registration.paramOf(record));
  const path = `/${encodeURIComponent(id)}/actions/${action.key}`;
  const body = { interaction: sentValues(values) };
  const controller = await entry.enter(body, { path, routeParams: { id, action_key: action.key } });
  controller.record = await findRecord(controller, record);
  await authorizeTarget(controller, action);
  const read = await readSent(controller, interaction, controller.params.nested("interaction"));
  if (Object.keys(read.errors).length > 0) throw new BatchRefused(read.errors);
  let run: Interaction;
  return {
    controller,
    async write(transaction) {
      controller.record = await findRecord(controller, record, transaction);
      await authorizeTarget(controller, action);
      [, run] = await executeIn(transaction, interaction, { controller, values: read.values });
      return controller.record as M;
    },
    committed: () => run.afterCommit(),
  };
}

/** @throws Refusal where it no longer exists, or is out of the person's sight */
async function findRecord(
  controller: ResourceController,
  record: BaseModel,
  transaction?: Transaction,
): Promise<BaseModel> {
  const found = await controller.findRecord([], transaction).catch((error: unknown) => {
    throw isDenial(error) ? new Refusal("gone") : error;
  });
  if (String(ModelInfo.keyOf(found)) !== String(ModelInfo.keyOf(record))) throw new Refusal("gone");
  return found;
}
