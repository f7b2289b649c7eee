/** What a spreadsheet would run as a formula; also in the wide forms that some of them take for the same signs. */
const FORMULA = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** A record of RFC 4180. An apostrophe before a formula makes a text of it; numbers stay as they are. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(",")}\r\n`;

function csvCell(text: string): string {
  const plain = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return /[",;\r\n\t]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
