import type { Knex } from "knex";
import type { QueryBuilder } from "objection";
import { driverOf } from "../drivers/drivers.ts";
import { BaseModel, type ModelClass } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";
import { isPurge, markPurge, type RowMark, type Shown, shownKey } from "../models/row_mark.ts";
import { raw } from "../packages.ts";
import { inOneGroup, type Wheres } from "../queries/confinement.ts";
import { inTransaction } from "../transactions/transactions_of.ts";

declare module "objection" {
  interface QueryBuilder<M, R> {
    /** Of a model whose rows can be out of use: those as well. What is loaded along is left as it is. */
    withDeleted(): this;
    /** Of a model whose rows can be out of use: those alone. */
    onlyDeleted(): this;
    /** Deletes rows that are out of use from the table; nobody hears of it. */
    purge(): Promise<number>;
  }
}

const isInstalled = Symbol("rows out of use");
type Installed = { [isInstalled]?: true };

/** What is used of objection's query builders; see private_apis.ts. */
interface Building {
  [shownKey]?: Shown;
  modelClass(): ModelClass;
  tableRefFor(cls: ModelClass): string;
  isPartial(): boolean;
  isInsert(): boolean;
  isDelete(): boolean;
  knex(): Knex;
  clone(): Building;
  delete(): Building;
  onConflict(columns?: unknown): Building;
  onBuildKnex(change: (query: Wheres) => void): Building;
  whereNull(column: string): Building;
  whereNotNull(column: string): Building;
  toFindQuery(): { clearSelect(): { clearWithGraph(): { forUpdate(): PromiseLike<unknown> } } };
  executeOnBuild(): void;
  execute(): Promise<unknown>;
}

/** Leaves the rows with a value in the mark's column out of what the model's queries find, change and delete. */
export function markRows(info: ModelInfo, mark: RowMark): void {
  install(info);
  info.mark = { ...mark, isPlain: plain.has(info.class.QueryBuilder) };
}

/** Module-level: one for each class of models: builders that do nothing else. */
const plain = new WeakSet<object>();

function install(info: ModelInfo): void {
  const Base = info.class.QueryBuilder as unknown as { new (...given: never[]): Building } & Installed;
  if (Base[isInstalled]) return;
  class OfUse extends Base {
    static override readonly [isInstalled] = true as const;

    withDeleted(): this {
      this[shownKey] = "all";
      return this;
    }
    onlyDeleted(): this {
      this[shownKey] = "marked";
      return this;
    }
    purge(): Promise<unknown> {
      this[shownKey] ??= "marked";
      markPurge(this);
      return this.delete().execute();
    }
    /** Unique indexes have the rows in use alone, which their SQL states. */
    override onConflict(columns?: unknown): Building {
      const { key, mark: found } = ModelInfo.of(this.modelClass());
      const names = [columns ?? []].flat() as unknown[];
      const isOwn = names.length === 0 || names.some((name) => typeof name !== "string" || key.columns.includes(name));
      if (!found || isOwn || driverOf(this.knex()).name === "mysql") return super.onConflict(columns);
      const list = names.map(() => "??").join(", ");
      return super.onConflict(raw(`(${list}) where ?? is null`, [...(names as string[]), found.column]));
    }
    override clone(): Building {
      const copy = super.clone();
      if (this[shownKey] !== undefined) copy[shownKey] = this[shownKey];
      return copy;
    }
    override executeOnBuild(): void {
      super.executeOnBuild();
      const model = this.modelClass();
      const { mark: found } = ModelInfo.of(model);
      if (!found || this[shownKey] === "all" || this.isPartial() || this.isInsert()) return;
      this.onBuildKnex((query) => inOneGroup(query));
      const column = `${this.tableRefFor(model)}.${found.column}`;
      if (this[shownKey] === "marked") this.whereNotNull(column);
      else this.whereNull(column);
    }
    override async execute(): Promise<unknown> {
      const { mark: found } = ModelInfo.of(this.modelClass());
      if (!found || isPurge(this) || !this.isDelete()) return super.execute();
      if (!this.knex().isTransaction) return inTransaction(this as never);
      const records = [(await this.toFindQuery().clearSelect().clearWithGraph().forUpdate()) ?? []].flat();
      await found.remove(records, this.knex() as Knex.Transaction);
      return records.length;
    }
  }
  if ((Base as unknown) === BaseModel.QueryBuilder) plain.add(OfUse);
  info.class.QueryBuilder = OfUse as unknown as typeof QueryBuilder;
}
