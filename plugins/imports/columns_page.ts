import { csrfInput, type Reply } from "framewright/host";
import { type FieldView, form } from "framewright/plugins/fields";
import { inSentence, labelsFor, type ResourceController } from "framewright/plugins/resources";
import { chrome, numberText } from "framewright/plugins/resources/toolkit";
import type { ImportContent, ImportMapping } from "./content.ts";
import { allowedModes, guessColumns, ID, type ImportField, importFields } from "./fields.ts";
import { fileViews } from "./file_views.ts";
import { rowsAtOnce } from "./limits.ts";
import { radioView } from "./radio_view.ts";
import { rowsValue } from "./read_mapping.ts";
import { stepper } from "./steps.ts";
import type { ImportRow } from "./store.ts";
import { titleOf } from "./upload_page.ts";
import { importUrl } from "./urls.ts";

/** Asks what the columns of a file are for; guessed where nobody has chosen. */
export function renderColumns(
  controller: ResourceController,
  { id }: ImportRow,
  content: ImportContent,
  mapping: ImportMapping | undefined = content.mapping,
  errors: readonly string[] = [],
): Reply {
  const t = (key: string, vars?: Record<string, unknown>) =>
    controller.t(key === "framework.choose" ? "resource.import.skip" : key, vars); // what a column is for without a choice
  const fields = importFields(controller);
  const columns = mapping?.columns ?? guessColumns(controller, content.headers, fields);
  const chosen = mapping ?? guessed(controller, fields, columns);
  const action = importUrl(controller, id);
  const view = form({
    action,
    method: "post",
    csrf: csrfInput(controller.request, action, "post"),
    errors,
    fields: [
      ...fileViews(controller, content, chosen),
      ...content.headers.map((header, index) => columnView(controller, content, { header, index, fields, columns })),
      rowsView(controller, fields, chosen),
      errorsView(controller, content, chosen),
    ],
    submitLabel: t("resource.import.check"),
    cancelUrl: importUrl(controller),
    t,
  });
  const { file, total } = content;
  const trail = [{ label: t("resource.import.title"), url: importUrl(controller) }, { label: file.filename }];
  return controller.render("import", {
    status: errors.length > 0 ? 422 : 200,
    locals: {
      ...chrome(controller, { title: titleOf(controller), trail }),
      subtitle: t("resource.import.subtitle", {
        file: file.filename,
        count: total,
        total: numberText(controller, total),
      }),
      steps: stepper(controller, "columns", { file: importUrl(controller) }),
      lines: content.source && content.lines,
      form: view,
    },
  });
}

/** What rows do where nobody has chosen: they create records. Ids of a file may be those of another system, and are never taken for ours. */
function guessed(
  controller: ResourceController,
  fields: readonly ImportField[],
  columns: readonly (string | null)[],
): ImportMapping {
  const modes = allowedModes(controller);
  const rest = { columns, atOnce: false, days: null };
  if (modes.includes("create")) return { ...rest, mode: "create", key: null };
  const key = fields.find(({ name, isKey }) => isKey && name !== ID && columns.includes(name));
  return { ...rest, mode: "update", key: key?.name ?? null };
}

interface Column {
  readonly header: string;
  readonly index: number;
  readonly fields: readonly ImportField[];
  readonly columns: readonly (string | null)[];
}

function columnView(
  controller: ResourceController,
  { samples }: ImportContent,
  { header, index, fields, columns }: Column,
): FieldView {
  const shown = samples.map((cells) => cells[index]?.trim() ?? "").filter((cell) => cell !== "");
  const label = header === "" ? controller.t("resource.import.no_header", { number: index + 1 }) : header;
  return {
    name: `c${index}`,
    as: "select",
    id: `import_column_${index}`,
    inputName: `columns[c${index}]`,
    label,
    value: columns[index] ?? "",
    required: false,
    errors: [],
    hint: shown.length > 0 ? shown.join(" · ") : controller.t("resource.import.no_samples"),
    choices: fields.map((field) => ({
      value: field.name,
      label: choiceText(controller, field),
      selected: columns[index] === field.name,
    })),
  };
}

function choiceText(controller: ResourceController, { label, forNew, forStored }: ImportField): string {
  const modes = allowedModes(controller);
  if (modes.length < 2 || (forNew && forStored)) return label;
  const kind = forNew ? "only_new" : forStored ? "only_stored" : "only_key";
  return controller.t(`resource.import.${kind}`, { field: label });
}

/** What rows do, and by what they find their records. */
function rowsView(controller: ResourceController, fields: readonly ImportField[], chosen: ImportMapping): FieldView {
  const keys = fields.filter(({ isKey }) => isKey);
  const name = inSentence(controller, labelsFor(controller, controller.registration).one);
  const choices = allowedModes(controller).flatMap((mode) => {
    const text = (field?: string) => controller.t(`resource.import.rows.${mode}`, { name, field });
    return mode === "create"
      ? [{ value: rowsValue(mode, null), label: text() }]
      : keys.map((key) => ({ value: rowsValue(mode, key.name), label: text(key.label) }));
  });
  const value = rowsValue(chosen.mode, chosen.key);
  return radioView(controller, { name: "rows", choices, value });
}

function errorsView(controller: ResourceController, { total }: ImportContent, { atOnce }: ImportMapping): FieldView {
  const most = rowsAtOnce(controller.resources.database);
  const choices = (total > most ? ["skip"] : ["skip", "undo"]).map((value) => ({
    value,
    label: controller.t(`resource.import.failing.${value}`),
  }));
  const view = radioView(controller, { name: "failing", choices, value: atOnce ? "undo" : "skip" });
  const hint = most === 0 ? "single" : "hint";
  return { ...view, hint: controller.t(`resource.import.failing.${hint}`, { count: numberText(controller, most) }) };
}
