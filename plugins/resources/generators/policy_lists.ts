import type { Changes } from "framewright/generators";
import { type Span, spanFrom, withoutText } from "../../../generators/toolkit/index.ts";
import { listed } from "../../database/generators/toolkit/index.ts";

/** `inherited`: the policy's class has no list of its own, or begins with that of its base. `unreadable`: it is no plain list of names. */
export type ListEdit = "edited" | "unchanged" | "inherited" | "unreadable";

const lists = ["Create", "Update", "New", "Edit", "Read", "Index", "Show"] as const;
/** The lists of attributes that a policy can have. */
export type PolicyList = (typeof lists)[number];
/** What comes last in a list. */
export const stamps: ReadonlySet<string> = new Set(["created_at", "updated_at"]);

export const methodOf = (list: PolicyList): string => `permittedAttributesFor${list}`;

/** The lists that a policy's class declares itself and that lack one of the names. */
export const listsWithout = (text: string, names: readonly string[]): PolicyList[] =>
  lists.filter((list) => {
    const body = bodyOf(text, methodOf(list));
    return (
      body !== undefined && names.some((name) => !text.slice(body.open, body.close).includes(JSON.stringify(name)))
    );
  });

/** The names of a list that a policy's class declares itself, as `return ["a", "b"];`; undefined for any other form. */
export function namesIn(text: string, list: PolicyList): string[] | undefined {
  const body = bodyOf(text, methodOf(list));
  const literal = body && /^\s*return \[([^\]]*)\];?\s*$/.exec(text.slice(body.open + 1, body.close));
  if (!literal || /\/\/|\/\*|\.\.\./.test(literal[1]!)) return undefined;
  return [...literal[1]!.matchAll(/["'`]([^"'`]*)["'`]/g)].map(([, name]) => name!);
}

/** Adds names to a list of a policy, before its timestamps. Only `return ["a", "b"];` is edited. */
export function addToList(changes: Changes, path: string, list: PolicyList, names: readonly string[]): ListEdit {
  const text = changes.read(path) ?? "";
  const body = bodyOf(text, methodOf(list));
  if (!body) return "inherited";
  const code = withoutText(text).slice(body.open + 1, body.close);
  if (new RegExp(`\\.\\.\\.super\\.${methodOf(list)}\\(\\)`).test(code)) return "inherited";
  const literal = /^\s*return \[([\s,]*)\];?\s*$/.exec(code);
  if (!literal) return "unreadable";
  const open = body.open + 1 + code.indexOf("[");
  const close = open + 1 + literal[1]!.length;
  const inside = text.slice(open + 1, close);
  if (/\/\/|\/\*/.test(inside)) return "unreadable";
  const present = [...inside.matchAll(/["'`]([^"'`]*)["'`]/g)].map(([, name]) => name!);
  const missing = names.filter((name) => !present.includes(name));
  if (missing.length === 0) return "unchanged";
  const end = present.findLastIndex((name) => !stamps.has(name)) + 1;
  const added = listed([...present.slice(0, end), ...missing, ...present.slice(end)]);
  changes.edit(path, (before) => before.slice(0, open) + added + before.slice(close + 1));
  return "edited";
}

/** The braces of a method. */
function bodyOf(text: string, method: string): Span | undefined {
  const found = new RegExp(`^[ \\t]*(?:override )?${method}\\s*\\(\\)[^{;]*\\{`, "m").exec(withoutText(text));
  return found ? spanFrom(text, found.index + found[0].length - 1) : undefined;
}
