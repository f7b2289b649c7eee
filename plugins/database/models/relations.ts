import { Model as ObjectionModel, type QueryBuilder, type RelationMapping } from "objection";
import type { AssociationInfo, Hop, ModelInfo } from "./model_info.ts";

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
  const modify = ofClass(target);
  if (hops.length === 1)
    return { relation: direct[kind], modelClass, ...modify, join: { from: column(first.from), to: column(first.to) } };
  return {
    ...modify,
    relation: kind === "hasMany" ? ObjectionModel.ManyToManyRelation : ObjectionModel.HasOneThroughRelation,
    modelClass,
    join: { from: column(first.from), through: between(hops), to: column(last.to) },
  };
}

/** What is joined of a class that shares its table is narrowed to its rows as well. */
function ofClass({ inheritance }: ModelInfo): Pick<RelationMapping<ObjectionModel>, "modify"> {
  const condition = inheritance?.condition;
  if (!condition) return {};
  const { column: name, names } = condition;
  return { modify: (query) => query.whereIn(`${query.tableRefFor(query.modelClass())}.${name}`, [...names]) };
}

const TARGET = "framewright_target";

/** The tables in between: one as it is, several as a joined query that stands for one. */
function between(hops: readonly Hop[]) {
  const start = hops[0]!.to;
  if (hops.length === 2) return { from: column(start), to: column(hops[1]!.from) };
  const modify = (query: QueryBuilder<ObjectionModel>) => {
    let alias = start.table;
    hops.slice(1, -1).forEach(({ from, to }, index) => {
      const next = `framewright_${index + 1}`;
      query.join(`${to.table} as ${next}`, `${alias}.${from.column}`, `${next}.${to.column}`);
      alias = next;
    });
    query.select(column(start), `${alias}.${hops.at(-1)!.from.column} as ${TARGET}`);
  };
  return { from: column(start), to: `${start.table}.${TARGET}`, modify };
}
