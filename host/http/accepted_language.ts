const MAX_RANGES = 20;
const MAX_CHARS = 1000;
const RANGE = /^\s*([a-z]{1,8}(?:-[a-z\d]{1,8})*|\*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i;

interface Range {
  readonly tag: string;
  readonly weight: number;
}

/**
 * The one of the offered locales that an `Accept-Language` header prefers; undefined where it wants none of them. `*` is
 * for the first that is not refused. What can't be read is skipped, and so is what comes after 20 languages.
 * @example acceptedLocale("de-AT, en;q=0.5", ["en", "de"]) // "de"
 */
export function acceptedLocale(header: string, offered: readonly string[]): string | undefined {
  const ranges = rangesOf(header);
  const refused = ranges.filter(({ weight }) => weight === 0).map(({ tag }) => tag);
  const open = offered.filter((locale) => !refused.includes(locale.toLowerCase()));
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
  for (const { tag } of wanted) {
    const found = tag === "*" ? open[0] : matchOf(tag, open);
    if (found !== undefined) return found;
  }
  return undefined;
}

function rangesOf(header: string): Range[] {
  const ranges: Range[] = [];
  for (const part of header.slice(0, MAX_CHARS).split(",", MAX_RANGES)) {
    const [, tag, weight = "1"] = RANGE.exec(part) ?? [];
    if (tag !== undefined) ranges.push({ tag: tag.toLowerCase(), weight: Number(weight) });
  }
  return ranges;
}

/** As RFC 4647 looks up: "de-AT" finds "de-AT", then "de"; a language alone finds one of its countries, too. */
function matchOf(tag: string, offered: readonly string[]): string | undefined {
  for (let range = tag; range !== ""; range = range.slice(0, Math.max(0, range.lastIndexOf("-")))) {
    const found = offered.find((locale) => locale.toLowerCase() === range);
    if (found !== undefined) return found;
  }
  return offered.find((locale) => locale.toLowerCase().startsWith(`${tag}-`));
}
