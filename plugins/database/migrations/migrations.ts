import { FramewrightError, messageOf } from "framewright/kernel";
import type { Knex } from "knex";
import { driverOf } from "../drivers/drivers.ts";
import { errors } from "../errors.ts";
import { decodeDate } from "../models/codec.ts";
import { createReleasesTable } from "../releases/releases_table.ts";
import { checkPrefix } from "./check_prefix.ts";
import {
  type Direction,
  findMigrations,
  loadMigration,
  MIGRATIONS_TABLE,
  type MigrationFile,
  type MigrationFolder,
} from "./migration_files.ts";
import { Schema } from "./schema.ts";

/** A migration, and whether it has run. */
export interface MigrationStatus {
  name: string;
  applied: boolean;
  at?: Date;
}

/** What changes the tables, in the order of the timestamps of all folders together. */
export class Migrations {
  readonly #knex: () => Knex;
  readonly #folders: MigrationFolder[];

  constructor(knex: () => Knex, folders: readonly MigrationFolder[]) {
    this.#knex = knex;
    this.#folders = [...folders];
  }

  /** Adds the folder of a plugin, by the name under which it is listed. */
  addPlugin(
    { plugin, isInstance }: { readonly plugin: string; readonly isInstance: boolean },
    directory: string,
  ): void {
    const isKnown = this.#folders.some((one) => one.directory === directory && !(isInstance || one.isInstance));
    if (!isKnown) this.#folders.push({ directory, plugin, isInstance });
  }

  get folders(): readonly MigrationFolder[] {
    return this.#folders;
  }

  /** Applies what is not applied yet, and returns its names; `ran` is awaited after each. */
  up(ran: (name: string, knex: Knex) => Promise<void> = async () => undefined): Promise<string[]> {
    return this.#locked(async (knex) => {
      const applied = await this.#applied(knex);
      const pending = findMigrations(this.#folders).filter(({ name }) => !applied.has(name));
      for (const file of pending) {
        await this.#run(knex, file, "up");
        await ran(file.name, knex);
      }
      return pending.map(({ name }) => name);
    });
  }

  /** Takes the last ones back, and returns their names. */
  down(steps = 1): Promise<string[]> {
    return this.#locked(async (knex) => {
      const files = new Map(findMigrations(this.#folders).map((file) => [file.name, file]));
      const last = [...(await this.#applied(knex)).keys()].sort().reverse().slice(0, steps);
      for (const name of last) {
        const file = files.get(name);
        if (!file) throw errors.FW_MIGRATION_GONE(name);
        await this.#run(knex, file, "down");
      }
      return last;
    });
  }

  /** The names of those that are not applied yet. */
  async pending(): Promise<string[]> {
    if (findMigrations(this.#folders).length === 0) return []; // no need to query the database
    return (await this.status()).filter(({ applied }) => !applied).map(({ name }) => name);
  }

  async status(): Promise<MigrationStatus[]> {
    const applied = await this.#applied(this.#knex());
    const names = new Set([...applied.keys(), ...findMigrations(this.#folders).map(({ name }) => name)]);
    return [...names].sort().map((name) => {
      const at = applied.get(name);
      return { name, applied: at !== undefined, ...(at ? { at } : {}) };
    });
  }

  #locked<T>(work: (knex: Knex) => Promise<T>): Promise<T> {
    const knex = this.#knex();
    return driverOf(knex).migrate(knex, async (knex) => {
      await checkPrefix(knex, this.#folders);
      await new Schema(knex).createTable(MIGRATIONS_TABLE, (t) => {
        t.id();
        t.string("name").notNull().unique();
        t.datetime("applied_at").notNull();
      });
      await createReleasesTable(new Schema(knex));
      return work(knex);
    });
  }

  async #applied(knex: Knex): Promise<Map<string, Date>> {
    const tables = await driverOf(knex).tables.tables(knex); // a plain select: it waits for no writer
    if (!tables.includes(MIGRATIONS_TABLE)) return new Map();
    const rows: { name: string; applied_at: string }[] = await knex(MIGRATIONS_TABLE)
      .select("name", "applied_at")
      .orderBy("id");
    return new Map(rows.map((row) => [row.name, decodeDate(row.applied_at) as Date]));
  }

  async #run(knex: Knex, file: MigrationFile, direction: Direction): Promise<void> {
    const change = await loadMigration(file, direction);
    try {
      await change(new Schema(knex));
    } catch (cause) {
      const error = errors.FW_MIGRATION_FAILED(file.name, direction, messageOf(cause));
      error.cause = cause;
      throw cause instanceof FramewrightError && cause.status === 503 ? cause : error;
    }
    if (direction === "up") await knex(MIGRATIONS_TABLE).insert({ name: file.name, applied_at: new Date() });
    else await knex(MIGRATIONS_TABLE).where({ name: file.name }).delete();
  }
}
