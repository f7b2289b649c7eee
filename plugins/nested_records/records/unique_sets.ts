import { driverOf, type ModelInfo, type Transaction } from "framewright/plugins/database";

type Sets = readonly (readonly string[])[];

/** Module-level: found by a model, and freed with it: the columns of its unique indexes. */
const indexed = new WeakMap<ModelInfo, Promise<Sets>>();

/** The columns that together are unique by an index, without the key's. */
export function indexedSets(model: ModelInfo, knex: Transaction): Promise<Sets> {
  const known = indexed.get(model) ?? readSets(model, knex);
  indexed.set(model, known);
  known.catch(() => indexed.delete(model));
  return known;
}
async function readSets(model: ModelInfo, knex: Transaction): Promise<Sets> {
  const indexes = await driverOf(knex).tables.uniques(knex, model.table);
  return indexes.map(({ columns }) => columns).filter((columns) => isOwn(model, columns));
}

/** Those, and the columns that rules of the model declare unique, whatever their scope. */
export async function uniqueSets(model: ModelInfo, knex: Transaction): Promise<Sets> {
  const rules = Object.entries(model.class.validations)
    .filter(([, { uniqueness }]) => uniqueness)
    .map(([name]) => model.columnsOf(name));
  return [...(await indexedSets(model, knex)), ...rules.filter((columns) => isOwn(model, columns))];
}

const isOwn = (model: ModelInfo, columns: readonly string[]): boolean =>
  !columns.includes(model.primaryKey) && columns.every((column) => model.columns.has(column));
