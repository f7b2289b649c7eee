import type { ModelInfo } from "framewright/plugins/database";
import type { FieldTypeTable } from "framewright/plugins/fields";
import { errors } from "../errors.ts";
import { attributeOf, isFileField, isSecret } from "./attributes.ts";
import type { ResourceDefinition } from "./definition.ts";
import { totalKinds } from "./total_kinds.ts";
import { totalledColumn } from "./totals.ts";

/** What lists do with their columns: edit their cells, total them, keep an order in one. @throws FW_COLUMN_EDIT, FW_REORDER_COLUMN, FW_COLUMN_TOTAL, FW_FIELD_UNIT */
export function checkColumns(definition: ResourceDefinition, model: ModelInfo, types: FieldTypeTable): void {
  checkEdited(definition, model, types);
  checkReordered(definition, model);
  checkSelected(definition, model);
  checkTotals(definition, model, types);
  checkUnits(definition, model, types);
}

/** A unit is shown beside a number. @throws FW_FIELD_UNIT */
function checkUnits(definition: ResourceDefinition, model: ModelInfo, types: FieldTypeTable): void {
  const { name: policy } = definition.constructor;
  for (const part of ["inputs", "displays", "columns"] as const)
    for (const [name, { unit }] of definition[part]) {
      if (unit === undefined) continue;
      const attribute = attributeOf(name, { model, definition, policy, types });
      const place = ({ inputs: "input", displays: "display", columns: "listed" } as const)[part];
      if (!attribute.types[place].numeric || attribute[place].as === "money")
        throw errors.FW_FIELD_UNIT(policy, name, unit);
    }
}

/** A total needs a column that a database can total. @throws FW_COLUMN_TOTAL */
function checkTotals(definition: ResourceDefinition, model: ModelInfo, types: FieldTypeTable): void {
  const {
    columns,
    constructor: { name: policy },
  } = definition;
  for (const [name, { total }] of columns) {
    if (total === undefined) continue;
    const column = totalKinds.includes(total)
      ? totalledColumn(attributeOf(name, { model, definition, policy, types }), total)
      : undefined;
    if (column === undefined || model.encrypted.has(column)) throw errors.FW_COLUMN_TOTAL(policy, name, String(total));
  }
}

/** Rows without a key are neither selected nor acted on one by one. @throws FW_ACTION_KEYLESS */
function checkSelected({ actions, constructor: { name } }: ResourceDefinition, { key, table }: ModelInfo): void {
  if (!key.isMissing) return;
  for (const action of actions.values())
    if (action.bulk || action.interaction?.inBackground) throw errors.FW_ACTION_KEYLESS(name, action.key, table);
}

/** An order of one's own needs a whole number for each record. @throws FW_REORDER_COLUMN */
function checkReordered({ reorderedBy, sorts, constructor: { name } }: ResourceDefinition, model: ModelInfo): void {
  if (reorderedBy === undefined) return;
  const column = model.columns.get(reorderedBy);
  const isFit = column?.type === "integer" && !column.nullable && !model.encrypted.has(reorderedBy);
  const isPlain = !sorts.has(reorderedBy) && !model.associations.has(reorderedBy) && reorderedBy !== model.primaryKey;
  if (!isFit || !isPlain || model.key.columns.length !== 1)
    throw errors.FW_REORDER_COLUMN(name, reorderedBy, model.table);
}

/** What is edited in a cell of a list is written by its form, and has an input that fits there. @throws FW_COLUMN_EDIT */
function checkEdited(definition: ResourceDefinition, model: ModelInfo, types: FieldTypeTable): void {
  const {
    constructor: { name: constant },
    columns,
  } = definition;
  for (const [name, { edit }] of columns) {
    if (!edit) continue;
    const attribute = attributeOf(name, { model, definition, policy: constant, types });
    const { source, association, column } = attribute;
    const isWritable = source !== "getter" && (association === undefined || association.kind === "belongsTo");
    const why =
      !isWritable || (source === "column" && column === undefined)
        ? "which no form of one input writes"
        : isFileField(attribute) || isSecret(attribute)
          ? "a file or a secret, which a cell doesn't show"
          : undefined;
    if (why !== undefined) throw errors.FW_COLUMN_EDIT(constant, name, why);
  }
}
