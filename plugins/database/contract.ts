import type { Settings, SyncBailHook, SyncHook } from "framewright/kernel";
import type { Knex } from "knex";
import type { Database, HandedQuery } from "./database.ts";
import type { ConnectionOptions } from "./drivers/connection.ts";

/** The hooks of the slot "database". */
export interface DatabaseHooks {
  /** Before the first query, with how it would connect. Return a knex to connect with that one instead. */
  connect: SyncBailHook<[settings: Settings, options: ConnectionOptions], Knex | undefined>;
  /** A query is about to be handed to an application's code: confine it to what may be seen there. */
  handOut: SyncHook<[handed: HandedQuery]>;
}

declare module "framewright/kernel" {
  interface Slots {
    database: { service: Database; hooks: DatabaseHooks };
  }
}
