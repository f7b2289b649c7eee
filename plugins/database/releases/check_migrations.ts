import type { Knex } from "knex";
import { type ConnectionOptions, connect } from "../drivers/connection.ts";
import { copyDatabase } from "../drivers/copy_database.ts";
import { columnsOf, tablesOf } from "../drivers/introspect.ts";
import { errors } from "../errors.ts";
import { Migrations } from "../migrations/migrations.ts";
import { type BreakingChange, breakingChanges, type SchemaState } from "./breaking_changes.ts";

/** A change that the pending migrations make, and the first of them that makes it. */
export interface FoundChange extends BreakingChange {
  readonly migration: string;
}
export interface MigrationTrial {
  readonly options: ConnectionOptions;
  /** Those of the application, which knows what is pending. */
  readonly migrations: Migrations;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the pending migrations on a copy of the database, and gives what they change that a release of before may not
 * bear: what is undone by a later one is none of it. The copy is removed, also when a migration fails or `signal` aborts.
 * @throws FW_DATABASE_COPY, FW_MIGRATION_FAILED
 */
export async function tryMigrations({ options, migrations, signal }: MigrationTrial): Promise<FoundChange[]> {
  const expected = await migrations.pending();
  const copy = await copyDatabase(options);
  try {
    const knex = connect(copy.options);
    try {
      const tried = new Migrations(() => knex, migrations.folders);
      if (String(await tried.pending()) !== String(expected))
        throw errors.FW_DATABASE_COPY("a plugin connects the application to another database than DATABASE_URL");
      return await changesOfEach(tried, await stateOf(knex), signal);
    } finally {
      await knex.destroy();
    }
  } finally {
    await copy.remove();
  }
}

async function changesOfEach(
  migrations: Migrations,
  before: SchemaState,
  signal: AbortSignal | undefined,
): Promise<FoundChange[]> {
  let found = new Map<string, FoundChange>();
  await migrations.up(async (migration, knex) => {
    signal?.throwIfAborted();
    const changes = breakingChanges(before, await stateOf(knex));
    found = new Map(
      changes.map((change) => {
        const key = `${change.kind} ${change.what}`;
        return [key, { ...change, migration: found.get(key)?.migration ?? migration }];
      }),
    );
  });
  return [...found.values()];
}

async function stateOf(knex: Knex): Promise<SchemaState> {
  const state = new Map<string, Awaited<ReturnType<typeof columnsOf>>>();
  for (const table of await tablesOf(knex)) state.set(table, await columnsOf(knex, table));
  return state;
}
