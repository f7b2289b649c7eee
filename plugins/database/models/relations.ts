import type { RelationMapping } from "objection";
import { ObjectionModel, type QueryBuilder } from "../packages.ts";
import type { AssociationInfo, Hop, ModelInfo, TypeCondition } from "./model_info.ts";

const direct = {
  belongsTo: ObjectionModel.BelongsToOneRelation,
  hasMany: ObjectionModel.HasManyRelation,
  hasOne: ObjectionModel.HasOneRelation,
};
const column = ({ table, column }: Hop["from"]) => `${table}.${column}`;

/** An association as a relation mapping of objection. */
export function relationMapping({ kind, hops, target }: AssociationInfo): RelationMapping<ObjectionModel> {
  const first = hops[0]!;
  const last = hops.at(-1)!;
  const modelClass = target.class as unknown as typeof ObjectionModel;
  const narrowed = narrowedTo(target, last.of);
  if (hops.length === 1)
    return {
      relation: direct[kind],
      modelClass,
      ...narrowed,
      join: { from: column(first.from), to: column(first.to) },
    };
  return {
    ...narrowed,
    relation: kind === "hasMany" ? ObjectionModel.ManyToManyRelation : ObjectionModel.HasOneThroughRelation,
    modelClass,
    join: { from: column(first.from), through: between(hops), to: column(last.to) },
  };
}

type Narrowed = Pick<RelationMapping<ObjectionModel>, "modify" | "beforeInsert">;

/** What is joined of a class that shares its table is narrowed to its rows, and of one that refers to several models to this model's. */
function narrowedTo({ inheritance }: ModelInfo, of: TypeCondition | undefined): Narrowed {
  const condition = inheritance?.condition;
  if (!condition) return of ? ofModel(of) : {};
  const { column: name, names } = condition;
  return {
    ...(of && writes(of)),
    modify: (query) => {
      query.whereIn(`${query.tableRefFor(query.modelClass())}.${name}`, [...names]);
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

const TARGET = "framewright_target";

/** The tables in between: one as it is, several as a joined query that stands for one. */
function between(hops: readonly Hop[]) {
  const { to: start, of } = hops[0]!;
  if (hops.length === 2) return { from: column(start), to: column(hops[1]!.from), ...(of ? ofModel(of) : {}) };
  const modify = (query: QueryBuilder<ObjectionModel>) => {
    let alias = start.table;
    if (of) query.where(`${alias}.${of.column}`, of.name);
    hops.slice(1, -1).forEach((hop, index) => {
      const next = `framewright_${index + 1}`;
      query.join(`${hop.to.table} as ${next}`, `${alias}.${hop.from.column}`, `${next}.${hop.to.column}`);
      if (hop.of) query.where(`${next}.${hop.of.column}`, hop.of.name);
      alias = next;
    });
    query.select(column(start), `${alias}.${hops.at(-1)!.from.column} as ${TARGET}`);
  };
  return { from: column(start), to: `${start.table}.${TARGET}`, modify };
}
