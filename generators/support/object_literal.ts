import { withoutComments } from "./list_literal.ts";

/** A property of an object literal in source code. */
export interface Property {
  /** Undefined for what has none: a spread, a computed name. */
  key: string | undefined;
  /** With its comments, its comma, and the comment after it. */
  start: number;
  end: number;
  /** Its line's position: that of its key. */
  at: number;
  /** As it is written; of a shorthand its name. */
  value: string;
  /** The comments above it and after it. */
  comments: readonly string[];
}
export interface ObjectLiteral {
  /** The positions of the braces. */
  open: number;
  close: number;
  properties: readonly Property[];
}

/** The object literal that begins at a position; undefined where none does. */
export function objectAt(text: string, from: number): ObjectLiteral | undefined {
  const code = withoutComments(text);
  const open = from + code.slice(from).search(/\S/);
  if (code[open] !== "{") return undefined;
  const commas: number[] = [];
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    const letter = code[at]!;
    if ("([{".includes(letter)) depth++;
    if (letter === "," && depth === 1) commas.push(at);
    if (")]}".includes(letter) && --depth === 0)
      return { open, close: at, properties: propertiesOf(text, code, open, at, commas) };
  }
  return undefined;
}

function propertiesOf(text: string, code: string, open: number, close: number, commas: readonly number[]): Property[] {
  let start = open + 1;
  return [...commas, close].flatMap((edge) => {
    const written = code.slice(start, edge);
    if (written.trim() === "") return [];
    const at = start + written.search(/\S/);
    const property = propertyAt(text, code, { start, at, edge, isLast: edge === close });
    start = property.end;
    return [property];
  });
}

function propertyAt(
  text: string,
  code: string,
  { start, at, edge, isLast }: { start: number; at: number; edge: number; isLast: boolean },
): Property {
  const valueEnd = at + code.slice(at, edge).trimEnd().length;
  const end = endOfLine(text, code, isLast ? valueEnd : edge + 1, isLast ? edge : text.length);
  const written = text.slice(at, valueEnd);
  const [, quoted, plain, colon] = /^(?:["'](\w+)["']|(\w+))\s*(:)?/.exec(written) ?? [];
  const key = quoted ?? plain;
  const after = code.slice(at, valueEnd).indexOf(":") + 1;
  const valueStart = colon === undefined ? 0 : after + code.slice(at + after, valueEnd).search(/\S/);
  return {
    key: colon !== undefined || written === plain ? key : undefined,
    start,
    end,
    at,
    value: written.slice(valueStart),
    comments: [...commentsIn(text.slice(start, at)), ...commentsIn(text.slice(valueEnd, end))],
  };
}

/** The end of the line where nothing but a comment follows, so that the comment belongs to what is before it. */
function endOfLine(text: string, code: string, from: number, limit: number): number {
  const lineEnd = text.indexOf("\n", from);
  const end = lineEnd === -1 || lineEnd > limit ? from : lineEnd;
  return code.slice(from, end).trim() === "" ? end : from;
}

const commentsIn = (text: string): string[] =>
  text.match(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)?.map((one) => one.trim()) ?? [];

/** The literal without these properties; "" where nothing of it is left. */
export function withoutProperties(
  text: string,
  { open, close, properties }: ObjectLiteral,
  removed: readonly Property[],
): string {
  let rest = text.slice(open, close + 1);
  for (const { start, end } of removed.toReversed()) rest = rest.slice(0, start - open) + rest.slice(end - open);
  if (removed.length === properties.length && /^\{[\s,]*\}$/.test(rest)) return "";
  return rest.includes("\n") ? rest : rest.replace(/,\s*\}$/, " }");
}
