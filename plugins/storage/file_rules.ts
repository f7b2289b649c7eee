import { english, type Locale } from "framewright/host";

/** Name and type of a file, as claimed by its sender. */
export interface ClaimedFile {
  readonly filename: string;
  readonly mimeType: string;
}

/** Whether a file matches one of these types, with the syntax of `accept` in HTML: `.pdf`, `image/*`, `image/png`. */
export const isAccepted = (accept: readonly string[], file: ClaimedFile): boolean =>
  accept.some((one) => matchesType(one, file));

function matchesType(one: string, { filename, mimeType }: ClaimedFile): boolean {
  const wanted = one.toLowerCase();
  if (wanted.startsWith(".")) return filename.toLowerCase().endsWith(wanted);
  const type = mimeType.toLowerCase();
  return wanted.endsWith("/*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}

const units = ["B", "KB", "MB", "GB"];
/** A size for people: `2.4 MB`, or as their language writes it. */
export function sizeText(bytes: number, { numbers }: Locale = english): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const amount = bytes / 1000 ** power;
  return `${numbers.grouped(Number(amount.toFixed(amount < 10 && power > 0 ? 1 : 0)))} ${units[power]}`;
}
