import { crc32, deflateRawSync } from "node:zlib";

/** A ZIP archive of these files; `size`: what it says that they unpack to. */
export function zip(
  files: Record<string, string | Buffer>,
  { size, flags = 0 }: { size?: number; flags?: number } = {},
): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)];
    const packed = deflateRawSync(content);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(flags, 6);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(crc32(content), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(size ?? content.length, 22);
    head.writeUInt16LE(path.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    head.copy(entry, 6, 4, 30);
    entry.writeUInt32LE(at, 42);
    parts.push(head, path, packed);
    directory.push(entry, path);
    at += head.length + path.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length / 3, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

export const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
export const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
/** The files of a spreadsheet whose first sheet has these rows, as XML. */
export const workbook = (rows: string, more: Record<string, string> = {}): Record<string, string> => ({
  "[Content_Types].xml":
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
  "xl/workbook.xml": `<?xml version="1.0"?><workbook ${main} xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  "xl/worksheets/sheet1.xml": `<?xml version="1.0"?><worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
  ...more,
});
/** A cell with a text. */
export const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
export const plain = `<row r="1">${text("A1", "Reference")}</row><row r="2">${text("A2", "X-1")}</row>`;

/** A cell with a number, and its style. */
export const number = (place: string, value: string, style = 0) => `<c r="${place}" s="${style}"><v>${value}</v></c>`;

interface TestSheet {
  readonly name: string;
  readonly rows?: string;
  readonly state?: string;
  readonly kind?: "worksheet" | "chartsheet";
}

/** The bytes of a workbook with these sheets, and with other parts as they are given. */
export function book(
  sheets: readonly TestSheet[],
  { properties = "", parts = {} }: { properties?: string; parts?: Record<string, string> } = {},
): Uint8Array {
  const listed = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name.replaceAll("&", "&amp;")}" sheetId="${at + 1}"${state ? ` state="${state}"` : ""} r:id="rId${at + 1}"/>`,
  );
  const links = sheets.map(
    ({ kind = "worksheet" }, at) =>
      `<Relationship Id="rId${at + 1}" Type="${relations}/${kind}" Target="${kind}s/sheet${at + 1}.xml"/>`,
  );
  const files = sheets.map(({ rows = "", kind = "worksheet" }, at) => [
    `xl/${kind}s/sheet${at + 1}.xml`,
    kind === "worksheet" ? `<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>` : `<chartsheet ${main}/>`,
  ]);
  return new Uint8Array(
    zip({
      ...workbook(""),
      ...(Object.fromEntries(files) as Record<string, string>),
      "xl/workbook.xml": `<workbook ${main} xmlns:r="${relations}">${properties}<sheets>${listed.join("")}</sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": `<Relationships>${links.join("")}</Relationships>`,
      ...parts,
    }),
  );
}

/** A sheet of an OpenDocument, with these rows as XML. */
export const table = (name: string, ...rows: string[]): string =>
  `<table:table table:name="${name}">${rows.join("")}</table:table>`;
/** The files of an OpenDocument spreadsheet; a sheet of the style `hidden` is not visible. */
export const openDocumentFiles = (...tables: string[]): Record<string, string> => ({
  mimetype: "application/vnd.oasis.opendocument.spreadsheet",
  "content.xml": `<?xml version="1.0"?><office:document-content><office:automatic-styles><style:style style:name="hidden" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>${tables.join("")}</office:spreadsheet></office:body></office:document-content>`,
});
export const openDocument = (...tables: string[]): Uint8Array => new Uint8Array(zip(openDocumentFiles(...tables)));
