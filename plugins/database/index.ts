import type {} from "framewright";
import { checkOptions, definePlugin, option, type Settings } from "framewright/kernel";
import type { Knex } from "knex";
import { SyncBailHook } from "tapable";
import { connect } from "./connection.ts";
import { Database } from "./database.ts";
import { migrationDirectories } from "./directories.ts";
import { BaseModel, type ModelClass } from "./model.ts";

export type { Knex } from "knex";
export { raw, ref, type Transaction } from "objection";
export {
  type Association,
  type BelongsToOptions,
  belongsTo,
  type HasOptions,
  hasMany,
  hasOne,
} from "./associations.ts";
export { isConflict, type Unavailable, unlessAway } from "./away.ts";
export { decodeDate, encodeDate, exactDecimal, isoInstant } from "./codec.ts";
export type { ColumnInfo, ColumnType } from "./columns.ts";
export { type ConnectionOptions, connect } from "./connection.ts";
export type { Counted } from "./counting.ts";
export type { Database } from "./database.ts";
export type { Client } from "./ddl.ts";
export { parseId } from "./ids.ts";
export { messages, problem } from "./messages.ts";
export { type MigrationStatus, Migrations } from "./migrations.ts";
export { BaseModel, Model, type ModelClass, type Scope, type TableModel } from "./model.ts";
export { type AssociationInfo, type Hop, ModelInfo } from "./model_info.ts";
export { fromCents, toCents } from "./money.ts";
export { indexName, shortName } from "./names.ts";
export type { Prepared } from "./prepared.ts";
export { Queries, type QueriesFace } from "./queries.ts";
export type { PreparedSource, RowSource, RowsRead } from "./reading.ts";
export { RowReader, type StoredRow } from "./rows.ts";
export { Schema } from "./schema.ts";
export type { BelongsToColumn, ColumnWords, TableWords } from "./table.ts";
export type {
  Associations,
  AttributeName,
  Attributes,
  Many,
  OfTable,
  One,
  Query,
  Row,
  TableName,
  Tables,
} from "./types.ts";
export { typesFile } from "./types_file.ts";
export { type Problem, ValidationError } from "./validation_error.ts";
export { customProblems, fieldOf, isBlank, problemsOf, type Rules, validate, valueProblems } from "./validations.ts";

export interface DatabaseHooks {
  /** Before the first query. Return a knex to connect with that one instead. */
  connect: SyncBailHook<[settings: Settings], Knex | undefined>;
}

declare module "framewright/kernel" {
  interface Slots {
    database: { service: Database; hooks: DatabaseHooks };
  }
}

export interface DatabaseOptions {
  /** The address; `DATABASE_URL` unless told, else the file `storage/<env>.sqlite3`. */
  url?: string;
  /** The most connections to MySQL; SQLite has one. */
  pool?: number;
  /** Milliseconds that a query waits for a connection. */
  acquireTimeout?: number;
  /** Milliseconds that SQLite waits for the lock of another process. */
  busyTimeout?: number;
  /** Further folders of migrations. */
  migrations?: readonly string[];
}

/** Models, queries, migrations and introspection: embedded SQLite, or MySQL and MariaDB. */
export function database(options: DatabaseOptions = {}) {
  checkOptions("database", options, {
    url: option.string,
    pool: option.number,
    acquireTimeout: option.number,
    busyTimeout: option.number,
    migrations: option.object,
  });
  const { pool = 10, acquireTimeout = 5000, busyTimeout = 1000, migrations = [] } = options;
  return definePlugin({
    name: "database",
    provides: "database",
    hooks: (): DatabaseHooks => ({ connect: new SyncBailHook(["settings"]) }),
    apply({ hooks, settings, onClose }) {
      const { root, env } = settings;
      const open = () =>
        hooks.database.connect.call(settings) ??
        connect({ root, env, url: options.url ?? settings.databaseUrl, pool, acquireTimeout, busyTimeout });
      const directories = [...migrationDirectories(root), ...migrations];
      const service = new Database(open, { directories, watchful: env !== "production" });
      onClose(() => service.close());
      hooks.host?.loaded.tap("database", ({ constants }) => {
        for (const { name, value, file } of constants.all("models")) {
          if (isModel(value)) service.register(name, value, file);
        }
      });
      hooks.kernel.boot.tapPromise("database", () => service.boot());
      return service;
    },
  });
}

const isModel = (value: unknown): value is ModelClass =>
  typeof value === "function" && value.prototype instanceof BaseModel;
