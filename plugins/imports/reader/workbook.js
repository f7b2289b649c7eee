import { posix } from "node:path";
import { readFormats } from "./number_formats.js";
import { Refused } from "./refused.js";
import { SharedTexts } from "./shared_texts.js";
import { candidates, MAX_NAME_CHARS, readFirst } from "./sheet_choice.js";
import { SheetRows } from "./sheet_rows.js";

const TYPES = "[Content_Types].xml";

/** Reads one sheet of a workbook: the one that is named, else the first that is visible and has cells. Returns its name and all sheets. @throws Refused */
export async function readWorkbook(archive, budget, { sheet, limits }, writer) {
  const book = await openBook(archive, budget, limits);
  const read = await readFirst(candidates(book.sheets, sheet), writer, async ({ path }) => {
    const rows = new SheetRows(book, writer, limits);
    await budget.read(archive, path, {
      open: (name, attributes) => rows.open(name, attributes),
      text: (text) => rows.text(text),
      close: (name) => rows.close(name),
      after: () => writer.flush(),
    });
  });
  const sheets = book.sheets.map(({ name, isHidden }) => ({ name, isHidden }));
  return { format: "xlsx", sheet: read.name, sheets, otherSheets: book.otherSheets };
}

async function openBook(archive, budget, limits) {
  if (archive.has(TYPES)) await budget.read(archive, TYPES, { open() {} });
  const root = await readLinks(archive, "", budget);
  const path = root.find(({ type }) => type === "officeDocument")?.target ?? "xl/workbook.xml";
  if (!archive.has(path)) throw new Refused("sheet_invalid");
  const links = await readLinks(archive, path, budget);
  const { sheets, is1904 } = await readSheets(archive, path, budget, limits);
  const byId = new Map(links.map((link) => [link.id, link]));
  const tables = sheets.flatMap(({ id, ...sheet }) => {
    const link = byId.get(id);
    return link?.type === "worksheet" && archive.has(link.target) ? [{ ...sheet, path: link.target }] : [];
  });
  const otherSheets = sheets.filter(({ id }) => byId.get(id)?.type === "chartsheet").map(({ name }) => name);
  if (tables.length === 0) throw new Refused("sheet_none");
  const partOf = (type) => {
    const linked = links.find((link) => link.type === type)?.target ?? `xl/${type}.xml`; // where nearly all have it
    return archive.has(linked) ? linked : undefined;
  };
  const [styles, shared] = [partOf("styles"), partOf("sharedStrings")];
  const kinds = styles === undefined ? [] : await readFormats(archive, styles, budget);
  const texts = shared === undefined ? undefined : await SharedTexts.read(archive, shared, budget, limits);
  return { sheets: tables, otherSheets, is1904, kinds, texts };
}

/** What a part of a workbook refers to, by the end of its type; `""`: the archive itself. */
async function readLinks(archive, path, budget) {
  const folder = posix.dirname(path);
  const name = path === "" ? "_rels/.rels" : posix.join(folder, "_rels", `${posix.basename(path)}.rels`);
  const links = [];
  if (!archive.has(name)) return links;
  await budget.read(archive, name, {
    open(tag, attributes) {
      if (tag !== "Relationship" || attributes.TargetMode === "External") return;
      const target = String(attributes.Target ?? "").replaceAll("\\", "/");
      const type = String(attributes.Type ?? "")
        .split("/")
        .at(-1);
      links.push({
        id: attributes.Id,
        type,
        target: target.startsWith("/") ? target.slice(1) : posix.join(folder, target),
      });
    },
  });
  return links;
}

async function readSheets(archive, path, budget, limits) {
  const sheets = [];
  let is1904 = false;
  await budget.read(archive, path, {
    open(tag, attributes) {
      if (tag === "workbookPr") is1904 = isTrue(attributes.date1904);
      if (tag !== "sheet") return;
      const name = String(attributes.name ?? "");
      if (name.length > MAX_NAME_CHARS) throw new Refused("sheet_invalid");
      if (sheets.length >= limits.parts) throw new Refused("sheet_parts", { count: limits.parts });
      const id = Object.entries(attributes).find(([key]) => /^\w+:id$/.test(key))?.[1];
      sheets.push({ name, id, isHidden: /^(?:very)?hidden$/i.test(attributes.state ?? "") });
    },
  });
  return { sheets, is1904 };
}

const isTrue = (value = "") => ["1", "true", "on"].includes(value.trim().toLowerCase());
