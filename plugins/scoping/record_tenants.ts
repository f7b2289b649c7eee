import type { Application } from "framewright/host";
import {
  type AssociationInfo,
  type BaseModel,
  type Database,
  ModelInfo,
  type Transaction,
} from "framewright/plugins/database";
import { tenantKey } from "framewright/plugins/portals";
import type { Scoping } from "./contract.ts";

/** Keys of a statement. */
const CHUNK = 500;

/** A record whose tenant is looked for: the chain of what it belongs to, a step at a time. */
interface Search {
  places: readonly BaseModel[];
  readonly seen: Set<ModelInfo>;
  tenant: string | null | undefined;
}

/** What a transaction has deleted, by `recordName`: children are reported after it. */
export type DeletedRecords = Map<string, BaseModel>;

/**
 * Whose records are whose, by the shortest chain of belongsTo to a model that portals are scoped to; for plugins that store what
 * they hear of by `hooks.database.changing`.
 * @example const tenants = new RecordTenants(database, host, services.scoping);
 */
export class RecordTenants {
  readonly #database: Database;
  readonly #host: Application;
  readonly #scoping: Scoping | undefined;
  #known: ReadonlySet<ModelInfo> | undefined;

  constructor(database: Database, host: Application, scoping: Scoping | undefined) {
    this.#database = database;
    this.#host = host;
    this.#scoping = scoping;
  }

  /** The models of tenants. */
  get models(): ReadonlySet<ModelInfo> {
    const rules = [...this.#host.engines.values()].map((engine) => this.#scoping?.ruleOf(engine));
    this.#known ??= new Set(rules.flatMap((rule) => rule?.entity ?? []));
    return this.#known;
  }

  /** The tenant of a record as far as its own columns name it; undefined where what it belongs to has to be read. */
  known(record: BaseModel): string | null | undefined {
    return this.models.size === 0 ? null : this.#step([record], new Set());
  }

  /** The tenants of records, read for all of them at once; null for none, several, or a model with a scope of its own. */
  async of(
    records: readonly BaseModel[],
    deleted: DeletedRecords,
    transaction: Transaction,
  ): Promise<(string | null)[]> {
    const searches = records.map((record): Search => ({ places: [record], seen: new Set(), tenant: undefined }));
    for (let open = searches; open.length > 0; open = open.filter(({ tenant }) => tenant === undefined)) {
      for (const search of open) search.tenant = this.#step(search.places, search.seen);
      const left = open.filter(({ tenant }) => tenant === undefined);
      const found = await this.#read(left, deleted, transaction);
      for (const search of left) {
        search.places = parentsIn(search).flatMap(([target, id]) => found.get(recordName(target, id)) ?? []);
        if (search.places.length === 0) search.tenant = null;
      }
    }
    return searches.map(({ tenant }) => tenant ?? null);
  }

  /** What the columns of the records of a step name; undefined where none of them does. */
  #step(places: readonly BaseModel[], seen: Set<ModelInfo>): string | null | undefined {
    const keys = new Set<string | null>();
    for (const record of places) {
      const model = ModelInfo.ofRecord(record);
      seen.add(model);
      for (const key of this.#keysOf(model, record)) keys.add(key);
    }
    return keys.size === 0 ? undefined : keys.size === 1 ? [...keys][0] : null;
  }
  #keysOf(model: ModelInfo, record: BaseModel): (string | null)[] {
    if (isShared(model)) return [null];
    if (this.models.has(model)) return [tenantKey(record)];
    return parentsOf(model)
      .filter(({ target }) => this.models.has(target))
      .map(({ key, target }) => {
        const id = key.of(record);
        return id === null || id === undefined ? null : `${target.table}/${id}`;
      });
  }
  async #read(
    searches: readonly Search[],
    deleted: DeletedRecords,
    transaction: Transaction,
  ): Promise<Map<string, BaseModel>> {
    const wanted = new Map<ModelInfo, Set<string | number>>();
    const found = new Map<string, BaseModel>();
    for (const [target, id] of searches.flatMap(parentsIn)) {
      const gone = deleted.get(recordName(target, id));
      if (gone) found.set(recordName(target, id), gone);
      else wanted.set(target, (wanted.get(target) ?? new Set()).add(id));
    }
    for (const [target, ids] of wanted) {
      const keys = [...ids];
      for (let start = 0; start < keys.length; start += CHUNK) {
        const query = this.#database.query(target.class, transaction);
        const rows = await target.key.whereIn(query, keys.slice(start, start + CHUNK));
        for (const row of rows as unknown as BaseModel[]) found.set(recordName(target, ModelInfo.keyOf(row)!), row);
      }
    }
    return found;
  }
}

/** By what a record is found among others. */
export const recordName = ({ table }: ModelInfo, id: unknown): string => `${table} ${String(id)}`;

/** The keys of what the records of a search belong to, without what was passed already. */
const parentsIn = ({ places, seen }: Search): (readonly [ModelInfo, string | number])[] =>
  places.flatMap((record) =>
    parentsOf(ModelInfo.ofRecord(record)).flatMap(({ target, key }) => {
      const id = key.of(record) as string | number | null | undefined;
      return seen.has(target) || isShared(target) || id === null || id === undefined ? [] : [[target, id] as const];
    }),
  );
const parentsOf = ({ associations }: ModelInfo): AssociationInfo[] =>
  [...associations.values()].filter(({ kind }) => kind === "belongsTo");
/** Whether the tenant of a model's records depends on which record of another model they belong to, by whatever chain. */
export function tenantDependsOn(model: ModelInfo, other: ModelInfo, seen: Set<ModelInfo> = new Set()): boolean {
  if (seen.has(model)) return false;
  seen.add(model);
  return parentsOf(model).some(({ target }) => target === other || tenantDependsOn(target, other, seen));
}
/** Whether a change makes a record belong to another one. */
export const changesParent = (model: ModelInfo, changed: readonly string[]): boolean =>
  parentsOf(model).some(({ key }) => key.columns.some((name) => changed.includes(name)));
/** A model with a scope of its own decides whose its records are: no entry of them is a tenant's. */
const isShared = (model: ModelInfo): boolean =>
  Object.keys(model.class.scopes).some((name) => name.startsWith("associatedWith"));
