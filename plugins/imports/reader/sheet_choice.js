import { Refused } from "./refused.js";

export const MAX_NAME_CHARS = 255;
const MAX_LISTED = 10;

/** The first of some sheets that has a table. @throws Refused */
export async function readFirst(sheets, writer, read) {
  for (const one of sheets) {
    await read(one);
    if (writer.isTable) return one;
    writer.restart();
  }
  throw new Refused("empty");
}

/** The sheets that are tried, in order: the one that is named, else those that are visible first. @throws Refused */
export function candidates(sheets, chosen) {
  if (chosen === undefined) return [...sheets].sort((a, b) => Number(a.isHidden) - Number(b.isHidden));
  const found = sheets.find(({ name }) => name === chosen);
  if (found) return [found];
  throw new Refused("sheet_unknown", { sheet: chosen.slice(0, MAX_NAME_CHARS), sheets: listed(sheets) });
}

const listed = (sheets) =>
  sheets
    .slice(0, MAX_LISTED)
    .map(({ name }) => name)
    .join(", ") + (sheets.length > MAX_LISTED ? ", …" : "");
