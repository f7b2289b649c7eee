import type { ResourceController } from "framewright/plugins/resources";

/** A new record of an ordered resource stands last of what the person sees, unless it was given a place. */
export async function addPosition(controller: ResourceController, columns: Record<string, unknown>): Promise<void> {
  const { model, definition } = controller.registration;
  const { reorderedBy: column } = definition;
  if (column === undefined || columns[column] !== undefined) return;
  const last = await controller
    .visibleRecords()
    .orderBy([
      { column: `${model.table}.${column}`, order: "desc" },
      { column: `${model.table}.${model.primaryKey}`, order: "desc" },
    ])
    .first();
  columns[column] = Number((last as Record<string, unknown> | undefined)?.[column] ?? 0) + 1;
}
