import { suggest } from "framewright/kernel";
import type { BaseModel, ModelClass } from "framewright/plugins/database";
import type { InteractionClass, Registration, ResourceAction, Resources } from "framewright/plugins/resources";
import type { Batches, BatchPlace, BatchResult, CreateOptions, RunOptions } from "./contract.ts";
import { prepareRow } from "./create_many.ts";
import { BatchEntry } from "./enter.ts";
import { errors } from "./errors.ts";
import { type Batch, performEach, performTogether } from "./perform.ts";
import { prepareRun } from "./run_many.ts";

/** The service of the slot "batches". */
export class BatchService implements Batches {
  readonly #resources: Resources;

  constructor(resources: Resources) {
    this.#resources = resources;
  }

  async createMany<M extends BaseModel>(
    model: { new (): M },
    rows: readonly Readonly<Record<string, unknown>>[],
    options: CreateOptions,
  ): Promise<BatchResult<M>> {
    const registration = this.#resources.registry.find(options.portal, model as unknown as ModelClass);
    const { constant } = this.#resources.database.model(model as unknown as ModelClass);
    if (registration.constant !== constant)
      throw errors.FW_BATCH_MODEL(constant, registration.constant, options.portal);
    const entry = new BatchEntry(this.#resources, registration, options, "create");
    const prepare = async (index: number) => prepareRow(entry, rows[index]!);
    const by = `the batch of ${registration.constant}`;
    return this.#perform({ count: rows.length, prepare, by }, options) as Promise<BatchResult<M>>;
  }

  async run<M extends BaseModel>(
    interaction: InteractionClass,
    { records, values = {}, action: key, ...place }: RunOptions<M>,
  ): Promise<BatchResult<M>> {
    const [first] = records;
    if (!first) return { ok: true, records: [], problems: [] };
    for (const name of Object.keys(values))
      if (!Object.hasOwn(interaction.attributes, name))
        throw errors.FW_BATCH_INPUT(interaction.name, name, suggest(name, Object.keys(interaction.attributes)));
    const registration = this.#resources.registry.find(place.portal, first.constructor as ModelClass);
    const action = actionWith(registration, interaction, key);
    const entry = new BatchEntry(this.#resources, registration, place, "runRecordAction");
    const about = { action, interaction, values };
    const prepare = (index: number) => prepareRun(entry, about, records[index]!);
    return this.#perform({ count: records.length, prepare, by: `the interaction "${interaction.name}"` }, place);
  }

  #perform<T>(batch: Batch<T>, { onFailure = "rollback" }: BatchPlace): Promise<BatchResult<T>> {
    const { database } = this.#resources;
    return onFailure === "continue" ? performEach(database, batch) : performTogether(database, batch);
  }
}

/** The action on a record that has an interaction. @throws FW_BATCH_ACTION */
function actionWith(
  { definition, constant }: Registration,
  interaction: InteractionClass,
  key: string | undefined,
): ResourceAction {
  const found = [...definition.actions.values()].filter(
    (one) => one.interaction === interaction && !one.resourceAction && (key === undefined || one.key === key),
  );
  const [action] = found;
  if (!action || found.length > 1)
    throw errors.FW_BATCH_ACTION(
      interaction.name,
      constant,
      found.map((one) => one.key),
    );
  return action;
}
