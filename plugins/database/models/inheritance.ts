import { suggest } from "framewright/kernel";
import type { Knex } from "knex";
import type { QueryBuilder } from "objection";
import { errors } from "../errors.ts";
import { inOneGroup, type Wheres } from "../queries/confinement.ts";
import type { ModelClass } from "./model.ts";
import { ModelInfo } from "./model_info.ts";

type Row = Readonly<Record<string, unknown>>;

/** The classes of one table, distinguished by a column that has their names: single-table inheritance. */
export class Inheritance {
  readonly column: string;
  /** The class that declares it. A row without a name is of this class. */
  readonly root: ModelInfo;
  /** The names of this class and of those below it. */
  readonly names: readonly string[];
  /** The column's condition for this class; undefined for the root, whose rows are all of the table. */
  readonly condition: { column: string; names: readonly string[] } | undefined;
  readonly #info: ModelInfo;
  readonly #family: readonly ModelInfo[];

  constructor(info: ModelInfo, root: ModelInfo, family: readonly ModelInfo[]) {
    this.column = root.class.inheritance!;
    this.root = root;
    this.#info = info;
    this.#family = family;
    const below = family.filter(({ class: cls }) => isOf(cls, info.class));
    this.names = below.map(({ constant }) => constant).sort();
    this.condition = info === root ? undefined : { column: this.column, names: this.names };
  }

  /** The class of a row. @throws FW_TYPE_UNKNOWN */
  classOf(row: Row): ModelClass {
    const name = row[this.column];
    if (name === null || name === undefined || name === "") return this.root.class;
    const found = this.#family.find(({ constant }) => constant === name);
    if (found) return found.class;
    const known = this.#family.map(({ constant }) => constant);
    throw errors.FW_TYPE_UNKNOWN(this.root.table, this.column, String(name), row.id, suggest(String(name), known));
  }
  /** The class that new values are of: the one that they name, of this class and those below it. */
  classFor(values: Row): ModelClass {
    const name = values[this.column];
    return this.names.includes(name as string) ? this.classOf(values) : this.#info.class;
  }
}

const isOf = (cls: ModelClass, base: ModelClass): boolean => cls === base || cls.prototype instanceof base;

/** The registered model that a model's class extends. */
function parentOf({ class: cls }: ModelInfo): ModelInfo | undefined {
  for (
    let at = Object.getPrototypeOf(cls) as Function;
    at && at !== Function.prototype;
    at = Object.getPrototypeOf(at)
  ) {
    const info = ModelInfo.own(at);
    if (info) return info;
  }
  return undefined;
}

/** Ties the classes that share a table by `static inheritance` to each other. */
export function linkInheritance(models: readonly ModelInfo[]): void {
  const all = models.filter(({ class: cls }) => cls.inheritance !== undefined);
  const families = new Map<ModelInfo, ModelInfo[]>();
  for (const info of all) {
    info.parent = parentOf(info);
    const root = rootOf(info);
    families.set(root, [...(families.get(root) ?? []), info]);
  }
  for (const [root, family] of families) {
    for (const info of family) info.inheritance = new Inheritance(info, root, family);
    for (const info of family) info.enums = { ...info.class.enums, [root.class.inheritance!]: info.inheritance!.names };
    readAsTheirClass(root);
    for (const { class: cls } of family) narrowQueries(cls);
  }
}

function rootOf(info: ModelInfo): ModelInfo {
  const parent = parentOf(info);
  return parent?.class.inheritance === undefined ? info : rootOf(parent);
}

const isInstalled = Symbol("single-table inheritance");
type Installed = { [isInstalled]?: true };

/** Creates a record of its row's own class, whichever class was queried. */
function readAsTheirClass({ class: root }: ModelInfo): void {
  const read = root.fromDatabaseJson;
  if ((read as Installed)[isInstalled]) return;
  const readOne = function (this: ModelClass, row: object) {
    return read.call(ModelInfo.of(this).inheritance!.classOf(row as Row) as never, row);
  };
  root.fromDatabaseJson = Object.assign(readOne, { [isInstalled]: true }) as unknown as typeof read;
}

/** What is used of objection's query builders to add a condition to every query of a class; see private_apis.ts. */
interface Building {
  modelClass(): ModelClass;
  tableRefFor(cls: ModelClass): string;
  isPartial(): boolean;
  isInsert(): boolean;
  onBuildKnex(change: (query: Wheres) => void): Building;
  whereIn(column: string, values: readonly string[]): Building;
  executeOnBuild(): void;
}

/** Confines the queries of a class below the root to its rows, whatever is called on them; an `orWhere` widens nothing. */
function narrowQueries(cls: ModelClass): void {
  const Base = cls.QueryBuilder as unknown as { new (...given: never[]): Building } & Installed;
  if (Base[isInstalled]) return;
  class OfClass extends Base {
    static override readonly [isInstalled] = true as const;
    override executeOnBuild(): void {
      super.executeOnBuild();
      const model = this.modelClass();
      const condition = this.isPartial() || this.isInsert() ? undefined : ModelInfo.of(model).inheritance?.condition;
      if (!condition) return;
      this.onBuildKnex((query) => inOneGroup(query));
      this.whereIn(`${this.tableRefFor(model)}.${condition.column}`, condition.names);
    }
  }
  cls.QueryBuilder = OfClass as unknown as typeof QueryBuilder;
}

/** Narrows rows of a model's table to those of its class. */
export function whereOfClass(query: Knex.QueryBuilder, { inheritance, table }: ModelInfo): Knex.QueryBuilder {
  const condition = inheritance?.condition;
  return condition ? query.whereIn(`${table}.${condition.column}`, [...condition.names]) : query;
}
