// Fields that have fields of their own: groups, and rows. Wizards, records and interactions read, check and draw them alike.

export { type SettledTexts, settleTexts, type TextContext, textsFor, type WithTexts } from "../input_texts.ts";
export { checkTree, type TreeCheck } from "./check_tree.ts";
export { declaredSpecs, type RowField, type RowFields, specOf } from "./declared.ts";
export {
  draftFileAt,
  type FilesByReference,
  filesOfDraft,
  referenceName,
  removeName,
  withDraftFiles,
  withFileReferences,
  withFiles,
} from "./draft_files.ts";
export { drawFormFields, drawNode, isMultipart, slotsOf, viewsOf } from "./draw.ts";
export { drawChoices, type SearchUrl } from "./draw_choices.ts";
export { addEditors } from "./editors.ts";
export { fieldAt } from "./fields_at.ts";
export { hasFields, isNested, kindOf, withKinds } from "./kind.ts";
export {
  type FieldNode,
  type FilledFields,
  type GroupNode,
  type Node,
  ownWords,
  type RowNode,
  type RowsNode,
  type SlotNode,
  type TextOf,
  type ViewNode,
} from "./node_types.ts";
export { ADDED_MARKER, dynamicPaths, fieldLabel, idOf, nodesOf } from "./nodes.ts";
export {
  BLANK_ROW,
  countProblem,
  DESTROY_MARKER,
  fromStorage,
  isBlankRow,
  isRemovedRow,
  keptRow,
  LIST_MARKER,
  type ReadTreeOptions,
  readTree,
  rowsOf,
  type TranslateOr,
  type TreeReading,
  typedFieldValue,
  untranslated,
} from "./read_tree.ts";
export { declaredOf, readValue, targetOf } from "./read_value.ts";
export { applyRowButtons, isRowButtonPressed, type RowButton, rowButtons } from "./row_buttons.ts";
export {
  drawnInput,
  errorTexts,
  prepareNodes,
  type RowsSent,
  readRowsInput,
  rowsErrors,
  rowsInputView,
} from "./rows_input.ts";
export {
  DEFAULT_MAX_ROWS,
  type FieldScope,
  type FieldSpec,
  type FieldValues,
  noScope,
  type StagedFile,
} from "./spec.ts";
export { fieldsSummary, type SummaryItem } from "./summary.ts";
export { fromDocument, toDocument } from "./value_rows.ts";
export {
  haveFunctions,
  hiddenValue,
  isStagedFile,
  isValues,
  own,
  readable,
  readableField,
  valueOfRows,
  walkFields,
} from "./values.ts";
