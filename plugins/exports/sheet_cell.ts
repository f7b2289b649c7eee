import type { TimeZone } from "framewright/host";
import { choiceLabel } from "framewright/plugins/fields/toolkit";
import {
  type Attribute,
  fieldLabel,
  isFileField,
  isSecret,
  type ResourceController,
} from "framewright/plugins/resources";
import type { Entry } from "framewright/plugins/resources/toolkit";
import { cellText, choicesOf, isInstant } from "./cell_text.ts";

/** A cell of a spreadsheet, as the thread that writes the file takes it; a text is never a formula. */
export type SheetCell =
  | string
  | boolean
  | null
  /** A number, shown with so many decimals. */
  | { readonly number: number; readonly decimals: number }
  /** Milliseconds of a Date whose UTC fields are what clocks show. */
  | { readonly day: number }
  | { readonly time: number };

/** A column of a spreadsheet. */
export interface SheetColumn {
  readonly label: string;
  cell(entry: Entry): SheetCell;
}

const NUMBER = /^-?\d+(?:\.(\d+))?$/;
/** Digits that a spreadsheet keeps of a number. */
const MAX_DIGITS = 15;
/** The day before which spreadsheets have other calendars. */
const FIRST_DAY = Date.UTC(1900, 2, 1);

export function sheetColumn(controller: ResourceController, attribute: Attribute): SheetColumn {
  const { column } = attribute;
  const name = fieldLabel(controller, controller.registration, attribute, "listed");
  const { timeZone } = controller.request;
  const text = (entry: Entry) => cellText(entry, attribute);
  if (isSecret(attribute)) return { label: name, cell: () => null };
  if (attribute.source === "association" || isFileField(attribute)) return { label: name, cell: text };
  if (isInstant(attribute)) {
    const label = controller.t("resource.export.zone", { column: name, zone: timeZone.name });
    return { label, cell: (entry) => timeCell(text(entry), timeZone) };
  }
  if (column?.type === "date") return { label: name, cell: (entry) => dayCell(text(entry)) };
  if (column?.type === "boolean") return { label: name, cell: (entry) => booleanCell(entry.jsonValue(attribute)) };
  const labels = choiceLabels(controller, attribute);
  if (labels) return { label: name, cell: (entry) => labels.get(text(entry)) ?? text(entry) };
  if (attribute.types.listed.numeric) return { label: name, cell: (entry) => numberCell(text(entry)) };
  return { label: name, cell: text };
}

const booleanCell = (value: unknown): SheetCell =>
  typeof value === "boolean" ? value : value === null || value === undefined ? null : String(value);

/** A number that a spreadsheet keeps as it is; a longer one stays a text. */
function numberCell(text: string): SheetCell {
  const [, decimals = ""] = NUMBER.exec(text) ?? [];
  const digits = text.replace(/^-?0*\.?0*/, "").replace(".", "");
  if (!NUMBER.test(text) || digits.length > MAX_DIGITS) return text;
  return { number: Number(text), decimals: decimals.length };
}

function dayCell(text: string): SheetCell {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return day >= FIRST_DAY ? { day } : text;
}

/** What clocks show; the moment itself where they show that twice, since they are put back. */
function timeCell(text: string, zone: TimeZone): SheetCell {
  const at = new Date(text);
  if (text === "" || Number.isNaN(at.getTime())) return text;
  const time = zone.wall(at).getTime();
  const isOnce = zone.moment(zone.wallTime(at))?.getTime() === at.getTime();
  return time >= FIRST_DAY && isOnce ? { time } : text;
}

/** What people see of the choices of an attribute, by value; undefined where it has no list of them. */
function choiceLabels(controller: ResourceController, attribute: Attribute): ReadonlyMap<string, string> | undefined {
  const choices = choicesOf(controller, attribute);
  return choices && new Map(choices.map((one) => [one.value, choiceLabel(one)]));
}
