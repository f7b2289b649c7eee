import type { ResourceController } from "framewright/plugins/resources";

/** A new record of an ordered resource is last of what the person sees, unless it was given a place. */
export function addPosition(controller: ResourceController, columns: Record<string, unknown>) {
  const { reorderedBy: column } = controller.registration.definition;
  return column === undefined || columns[column] !== undefined ? undefined : addLast(controller, columns, column);
}

async function addLast(controller: ResourceController, columns: Record<string, unknown>, column: string) {
  const { model } = controller.registration;
  const last = await controller
    .visibleRecords()
    .orderBy([
      { column: `${model.table}.${column}`, order: "desc" },
      { column: `${model.table}.${model.primaryKey}`, order: "desc" },
    ])
    .first();
  columns[column] = Number((last as Record<string, unknown> | undefined)?.[column] ?? 0) + 1;
}
