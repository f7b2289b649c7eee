import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_ROWS_ATTRIBUTE: (definition: string, word: string, name: string, model: string) =>
    `${definition}: this.${word}("${name}", …) is for ${word === "fieldGroup" ? "a has-one association or a json column" : "a has-many association or a json column"}, and ${model} has no "${name}" of that kind. Add it to the model or its table.`,
  FW_ROWS_FIELDS: (definition: string, word: string, name: string, expected: string) =>
    `${definition}: this.${word}("${name}", …) takes ${expected}.`,
  FW_ROWS_FIELD: (definition: string, path: string, why: string) =>
    `${definition}: the field "${path}" ${why}. Rows and groups of a json column have fields of one value each; keep files and secrets in a table of their own.`,
  FW_ROWS_FIELD_TYPE: (definition: string, path: string, as: string, hint: string) =>
    `${definition}: the field "${path}" is of the type "${as}", which is not there.${hint} Name a type of fields.`,
  FW_ROWS_THROUGH: (definition: string, name: string, through: string) =>
    `${definition}: this.repeated("${name}", …) goes through "${through}", whose records don't refer to one record of "${name}" each by a belongsTo of their own. Declare the rows of "${through}".`,
  FW_ROWS_UNREGISTERED: (definition: string, name: string, target: string, owner: string) =>
    `${definition}: the rows of "${name}" are records of ${target}, which ${owner} does not serve: who may write them its policy there says. Register ${target} there as well, or move this.repeated() into the definitions of the portals that serve both.`,
  FW_ROWS_ORDER: (definition: string, name: string, column: string, target: string) =>
    `${definition}: the rows of "${name}" are ordered by "${column}", and ${target} has no such column of whole numbers. Add it, or leave out order.`,
  FW_ROWS_KEY: (definition: string, name: string, target: string) =>
    `${definition}: the rows of "${name}" are records of ${target}, whose key has several columns or none; a form names each row by one. Leave them to a list of their own.`,
  FW_ROWS_DEPTH: (definition: string, name: string, field: string) =>
    `${definition}: the rows of "${name}" have rows "${field}" that have rows in turn, which is a level too deep for a form. Take the innermost out of fields, and leave them to a page of their own.`,
  FW_VIRTUAL_TAKEN: (definition: string, name: string, model: string) =>
    `${definition}: this.virtual("${name}", …) is an input without a column, and ${model} has "${name}". Use this.input, or choose another name.`,
});
