// Types of fields, and the components that forms, lists and pages are drawn with. No plugin: `resources()` adds its texts.
import { join } from "node:path";

export { type Coerced, problemOf } from "./coerce.ts";
export * from "./components/index.ts";
export type { DrawnChoices, FieldLookups } from "./contract.ts";
export { addEditor } from "./editor.ts";
export type {
  ChoiceList,
  ChoiceOption,
  ChoicesContext,
  DeclaredField,
  FieldContext,
  FieldOptions,
  InputOptions,
  ValueRules,
} from "./options.ts";
export { choiceOf, defaultOf, isDynamic, isRequired, isShown, readsOthers } from "./options.ts";
export { fromStored, ownType, readDefault, readField, toStored } from "./read_field.ts";
export { FieldSource, listedChoices } from "./source.ts";
export { defineFieldType } from "./types/define.ts";
export type {
  FieldColumn,
  FieldFilter,
  FieldFrame,
  FieldType,
  FieldTypeOptions,
  FieldTypeTable,
  Read,
  ReadBy,
} from "./types/field_type.ts";
export type { FieldTypeName, FieldTypes, FilterTypeName, StandardFieldTypes } from "./types/field_types.ts";
export { inputNames } from "./types/index.ts";
export { addChoices, fieldView } from "./view.ts";

/** The folder of the texts that fields and components have. */
export const fieldTexts: string = join(import.meta.dirname, "locales");
