// What plugins that add to the lists and pages of resources are built with.

export { type AttributeHandler, AttributeInvalid } from "../definition/attribute_handler.ts";
export { totalledColumn } from "../definition/totals.ts";
export { applyCursor, type Cursor, cursorAfter, cursorOf, orderColumns } from "../entry/cursor.ts";
export type { Entry } from "../entry/entry.ts";
export { loadHandled } from "../entry/handled_values.ts";
export { isLabelOpen } from "../entry/labels.ts";
export { loadRelatedLabels } from "../entry/load_labels.ts";
export { entriesOfRows, readRecords, readsRows } from "../entry/read_page.ts";
export { recordEntry } from "../entry/record_entry.ts";
export { requestedVersion, versionOf } from "../entry/version.ts";
export { ActionForm, readSent } from "../operations/action_form.ts";
export { authorizeTarget, targetProblem } from "../operations/authorize_target.ts";
export { mayChoose } from "../operations/choices.ts";
export { Chosen, targetsSearch } from "../operations/chosen.ts";
export { confirmActions } from "../operations/confirm_identity.ts";
export type { DeletionNotice, Destroying } from "../operations/deletion_notice.ts";
export { isDenial, Refusal } from "../operations/denial.ts";
export { executeIn } from "../operations/execute_interaction.ts";
export { fieldErrors } from "../operations/field_errors.ts";
export { formFields, withoutKeys, writableNames } from "../operations/form_fields.ts";
export { targetOf } from "../operations/interaction_inputs.ts";
export { refuseUnknownKeys } from "../operations/known_keys.ts";
export { ListReader, listContextOf, requestedList } from "../operations/list_context.ts";
export { NestedWrite } from "../operations/nested_write.ts";
export { originalMarks, originalsIn, sentValue } from "../operations/originals.ts";
export { formParams } from "../operations/prepare_record.ts";
export { coerceValue } from "../operations/read_values.ts";
export { recordFields } from "../operations/record_fields.ts";
export { filesOf, removeFilesOf } from "../operations/record_files.ts";
export { columnValues, type RecordWriter } from "../operations/record_writer.ts";
export { isVisible } from "../operations/return_location.ts";
export { destroyProblem, lockRecord, report, saveRecord } from "../operations/save.ts";
export { shownNames } from "../operations/shown_names.ts";
export {
  countTargets,
  findOnList,
  isOnList,
  listOf,
  listQuery,
  nextTargets,
  targetsQuery,
} from "../operations/targets.ts";
export { actionLabel, chrome } from "../pages/chrome.ts";
export { deletionOfMany } from "../pages/deletion.ts";
export { detailOf } from "../pages/detail.ts";
export { attributeView } from "../pages/form_page.ts";
export { isHidden } from "../pages/hidden_actions.ts";
export { listColumns, planFor } from "../pages/index_page.ts";
export { ListChoices } from "../pages/list_choices.ts";
export type { CellWrapper, ListColumn, ListHead, ListRows, ListShape, ShapePage } from "../pages/list_parts.ts";
export { ListUrls } from "../pages/list_urls.ts";
export { fromList, listAt } from "../pages/neighbours.ts";
export { applyList, applyOrder } from "../registration/apply_list.ts";
export { labelColumn } from "../registration/label_column.ts";
export type { ListRequest } from "../registration/list_params.ts";
export { applySearch, searchOf } from "../registration/list_search.ts";
export type { RecordAnswer } from "../registration/registration.ts";
export type { Registrations } from "../registration/registrations.ts";
export { countText, listLabel, numberText, ownText } from "../registration/resource_texts.ts";
export { hrefOf } from "../registration/urls.ts";
