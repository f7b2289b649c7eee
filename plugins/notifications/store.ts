import { type Database, decodeDate, encodeDate, mapTableErrors, type Transaction } from "framewright/plugins/database";
import type { NotificationKind } from "./contract.ts";
import { errors } from "./errors.ts";
import type { Owner, Place } from "./owner.ts";

const TABLE = "framewright_notifications";
/** Unread ones are counted up to this many. */
export const MAX_COUNTED = 100;

/** What is stored of a notification, besides whose it is. */
export interface NotificationRow {
  readonly kind: NotificationKind;
  readonly title: string;
  readonly body: string | null;
  readonly url: string | null;
}
/** A notification as a page shows it. */
export interface StoredNotification extends NotificationRow {
  readonly id: number;
  readonly readAt: Date | undefined;
  readonly createdAt: Date;
}

/** All statements on the table. Each one that reads or changes names the owner and the tenant. */
export class NotificationStore {
  readonly #database: Database;
  /** Called when what accounts have is changed and committed. */
  readonly #changed: (owners: readonly Owner[]) => void;

  constructor(database: Database, changed: (owners: readonly Owner[]) => void) {
    this.#database = database;
    this.#changed = changed;
  }

  async insert(
    owners: readonly Owner[],
    row: NotificationRow,
    tenant: string | null,
    transaction?: Transaction,
  ): Promise<void> {
    if (owners.length === 0) return;
    const stored = { ...row, tenant, created_at: encodeDate(new Date()) };
    const rows = owners.map((owner) => ({ ...owner, ...stored }));
    await runQuery((transaction ?? this.#database.knex)(TABLE).insert(rows));
    const changed = () => this.#changed(owners);
    if (transaction) transaction.executionPromise?.then(changed, () => undefined);
    else changed();
  }

  /** The newest first, those before an id; `limit` of them. */
  async list(place: Place, limit: number, before?: number): Promise<StoredNotification[]> {
    const query = this.#of(place).orderBy("id", "desc").limit(limit);
    if (before !== undefined) query.where("id", "<", before);
    return (await runQuery(query)).map(decoded);
  }
  async find(place: Place, id: number): Promise<StoredNotification | undefined> {
    const [row] = await runQuery(this.#of(place).where({ id }).limit(1));
    return row && decoded(row);
  }
  /** How many are unread: up to MAX_COUNTED. */
  async unread(place: Place): Promise<number> {
    return (await runQuery(this.#of(place).whereNull("read_at").select("id").limit(MAX_COUNTED))).length;
  }
  async mark(place: Place, id: number, isRead: boolean): Promise<void> {
    await runQuery(
      this.#of(place)
        .where({ id })
        .update({ read_at: isRead ? encodeDate(new Date()) : null }),
    );
    this.#changed([place]);
  }
  /** Marks all up to an id: what came after the page was shown stays unread. */
  async markAll(place: Place, until: number): Promise<void> {
    await runQuery(
      this.#of(place)
        .whereNull("read_at")
        .where("id", "<=", until)
        .update({ read_at: encodeDate(new Date()) }),
    );
    this.#changed([place]);
  }
  async removeBefore(instant: Date): Promise<number> {
    return Number(await runQuery(this.#database.knex(TABLE).where("created_at", "<", encodeDate(instant)).delete()));
  }
  async isInstalled(): Promise<boolean> {
    return (await this.#database.tables()).includes(TABLE);
  }

  /** Those of a place: within a tenant its own and those of none, elsewhere those of none alone. */
  #of({ tenant, owner_id, owner_type }: Place) {
    const query = this.#database.knex(TABLE).where({ owner_id, owner_type });
    if (tenant === null) return query.whereNull("tenant");
    return query.where((one) => void one.where({ tenant }).orWhereNull("tenant"));
  }
}

function decoded(row: Record<string, unknown>): StoredNotification {
  const { id, kind, title, body, url, read_at, created_at } = row;
  return {
    id: Number(id),
    kind: kind as NotificationKind,
    title: String(title),
    body: (body as string | null) ?? null,
    url: (url as string | null) ?? null,
    readAt: (decodeDate(read_at) as Date | null) ?? undefined,
    createdAt: decodeDate(created_at) as Date,
  };
}

const runQuery = mapTableErrors(errors.FW_NOTIFICATIONS_TABLE);
