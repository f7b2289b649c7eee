import type { FieldView } from "framewright/plugins/fields";
import type { ResourceController } from "framewright/plugins/resources";
import type { ImportContent, ImportMapping } from "./content.ts";
import { dayOrders, encodings } from "./inspected_file.ts";
import { radioView } from "./radio_view.ts";

/** What can be chosen of the file itself: its sheet, its encoding, how days are read that could be read in two ways. */
export function fileViews(
  controller: ResourceController,
  { source, encoding, lines, sheet, sheets = [], otherSheets = [], columns, headerRow, first = [] }: ImportContent,
  { days }: ImportMapping,
): FieldView[] {
  const views: FieldView[] = [];
  if (source && sheets.length + otherSheets.length > 1) {
    const choices = sheets.map(({ name, isHidden }) => ({
      value: name,
      label: isHidden ? controller.t("resource.import.sheet.hidden", { sheet: name }) : name,
    }));
    const view = selectView(controller, { name: "sheet", choices, value: sheet ?? "" });
    views.push(
      otherSheets.length > 0 ? { ...view, hint: `${view.hint} ${chartsText(controller, otherSheets)}` } : view,
    );
  }
  if (source && lines && encoding !== undefined) {
    const choices = encodings.map((value) => ({
      value,
      label: controller.t(`resource.import.encoding.names.${value}`),
    }));
    views.push(selectView(controller, { name: "encoding", choices, value: encoding }));
  }
  if (source && first.length > 1) {
    const choices = first.map(({ row, cells }) => ({
      value: String(row),
      label: controller.t("resource.import.headers.row", { row, cells: rowText(cells) }),
    }));
    views.push(selectView(controller, { name: "headers", choices, value: String(headerRow) }));
  }
  if (columns.some((one) => one.days === "unknown")) {
    const choices = dayOrders.map((value) => ({ value, label: controller.t(`resource.import.days.${value}`) }));
    views.push(radioView(controller, { name: "days", choices, value: days ?? "" }));
  }
  return views;
}

const MAX_ROW_CHARS = 80;
const rowText = (cells: readonly string[]): string => {
  const text = cells.filter((cell) => cell.trim() !== "").join(" · ");
  return text.length > MAX_ROW_CHARS ? `${text.slice(0, MAX_ROW_CHARS - 1)}…` : text;
};
const chartsText = (controller: ResourceController, charts: readonly string[]): string =>
  controller.t("resource.import.sheet.charts", { count: charts.length, charts: charts.join(", ") });

interface SelectParts {
  readonly name: "sheet" | "encoding" | "headers";
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
}
const selectView = (controller: ResourceController, { name, choices, value }: SelectParts): FieldView => ({
  name,
  as: "select",
  id: `import_${name}`,
  inputName: name,
  value,
  required: true,
  noBlank: true,
  errors: [],
  label: controller.t(`resource.import.${name}.title`),
  hint: controller.t(`resource.import.${name}.hint`),
  choices: choices.map((choice) => ({ ...choice, selected: choice.value === value })),
});
