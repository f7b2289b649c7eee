import type { Rules } from "framewright/plugins/database";

/** What texts of a record contain: the mark of its tenant, and a number that tells one record's unique values from another's. */
export interface Mark {
  readonly text: string;
  readonly count: number;
}
/** The column that a text is for; `as`: the type of its field. */
export interface TextColumn {
  readonly name: string;
  readonly maxLength?: number | undefined;
  readonly as?: string | undefined;
  readonly rules?: Rules | undefined;
}

/** Texts for a column, the likeliest first, each with the mark and the column's name where its format has room for them. */
export function sampleTexts({ name, maxLength = 255, as, rules = {} }: TextColumn, mark: Mark): string[] {
  const { minimum = 0, maximum = maxLength, is } = rules.length ?? {};
  const room = { least: is ?? minimum, most: Math.min(is ?? maximum, maxLength) };
  const likely = typed(as ?? typeByName(name), name, mark);
  const all = [...likely, ...marked(name, mark), ...formats(mark)].flatMap((text) => fitted(text, room));
  return [...new Set(all)];
}

/** What a column's name tells of its format. */
const typeByName = (name: string): string | undefined =>
  /email|mail_address/.test(name)
    ? "email"
    : /(^|_)(url|website|link|homepage)$/.test(name)
      ? "url"
      : /(^|_)(tel|phone|mobile|fax)/.test(name)
        ? "tel"
        : /colou?r|shade/.test(name)
          ? "color"
          : undefined;

/** Texts as inputs of a type take them. */
function typed(as: string | undefined, name: string, { text, count }: Mark): string[] {
  if (as === "email") return [`${text}.${name}.${count}@audit.test`, `${text}.${count}@audit.test`];
  if (as === "url") return [`https://audit.test/${text}/${name}/${count}`, `https://audit.test/${text}/${count}`];
  if (as === "tel") return [`+4131${digits(count)}`];
  if (as === "color") return [color(count)];
  if (as === "uuid") return [uuid(count)];
  if (as === "time") return ["12:00", "12:00:00"];
  if (as === "markdown") return [`**${text}** ${name} ${count}`];
  if (as === "json") return [JSON.stringify({ audit: `${text} ${name} ${count}` }), "{}", "[]"];
  return [];
}

const marked = (name: string, { text, count }: Mark): string[] => [
  `${text} ${name} ${count}`,
  `${text}-${name.replaceAll("_", "-")}-${count}`,
  `${text}_${name}_${count}`,
  `${text}${count}`,
  `${text.toUpperCase()}${count}`,
  `${text}.${name}.${count}@audit.test`,
  `https://audit.test/${text}/${name}/${count}`,
  `${text}.audit.test`,
  `/${text}/${count}`,
  letters(text + count),
  letters(text + count).toUpperCase(),
];

/** Formats without room for a mark: a record of them alone is found by its other columns. */
const formats = ({ count }: Mark): string[] => [
  digits(count),
  ...[4, 5, 6, 8, 10, 13].map((size) => String(count).padStart(size, "1").slice(-size)),
  color(count),
  color(count).slice(1),
  `+4131${digits(count)}`,
  `0${digits(count)}`,
  uuid(count),
  ...["2026-01-31", "2026-01-31T12:00:00Z", "12:00", "12:00:00", "2026", "31.01.2026"],
  ...["en", "de", "en-US", "CH", "EUR", "Europe/Zurich", "https://audit.test/", "audit.test", "192.0.2.1"],
  ...[`A${count}`, `AB-${count}`, `AB-${String(count).padStart(4, "0")}`, `${count}-1`, "1.0.0", "1.5", "10:00-12:00"],
  ...[32, 40, 64].map((size) => count.toString(16).padStart(size, "a")),
  ...["CH9300762011623852957", "A", "a", "x", "1", "0", "{}", "[]", "true", "Audit", "AUDIT"],
];

const digits = (count: number) => String(7_000_000 + count);
const color = (count: number) => `#${((count * 7919) % 0x1000000).toString(16).padStart(6, "0")}`;
const uuid = (count: number) => `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`;
/** The same with letters alone, for formats without digits. */
const letters = (text: string) => text.replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)]!);

/** A text within the lengths that a column takes: filled up, or its end. */
function fitted(text: string, { least, most }: { least: number; most: number }): string[] {
  if (text.length >= least && text.length <= most) return [text];
  if (text.length < least) return least <= most ? [text.padEnd(least, text.at(-1))] : [];
  return /^[\w-]+$/.test(text) ? [text.slice(-most)] : [];
}
