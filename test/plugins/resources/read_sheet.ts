import { inflateRawSync } from "node:zlib";

/** The files of a ZIP archive, by name, as text. */
function unzip(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  let at = bytes.readUInt32LE(bytes.lastIndexOf("PK\x05\x06", undefined, "latin1") + 16);
  while (bytes.readUInt32LE(at) === 0x02014b50) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(start, start + size);
    files.set(
      bytes.subarray(at + 46, at + 46 + name).toString(),
      (method === 0 ? packed : inflateRawSync(packed)).toString(),
    );
    at += 46 + name + extra + comment;
  }
  return files;
}

const plain = (xml: string): string =>
  xml.replace(/&(?:lt|gt|quot|apos|amp|#(\d+));/g, (entity, code) =>
    code ? String.fromCharCode(Number(code)) : entities[entity]!,
  );
const entities: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" };

/** All texts of a spreadsheet. */
export const textsOf = (bytes: Buffer): string[] =>
  [...(unzip(bytes).get("xl/sharedStrings.xml") ?? "").matchAll(/<si>(.*?)<\/si>/gs)].map(([, si]) =>
    plain([...si!.matchAll(/<t[^>]*>(.*?)<\/t>/gs)].map(([, text]) => text).join("")),
  );

export type ReadCell = { text: string } | { boolean: boolean } | { number: number; format: string } | null;

/** The cells of the first sheet, as a program that reads it sees them. @throws for a formula */
export function sheetOf(bytes: Buffer): ReadCell[][] {
  const files = unzip(bytes);
  const texts = textsOf(bytes);
  const styles = files.get("xl/styles.xml")!;
  const codes = new Map(
    [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id!, plain(code!)]),
  );
  const [, cellStyles = ""] = /<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(styles)!;
  const formats = [...cellStyles.matchAll(/<xf ([^>]*)>/g)].map(([, tag]) => {
    const id = /numFmtId="(\d+)"/.exec(tag!)?.[1];
    return id === undefined ? "General" : (codes.get(id) ?? id);
  });
  const sheet = files.get("xl/worksheets/sheet1.xml")!;
  if (sheet.includes("<f>")) throw new Error("it has a formula");
  return [...sheet.matchAll(/<row [^>]*?(?:\/>|>(.*?)<\/row>)/gs)].map(([, row]) => {
    const cells: ReadCell[] = [];
    for (const [, tag, value] of (row ?? "").matchAll(/<c ([^>]*?)(?:\/>|>(?:<v>(.*?)<\/v>)?<\/c>)/gs)) {
      const attribute = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag!)?.[1];
      const column = columnOf(attribute("r")!);
      while (cells.length < column) cells.push(null);
      if (value === undefined) cells.push(null);
      else if (attribute("t") === "s") cells.push({ text: texts[Number(value)]! });
      else if (attribute("t") === "b") cells.push({ boolean: value === "1" });
      else cells.push({ number: Number(value), format: formats[Number(attribute("s") ?? 0)]! });
    }
    return cells;
  });
}

/** "B7" -> 1 */
const columnOf = (place: string): number =>
  [...place.replace(/\d+/, "")].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** What a spreadsheet shows of the number of a moment: "2026-07-01T14:00:00". */
export const momentOf = (number: number): string =>
  new Date(Math.round((number - 25_569) * 86_400_000)).toISOString().slice(0, 19);
