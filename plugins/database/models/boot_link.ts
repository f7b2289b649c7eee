import type { Knex } from "knex";
import { readColumns } from "../drivers/introspect.ts";
import { asUnavailable } from "../drivers/unavailable.ts";
import type { Migrations } from "../migrations/migrations.ts";
import type { Registry } from "./registry.ts";

/** The pause before a database that was unavailable at boot is tried again. */
const LINK_RETRY_MS = 500;

const isUnavailable = (error: unknown): boolean => (error as { status?: number }).status === 503;

/** Links the models to the tables of the database: at boot, again while that fails, and after migrations. */
export class BootLink {
  readonly #registry: Registry;
  readonly #migrations: Migrations;
  readonly #knex: () => Knex;
  #unready: Error | undefined;
  /** Whether there may be migrations that have not run. */
  #pending = true;
  #anyColumns = false;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(registry: Registry, migrations: Migrations, knex: () => Knex) {
    this.#registry = registry;
    this.#migrations = migrations;
    this.#knex = knex;
  }

  /** Why no request can be served; undefined once the models are linked. */
  get unready(): Error | undefined {
    return this.#unready;
  }

  /** Reads the tables of all models and links the models to them. */
  async link(): Promise<void> {
    try {
      this.#pending = await this.#mayBePending();
      const knex = this.#knex();
      await this.#registry.link(knex, await readColumns(knex), this.#pending || this.#anyColumns);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** As `link`; while the database is unavailable the application boots, and this is tried again. `anyColumns`: models may name missing ones. */
  async boot({ anyColumns = false }: { anyColumns?: boolean } = {}): Promise<void> {
    this.#anyColumns = anyColumns;
    try {
      await this.link();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#unready = error as Error;
      await this.#registry.link(this.#knex(), async () => undefined);
      this.#linkLater();
    }
  }

  /** The names of the migrations that have not run. Once there are none, the tables are read again. */
  async pendingMigrations(): Promise<readonly string[]> {
    if (!this.#pending) return [];
    const names = await this.#migrations.pending();
    if (names.length === 0) await this.#linkAgain();
    return names;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
  }

  /** Files that are no migrations are reported by `fw db:migrate`, not here. */
  async #mayBePending(): Promise<boolean> {
    try {
      return (await this.#migrations.pending()).length > 0;
    } catch (error) {
      if (isUnavailable(asUnavailable(error))) throw error;
      return true;
    }
  }

  #linkLater(): void {
    this.#retry = setTimeout(() => this.#linkAgain(), LINK_RETRY_MS).unref();
  }

  async #linkAgain(): Promise<void> {
    try {
      await this.link();
      this.#unready = undefined;
    } catch (error) {
      this.#unready = error as Error;
      if (!this.#closed) this.#linkLater();
    }
  }
}
