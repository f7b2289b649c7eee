import type { ParamValue } from "framewright/host";
import { type Coerced, coerceColumn, coerceReference } from "../coerce.ts";
import { showBoolean, showRecords, showStatus } from "../components/displays.ts";
import { booleanFilter, selectFilter } from "../components/filter_inputs.ts";
import { associationInput, checkbox, radio, select } from "../components/inputs.ts";
import { byColumn, standard } from "./by_column.ts";
import { defineFieldType } from "./define.ts";
import type { ReadBy } from "./field_type.ts";

const oneOf = { ...standard, ...byColumn("string"), display: showStatus, isCached: true, needsChoices: true } as const;
const ownBoolean = byColumn("boolean").read;

/** What is chosen: yes or no, one of a list, a record. */
export const choiceTypes = {
  boolean: defineFieldType({
    ...standard,
    read(given, by) {
      const read = ownBoolean(given, by);
      return "problem" in read || by.ofRecord ? read : { value: read.value === true };
    },
    empty: false,
    column: { type: "boolean" },
    input: checkbox,
    frame: "inline",
    display: showBoolean,
    isCached: true,
    filter: { input: booleanFilter },
  }),
  select: defineFieldType({ ...oneOf, input: select(), filter: { input: selectFilter, onlyNamed: true } }),
  enum: defineFieldType({ ...oneOf, input: select() }),
  radio: defineFieldType({ ...oneOf, input: radio, frame: "group", wide: "form" }),
  association: defineFieldType({
    ...standard,
    read: readKey,
    input: associationInput,
    display: showRecords,
    byLabel: true,
  }),
};

/** The key of a record, which is looked for among those that the person may see later. */
function readKey(given: ParamValue, { column, target }: ReadBy): Coerced {
  if (column) return coerceColumn(given, column);
  const read = coerceReference(given);
  if ("problem" in read || read.value === null || !target) return read;
  const key = target.key.parse(String(read.value));
  return key === undefined ? { problem: "errors.not_a_choice" } : { value: key };
}
