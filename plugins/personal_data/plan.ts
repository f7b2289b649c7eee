import type { BaseModel, Database, ModelInfo, Query, Transaction } from "framewright/plugins/database";
import { type Declared, declaredBy } from "./declared.ts";
import { errors } from "./errors.ts";

/** Rows that are read or written at a time. */
export const CHUNK = 200;

/** How the rows of a model are found to be a person's: by a column of theirs that refers to rows which are. */
interface Edge {
  readonly parent: Owned;
  readonly column: string;
  /** Of a reference to several models: the column and the names of this one. */
  readonly type?: { readonly column: string; readonly names: readonly string[] };
}
/** A declared model, and whose its rows are. */
export interface Owned extends Declared {
  readonly edges: readonly Edge[];
}
/** The models of one account type: the account's first, each after those that its rows belong to. */
export type Plan = readonly Owned[];

/** An account type, as far as a plan needs it. */
export interface PlannedType {
  readonly model: ModelInfo;
  readonly class: { readonly loginColumn: string };
}

/** Everything that models declare. Of classes of one table the first counts, whose the table is. @throws FW_PERSONAL_… */
export function declaredModels(models: readonly ModelInfo[], types: readonly PlannedType[]): Declared[] {
  const all = models
    .filter((model) => model.parent === undefined)
    .map((model) => declaredBy(model, types.find((type) => type.model === model)?.class.loginColumn));
  return all.filter((one): one is Declared => one !== undefined && one !== false);
}

/** The models whose rows are a person's of an account type, over declared models alone; each after those that its rows belong to. */
export function planFor(type: PlannedType, declared: readonly Declared[]): Plan {
  const own = declared.find(({ model }) => model === type.model);
  const root: Owned = { ...(own ?? undeclared(type.model)), edges: [], login: undefined }; // its key finds it: closed it has another login
  const reached = reachedFrom(root.model, declared);
  const plan = new Map<ModelInfo, Owned>([[root.model, root]]);
  const add = (one: Declared, within: readonly ModelInfo[]): Owned => {
    const known = plan.get(one.model);
    if (known) return known;
    const path = [...within, one.model];
    const parentOf = (model: ModelInfo) => {
      const parent = model === root.model ? root : declared.find((other) => other.model === model);
      const isThere = parent && reached.has(model) && !path.includes(model); // of a circle one side leads to the person
      return isThere ? add(parent, path) : undefined;
    };
    const owned = { ...one, edges: edgesOf(one, parentOf) };
    plan.set(one.model, owned);
    return owned;
  };
  for (const one of declared) if (reached.has(one.model)) add(one, []);
  return [...plan.values()];
}

/** The models from which declared associations lead to the account, by whatever chain, and those that name a login. */
function reachedFrom(account: ModelInfo, declared: readonly Declared[]): ReadonlySet<ModelInfo> {
  const reached = new Set<ModelInfo>([account]);
  for (let before = 0; before < reached.size; ) {
    before = reached.size;
    for (const one of declared)
      if (one.login !== undefined || targetsOf(one).some((target) => reached.has(target))) reached.add(one.model);
  }
  return reached;
}
const targetsOf = ({ model, of }: Declared): ModelInfo[] =>
  of.flatMap((name) => {
    const several = [...(model.polymorphic.get(name)?.targets.values() ?? [])];
    return [model.associations.get(name)?.target ?? [], several].flat().map(baseOf);
  });

/** @throws FW_PERSONAL_UNREACHED for a model that no account type reaches */
export function checkReached(declared: readonly Declared[], plans: readonly Plan[]): void {
  const reached = new Set(plans.flat().map(({ model }) => model));
  const lost = declared.find(({ model }) => !reached.has(model) && model.settled);
  if (lost) throw errors.FW_PERSONAL_UNREACHED(lost.model.constant);
}

/** An account's model that declares nothing: its login is replaced all the same. */
const undeclared = (model: ModelInfo): Declared => ({
  ...{ model, of: [], login: undefined, columns: new Map(), keepsFiles: false },
  ...{ erase: "anonymise", export: true },
});

function edgesOf({ model, of }: Declared, parentOf: (model: ModelInfo) => Owned | undefined): Edge[] {
  return of.flatMap((name): Edge[] => {
    const association = model.associations.get(name);
    if (association) {
      const parent = parentOf(baseOf(association.target));
      const { column } = association.key;
      return parent && column !== undefined ? [{ parent, column }] : [];
    }
    const several = model.polymorphic.get(name);
    const targets = [...(several?.targets ?? [])].flatMap(([stored, target]) => {
      const parent = parentOf(baseOf(target));
      return parent ? [{ stored, parent }] : [];
    });
    return [...new Set(targets.map(({ parent }) => parent))].map((parent) => ({
      parent,
      column: several!.keyColumn,
      type: {
        column: several!.typeColumn,
        names: targets.filter((one) => one.parent === parent).map((one) => one.stored),
      },
    }));
  });
}
const baseOf = (model: ModelInfo): ModelInfo => model.lineage.at(-1)!;

/** Whose rows are looked for. */
export interface Subject {
  readonly id: string | number;
  /** Empty where it is not known any more. */
  readonly login: string;
}

type Conditions = Query<BaseModel>;

/** A query of the rows of a model that are the person's, those in a trash included. */
export function rowsOf(database: Database, owned: Owned, who: Subject, transaction?: Transaction): Conditions {
  const { model, edges, login } = owned;
  const query = database.query(model.class, transaction) as unknown as Conditions;
  if (model.mark) query.withDeleted();
  const { table, primaryKey } = model;
  if (edges.length === 0 && login === undefined) return query.where(`${table}.${primaryKey}`, who.id);
  return query.where((any) => {
    for (const { parent, column, type } of edges)
      any.orWhere((one) => {
        const keys = rowsOf(database, parent, who, transaction).select(
          `${parent.model.table}.${parent.model.primaryKey}`,
        );
        one.whereIn(`${table}.${column}`, keys as never);
        if (type) one.whereIn(`${table}.${type.column}`, [...type.names]);
      });
    if (login !== undefined && who.login !== "") any.orWhere(`${table}.${login}`, who.login);
    else if (edges.length === 0) any.whereRaw("1 = 0");
  });
}

/** The records of a model that are the person's, some at a time in the order of their keys. */
export async function* chunksOf(
  database: Database,
  owned: Owned,
  who: Subject,
  transaction?: Transaction,
): AsyncGenerator<BaseModel[]> {
  const key = `${owned.model.table}.${owned.model.primaryKey}`;
  let last: unknown;
  for (;;) {
    const query = rowsOf(database, owned, who, transaction).orderBy(key).limit(CHUNK);
    if (last !== undefined) query.where(key, ">", last as number);
    const records = (await query) as unknown as BaseModel[];
    if (records.length > 0) yield records;
    if (records.length < CHUNK) return;
    last = (records.at(-1) as unknown as Record<string, unknown>)[owned.model.primaryKey];
  }
}
