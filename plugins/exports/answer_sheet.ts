import { fileReply, html, type Reply, type SafeHtml, unprocessable } from "framewright/host";
import { inSentence, type ResourceController } from "framewright/plugins/resources";
import {
  chrome,
  type Entry,
  type ListRequest,
  ListUrls,
  listLabel,
  numberText,
} from "framewright/plugins/resources/toolkit";
import { hasMoreRows } from "./count_rows.ts";
import { exportsOf } from "./exports_of.ts";
import { sheetColumn } from "./sheet_cell.ts";
import { sheetFile } from "./sheet_file.ts";
import { rowsWrittenOf } from "./written_rows.ts";

/** What an XLSX file has at most: all of it is in memory while it is created. */
const MAX_ROWS = 50_000;
const MAX_CELLS = 1_000_000;
/** Characters of all its texts. */
const MAX_TEXT_CHARS = 30_000_000;
const maxRows = (columns: number): number => Math.min(MAX_ROWS, Math.floor(MAX_CELLS / Math.max(1, columns)));
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** An answer that reports it, for more rows than a file of so many columns may have. @throws HttpError 422 for a program */
export async function refuseLongSheet(
  controller: ResourceController,
  list: ListRequest,
  columns: number,
): Promise<Reply | undefined> {
  const most = maxRows(columns);
  return (await hasMoreRows(controller, list, most))
    ? refuse(controller, list, tooLongText(controller, most))
    : undefined;
}

/** A page that offers CSV instead. @throws HttpError 422 for a program */
function refuse(controller: ResourceController, list: ListRequest, text: string): Promise<Reply> | Reply {
  const { isBackground } = controller.request;
  if (isBackground || controller.request.header("accept")?.includes("text/html") !== true)
    throw unprocessable(text, { base: [text] });
  const name = inSentence(controller, listLabel(controller, controller.about));
  const title = controller.t("resource.export.page_title", { name });
  const url = new ListUrls(controller, list).exported("csv");
  return controller.render("destroy_confirm", {
    status: 422,
    locals: { ...chrome(controller, { title }), confirmation: csvInstead(controller, { title, text, url }) },
  });
}

interface Instead {
  readonly title: string;
  readonly text: string;
  readonly url: string;
}
const csvInstead = (controller: ResourceController, { title, text, url }: Instead): SafeHtml =>
  html`<section class="fw-confirmation"><h1>${title}</h1><p>${text}</p><div class="fw-dialog-actions"><a class="btn" href="${controller.listUrl}">${controller.t("framework.back")}</a><a class="btn btn-primary" href="${url}" data-turbo="false">${controller.t("resource.export.instead")}</a></div></section>`;

/** What is exported. */
interface ExportedList {
  readonly list: ListRequest;
  readonly names: readonly string[];
  readonly filename: string;
}
/** The rows have become more than a file may have. */
class TooMuch extends Error {}

/** The rows as a spreadsheet: numbers, days and times as such, texts as texts, choices as people see them. */
export async function answerSheet(
  controller: ResourceController,
  { list, names, filename }: ExportedList,
  batches: AsyncIterable<readonly Entry[]>,
): Promise<Reply> {
  if (controller.request.method === "HEAD") return controller.answer(fileReply({ filename, type: TYPE, content: "" }));
  const columns = names.map((name) => sheetColumn(controller, controller.registration.attribute(name)));
  const rowsWritten = rowsWrittenOf(controller);
  const most = maxRows(columns.length);
  const rows = async function* () {
    let [count, chars] = [0, 0];
    for await (const entries of batches) {
      count += entries.length;
      if (count > most) throw new TooMuch(tooLongText(controller, most)); // more came since they were counted
      const cells = entries.map((entry) => columns.map((column) => column.cell(entry)));
      for (const cell of cells.flat()) if (typeof cell === "string") chars += cell.length;
      if (chars > MAX_TEXT_CHARS) throw new TooMuch(tooMuchText(controller));
      yield cells;
      await rowsWritten?.(entries.length);
    }
  };
  const sheet = { name: listLabel(controller, controller.about), labels: columns.map(({ label }) => label) };
  const { sheetTurns } = exportsOf(controller).settings;
  try {
    const content = await sheetTurns.run(() => sheetFile(sheet, rows()));
    return controller.answer(fileReply({ filename, type: TYPE, content }));
  } catch (error) {
    if (error instanceof TooMuch) return refuse(controller, list, error.message);
    throw error;
  }
}

const tooLongText = (controller: ResourceController, most: number): string =>
  controller.t("resource.export.too_long", { count: numberText(controller, most) });

const tooMuchText = (controller: ResourceController): string =>
  controller.t("resource.export.too_much_text", { count: numberText(controller, MAX_TEXT_CHARS) });
