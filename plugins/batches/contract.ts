import type { FieldErrors } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { InteractionClass, RefusalKind } from "framewright/plugins/resources";

/** For whom a batch acts, and where. */
export interface BatchPlace {
  /** The account: its policies and its tenants count as they do for a request of its own. */
  as: object;
  /** The portal's name; by default the main application. */
  portal?: string;
  /** The tenant, in a portal that has tenants. */
  tenant?: BaseModel;
  /** What becomes of the others where one can't be done: all are undone, which is the default, or each is independent. */
  onFailure?: "rollback" | "continue";
}
/** How many records are created. */
export type CreateOptions = BatchPlace;
/** On what an interaction runs, and with which values. */
export interface RunOptions<M extends BaseModel = BaseModel> extends BatchPlace {
  records: readonly M[];
  /** The values of the interaction's inputs, the same for each record. */
  values?: Readonly<Record<string, unknown>>;
  /** The key of the action, where several have the interaction. */
  action?: string;
}

/** Why one of a batch was not done. */
export interface BatchProblem {
  /** Its place among the rows, or the records. */
  readonly index: number;
  /** What is wrong, by field; what is wrong with the whole is `base`. */
  readonly errors: FieldErrors;
  /** What refused it, where its values were not to blame. */
  readonly refused: RefusalKind | undefined;
}

/** What a batch came to. */
export interface BatchResult<T> {
  /** Whether all were done. */
  readonly ok: boolean;
  /** By index: a record that was created, or done; undefined for one that was not. */
  readonly records: readonly (T | undefined)[];
  readonly problems: readonly BatchProblem[];
}

/** The service of the slot "batches". */
export interface Batches {
  /**
   * Creates a record of each row, as a program of this person would that sends it to the list as JSON.
   * @throws FW_BATCH_SIZE, FW_BATCH_PLACE, FW_BATCH_MODEL, FW_RESOURCE_UNREGISTERED, and errors of a database that is unavailable
   */
  createMany<M extends BaseModel>(
    model: { new (): M },
    rows: readonly Readonly<Record<string, unknown>>[],
    options: CreateOptions,
  ): Promise<BatchResult<M>>;
  /**
   * Runs an interaction on each record, by the action of their resource that has it.
   * @throws FW_BATCH_ACTION, FW_BATCH_INPUT, FW_BATCH_SIZE, FW_BATCH_PLACE, and errors of a database that is unavailable
   */
  run<M extends BaseModel>(interaction: InteractionClass, options: RunOptions<M>): Promise<BatchResult<M>>;
}

declare module "framewright/kernel" {
  interface Slots {
    batches: { service: Batches };
  }
}
