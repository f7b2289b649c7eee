import { withoutText } from "../support/list_literal.ts";
import { type ObjectLiteral, objectAt } from "../support/object_literal.ts";
import type { Upgrade } from "./upgrade.ts";

/** The options of a call in the list of plugins. */
export interface CalledOptions {
  at: number;
  literal: ObjectLiteral | undefined;
  /** The argument as it is written. */
  argument: string;
}

/** The options of a call: a literal in its place, or that of a constant of the file. */
export function optionsOf(text: string, at: number, from: number): CalledOptions {
  const literal = objectAt(text, from);
  const name = /^\s*([\w$]+)\s*,?\s*\)/.exec(text.slice(from))?.[1];
  const constant = new RegExp(`\\bconst ${name}\\b[^=;]*=(?=\\s*\\{)`).exec(withoutText(text));
  const named = name !== undefined && constant ? objectAt(text, constant.index + constant[0].length) : undefined;
  return { at, literal: literal ?? named, argument: text.slice(from, endOfCall(text, from)) };
}

function endOfCall(text: string, from: number): number {
  const code = withoutText(text);
  let depth = 1;
  for (let at = from; at < code.length; at++) {
    if ("([{".includes(code[at]!)) depth++;
    if (")]}".includes(code[at]!) && --depth === 0) return at;
  }
  return from;
}

/** The text that declares a name: the rest of the statement here, or the file of the application that it is imported from. */
export function sourceOf({ changes }: Upgrade, text: string, name: string): string | undefined {
  const declared = new RegExp(`\\b(?:const|let|var) ${name}\\b[\\s\\S]*?;`).exec(text)?.[0];
  const from = new RegExp(`^import\\b[^;"']*\\b${name}\\b[^;"']*from\\s*["'](?:\\./|#)([^"']+)["']`, "m").exec(
    text,
  )?.[1];
  const imported = from === undefined ? undefined : changes.read(from);
  return declared ?? (imported === undefined ? undefined : withoutText(imported));
}
