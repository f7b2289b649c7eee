import type { RelationMapping } from "objection";
import { ObjectionModel, type QueryBuilder } from "../packages.ts";
import type { AssociationInfo, Hop, HopEnd, ModelInfo, TypeCondition } from "./model_info.ts";
import { findsMarked } from "./row_mark.ts";

const direct = {
  belongsTo: ObjectionModel.BelongsToOneRelation,
  hasMany: ObjectionModel.HasManyRelation,
  hasOne: ObjectionModel.HasOneRelation,
};
const names = ({ table, columns }: HopEnd): string[] => columns.map((column) => `${table}.${column}`);

/** An association as a relation mapping of objection. */
export function relationMapping(association: AssociationInfo): RelationMapping<ObjectionModel> {
  const { kind, hops, target } = association;
  const first = hops[0]!;
  const last = hops.at(-1)!;
  const modelClass = target.class as unknown as typeof ObjectionModel;
  const narrowed = narrowedTo(target, last.of);
  if (hops.length === 1)
    return {
      relation: direct[kind],
      modelClass,
      ...narrowed,
      join: { from: names(first.from), to: names(first.to) },
    };
  return {
    ...narrowed,
    relation: kind === "hasMany" ? ObjectionModel.ManyToManyRelation : ObjectionModel.HasOneThroughRelation,
    modelClass,
    join: { from: names(first.from), through: { ...between(hops), ...betweenModel(association) }, to: names(last.to) },
  };
}

type Narrowed = Pick<RelationMapping<ObjectionModel>, "modify" | "beforeInsert">;

/** What is joined of a class that shares its table is narrowed to its rows, and of one that refers to several models to this model's. */
function narrowedTo({ inheritance, mark }: ModelInfo, of: TypeCondition | undefined): Narrowed {
  const condition = inheritance?.condition;
  if (!condition && !mark) return of ? ofModel(of) : {};
  return {
    ...(of && writes(of)),
    modify: (query) => {
      const table = query.tableRefFor(query.modelClass());
      if (condition) query.whereIn(`${table}.${condition.column}`, [...condition.names]);
      if (mark && !findsMarked(query)) query.whereNull(`${table}.${mark.column}`);
      if (of) whereOf(query, of);
    },
  };
}

const ofModel = (of: TypeCondition): Narrowed => ({ ...writes(of), modify: (query) => whereOf(query, of) });
const whereOf = (query: QueryBuilder<ObjectionModel>, { column: name, name: value }: TypeCondition): unknown =>
  query.where(`${query.tableRefFor(query.modelClass())}.${name}`, value);
/** What is inserted through the association refers to this model. */
const writes = (of: TypeCondition): Narrowed => ({
  beforeInsert: (record) => void Object.assign(record, { [of.column]: of.name }),
});

/** The model of the rows in between, so that its rules hold for what `relate()` and graphs write of them, and plugins hear of it. */
function betweenModel({ model, through, hops }: AssociationInfo): { modelClass?: typeof ObjectionModel } {
  const target = through === undefined ? undefined : model.associations.get(through)?.target;
  const isPlain =
    target !== undefined && hops.length === 2 && target.table === hops[0]!.to.table && !target.inheritance;
  return isPlain ? { modelClass: target.class as unknown as typeof ObjectionModel } : {};
}
/** Rows in between that are out of use link nothing. */
const inUse = (mark: string, of: TypeCondition | undefined) => (query: QueryBuilder<ObjectionModel>) => {
  query.whereNull(`${query.tableRefFor(query.modelClass())}.${mark}`);
  if (of) whereOf(query, of);
};

const TARGET = "framewright_target";

/** The tables in between: one as it is, several as a joined query in place of one. */
function between(hops: readonly Hop[]) {
  const { to: start, of, mark } = hops[0]!;
  const last = hops.at(-1)!.from;
  const ends = { from: names(start), to: names(hops[1]!.from) };
  if (hops.length === 2 && mark !== undefined) return { ...ends, ...(of && writes(of)), modify: inUse(mark, of) };
  if (hops.length === 2) return { ...ends, ...(of ? ofModel(of) : {}) };
  const modify = (query: QueryBuilder<ObjectionModel>) => {
    let alias = start.table;
    if (of) query.where(`${alias}.${of.column}`, of.name);
    if (mark !== undefined) query.whereNull(`${alias}.${mark}`);
    hops.slice(1, -1).forEach((hop, index) => {
      const next = `framewright_${index + 1}`;
      const own = alias;
      query.join(`${hop.to.table} as ${next}`, (on) => {
        hop.from.columns.forEach((column, at) => void on.on(`${own}.${column}`, `${next}.${hop.to.columns[at]}`));
      });
      if (hop.of) query.where(`${next}.${hop.of.column}`, hop.of.name);
      if (hop.mark !== undefined) query.whereNull(`${next}.${hop.mark}`);
      alias = next;
    });
    query.select(...names(start), ...last.columns.map((column, at) => `${alias}.${column} as ${TARGET}_${at}`));
  };
  return { from: names(start), to: last.columns.map((_, at) => `${start.table}.${TARGET}_${at}`), modify };
}
