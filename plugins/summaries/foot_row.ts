import { escapeHtml, html, localeOf, raw, type SafeHtml } from "framewright/host";
import { exactDecimal, fromCents } from "framewright/plugins/database";
import { displayWords } from "framewright/plugins/fields";
import { showNumber } from "framewright/plugins/fields/toolkit";
import type { Attribute, Registration, ResourceController, TotalKind } from "framewright/plugins/resources";
import {
  type ListColumn,
  type ListRequest,
  type ListRows,
  numberText,
  totalledColumn,
} from "framewright/plugins/resources/toolkit";
import { MAX_TOTALLED_ROWS, readTotals } from "./read_totals.ts";

interface Total {
  attribute: Attribute;
  kind: TotalKind;
  column: string;
}

/** The columns of a list that have a total, by name; undefined for a list without. */
export function totalsOf(
  { registration }: ResourceController,
  columns: readonly ListColumn[],
): ReadonlyMap<string, Total> | undefined {
  const declared = declaredTotals(registration);
  if (declared.length === 0) return undefined;
  const totals = new Map<string, Total>();
  for (const [name, kind] of declared) {
    if (!columns.some((column) => column.name === name)) continue;
    const attribute = registration.attribute(name);
    totals.set(name, { attribute, kind, column: totalledColumn(attribute, kind)! });
  }
  return totals.size > 0 ? totals : undefined;
}

const declaredTotals = (registration: Registration) =>
  registration.once("totals", () =>
    [...registration.definition.columns].flatMap(([name, { total }]) =>
      total === undefined ? [] : [[name, total] as const],
    ),
  );

/** Whether any column of the list has a total. */
export const hasTotals = ({ registration }: ResourceController): boolean => declaredTotals(registration).length > 0;

/** The totals of a list by the names of their columns, each as the row below the list shows it; undefined for too many rows. */
export async function totalCells(
  controller: ResourceController,
  list: ListRequest,
  totals: ReadonlyMap<string, Total>,
): Promise<ReadonlyMap<string, string> | undefined> {
  const values = await readTotals(controller, list, [...totals.values()]);
  const shown = (total: Total, value: unknown) => totalText(controller, total, value).html;
  return (
    values &&
    new Map(
      [...totals].map(([name, total], at) => [name, totalCell(controller, name, total, shown(total, values[at]))]),
    )
  );
}

const totalCell = (controller: ResourceController, name: string, { kind }: Total, shown: string): string =>
  `<span class="fw-total" data-total="${escapeHtml(name)}"><small>${escapeHtml(controller.t(`resource.totals.${kind}`))}</small> ${shown}</span>`;

/** Adds the row with the totals of the columns that have one below the rows of a list. */
export function addFoot(rows: ListRows): Promise<void> | undefined {
  const totals = totalsOf(rows.controller, rows.columns);
  return totals && addTotals(rows, totals);
}

async function addTotals(rows: ListRows, totals: NonNullable<ReturnType<typeof totalsOf>>): Promise<void> {
  const { controller, list } = rows;
  const found = await totalCells(controller, list, totals);
  const unknown = () => [...totals].map(([name, total]) => [name, totalCell(controller, name, total, "–")] as const);
  rows.foot = { title: titleOf(controller, found !== undefined), cells: found ?? new Map(unknown()) };
}

const titleOf = (controller: ResourceController, isWhole: boolean): string =>
  isWhole
    ? controller.t("resource.totals.title")
    : controller.t("resource.totals.too_many", { count: numberText(controller, MAX_TOTALLED_ROWS) });

/** A total as the column shows its values, in the person's language. */
function totalText(controller: ResourceController, { attribute, kind }: Total, value: unknown): SafeHtml {
  const locale = localeOf(controller.request.locale);
  const words = displayWords((key) => controller.t(key), locale);
  const { types, listed, cents, digits, column } = attribute;
  if (kind === "count") return showNumber(Number(value ?? 0), { words });
  if (value === undefined) return raw(escapeHtml(controller.t("resource.totals.inexact")));
  if (value === null) return raw("–");
  const { currency, unit } = listed;
  if (kind === "average" && cents === undefined && column?.type === "float")
    return html`<span class="fw-number">${[locale.numbers.rounded(Number(value)), unit ?? []].flat().join("\u00a0")}</span>`;
  const show = types.listed.numeric ? types.listed.cell : showNumber;
  return show(cents === undefined ? shown(value, column, kind) : fromCents(exactDecimal(String(value), 0), digits), {
    words,
    ...(currency === undefined ? {} : { currency }),
    ...(unit === undefined ? {} : { unit }),
  });
}

/** A number with the decimals of its column, an average with two at least; those of whole numbers without zeros at the end. */
function shown(value: unknown, column: Attribute["column"], kind: TotalKind): unknown {
  if (column?.type === "float") return Number(Number(value).toPrecision(12));
  return kind === "average" && column?.type !== "decimal" ? String(value).replace(/\.?0+$/, "") : value;
}
