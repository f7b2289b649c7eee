// What generators of other plugins use of these.
export { PULL, type PullRequest } from "../db_pull/choose_tables.ts";
export { referenceName, snakeCase } from "../db_pull/names.ts";
export { isWrittenByModel, pulledModelCode, pullModels } from "../db_pull/pull_models.ts";
export type { PulledModel } from "../db_pull/pulled.ts";
export {
  braced,
  inputLine,
  isReference,
  type Linkable,
  listed,
  MAX_LINE_CHARS,
  returned,
  rowsOptions,
  schemaLine,
  validationOf,
  withColumns,
} from "../fields/code.ts";
export { draftModel } from "../fields/draft_model.ts";
export { type ExistingTable, fieldsOf, readTable } from "../fields/existing_table.ts";
export type { Field, FieldWord } from "../fields/field.ts";
export { fieldWords } from "../fields/field_words.ts";
export { fieldHelp, parseFields } from "../fields/fields.ts";
export { isKey } from "../fields/keys.ts";
export { link } from "../fields/link.ts";
export { entryLists, fileLines, modelParts } from "../fields/model_parts.ts";
export { addColumnsCode, forExistingRows } from "../migration/code.ts";
