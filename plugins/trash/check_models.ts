import { BaseModel, type ModelInfo } from "framewright/plugins/database";
import { markRows, type RowMark } from "framewright/plugins/database/marks";
import type { Registration } from "framewright/plugins/resources";
import { childrenOf } from "./children.ts";
import { columns, DELETED_AT } from "./columns.ts";
import { errors } from "./errors.ts";
import { IN_USE } from "./unique_indexes.ts";

/** Whether a model's deleted records go to the trash. */
export const hasTrash = ({ class: cls }: ModelInfo): boolean =>
  (cls as unknown as { softDelete?: unknown }).softDelete === true;

/** Marks the models that declare it; before they are linked. @throws FW_TRASH_COLUMNS, FW_TRASH_HOOK */
export function markModels(models: readonly ModelInfo[], handlers: Pick<RowMark, "remove" | "purge">): void {
  for (const info of models) {
    info.mark = undefined;
    if (!hasTrash(info)) continue;
    const missing = columns.find((name) => info.settled && !info.columns.has(name));
    if (missing !== undefined) throw errors.FW_TRASH_COLUMNS(info.constant, info.table, missing);
    const hook = hookOf(info);
    if (hook !== undefined) throw errors.FW_TRASH_HOOK(info.constant, hook);
    for (const name of columns) {
      const column = info.columns.get(name);
      if (column) column.writer = "sql"; // no generator puts it into a policy
    }
    if (info.columns.has(DELETED_AT)) markRows(info, { column: DELETED_AT, ...handlers });
  }
}

/** A hook of deletions that the model has itself, which may be what keeps records from being deleted. */
function hookOf({ class: cls }: ModelInfo): string | undefined {
  const own = (["$beforeDelete", "$afterDelete"] as const).find(
    (name) => cls.prototype[name] !== BaseModel.prototype[name],
  );
  return own ?? (["beforeDelete", "afterDelete"] as const).find((name) => cls[name] !== BaseModel[name]);
}

/** @throws FW_TRASH_CHILD where records go with others to the trash that have none */
export function checkLinked(models: readonly ModelInfo[]): void {
  for (const info of models) {
    if (!info.mark) continue;
    const child = childrenOf(info, models).find(({ rule, model }) => rule === "destroy" && !model.mark);
    if (child) throw errors.FW_TRASH_CHILD(info.constant, child.model.constant, child.columns);
  }
}

const own: ReadonlySet<string> = new Set([...columns, IN_USE]);

/** The names of a form or a page without the columns of the trash: a person who may write a record must not delete or restore it so. */
export function withoutColumns(names: readonly string[], { model }: Registration): readonly string[] {
  return hasTrash(model) && names.some((name) => own.has(name)) ? names.filter((name) => !own.has(name)) : names;
}
