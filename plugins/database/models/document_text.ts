/** Module-level: found by a document, and freed with it: the text that it was read from, where JavaScript would write its numbers in another way. */
const texts = new WeakMap<object, string>();

/** Whether a text may have a number of more digits than a double keeps, or one that JavaScript writes in another form. */
const mayBeInexact = (text: string): boolean => /[\d.]{16}|\d[eE][+-]?\d|\.\d*0(?!\d)/.test(text);

/** A document of its text, which is written again as it is unless the document was changed. @throws SyntaxError */
export function readDocument(text: string): unknown {
  const value: unknown = JSON.parse(text);
  rememberText(value, text);
  return value;
}

/** Remembers the text that a document was read from, where its numbers would not come out as they are. */
export function rememberText(value: unknown, text: string): void {
  if (typeof value === "object" && value !== null && mayBeInexact(text)) texts.set(value, text);
}

/** The text of a document: to the digit that from which it was read. */
export const documentText = (value: unknown): string => unchangedText(value) ?? JSON.stringify(value);

/** The text that a document was read from, where it has numbers that only the text has, and nothing has changed. */
export function unchangedText(value: unknown): string | undefined {
  const text = typeof value === "object" && value !== null ? texts.get(value) : undefined;
  return text !== undefined && JSON.stringify(JSON.parse(text)) === JSON.stringify(value) ? text : undefined;
}

/** Whether a document has a whole number beyond 2^53, and not the text that it was read from. */
export const hasInexactNumber = (value: unknown): boolean => unchangedText(value) === undefined && isInexactIn(value);

function isInexactIn(value: unknown): boolean {
  if (typeof value === "number")
    return Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(isInexactIn);
}

/** Whether a document was read from a text with a number of more digits than JavaScript has of it. */
export function losesDigits(value: unknown): boolean {
  const text = unchangedText(value);
  if (text === undefined) return hasInexactNumber(value);
  return [...text.matchAll(TOKEN)].some(
    ([token]) => /^[-\d]/.test(token) && digitsOf(token) !== digitsOf(String(Number(token))),
  );
}
/** The digits of a number that count. */
const digitsOf = (text: string): string =>
  text
    .replace(/e.*$/i, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** A document's text as `JSON.stringify(value, null, 2)` lays it out, with its numbers as they are. */
export function layOut(text: string): string {
  let out = "";
  let depth = 0;
  let isEmpty = false;
  const line = () => `\n${"  ".repeat(depth)}`;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "}" || token === "]") {
      depth--;
      out += isEmpty ? token : line() + token;
      isEmpty = false;
      continue;
    }
    if (isEmpty) out += line();
    isEmpty = token === "{" || token === "[";
    if (isEmpty) depth++;
    out += token === ":" ? ": " : token;
    if (token === ",") out += line();
  }
  return out;
}

/** A document's text without white space between its parts: two texts of the same document are the same. */
export const compactDocument = (text: string): string => [...text.matchAll(TOKEN)].join("");
