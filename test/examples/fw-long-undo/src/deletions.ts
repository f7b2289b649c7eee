import type { Database, Transaction } from "framewright/plugins/database";
import type { RowOwner } from "framewright/plugins/portals";
import type { Undo } from "framewright/plugins/undo";

const DAY_MS = 86_400_000;
const TABLE = "long_undo_deletions";

/** A deleted record, as it was stored. */
export interface DeletedRecord {
  readonly label: string;
  readonly model: string;
  readonly row: Readonly<Record<string, unknown>>;
}
/** One record of what a request has deleted. */
export interface Deletion extends DeletedRecord {
  readonly id: number;
  readonly batch: string;
  readonly deleted_at: string;
}
interface Row extends RowOwner {
  readonly id: number;
  readonly batch: string;
  readonly deleted_at: string;
  readonly content: string;
}

/** The table of deleted records, and the service of the slot `undo`. */
export class Deletions implements Undo {
  readonly #database: Database;
  readonly #days: number;

  constructor(database: Database, days: number) {
    this.#database = database;
    this.#days = days;
  }

  async insert(owner: RowOwner, batch: string, deleted: DeletedRecord, transaction: Transaction): Promise<void> {
    const content = JSON.stringify(deleted, asText);
    await transaction(TABLE).insert({ ...owner, batch, content, deleted_at: new Date().toISOString() });
  }
  /** What a person may restore, the last deleted first. */
  async find(owner: RowOwner, batch?: string): Promise<Deletion[]> {
    const query = this.#database.knex<Row>(TABLE).where("deleted_at", ">", this.#oldest()).limit(100);
    for (const [name, value] of Object.entries(owner)) query.where(name, value);
    if (batch !== undefined) query.where("batch", batch);
    const rows: Row[] = await query.orderBy("id", "desc").select("*");
    return rows.map(({ id, batch: own, deleted_at, content }) => ({
      ...JSON.parse(content, asValue),
      id: Number(id),
      batch: own,
      deleted_at,
    }));
  }
  /** Takes a deletion, so that it is restored once; false where another request was faster. */
  async take(id: number, transaction: Transaction): Promise<boolean> {
    return (await transaction(TABLE).where({ id }).delete()) === 1;
  }
  async sweep(): Promise<void> {
    await this.#database.knex(TABLE).where("deleted_at", "<=", this.#oldest()).delete();
  }
  #oldest(): string {
    return new Date(Date.now() - this.#days * DAY_MS).toISOString();
  }
}

/** JSON has no bytes: `toJSON` of a Buffer has run already. */
function asText(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  const isBytes = isObject(value) && "type" in value && value.type === "Buffer" && "data" in value;
  return isBytes && Array.isArray(value.data) ? { $bytes: Buffer.from(value.data).toString("base64") } : value;
}
function asValue(_: string, value: unknown): unknown {
  const isBytes = isObject(value) && "$bytes" in value && typeof value.$bytes === "string";
  return isBytes ? Buffer.from(String(value.$bytes), "base64") : value;
}
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
