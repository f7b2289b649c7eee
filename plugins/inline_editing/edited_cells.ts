import { hash } from "node:crypto";
import { escapeHtml } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import {
  allows,
  type Policy,
  type ResourceController,
  type ResourceDefinition,
  type ResourcePlace,
} from "framewright/plugins/resources";
import {
  type CellWrapper,
  type Entry,
  hrefOf,
  type ListColumn,
  type ListRows,
  type RecordAnswer,
  recordFields,
  withoutKeys,
} from "framewright/plugins/resources/toolkit";
import { iconUse } from "framewright/plugins/views";

const EDIT_ICON = "pencil";

/** The columns of lists whose cells are edited in them. */
export const editedColumns = ({ columns }: Pick<ResourceDefinition, "columns">): readonly string[] =>
  [...columns].filter(([, { edit }]) => edit === true).map(([name]) => name);

/** The Turbo frame of a cell; that of the first column holds the link to the record as well. */
export const cellFrame = (id: unknown, name: string, isFirst: boolean): string =>
  `fw-cell-${frameKey(String(id))}-${name}${isFirst ? "-first" : ""}`;

/** A key as the id of a frame may have it: a text with other characters by its digest. */
const frameKey = (key: string): string =>
  /^[\w-]{1,40}$/.test(key) ? key : hash("sha256", key, "base64url").slice(0, 22);

interface CellAnswers {
  readonly editCell: RecordAnswer;
  readonly updateCell: RecordAnswer;
}

/** Draws the routes of cells in a place whose definition edits some. */
export function drawCellRoutes(
  { about, member, single, draw }: ResourcePlace,
  { editCell, updateCell }: CellAnswers,
): void {
  if (single || editedColumns(about.registration.definition).length === 0) return;
  const path = `${member}/cells/:cell_name`;
  draw("GET", path, { action: "edit", policy: "canEdit", answer: editCell });
  draw("PATCH", path, { action: "update", policy: "canUpdate", answer: updateCell });
}

/** Draws the link that edits it in each cell of a list that is edited in its place. */
export function wrapEditedCells(rows: ListRows): void {
  const wrapper = wrapperOf(rows.controller, rows.columns);
  if (wrapper) rows.wrapCells(wrapper, { scripts: ["cells.js"], icons: [EDIT_ICON] });
}

function wrapperOf(controller: ResourceController, columns: readonly ListColumn[]): CellWrapper | undefined {
  const { registration } = controller;
  const all = registration.once("edited cells", () => editedColumns(registration.definition));
  const edited = all.filter((name) => columns.some((column) => column.name === name));
  if (edited.length === 0) return undefined;
  const back = encodeURIComponent(controller.request.raw.url ?? "");
  return (entry) => {
    const names = editableNames(controller, entry.policy(), edited, () => entry.record);
    if (names.length === 0) return undefined;
    return (column, shown, isFirst) =>
      names.includes(column.name) ? editableCell(controller, entry, { column, shown, isFirst, back }) : shown;
  };
}

/** Those of these names that the person may write of a record by its form. */
export function editableNames(
  controller: ResourceController,
  policy: Policy,
  names: readonly string[],
  record: () => BaseModel,
): readonly string[] {
  const { registration, resources } = controller;
  if (!allows(policy, "edit") || !allows(policy, "update")) return [];
  const permitted = (list: "Edit" | "Update") =>
    resources.fields(registration.permitted(policy, list), registration, controller);
  const [edited, updated] = [permitted("Edit"), permitted("Update")];
  const written = withoutKeys(controller, updated);
  const found = names.filter((name) => written.includes(name) && edited.includes(name));
  if (!found.some((name) => registration.attribute(name).input.condition)) return found;
  const { contexts } = recordFields(controller, record(), written, undefined);
  return found.filter((name) => contexts.has(name));
}

interface EditableCell {
  column: Pick<ListColumn, "name" | "label">;
  shown: string;
  isFirst: boolean;
  /** The address of the list, as a parameter. */
  back: string;
  /** The version of the record, once it was saved: other inputs of the row that were opened with the one before go on with it. */
  version?: string | number;
}

/** A cell that is edited in its place. Its other links lead out of the frame. */
function editableCell(controller: ResourceController, entry: Entry, cell: EditableCell): string {
  const id = escapeHtml(cellFrame(entry.id, cell.column.name, cell.isFirst));
  return `<turbo-frame id="${id}" class="fw-cell" target="_top">${insideOf(controller, entry, cell)}</turbo-frame>`;
}

/** What is in the frame of such a cell: its value, and the link that opens its input in the frame, or as a page. */
export function insideOf(
  controller: ResourceController,
  entry: Entry,
  { column: { name, label }, shown, isFirst, back, version }: EditableCell,
): string {
  const id = escapeHtml(cellFrame(entry.id, name, isFirst));
  const words = escapeHtml(controller.t("resource.edit_cell", { field: label, name: entry.toLabel() }));
  const href = `${hrefOf(`${entry.url()}/cells/${name}`)}?return_to=${escapeHtml(back)}`;
  const link = `<a class="fw-cell-edit" href="${href}" data-turbo-frame="${id}" data-turbo-prefetch="false" aria-label="${words}" title="${words}">${iconUse(EDIT_ICON).html}</a>`;
  const saved = version === undefined ? "" : ` data-version="${escapeHtml(String(version))}"`;
  return `<span class="fw-cell-shown"${saved}>${shown}</span>${link}`;
}
