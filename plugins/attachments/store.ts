import { type Database, encodeDate, type Knex, PluginTable, type Transaction } from "framewright/plugins/database";
import type { Attachment } from "./contract.ts";
import { errors } from "./errors.ts";
import type { Owner } from "./owner.ts";

const TABLE = "framewright_attachments";
const MAX_ROWS = 500;

const listedColumns = ["id", "owner_id", "field", "name", "type", "size", "alternative", "state", "thumbnails"];
/** What is shown of a file. */
export type ListedFile = Pick<
  Attachment,
  "id" | "field" | "name" | "type" | "size" | "alternative" | "state" | "thumbnails"
>;
export type AttachmentRow = Omit<Attachment, "id">;
type Changes = Partial<AttachmentRow>;

/** Fast path: each list reads it, and building it takes longer than its answer. */
const listedFiles = (knex: Knex, [type, ...ids]: readonly unknown[]): Knex.QueryBuilder =>
  knex(TABLE)
    .select(listedColumns)
    .where("owner_type", type as string)
    .whereIn("owner_id", ids as string[])
    .whereNull("detached_at")
    .orderBy("position")
    .orderBy("id");

/** All statements on the table of attachments. */
export class AttachmentStore {
  readonly #table: PluginTable<Attachment>;
  readonly #database: Database;
  /** By the number of records, of which a page has some hundreds at most. */
  readonly #listed = new Map<number, ReturnType<Database["prepared"]>>();

  constructor(database: Database) {
    this.#database = database;
    this.#table = new PluginTable(database, TABLE, errors.FW_ATTACHMENTS_TABLE, {
      dates: ["created_at", "detached_at"],
      numbers: ["id", "size", "position"],
    });
  }

  /** The files of records of one model, in their order. */
  async find(
    { type, ids, fields }: { type: string; ids: readonly string[]; fields?: readonly string[] },
    by?: Transaction,
  ) {
    if (ids.length === 0) return [];
    const query = this.#rows(by).where({ owner_type: type }).whereIn("owner_id", ids).whereNull("detached_at");
    if (fields) query.whereIn("field", fields);
    const found = await this.#all(query.orderBy("position").orderBy("id"));
    return found.filter(({ owner_id }) => ids.includes(owner_id)); // a database may take other texts for equal
  }
  /** What lists and pages show of the files of records, in their order. */
  async findShown(type: string, ids: readonly string[]): Promise<(ListedFile & { readonly owner_id: string })[]> {
    if (ids.length === 0) return [];
    const prepared = this.#listed.get(ids.length) ?? this.#database.prepared(listedFiles);
    this.#listed.set(ids.length, prepared);
    const rows = await this.#table.run(prepared.rows([type, ...ids]));
    return (rows as unknown as (ListedFile & { owner_id: string })[]).map((row) =>
      Object.assign(row, { id: Number(row.id), size: Number(row.size) }),
    );
  }
  async findById(id: number): Promise<Attachment | undefined> {
    return (await this.#all(this.#rows().where({ id })))[0];
  }
  async insert(row: AttachmentRow, by?: Transaction | Knex): Promise<Attachment> {
    const [id] = await this.#table.run(this.#rows(by as Transaction).insert(this.#table.encoded(row), "id"));
    const key = typeof id === "object" && id !== null ? (id as { id: unknown }).id : id;
    return { ...row, id: Number(key) };
  }
  /** Whether the row was there. */
  async update(id: number, changes: Changes, transaction?: Transaction): Promise<boolean> {
    return (await this.#table.run(this.#rows(transaction).where({ id }).update(this.#table.encoded(changes)))) > 0;
  }
  /** Whether it was this call that changed a file from one state to another. */
  async move(id: number, from: Changes, to: Changes): Promise<boolean> {
    return (
      (await this.#table.run(
        this.#rows()
          .where({ id, ...this.#table.encoded(from) })
          .update(this.#table.encoded(to)),
      )) > 0
    );
  }
  /** Leaves files without a record: their bytes stay for a while. */
  async detach(
    of: (Owner & { readonly field?: string }) | readonly number[],
    transaction?: Transaction,
  ): Promise<void> {
    const query = this.#rows(transaction).whereNull("detached_at");
    if ("type" in of) {
      query.where({ owner_type: of.type, owner_id: of.id });
      if (of.field !== undefined) query.where({ field: of.field });
    } else query.whereIn("id", of as number[]);
    await this.#table.run(query.update({ detached_at: encodeDate(new Date()) }));
  }
  /** Leaves files that a record has no more to the sweep, whatever becomes of the record. */
  async forget({ type, id }: Owner, transaction: Transaction): Promise<void> {
    const rows = this.#rows(transaction).where({ owner_type: type, owner_id: id }).whereNotNull("detached_at");
    await this.#table.run(rows.update({ owner_id: "" }));
  }
  /** Gives a record the files back that it had when it was deleted. */
  async reattach({ type, id }: Owner, since: Date, transaction: Transaction): Promise<void> {
    const rows = this.#rows(transaction).where({ owner_type: type, owner_id: id });
    await this.#table.run(rows.where("detached_at", ">=", encodeDate(since)).update({ detached_at: null }));
  }
  async remove(id: number, by?: Knex): Promise<void> {
    await this.#table.run(
      this.#rows(by as Transaction | undefined)
        .where({ id })
        .delete(),
    );
  }
  /** Files that have had no record since then. */
  async detachedBefore(moment: Date): Promise<Attachment[]> {
    return this.#all(this.#rows().where("detached_at", "<", encodeDate(moment)).orderBy("id").limit(MAX_ROWS));
  }
  /** Files that were attached by then, and are still to be scanned or drawn. */
  async waitingSince(moment: Date): Promise<Attachment[]> {
    const query = this.#rows().whereNull("detached_at").where("created_at", "<", encodeDate(moment));
    query.where((one) => void one.where({ state: "held" }).orWhere({ thumbnails: "waiting" }));
    return this.#all(query.orderBy("id").limit(MAX_ROWS));
  }
  /** The owners of files, some at a time in their order. */
  async owners(after: Owner | undefined): Promise<Owner[]> {
    const query = this.#rows().distinct("owner_type", "owner_id").whereNull("detached_at");
    if (after)
      query.where((one) =>
        one
          .where("owner_type", ">", after.type)
          .orWhere((same) => void same.where("owner_type", after.type).where("owner_id", ">", after.id)),
      );
    query.orderBy("owner_type").orderBy("owner_id").limit(MAX_ROWS);
    const rows = (await this.#table.run(query)) as { owner_type: string; owner_id: string }[];
    return rows.map(({ owner_type, owner_id }) => ({ type: owner_type, id: owner_id }));
  }
  /** Whether the table is there: an application that has just listed the plugin is served all the same. */
  isInstalled(): Promise<boolean> {
    return this.#table.exists();
  }

  #rows(transaction?: Transaction): Knex.QueryBuilder {
    return this.#table.rows({}, transaction) as unknown as Knex.QueryBuilder;
  }
  async #all(query: Knex.QueryBuilder): Promise<Attachment[]> {
    return (await this.#table.read(query)).map((row) => ({ ...row, in_place: Boolean(row.in_place) }));
  }
}
