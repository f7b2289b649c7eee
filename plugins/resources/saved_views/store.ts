import { asUnavailable, type Database, encodeDate, isTableMissing } from "framewright/plugins/database";
import type { RunOwner } from "../background/run.ts";
import { errors } from "../errors.ts";

const TABLE = "framewright_saved_views";
/** Views of one list that a person is shown. */
const MAX_SHOWN = 100;

/** A list as somebody asked for it, under a name. */
export interface SavedView {
  readonly id: number;
  readonly name: string;
  /** The query of the list's address, with its question mark: `?filter[status]=draft&sort=title`. */
  readonly query: string;
  readonly shared: boolean;
  /** Whether it is the person's own. */
  readonly isOwn: boolean;
}

/** All statements on the table. Views belong to an owner at a resource, in a portal and a tenant; shared ones are seen there by everybody. */
export class SavedViewStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async find(owner: RunOwner): Promise<SavedView[]> {
    const { owner_type, owner_id, ...place } = owner;
    const rows: Record<string, unknown>[] = await asked(
      this.#rows(place)
        .where((one) => void one.where({ owner_type, owner_id }).orWhere({ shared: true }))
        .orderBy("name")
        .orderBy("id")
        .limit(MAX_SHOWN),
    );
    return rows.map((row) => ({
      ...{ id: Number(row.id), name: String(row.name), query: String(row.query) },
      shared: Boolean(row.shared),
      isOwn: row.owner_type === owner_type && row.owner_id === owner_id,
    }));
  }

  async count(owner: RunOwner): Promise<number> {
    const [row] = await asked(this.#rows(owner).count({ total: "*" }));
    return Number(row?.total ?? 0);
  }

  async insert(owner: RunOwner, view: Pick<SavedView, "name" | "query" | "shared">): Promise<void> {
    await asked(this.#database.knex(TABLE).insert({ ...owner, ...view, created_at: encodeDate(new Date()) }));
  }

  /** Whether there was one of the owner's with this id. */
  async remove(owner: RunOwner, id: number): Promise<boolean> {
    return (await asked(this.#rows({ ...owner, id }).delete())) > 0;
  }

  #rows(values: Partial<RunOwner> & { id?: number }) {
    const query = this.#database.knex(TABLE);
    for (const [name, value] of Object.entries(values))
      if (value === null) query.whereNull(name);
      else query.where(name, value);
    return query;
  }
}

/** @throws FW_SAVED_VIEWS_TABLE; 503 when the database is unavailable */
async function asked<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (isTableMissing(error)) throw errors.FW_SAVED_VIEWS_TABLE();
    throw asUnavailable(error);
  }
}
