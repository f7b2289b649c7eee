// What plugins draw lists, forms and inputs of their own with, and read what was sent for a column.

export { personOf } from "../avatar.ts";
export { coerceColumn, coerceMoney, coerceReference, idOf, isTextKey, type Refused, wrongShape } from "../coerce.ts";
export { actionIcon } from "../components/actions.ts";
export { attributes, defaultButton, hidden } from "../components/attributes.ts";
export { recordHead } from "../components/details.ts";
export { grouped, showNumber } from "../components/displays.ts";
export { framed, header, rowAction, rowLink, startsOf } from "../components/table.ts";
export { choiceLabel } from "../components/words.ts";
export { contains, equals } from "../contains.ts";
export { isFile, isStoredFile, refusedFiles } from "../file_fields.ts";
export { withFile } from "../file_view.ts";
export { type FileForm, fieldNames, keepFiles, removeName, restoreFiles } from "../pending_files.ts";
export { readValue } from "../read_field.ts";
export { relativeDayNames, relativeDays } from "../relative_days.ts";
export { sealerOf } from "../sealer.ts";
export { standardTypes } from "../types/index.ts";
export { mostTelling } from "../types/telling.ts";
export { hiddenView } from "../view.ts";
