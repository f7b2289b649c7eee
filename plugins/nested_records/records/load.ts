import { html, raw, type SafeHtml } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { DisplayOptions } from "framewright/plugins/fields";
import { allows, fieldLabel, labelOf, type ResourceRequest } from "framewright/plugins/resources";
import {
  detailOf,
  type Entry,
  loadHandled,
  loadRelatedLabels,
  recordEntry,
} from "framewright/plugins/resources/toolkit";
import { listedTexts, type RowsValue } from "../rows_type.ts";
import { type RecordRows, type RowsOf, rowController, rowsOfRecord, storedRows } from "./record_rows.ts";

const MAX_LISTED = 3;

/** The rows of the records of a page, as the person may see them. */
export async function loadRows(
  rows: RecordRows,
  entries: readonly Entry[],
  page: ResourceRequest,
): Promise<RowsValue[]> {
  const found: RowsValue[] = [];
  for (const entry of entries) found.push(await loadRowsOf(rowsOfRecord(page, rows, entry.record)));
  return found;
}

async function loadRowsOf(of: RowsOf): Promise<RowsValue> {
  const { rows } = of;
  const list = rowController(of);
  if (!allows(list.policyFor(), "index") && !rows.isOne) return new LoadedRows(rows, []);
  const shown = await shownRecords(of, list);
  return new LoadedRows(
    rows,
    shown.map((record) => rowOf(list, record, rows)),
  );
}

/** The stored rows that the person may see, with what is shown of them. */
export async function shownRecords(of: RowsOf, list: ResourceRequest): Promise<BaseModel[]> {
  const { rows } = of;
  const names = list.listOf("Show").filter((name) => rows.fields.includes(name));
  const query = storedRows(of).limit(rows.isOne ? 1 : rows.maximum);
  const graph = list.graphOf(names);
  const records = (await (graph ? query.withGraphFetched(graph) : query)) as BaseModel[];
  const shown = records.filter((record) => allows(list.policyFor(record), "show"));
  await loadRelatedLabels(list, shown, of.registration.model, list.loadedFor(names));
  await loadHandled(
    list,
    shown.map((record) => recordEntry(list, record)),
    names,
  );
  return shown;
}

interface LoadedRow {
  readonly label: SafeHtml;
  readonly json: Record<string, unknown>;
  readonly cells: readonly { readonly name: string; readonly label: string; readonly value: SafeHtml }[];
}
/** A row, by what its own policy lets the person read of it. */
function rowOf(list: ResourceRequest, record: BaseModel, { fields, chosen }: RecordRows): LoadedRow {
  const readable = list.listOf("Show", record);
  const names = fields.filter((name) => readable.includes(name));
  const { registration } = list;
  const cells = names.map((name) => {
    const attribute = registration.attribute(name);
    return {
      name,
      label: fieldLabel(list, registration, attribute, "display"),
      value: detailOf(list, attribute, record),
    };
  });
  const label = cells.find(({ name }) => name === chosen)?.value ?? html`${labelOf(list, record)}`;
  return { label, json: list.recordJson(record, names), cells };
}

class LoadedRows implements RowsValue {
  readonly #rows: readonly LoadedRow[];
  readonly #declared: RecordRows;

  constructor(declared: RecordRows, rows: readonly LoadedRow[]) {
    this.#declared = declared;
    this.#rows = rows;
  }
  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }
  get json(): unknown {
    const list = this.#rows.map(({ json }) => json);
    return this.#declared.isOne ? (list[0] ?? null) : list;
  }
  page(_options: DisplayOptions): SafeHtml {
    if (this.#declared.isOne) {
      const pairs = this.#rows[0]!.cells.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
      return html`<dl class="fw-details">${pairs}</dl>`;
    }
    const columns = new Map(this.#rows.flatMap(({ cells }) => cells.map(({ name, label }) => [name, label] as const)));
    const head = [...columns.values()].map((label) => html`<th scope="col">${label}</th>`);
    const body = this.#rows.map(({ cells }) => {
      const values = new Map(cells.map(({ name, value }) => [name, value]));
      return html`<tr>${[...columns.keys()].map((name) => html`<td>${values.get(name) ?? raw("")}</td>`)}</tr>`;
    });
    return html`<div class="table-responsive"><table class="table fw-rows-table"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
  }
  cell(_options: DisplayOptions): SafeHtml {
    const labels = this.#rows.slice(0, MAX_LISTED).map(({ label }) => label);
    return listedTexts(labels, this.#rows.length - labels.length);
  }
}
