import type { BaseModel, ModelClass } from "../models/model.ts";

/** What of objection's query builder is used to find what an update is about to change; all of it is documented. */
interface Updating {
  modelClass(): Pick<ModelClass, "prototype"> & { ensureModel(values: object, options: { patch: boolean }): BaseModel };
  isUpdate(): boolean;
  runBefore(run: (result: unknown, builder: Updating) => unknown): Updating;
  toFindQuery(): Finding;
}
interface Finding {
  clearSelect(): Finding;
  clearWithGraph(): Finding;
  forUpdate(): PromiseLike<unknown>;
}

/** Module-level: by the record whose values are written: the query that writes them. */
const updates = new WeakMap<object, Updating>();

/** Makes a method of query builders remember its query for the record that it is given. */
export function rememberUpdates(prototype: object, name: string): void {
  const methods = prototype as Record<string, (...given: unknown[]) => Updating>;
  const method = methods[name]!;
  methods[name] = function (this: Updating, ...given: unknown[]): Updating {
    const last = given.length - 1;
    if (last < 0 || typeof given[last] !== "object" || given[last] === null) return method.apply(this, given);
    const patch = !name.startsWith("update");
    const record = this.modelClass().ensureModel(given[last] as object, { patch });
    const query = method.apply(this, [...given.slice(0, last), record]);
    return query.runBefore((result, builder) => {
      if (builder.isUpdate()) updates.set(record, builder);
      return result;
    });
  };
}

/** The records that a change is about to be written to, as they are stored, locked by the transaction; undefined where that can't be known. */
export async function storedRecords(change: BaseModel): Promise<BaseModel[] | undefined> {
  const found = await updates.get(change)?.toFindQuery().clearSelect().clearWithGraph().forUpdate();
  if (found === undefined || found === null) return undefined;
  return [found].flat() as BaseModel[];
}
