import type { ModelOptions, Pojo, QueryContext, TransactionOrKnex } from "objection";
import { changesOf, deletionsOf } from "../changes/record_changes.ts";
import type { Writing } from "../changes/writing.ts";
import type { EncryptOptions } from "../encryption/column_cipher.ts";
import { ObjectionModel, QueryBuilder } from "../packages.ts";
import { confinementOf, keepConfined } from "../queries/confinement.ts";
import { type Inserting, insertParts, writesGraph, writesMany } from "../queries/insert_many.ts";
import { rememberUpdates, storedRecords } from "../queries/stored_records.ts";
import { forgetSlugs } from "../slug_history/slug_history.ts";
import { inTransaction } from "../transactions/transactions_of.ts";
import { type FailedQuery, isSlugTaken, rememberRecord, throwMapped } from "../validation/constraint_errors.ts";
import type { Rules } from "../validation/declared_rules.ts";
import { validate } from "../validation/validations.ts";
import type { Association } from "./associations.ts";
import { deletesMore, destroyDependents } from "./dependents.ts";
import { labelColumns } from "./label_columns.ts";
import { ModelInfo } from "./model_info.ts";
import { isPlainInsert } from "./plain_insert.ts";
import { formatRow, isExpression, nextVersion, parseRow, stamp } from "./row_format.ts";
import { isPurge } from "./row_mark.ts";
import { keepFormerSlug, type SlugOptions, slugForInsert, slugForUpdate } from "./slug.ts";
import type { OfTable, Row, TableName } from "./types.ts";

/** A named scope: takes a query and narrows it. */
export type Scope = (query: never, ...args: never[]) => unknown;

/** How often a slug is created again. */
const MAX_SLUGS = 5;

class Queries<M extends ObjectionModel, R = M[]> extends QueryBuilder<M, R> {
  override execute(): Promise<R> {
    const query = this as unknown as Inserting;
    const isMany = writesMany(query);
    if (!isMany && !(this.isDelete() && deletesMore(ModelInfo.of(this.modelClass())))) return this.#write();
    if (!this.knex().isTransaction) return inTransaction<R>(this as unknown as Writing);
    return isMany && !writesGraph(query) ? this.#insertMany() : this.#write();
  }

  async #insertMany(): Promise<R> {
    const inserted: unknown[] = [];
    const isPlain = isPlainInsert(this.modelClass() as unknown as ModelClass, BaseModel);
    for (const part of insertParts(this as unknown as Inserting, isPlain))
      inserted.push(await (part as unknown as this).#write());
    const isCounted = inserted.every((one) => typeof one === "number"); // of rows that relate() writes
    return (isCounted ? inserted.reduce((sum: number, count) => sum + Number(count), 0) : inserted.flat()) as R;
  }

  #write(): Promise<R> {
    const cls = this.modelClass();
    const changes = isPurge(this) ? undefined : this.isDelete() ? deletionsOf(cls) : changesOf(cls);
    return changes ? changes.around(this as unknown as Writing, () => this.#run()) : this.#run();
  }

  #run(): Promise<R> {
    return super.execute().catch((error: unknown) => this.#failed(error, MAX_SLUGS)) as Promise<R>;
  }

  /** A slug that another request was faster to take is created again. */
  #failed(error: unknown, left: number): Promise<R> {
    const query = this as unknown as FailedQuery;
    if (left === 0 || !isSlugTaken(error, query)) return throwMapped(error, query);
    return super.execute().catch((again: unknown) => this.#failed(again, left - 1)) as Promise<R>;
  }
}
// Every method that changes stored rows remembers the record with the values, so that its validation can read the rows.
for (const name of ["patch", "update", "patchAndFetch", "updateAndFetch", "patchAndFetchById", "updateAndFetchById"])
  rememberUpdates(Queries.prototype, name);

keepConfined(Queries.prototype);

/** The base of every model. An application's model extends `Model("table")`. */
export class BaseModel extends ObjectionModel {
  /** `{ author: belongsTo({ class: "User" }), comments: hasMany() }` */
  static associations: Record<string, Association> = {};
  /** `{ price: "price_cents" }`: an exact decimal text over a column of whole cents. */
  static money: Record<string, string> = {};
  /** `{ price: "JPY" }`: the currency of amounts, whose decimals are then those of ISO 4217 in place of two. */
  static currencies: Record<string, string> = {};
  /** `{ title: { presence: true, length: { maximum: 200 } } }` */
  static validations: Record<string, Rules> = {};
  /** `{ published: (query: Query<Post>) => query.whereNotNull("published_at") }` */
  static scopes: Record<string, Scope> = {};
  /** `{ status: ["draft", "live"] }`: the values that the column takes. */
  static enums: Record<string, readonly string[]> = {};
  /** `{ status: "draft", token: () => randomUUID() }`, for what a new record is not given. */
  static defaults: Record<string, unknown> = {};
  /** `{ ssn: {}, email: { searchable: true } }`: text columns that are encrypted in the database, and read and written as they are. */
  static encrypts: Record<string, EncryptOptions> = {};
  /** `"type"`: the column that has the names of the classes that share this table; each class that extends this one has its rows. */
  static inheritance: string | undefined = undefined;
  /** `["subtitle"]`: columns that the model neither reads nor writes, so that a later release can drop them. */
  static ignoredColumns: readonly string[] = [];
  /** `["author"]`: what `toLabel` looks at besides the record's own columns; it is read along wherever labels are shown. */
  static labelAssociations: readonly string[] = [];
  /** The unique column by which addresses name a record: `"slug"`, as in `/posts/hello-world`. */
  static paramKey = "id";
  /** `{ from: "title" }`: how the column `paramKey` is filled where it is empty. */
  static slug: SlugOptions | undefined = undefined;
  static override QueryBuilder = Queries as unknown as typeof QueryBuilder;
  static override useLimitInFirst = true;
  static cloneObjectAttributes = false;

  /** What people see for the record: its name, title, label, reference or email, else `Blog post #1`. */
  toLabel(): string {
    const own = this as Record<string, unknown>;
    for (const name of labelColumns) if (typeof own[name] === "string" && own[name] !== "") return own[name];
    return ModelInfo.ofRecord(this).numberLabel(ModelInfo.keyOf(this));
  }

  /** What identifies the record in addresses, where no column of its own does: its key. */
  toParam(): string | number {
    const key = ModelInfo.keyOf(this);
    return key === undefined ? "" : ModelInfo.ofRecord(this).key.param(key);
  }

  /** Objection's JSON schema is not used: records are validated when they are written. */
  override $validate(json?: Pojo): Pojo {
    return json as Pojo;
  }

  override $parseDatabaseJson(row: Record<string, unknown>): Record<string, unknown> {
    return parseRow(ModelInfo.of(this.constructor), row);
  }

  override $formatDatabaseJson(row: Record<string, unknown>): Record<string, unknown> {
    return formatRow(ModelInfo.of(this.constructor), row);
  }

  override async $beforeInsert(context: QueryContext): Promise<void> {
    const info = ModelInfo.of(this.constructor);
    rememberRecord(context, this);
    stamp(info, this, "insert");
    const confinement = confinementOf(context);
    if (confinement) await confinement.write(this, info, context.transaction, true);
    await changesOf(this.constructor)?.creating(info, this, context.transaction);
    const { slug } = info.class; // most models have none, and each await takes a turn
    if (slug) await slugForInsert(info, this, context.transaction);
    await validate(this, context.transaction, "insert");
    if (slug) await keepFormerSlug(info, this, context.transaction, async () => undefined);
  }

  override async $beforeUpdate(options: ModelOptions, context: QueryContext): Promise<void> {
    rememberRecord(context, this);
    stamp(ModelInfo.of(this.constructor), this, "update");
    await confinementOf(context)?.write(this, ModelInfo.of(this.constructor), context.transaction, false);
    const stored = () => storedRecords(this);
    const old = options.old as BaseModel | undefined;
    const one = async () => old ?? only(await stored());
    await slugForUpdate(ModelInfo.of(this.constructor), this, context.transaction, one);
    await validate(this, context.transaction, "update", { old, stored });
    await keepFormerSlug(ModelInfo.of(this.constructor), this, context.transaction, one);
    nextVersion(ModelInfo.of(this.constructor), this, context.transaction);
  }

  override $afterUpdate(options: ModelOptions, _context: QueryContext): void | Promise<void> {
    const written = this as Record<string, unknown>;
    const old = options.old as Record<string, unknown> | undefined;
    if (isExpression(written.lock_version)) {
      const version = Number(old ? (old.lock_version ?? 0) : Number.NaN);
      if (Number.isSafeInteger(version)) written.lock_version = version + 1;
      else delete written.lock_version;
    }
  }

  override async $beforeDelete(context: QueryContext): Promise<void> {
    await destroyDependents(this, context.transaction);
    const { class: cls, constant } = ModelInfo.of(this.constructor);
    if (cls.slug?.history) await forgetSlugs(context.transaction, constant, this.$id());
  }
}

const only = (records: readonly BaseModel[] | undefined) => (records?.length === 1 ? records[0] : undefined);

/** As objection has it, for an association whose types are not written yet, too. */
interface Related {
  relatedQuery(association: string, transaction?: TransactionOrKnex): QueryBuilder<BaseModel & Record<string, unknown>>;
}
type Statics = Omit<typeof BaseModel, "prototype" | "relatedQuery"> & Related;
/** A model's class, of whichever model. */
export type ModelClass<M extends BaseModel = BaseModel> = Statics & { new (): M; readonly prototype: M };
/** What `Model("table")` gives: a class whose records have the table's columns. */
export type TableModel<T extends string> = Statics & { new (): BaseModel & Row<T> & OfTable<T> };

/** The class that a model of this table extends: `class Post extends Model("blogging_posts") {}` */
export function Model<const T extends TableName>(table: T): TableModel<T> {
  return class extends BaseModel {
    static override tableName = table;
  } as unknown as TableModel<T>;
}
