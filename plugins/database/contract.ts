import type { AsyncSeriesHook, KeyedHook, Settings, SyncBailHook, SyncHook } from "framewright/kernel";
import type { Knex } from "knex";
import type { Change, Creation, OpenChange } from "./changes/change.ts";
import type { HandedQuery } from "./database.ts";
import type { ConnectionOptions } from "./drivers/connection.ts";
import type { BaseModel } from "./models/model.ts";
import type { ModelInfo } from "./models/model_info.ts";
import type { Database } from "./service_contract.ts";

/** Changes whose transaction is open. */
export interface ChangingHook extends KeyedHook<Function, [change: OpenChange]> {
  for<M extends BaseModel>(model: { new (): M }): AsyncSeriesHook<[change: OpenChange<M>]>;
}
/** Records that are about to be created. */
export interface CreatingHook extends KeyedHook<Function, [creation: Creation]> {
  for<M extends BaseModel>(model: { new (): M }): AsyncSeriesHook<[creation: Creation<M>]>;
}
/** Changes that are committed. */
export interface ChangedHook extends KeyedHook<Function, [change: Change]> {
  for<M extends BaseModel>(model: { new (): M }): AsyncSeriesHook<[change: Change<M>]>;
}

/** The hooks of the slot "database". */
export interface DatabaseHooks {
  /** Before the first query, with how it would connect. Return a knex to connect with that one instead. */
  connect: SyncBailHook<[settings: Settings, options: ConnectionOptions], Knex | undefined>;
  /** @experimental A query is about to be handed to an application's code: confine it to what may be seen there. */
  handOut: SyncHook<[handed: HandedQuery]>;
  /** @experimental The tables of the models were read, at boot and after migrations, and are linked next: leave rows of some out of use by `markRows` of `framewright/plugins/database/marks`. */
  described: SyncHook<[models: readonly ModelInfo[]]>;
  /** A record is about to be created by its model, in the transaction that stores it, and is checked next: set its columns. `creating.for(Post)` hears of one model. */
  creating: CreatingHook;
  /**
   * A record was created, updated or deleted by its model, and the transaction is open: what is written in `change.transaction`
   * is committed with the change, and what is thrown undoes it. `changing.for(Post)` hears of one model, and the class of what models declare for a plugin of those models.
   */
  changing: ChangingHook;
  /** The change is committed. A tap that fails is logged under its plugin's name; it changes nothing of what was done. */
  changed: ChangedHook;
}

declare module "framewright/kernel" {
  interface Slots {
    database: { service: Database; hooks: DatabaseHooks };
  }
}
