import { Refused } from "./refused.js";

/** Styles of cells that a workbook has at most. */
const MAX_STYLES = 65_536;
const BUILT_IN = new Map();
for (const id of [14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 57, 58])
  BUILT_IN.set(id, "day");
for (const id of [18, 19, 20, 21, 32, 33, 55, 56]) BUILT_IN.set(id, "time");
for (const id of [45, 46, 47]) BUILT_IN.set(id, "duration");
/** What stands for itself in a format: quoted texts, escaped signs, colours, currencies and conditions. */
const LITERAL = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

/** What the number of a cell is by its format: `day` (with or without its time), `time`, `duration`; undefined for a figure. */
export function kindOfFormat(code) {
  const signs = code.slice(0, 255).split(";")[0].replace(LITERAL, "").toLowerCase();
  if (signs === "general") return undefined;
  if (/\[(?:h+|m+|s+)\]/.test(signs)) return "duration";
  const plain = signs.replace(/am\/pm|a\/p/g, "h");
  if (/[yd]/.test(plain)) return "day";
  if (/h/.test(plain)) return "time";
  if (/s/.test(plain)) return "duration";
  return /m/.test(plain) ? "day" : undefined;
}

/** What the styles of a workbook make of numbers, by their places. @throws Refused */
export async function readFormats(archive, name, budget) {
  const codes = new Map();
  const kinds = [];
  let isCellStyle = false;
  await budget.read(archive, name, {
    open(tag, attributes) {
      const id = Number(attributes.numFmtId);
      if (tag === "numFmt") codes.set(id, String(attributes.formatCode ?? ""));
      else if (tag === "cellXfs") isCellStyle = true;
      else if (tag === "xf" && isCellStyle && kinds.push(id) > MAX_STYLES) throw new Refused("sheet_complex");
    },
    close(tag) {
      if (tag === "cellXfs") isCellStyle = false;
    },
  });
  return kinds.map((id) => (codes.has(id) ? kindOfFormat(codes.get(id)) : BUILT_IN.get(id)));
}
