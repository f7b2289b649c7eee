import { csrfInput, html, type Reply, raw, type SafeHtml } from "framewright/host";
import { details } from "framewright/plugins/fields";
import { hidden } from "framewright/plugins/fields/toolkit";
import { fieldLabel, type ResourceController } from "framewright/plugins/resources";
import { chrome, numberText } from "framewright/plugins/resources/toolkit";
import type { CheckedRows, FailedRow, ImportContent } from "./content.ts";
import { stepper } from "./steps.ts";
import type { ImportRow } from "./store.ts";
import { titleOf } from "./upload_page.ts";
import { importUrl } from "./urls.ts";

const MAX_CELL_CHARS = 60;
/** Records with more rows that are named. */
const MAX_ADDED = 20;

/** Shows what the first rows would do, and asks to confirm all of them. */
export function renderCheck(
  controller: ResourceController,
  { id, version }: ImportRow,
  content: ImportContent,
  checked: CheckedRows,
): Reply {
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const { file, total } = content;
  const trail = [{ label: t("resource.import.title"), url: importUrl(controller) }, { label: file.filename }];
  const { failed } = checked;
  return controller.render("import_check", {
    locals: {
      ...chrome(controller, { title: titleOf(controller), trail }),
      subtitle: t("resource.import.subtitle", {
        file: file.filename,
        count: total,
        total: numberText(controller, total),
      }),
      steps: stepper(controller, "check", { file: importUrl(controller), columns: importUrl(controller, id) }),
      text: t(`resource.import.checked.${total > checked.checked ? "first" : "all"}`, { count: checked.checked }),
      details: details({ items: countsOf(controller, checked, failed.length) }),
      added: addedRows(controller, checked),
      problems: failed.length > 0 && failedTable(content.headers, failed, controller),
      form: startForm(controller, { id, version }, startLabel(controller, content, checked)),
    },
  });
}

/** Which records have rows already, and get more. */
function addedRows(controller: ResourceController, { added = [] }: CheckedRows): string[] {
  const { registration } = controller;
  const lines = added.slice(0, MAX_ADDED).map(({ of, record, count, existing }) => {
    const rows = fieldLabel(controller, registration, registration.attribute(of), "input");
    const vars = {
      record,
      rows,
      count,
      added: numberText(controller, count),
      existing: numberText(controller, existing),
    };
    return controller.t("resource.import.added", vars);
  });
  const more = added.length - lines.length;
  return more > 0 ? [...lines, controller.t("resource.import.added_more", { count: more })] : lines;
}

type Counts = Pick<CheckedRows, "created" | "updated" | "unchanged">;
/** How many rows became what, as a page shows it. */
export function countsOf(controller: ResourceController, counts: Counts, failed: number) {
  const all = { created: counts.created, updated: counts.updated, unchanged: counts.unchanged, failed };
  return Object.entries(all).map(([name, count]) => ({
    name,
    label: controller.t(`resource.import.counts.${name}`),
    value: html`${numberText(controller, count)}`,
  }));
}

/** What is wrong, row by row and cell by cell. */
export function failedTable(
  headers: readonly string[],
  failed: readonly FailedRow[],
  controller: ResourceController,
): SafeHtml {
  const label = (name: "row" | "column" | "value" | "reason") => controller.t(`resource.import.problem.${name}`);
  const [number, column, value, reason] = [label("row"), label("column"), label("value"), label("reason")];
  const heads = [number, column, value, reason].map((text) => html`<th scope="col">${text}</th>`);
  const none = html`<span class="fw-none">${controller.t("resource.import.problem.empty")}</span>`;
  const rows = failed.flatMap(({ row, cells, problems }) =>
    problems.map((problem) => {
      const first = html`<th scope="row" data-label="${number}">${row}</th>`;
      const why = html`<td data-label="${reason}">${problem.text}</td>`;
      if (problem.column === null) return html`<tr>${first}<td></td><td></td>${why}</tr>`;
      const name = headers[problem.column] || controller.t("resource.import.no_header", { number: problem.column + 1 });
      const cell = cut(cells[problem.column] ?? "");
      return html`<tr>${first}<td data-label="${column}">${name}</td><td class="fw-wrong-cell" data-label="${value}">${cell === "" ? none : cell}</td>${why}</tr>`;
    }),
  );
  const title = controller.t("resource.import.problems");
  return html`<div class="fw-table-wrap" tabindex="0" role="region" aria-label="${title}"><table class="table fw-table fw-problems"><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** A row whose cells are as long as a page shows them. */
export const shownCells = (failed: FailedRow): FailedRow => ({ ...failed, cells: failed.cells.map(cut) });

const cut = (text: string): string => (text.length > MAX_CELL_CHARS ? `${text.slice(0, MAX_CELL_CHARS - 1)}…` : text);

/** What will happen, as far as the rows that were checked show it. */
function startLabel(controller: ResourceController, { total, mapping }: ImportContent, checked: CheckedRows): string {
  const left = checked.failed.length;
  const count = total - left;
  const vars = { count, total: numberText(controller, count), left: numberText(controller, left) };
  if (left === 0) return controller.t("resource.import.start", vars);
  if (mapping?.atOnce) return controller.t("resource.import.start_stopped", { ...vars, count: left });
  if (count === 0) return controller.t("resource.import.start_none", vars);
  return controller.t(`resource.import.${total > checked.checked ? "start_first" : "start_leave"}`, vars);
}

function startForm(
  controller: ResourceController,
  { id, version }: Pick<ImportRow, "id" | "version">,
  label: string,
): SafeHtml {
  const url = importUrl(controller, id, "start");
  const csrf = csrfInput(controller.request, url, "post");
  const back = html`<a class="btn" href="${importUrl(controller, id)}">${controller.t("resource.import.change")}</a>`;
  const cancelUrl = importUrl(controller, id, "cancel");
  const cancel = html`<form method="post" action="${cancelUrl}">${csrfInput(controller.request, cancelUrl, "post")}<button class="btn btn-outline-danger">${controller.t("resource.import.discard")}</button></form>`;
  return html`<div class="fw-actions">${cancel}${back}<form method="post" action="${url}">${csrf}${raw(hidden("version", version))}<button class="btn btn-primary">${label}</button></form></div>`;
}
