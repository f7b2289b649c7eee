import { errors } from "../errors.ts";
import type { Changes } from "./changes.ts";
import { withoutComments, withoutText } from "./list_literal.ts";

/** An association to add to a model. */
export interface AssociationEdit {
  name: string;
  /** As in `hasOne({ class: "UserProfile" })`. */
  code: string;
}

/** Adds associations to a model's class, unless it has them by name, and imports their functions. @throws FW_PLACE_MISSING */
export function addAssociations(changes: Changes, path: string, associations: readonly AssociationEdit[]): void {
  for (const { name, code } of associations) {
    const text = changes.read(path) ?? "";
    const list = objectOf(text, "associations");
    if (list && hasEntry(text, list, name)) continue;
    changes.edit(path, (before) => withAssociation(before, path, `${name}: ${code}`));
    importFrom(changes, path, "framewright/plugins/database", [/^\w+/.exec(code)![0]]);
  }
}

/** A named scope to add to a model. */
export interface ScopeEdit {
  name: string;
  /** What the scope is, as a comment says it. */
  summary: string;
  /** As in `(query: Query<Post>) => query.whereNotNull("published_at")`. */
  code: string;
}

/** Adds a named scope to a model's class, unless it has one of that name. @throws FW_PLACE_MISSING */
export function addScope(changes: Changes, path: string, { name, summary, code }: ScopeEdit): void {
  const text = changes.read(path) ?? "";
  const list = objectOf(text, "scopes");
  if (!list) {
    const member = `  /** ${summary} */\n  static override scopes = {\n    ${name}: ${code},\n  };`;
    addMembers(changes, path, `${name}:`, member);
    return;
  }
  if (hasEntry(text, list, name)) return;
  changes.edit(path, (before) => withEntry(before, objectOf(before, "scopes")!, `${name}: ${code}`));
}

/** Adds code above the closing brace of the file's exported class, unless `mark` is in the file. @throws FW_PLACE_MISSING */
export function addMembers(changes: Changes, path: string, mark: string, code: string): void {
  changes.edit(path, (text) => {
    if (text.includes(mark)) return text;
    const body = classBody(text);
    if (!body) throw errors.FW_PLACE_MISSING(path, code);
    const before = text.slice(0, body.close).trimEnd();
    const gap = before.endsWith("{") ? "\n" : "\n\n";
    return `${before}${gap}${code.trimEnd()}\n${text.slice(body.close)}`;
  });
}

/** Adds a line below `super.configure();` of a definition, unless it has it. False where there is no such line. */
export function addToConfigure(changes: Changes, path: string, line: string): boolean {
  const configure = /^([ \t]*)super\.configure\(\);[ \t]*\n/m;
  const text = changes.read(path);
  if (text?.includes(line)) return true;
  if (text === undefined || !configure.test(text)) return false;
  changes.edit(path, (before) => before.replace(configure, (whole, indent: string) => `${whole}${indent}${line}\n`));
  return true;
}

/** Adds names to the file's import from a module, or the import. `type X` is a type. */
export function importFrom(changes: Changes, path: string, module: string, names: readonly string[]): void {
  changes.edit(path, (text) => {
    const found = new RegExp(`^import \\{([^}]*)\\} from "${module}";$`, "m").exec(text);
    const present = (found?.[1] ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean);
    const missing = names.filter((name) => !present.includes(name) && !present.includes(name.replace("type ", "")));
    if (missing.length === 0) return text;
    const bare = (name: string) => name.replace("type ", "");
    const sorted = [...present, ...missing].sort((a, b) => bare(a).localeCompare(bare(b), "en"));
    const line = `import { ${sorted.join(", ")} } from "${module}";`;
    if (found) return text.slice(0, found.index) + line + text.slice(found.index + found[0].length);
    return `${line}\n${text}`;
  });
}

/** An entry of an object in a model. */
export interface StaticEdit {
  list: "associations" | "money" | "enums" | "validations";
  name: string;
  code: string;
}
const statics = ["associations", "money", "enums", "defaults", "validations"];

/** Adds an entry to a static of a model, or the static with it, unless it is there by name. False where the static is no object literal. @throws FW_PLACE_MISSING */
export function addStatic(changes: Changes, path: string, { list, name, code }: StaticEdit): boolean {
  const text = changes.read(path) ?? "";
  const present = objectOf(text, list);
  if (!present && new RegExp(`\\bstatic (?:override )?${list}\\b`).test(withoutText(text))) return false;
  if (present && hasEntry(text, present, name)) return true;
  const entry = `${name}: ${code}`;
  changes.edit(path, (before) => (present ? withEntry(before, present, entry) : withStatic(before, path, list, entry)));
  return true;
}

/** Whether an object literal has an entry of a name; entries of objects inside it don't count. */
function hasEntry(text: string, { open, close }: Span, name: string): boolean {
  let depth = 0;
  const code = [...withoutText(text).slice(open + 1, close)].map((letter) => {
    if (")]}".includes(letter)) depth--;
    const own = depth === 0 ? letter : " ";
    if ("([{".includes(letter)) depth++;
    return own;
  });
  return new RegExp(`(^|[,\\s])${name}\\s*:`).test(code.join(""));
}

/** Adds a static below those that stand before it by convention. */
function withStatic(text: string, path: string, list: string, entry: string): string {
  const line = `static override ${list} = { ${entry} };`;
  const above = statics
    .slice(0, statics.indexOf(list))
    .flatMap((name) => objectOf(text, name) ?? [])
    .at(-1);
  const body = classBody(text);
  if (!body) throw errors.FW_PLACE_MISSING(path, line);
  const end = above ? text.indexOf("\n", above.close) : body.open + 1;
  const isInline = !above && text[end] !== "\n";
  return `${text.slice(0, end)}\n  ${line}${isInline ? "\n" : ""}${text.slice(end)}`;
}

/** A part of a text between braces. */
export interface Span {
  /** The positions of the braces. */
  open: number;
  close: number;
}

function withAssociation(text: string, path: string, entry: string): string {
  const list = objectOf(text, "associations");
  if (list) return withEntry(text, list, entry);
  const body = classBody(text);
  if (!body) throw errors.FW_PLACE_MISSING(path, `static override associations = { ${entry} };`);
  const line = `\n  static override associations = { ${entry} };`;
  return text.slice(0, body.open + 1) + line + text.slice(body.open + 1);
}

/** Appends an entry to an object literal; keeps lines, indents and comments. */
export function withEntry(text: string, { open, close }: Span, entry: string): string {
  const code = withoutComments(text).slice(open, close).trimEnd();
  const end = open + code.length;
  const comma = /[{,]$/.test(code) ? "" : ",";
  const rest = text.slice(end, close);
  const isMultiline = text.slice(open, close).includes("\n");
  const added = isMultiline ? `${rest.trimEnd()}\n    ${entry},\n  ` : `${rest.trimEnd()} ${entry} `;
  return text.slice(0, end) + comma + added + text.slice(close);
}

/** The object literal of a static of the class. */
function objectOf(text: string, name: string): Span | undefined {
  const found = new RegExp(`\\bstatic (?:override )?${name}\\b[^=;{]*=\\s*\\{`).exec(withoutText(text));
  return found ? spanFrom(text, found.index + found[0].length - 1) : undefined;
}

/** The braces of the file's exported class; those in arguments of what it extends belong to no body. */
function classBody(text: string): Span | undefined {
  const code = withoutText(text);
  const start = /\bexport default class\b/.exec(code)?.index ?? code.length;
  for (let at = start, depth = 0; at < code.length; at++) {
    if (code[at] === "{" && depth === 0) return spanFrom(text, at);
    if ("([{".includes(code[at]!)) depth++;
    if (")]}".includes(code[at]!)) depth--;
  }
  return undefined;
}

/** The braces that begin at a position; those in strings and comments are none. */
export function spanFrom(text: string, open: number): Span | undefined {
  const code = withoutText(text);
  for (let at = open, depth = 0; at < code.length; at++) {
    if (code[at] === "{") depth++;
    if (code[at] === "}" && --depth === 0) return { open, close: at };
  }
  return undefined;
}
