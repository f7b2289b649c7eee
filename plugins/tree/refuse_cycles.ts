import { type BaseModel, type OpenChange, ValidationError } from "framewright/plugins/database";

/** Records above one another; a longer chain is refused as well. */
const MAX_DEPTH = 200;

/**
 * Refuses that a record is put below itself, over however many others. The records above it are locked until the end of the
 * transaction, so that two moves at once can't close a circle together. @throws ValidationError
 */
export async function refuseCycles(foreignKey: string, change: OpenChange): Promise<void> {
  const { kind, record, before, model, transaction } = change;
  if (kind === "deleted") return;
  const column = (one: BaseModel | undefined) => one && (Reflect.get(one, foreignKey) as unknown);
  let above = column(record) ?? null;
  if (above === null || (before && column(before) === above)) return;
  const own = String(record.$id());
  const { table, primaryKey } = model;
  for (let depth = 0; above !== null && above !== undefined; depth++) {
    if (String(above) === own || depth === MAX_DEPTH)
      throw new ValidationError(model.constant, {
        [foreignKey]: [{ key: "tree.below_itself", vars: {}, message: "can't be the record itself, nor one below it" }],
      });
    const row: Record<string, unknown> | undefined = await transaction(table)
      .where(primaryKey, above as string)
      .forUpdate()
      .first(foreignKey);
    above = row?.[foreignKey] ?? null;
  }
}
