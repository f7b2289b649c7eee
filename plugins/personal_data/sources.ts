import type { Database } from "framewright/plugins/database";
import type { PersonalSource, PersonalSources, PersonalTable } from "./contract.ts";
import { errors } from "./errors.ts";
import { tableSource } from "./table_source.ts";

/** What the hook `sources` has collected, by name. */
export class Sources implements PersonalSources {
  readonly #database: Database;
  readonly #byName = new Map<string, PersonalSource>();

  constructor(database: Database) {
    this.#database = database;
  }
  add(source: PersonalSource): void {
    if (this.#byName.has(source.name)) throw errors.FW_PERSONAL_SOURCE(source.name);
    this.#byName.set(source.name, source);
  }
  table(table: PersonalTable): void {
    this.add(tableSource(this.#database, table));
  }
  all(): readonly PersonalSource[] {
    return [...this.#byName.values()];
  }
}
