import { createHash } from "node:crypto";
import { type Database, encodeDate, PluginTable } from "framewright/plugins/database";
import type { RowOwner } from "framewright/plugins/portals";
import { errors } from "./errors.ts";

const TABLE = "framewright_list_settings";
const MAX_WIDTHS = 200;

/** How a person left a list. */
export interface StoredSettings {
  /** The query of its last view, with its question mark; undefined for the list as it is defined. */
  readonly query?: string | undefined;
  readonly density?: "comfortable" | "compact" | undefined;
  /** Pixels, by the names of columns. */
  readonly widths: Readonly<Record<string, number>>;
}
/** What changes of it; a width of undefined is automatic. */
export interface ChangedSettings {
  readonly query?: string | undefined;
  readonly density?: "comfortable" | "compact" | undefined;
  readonly widths?: Readonly<Record<string, number | undefined>>;
}
type Row = Record<string, unknown>;

/** All statements on the table: one row for each person and list, in a portal and a tenant. */
export class ListSettingsStore {
  readonly #database: Database;
  readonly #table: PluginTable<Row>;

  constructor(database: Database) {
    this.#database = database;
    this.#table = new PluginTable(database, TABLE, errors.FW_LIST_SETTINGS_TABLE, { numbers: ["id"] });
  }

  exists(): Promise<boolean> {
    return this.#table.exists();
  }
  async find(owner: RowOwner): Promise<StoredSettings | undefined> {
    const [row] = await this.#table.read(this.#table.rows({ place_key: keyOf(owner) }).limit(1));
    return row && settingsOf(row);
  }

  /** Stores what changes; of the widths that are stored, those of names that `isKnown` does not know are dropped. */
  async change(owner: RowOwner, changes: ChangedSettings, isKnown: (name: string) => boolean): Promise<void> {
    const place = { place_key: keyOf(owner) };
    const updated_at = encodeDate(new Date());
    if (!(await this.find(owner)))
      await this.#table.run(
        this.#table
          .rows()
          .insert({ ...owner, ...place, updated_at })
          .onConflict("place_key")
          .ignore(),
      );
    await this.#database.transaction(async (transaction) => {
      const [row] = await this.#table.read(this.#table.rows(place, transaction).forUpdate());
      if (!row) return; // reset meanwhile
      const values = changedValues(settingsOf(row), changes, isKnown);
      await this.#table.run(this.#table.rows(place, transaction).update({ ...values, updated_at }));
    });
  }

  async remove(owner: RowOwner): Promise<void> {
    await this.#table.run(this.#table.rows({ place_key: keyOf(owner) }).delete());
  }

  /** Removes the rows of a person, by the account's id and the names of its type: of the table, and of the account type. */
  async removePerson(owner_id: string, names: readonly string[]): Promise<void> {
    const rows = await this.#table.read(this.#table.rows({ owner_id }).select("id", "owner_type"));
    const own = rows.filter(({ owner_type }) => names.includes(String(owner_type).split(" ")[1] ?? ""));
    if (own.length === 0) return;
    const ids = own.map(({ id }) => id as number);
    await this.#table.run(this.#table.rows().whereIn("id", ids).delete());
  }
}

/** One key of the columns of an owner, of which some may be null: a unique index takes nulls for different. */
const keyOf = ({ resource, portal, tenant, owner_type, owner_id }: RowOwner): string =>
  createHash("sha256")
    .update(JSON.stringify([resource, portal, tenant, owner_type, owner_id]))
    .digest("base64url");

function settingsOf({ query, density, widths }: Row): StoredSettings {
  return {
    query: typeof query === "string" && query !== "" ? query : undefined,
    density: density === "compact" || density === "comfortable" ? density : undefined,
    widths: typeof widths === "string" ? (JSON.parse(widths) as Record<string, number>) : {},
  };
}

function changedValues(stored: StoredSettings, changes: ChangedSettings, isKnown: (name: string) => boolean): Row {
  const widths = Object.entries({ ...stored.widths, ...changes.widths }).filter(
    ([name, width]) => width !== undefined && isKnown(name),
  );
  const { query, density } = { ...stored, ...changes };
  return {
    query: query || null,
    density: density ?? null,
    widths: widths.length > 0 ? JSON.stringify(Object.fromEntries(widths.slice(0, MAX_WIDTHS))) : null,
  };
}
