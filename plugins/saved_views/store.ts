import { type Database, encodeDate, PluginTable } from "framewright/plugins/database";
import type { RowOwner } from "framewright/plugins/portals";
import { errors } from "./errors.ts";

const TABLE = "framewright_saved_views";
const DEFAULTS = "framewright_default_views";
/** Views of one list that a person is shown. */
const MAX_SHOWN = 100;

/** A list as somebody requested it, under a name. */
export interface SavedView {
  readonly id: number;
  readonly name: string;
  /** The query of the list's address, with its question mark: `?filter[status]=draft&sort=title`. */
  readonly query: string;
  readonly shared: boolean;
  /** Whether it is the person's own. */
  readonly isOwn: boolean;
}

/** Whom a view is the default of: the person who is named, or those with a role. */
export type DefaultOf = { readonly owner: RowOwner } | { readonly role: string; readonly place: RowOwner };
/** Which views a list is opened with at a place: the person's own, and by role. */
export interface DefaultViews {
  readonly own: number | undefined;
  readonly byRole: ReadonlyMap<string, number>;
}

/** All statements on the tables. Views belong to an owner at a resource, in a portal and a tenant; shared ones are seen there by everybody. */
export class SavedViewStore {
  readonly #database: Database;
  readonly #views: PluginTable<Record<string, unknown>>;
  readonly #defaults: PluginTable<Record<string, unknown>>;

  constructor(database: Database) {
    this.#database = database;
    this.#views = new PluginTable(database, TABLE, errors.FW_SAVED_VIEWS_TABLE, { numbers: ["id"] });
    this.#defaults = new PluginTable(database, DEFAULTS, errors.FW_SAVED_VIEWS_TABLE, { numbers: ["view_id"] });
  }

  async find(owner: RowOwner): Promise<SavedView[]> {
    const { owner_type, owner_id, ...place } = owner;
    const rows = await this.#views.read(
      this.#views
        .rows(place)
        .where((one) => void one.where({ owner_type, owner_id }).orWhere({ shared: true }))
        .orderBy("name")
        .orderBy("id")
        .limit(MAX_SHOWN),
    );
    return rows.map((row) => ({
      id: row.id as number,
      name: String(row.name),
      query: String(row.query),
      shared: Boolean(row.shared),
      isOwn: row.owner_type === owner_type && row.owner_id === owner_id,
    }));
  }

  async count(owner: RowOwner): Promise<number> {
    const [row] = (await this.#views.run(this.#views.rows(owner).count({ total: "*" }))) as [{ total: unknown }];
    return Number(row?.total ?? 0);
  }

  async insert(owner: RowOwner, view: Pick<SavedView, "name" | "query" | "shared">): Promise<void> {
    await this.#views.run(this.#views.rows().insert({ ...owner, ...view, created_at: encodeDate(new Date()) }));
  }

  /** Whether there was one of the owner's with this id. */
  async remove(owner: RowOwner, id: number): Promise<boolean> {
    const isRemoved = (await this.#views.run(this.#views.rows({ ...owner, id }).delete())) > 0;
    if (isRemoved && (await this.keepsDefaults()))
      await this.#defaults.run(this.#defaults.rows({ view_id: id }).delete());
    return isRemoved;
  }

  /** Whether there is the table of default views; one that an earlier release created tables for has none. */
  keepsDefaults(): Promise<boolean> {
    return this.#defaults.exists();
  }
  async defaults({ owner_type, owner_id, ...place }: RowOwner): Promise<DefaultViews> {
    const query = this.#defaults.rows(place);
    const rows = await this.#defaults.read(
      query.where((one) => void one.where({ owner_type, owner_id }).orWhereNotNull("role")).orderBy("id"),
    );
    const byRole = new Map(
      rows.flatMap(({ role, view_id }) => (role === null ? [] : [[String(role), view_id as number] as const])),
    );
    const own = rows.findLast(({ role }) => role === null);
    return { own: own?.view_id as number | undefined, byRole };
  }
  /** Makes a view the default of a person or a role, in place of the one before; undefined removes it. */
  async setDefault(of: DefaultOf, view_id: number | undefined): Promise<void> {
    const { owner_type, owner_id, ...place } = "owner" in of ? of.owner : of.place;
    const whose =
      "owner" in of ? { owner_type, owner_id, role: null } : { owner_type: null, owner_id: null, role: of.role };
    const row = { ...place, ...whose };
    await this.#database.transaction(async (transaction) => {
      await this.#defaults.run(this.#defaults.rows(row, transaction).delete());
      if (view_id !== undefined)
        await this.#defaults.run(this.#defaults.rows({}, transaction).insert({ ...row, view_id }));
    });
  }
}
