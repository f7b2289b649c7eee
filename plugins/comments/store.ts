import { createHash } from "node:crypto";
import { type Database, encodeDate, PluginTable, type Transaction } from "framewright/plugins/database";
import type { StoredComment } from "./contract.ts";
import { errors } from "./errors.ts";

const COMMENTS = "framewright_comments";
const FOLLOWERS = "framewright_comment_followers";

/** The record that comments are about. */
export interface Subject {
  readonly table_name: string;
  readonly record: string;
}
/** Somebody in a portal and a tenant. */
export interface Person {
  readonly owner_type: string;
  readonly owner_id: string;
  readonly portal: string | null;
  readonly tenant: string | null;
}
/** Somebody who hears of new comments on a record. */
export interface Follower extends Subject, Person {
  readonly id: number;
  readonly active: boolean;
  /** JSON of a `StoredPlace`, where they see it. */
  readonly place: string;
  /** Until when they have seen its comments. */
  readonly seen_at: Date;
}
/** Which comments a request may see. */
export interface Visible extends Subject {
  /** Undefined for those of all tenants. */
  readonly tenant?: string | null;
  /** When the record was created, where it records that: older ones are of another one that had its key. */
  readonly since?: Date;
  /** Whether internal ones are among them. */
  readonly internal: boolean;
}
type NewComment = Omit<StoredComment, "id" | "edited_at">;
type CommentRow = Omit<StoredComment, "mentions" | "internal"> & { mentions: string; internal: unknown };

/** All statements on the two tables. */
export class CommentStore {
  readonly #database: Database;
  readonly #comments: PluginTable<CommentRow>;
  readonly #followers: PluginTable<Follower>;

  constructor(database: Database) {
    this.#database = database;
    const missing = errors.FW_COMMENTS_TABLE;
    const kinds = { dates: ["created_at", "edited_at"], numbers: ["id"] };
    this.#comments = new PluginTable<CommentRow>(database, COMMENTS, missing, kinds);
    this.#followers = new PluginTable<Follower>(database, FOLLOWERS, missing, { dates: ["seen_at"], numbers: ["id"] });
  }

  /** Whether the tables are there. @throws 503 when the database is unavailable */
  async isInstalled(): Promise<boolean> {
    return (await this.#comments.exists()) && (await this.#followers.exists());
  }

  /** Comments, the newest first; not after an instant, where one is given. */
  async newest(visible: Visible, limit: number, before?: { at: Date; id?: number }): Promise<StoredComment[]> {
    const query = this.#visible(visible).orderBy("created_at", "desc").orderBy("id", "desc").limit(limit);
    if (before) {
      const at = encodeDate(before.at) as string;
      const { id } = before;
      if (id === undefined) query.where("created_at", "<=", at);
      else
        query.where((group) =>
          group.where("created_at", "<", at).orWhere((same) => same.where("created_at", at).where("id", "<", id)),
        );
    }
    return (await this.#comments.read(query)).map(decoded);
  }
  /** One of them. */
  async find(visible: Visible, id: number): Promise<StoredComment | undefined> {
    const [row] = await this.#comments.read(this.#visible(visible).where("id", id).limit(1));
    return row && decoded(row);
  }
  /** A comment, whoever may see it. */
  async findById(id: number): Promise<StoredComment | undefined> {
    const [row] = await this.#comments.read(this.#comments.rows({ id }));
    return row && decoded(row);
  }
  /** Stores a comment; returns its id. */
  async insert(comment: NewComment, transaction: Transaction): Promise<number> {
    const row = this.#comments.encoded({ ...comment, mentions: JSON.stringify(comment.mentions) } as never);
    const query = this.#comments.rows({}, transaction);
    const [stored] = (await this.#comments.run(query.insert(row, ["id"]))) as ({ id: unknown } | number)[];
    return Number(typeof stored === "object" ? stored.id : stored);
  }
  /** Stores another text with its mentions. */
  async change({ id, text, mentions, edited_at }: StoredComment, transaction: Transaction): Promise<void> {
    const row = { text, mentions: JSON.stringify(mentions), edited_at: encodeDate(edited_at ?? new Date()) };
    await this.#comments.run(this.#comments.rows({ id }, transaction).update(row));
  }
  async remove({ id }: StoredComment): Promise<void> {
    await this.#comments.run(this.#comments.rows({ id }).delete());
  }

  /** The row of somebody at a record. */
  async follower(subject: Subject, person: Person, transaction?: Transaction): Promise<Follower | undefined> {
    const [row] = await this.#followers.read(this.#followers.rows({ spot: spotOf(subject, person) }, transaction));
    return row && { ...row, active: Boolean(Number(row.active)) };
  }
  async followerById(id: number): Promise<Follower | undefined> {
    const [row] = await this.#followers.read(this.#followers.rows({ id }));
    return row && { ...row, active: Boolean(Number(row.active)) };
  }
  /** Those who hear of comments on a record, in the order of their ids, after one of them. */
  async followers({ table_name, record }: Subject, after: number, limit: number): Promise<Follower[]> {
    const query = this.#followers.rows({ table_name, record }).where("active", true).where("id", ">", after);
    return this.#followers.read(query.orderBy("id").limit(limit));
  }
  /** Somebody follows, or not; `active` undefined leaves what they chose. */
  async follow(
    subject: Subject,
    person: Person,
    place: string,
    active: boolean | undefined,
    transaction?: Transaction,
  ): Promise<void> {
    const spot = spotOf(subject, person);
    const row = { ...subject, ...person, spot, active: active ?? true, place, seen_at: encodeDate(new Date()) };
    const query = this.#followers.rows({}, transaction).insert(row).onConflict("spot");
    await this.#followers.run(active === undefined ? query.ignore() : query.merge({ active, place }));
  }
  /** Somebody has seen the comments until an instant. */
  async see({ id }: Follower, at: Date): Promise<void> {
    await this.#followers.run(this.#followers.rows({ id }).update({ seen_at: encodeDate(at) }));
  }

  #visible({ table_name, record, tenant, internal, since }: Visible) {
    const query = this.#comments.rows({ table_name, record });
    if (tenant !== undefined) query.where("tenant", tenant ?? "");
    if (!internal) query.where("internal", false);
    if (since) query.where("created_at", ">=", encodeDate(since) as string);
    return query;
  }
  get database(): Database {
    return this.#database;
  }
}

const decoded = ({ mentions, internal, ...row }: CommentRow): StoredComment => ({
  ...row,
  internal: Boolean(Number(internal)),
  mentions: JSON.parse(mentions) as StoredComment["mentions"],
});
const spotOf = ({ table_name, record }: Subject, { owner_type, owner_id, portal, tenant }: Person): string =>
  createHash("sha256")
    .update(JSON.stringify([table_name, record, owner_type, owner_id, portal, tenant]))
    .digest("hex");
