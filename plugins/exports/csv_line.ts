/** What a spreadsheet would run as a formula, also in the wide forms that some of them take for the same signs; and such a text with apostrophes before it. */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Between the labels of several records. */
export const SEPARATOR = "; ";

/** The labels of several records in one cell; one that has the sign between them is in quotation marks. */
export const joinLabels = (labels: readonly string[]): string =>
  labels.map((label) => (/;|^["\s]|\s$/.test(label) ? `"${label.replaceAll('"', '""')}"` : label)).join(SEPARATOR);

/** The labels that a cell has by `joinLabels`. */
export const splitLabels = (text: string): string[] =>
  [...text.matchAll(/\s*(?:"((?:[^"]|"")*)"(?=\s*(?:;|$))|([^;]*))\s*(?:;|$)/g)]
    .slice(0, -1)
    .map(([, quoted, plain = ""]) => quoted?.replaceAll('""', '"') ?? plain.trim());

/** Whether a text gets an apostrophe in a file, which makes a text of a formula. One that has some already gets another, so that one can be removed again. */
export const isFormula = (text: string): boolean => FORMULA.test(text) && !PLAIN_NUMBER.test(text);

/** A record of RFC 4180. An apostrophe before a formula makes a text of it; numbers stay as they are. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

function csvCell(text: string): string {
  const plain = isFormula(text) ? `'${text}` : text;
  return /[",;\r\n\t]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
