import { Model as ObjectionModel, type ModelOptions, QueryBuilder, type QueryContext } from "objection";
import type { Association } from "./associations.ts";
import { failed } from "./failures.ts";
import { ModelInfo } from "./model_info.ts";
import type { OfTable, Row, TableName } from "./types.ts";
import { type Rules, validate } from "./validations.ts";
import { formatRow, parseRow, stamp } from "./writing.ts";

/** A named scope: takes a query and narrows it. */
export type Scope = (query: never, ...args: never[]) => unknown;

class Queries<M extends ObjectionModel, R = M[]> extends QueryBuilder<M, R> {
  // @ts-expect-error objection has it, and leaves it out of its types
  override execute(): Promise<unknown> {
    // @ts-expect-error as above
    return super.execute().catch((error: unknown) => failed(error, this as unknown as Parameters<typeof failed>[1]));
  }
}

/** The base of every model. An application's model extends `Model("table")`. */
export class BaseModel extends ObjectionModel {
  /** `{ author: belongsTo({ class: "User" }), comments: hasMany() }` */
  static associations: Record<string, Association> = {};
  /** `{ price: "price_cents" }`: an exact decimal text over a column of whole cents. */
  static money: Record<string, string> = {};
  /** `{ title: { presence: true, length: { maximum: 200 } } }` */
  static validations: Record<string, Rules> = {};
  /** `{ published: (query: Query<Post>) => query.whereNotNull("published_at") }` */
  static scopes: Record<string, Scope> = {};
  /** `{ status: ["draft", "live"] }`: the values that the column takes. */
  static enums: Record<string, readonly string[]> = {};
  /** `{ status: "draft", token: () => randomUUID() }`, for what a new record is not given. */
  static defaults: Record<string, unknown> = {};
  static override QueryBuilder = Queries as unknown as typeof QueryBuilder;
  static override useLimitInFirst = true;

  /** What people see for the record: its name, title, label or email, else `Post #1`. */
  toLabel(): string {
    const own = this as Record<string, unknown>;
    for (const name of labels) if (typeof own[name] === "string" && own[name] !== "") return own[name];
    return `${this.constructor.name} #${this.$id() ?? "new"}`;
  }

  /** Objection's JSON schema is not used: records are validated when they are written. */
  override $validate<T>(json: T): T {
    return json;
  }

  override $parseDatabaseJson(row: Record<string, unknown>): Record<string, unknown> {
    return parseRow(ModelInfo.of(this.constructor), row);
  }

  override $formatDatabaseJson(row: Record<string, unknown>): Record<string, unknown> {
    return formatRow(ModelInfo.of(this.constructor), row);
  }

  override async $beforeInsert(context: QueryContext): Promise<void> {
    stamp(ModelInfo.of(this.constructor), this, "insert");
    await validate(this, context.transaction, "insert");
  }

  override async $beforeUpdate(options: ModelOptions, context: QueryContext): Promise<void> {
    stamp(ModelInfo.of(this.constructor), this, "update");
    await validate(this, context.transaction, "update", options.old as BaseModel | undefined);
  }
}

const labels = ["name", "title", "label", "email"];

/** A model's class, of whichever model. */
export type ModelClass<M extends BaseModel = BaseModel> = Omit<typeof BaseModel, "new" | "prototype"> & { new (): M };

/** The class that a model of this table extends: `class Post extends Model("blogging_posts") {}` */
export function Model<const T extends TableName>(table: T): typeof BaseModel & { new (): BaseModel & Row<T> & OfTable<T> } {
  return class extends BaseModel {
    static override tableName = table;
  } as unknown as typeof BaseModel & { new (): BaseModel & Row<T> & OfTable<T> };
}
