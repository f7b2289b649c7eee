import { errors } from "../errors.ts";
import type { Changes } from "./changes.ts";
import { withoutComments, withoutText } from "./list_literal.ts";

/** Characters that a line has at most. */
const MAX_LINE_CHARS = 120;

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
  /** What the scope is, as a comment states it. */
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

/** Puts a definition under a heading of the sidebar, unless it has one. */
export function addGroup(changes: Changes, path: string, group: string): void {
  changes.edit(path, (text) =>
    text.includes("override group")
      ? text
      : text.replace(/^ {2}override configure\(\)/m, (line) => `  override group = "${group}";\n\n${line}`),
  );
}

const CONFIGURE = /^([ \t]*)super\.configure\(\);[ \t]*\n/m;
/** Whether a definition has a line `super.configure();`. */
export const hasConfigure = (changes: Changes, path: string): boolean => CONFIGURE.test(changes.read(path) ?? "");

/** Adds a line below `super.configure();` of a definition, unless it has it. False where there is no such line. */
export function addToConfigure(changes: Changes, path: string, line: string): boolean {
  if (changes.read(path)?.includes(line)) return true;
  if (!hasConfigure(changes, path)) return false;
  changes.edit(path, (before) => before.replace(CONFIGURE, (whole, indent: string) => `${whole}${indent}${line}\n`));
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
    const bare = (name: string) => name.replace("type ", "");
    const missing = names.filter((name) => !present.includes(name) && !present.includes(bare(name)));
    if (missing.length === 0) return text;
    const sorted = [...present, ...missing].sort((a, b) => bare(a).localeCompare(bare(b), "en"));
    const short = `import { ${sorted.join(", ")} } from "${module}";`;
    const line =
      short.length <= MAX_LINE_CHARS
        ? short
        : `import {\n${sorted.map((name) => `  ${name},\n`).join("")}} from "${module}";`;
    if (found) return text.slice(0, found.index) + line + text.slice(found.index + found[0].length);
    return `${line}\n${text}`;
  });
}

/** Imports types from a module, by a line of their own. */
export function importTypes(changes: Changes, path: string, module: string, names: readonly string[]): void {
  changes.edit(path, (text) => {
    const found = new RegExp(`^import type \\{([^}]*)\\} from "${module}";\\n`, "m").exec(text);
    const present = (found?.[1] ?? "").split(",").map((name) => name.trim());
    const all = [...new Set([...present, ...names])].filter(Boolean).sort();
    const line = `import type { ${all.join(", ")} } from "${module}";\n`;
    return found ? text.replace(found[0], line) : line + text;
  });
}

/** Imports one name from a module, as `importFrom`; returns its name in the file: `InvitationBase` in that of a class Invitation. */
export function importOne(changes: Changes, path: string, module: string, name: string): string {
  const plain = name.replace("type ", "");
  const local = new RegExp(`\\bclass ${plain}\\b`).test(changes.read(path) ?? "") ? `${plain}Base` : plain;
  importFrom(changes, path, module, [local === plain ? name : `${name} as ${local}`]);
  return local;
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

/** Adds a static to a model, as the first of its class. False where it has one of that name, of another value. @throws FW_PLACE_MISSING */
export function addAddress(changes: Changes, path: string, name: string, code: string): boolean {
  const text = changes.read(path) ?? "";
  const line = `static override ${name} = ${code};`;
  if (text.includes(line)) return true;
  if (new RegExp(`\\bstatic (?:override )?${name}\\b`).test(withoutText(text))) return false;
  changes.edit(path, (before) => withLine(before, path, line));
  return true;
}

/** Adds a line to a model, as the first of its class, unless it has it. @throws FW_PLACE_MISSING */
export function addMember(changes: Changes, path: string, line: string): void {
  if (!(changes.read(path) ?? "").includes(line)) changes.edit(path, (before) => withLine(before, path, line));
}

/** Whether a model has an entry of a name in one of its statics. */
export function hasStatic(text: string, list: StaticEdit["list"], name: string): boolean {
  const found = objectOf(text, list);
  return found !== undefined && hasEntry(text, found, name);
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

/** Adds a static below those that come before it by convention. */
function withStatic(text: string, path: string, list: string, entry: string): string {
  const short = `static override ${list} = { ${entry} };`;
  const line = isShort(`  ${short}`) ? short : `static override ${list} = {\n    ${entry},\n  };`;
  const above = statics
    .slice(0, statics.indexOf(list))
    .flatMap((name) => objectOf(text, name) ?? [])
    .at(-1);
  return withLine(text, path, line, above);
}

/** Adds a line to the class, first or below a static. */
function withLine(text: string, path: string, line: string, above?: Span): string {
  const body = classBody(text);
  if (!body) throw errors.FW_PLACE_MISSING(path, line);
  const end = above ? text.indexOf("\n", above.close) : body.open + 1;
  const isInline = !above && text[end] !== "\n";
  return `${text.slice(0, end)}\n  ${line}${isInline ? "\n" : ""}${text.slice(end)}`;
}

/** Whether code has room on one line. */
const isShort = (code: string): boolean => code.length <= MAX_LINE_CHARS && !code.includes("\n");

/** A part of a text between braces. */
export interface Span {
  /** The positions of the braces. */
  open: number;
  close: number;
}

function withAssociation(text: string, path: string, entry: string): string {
  const list = objectOf(text, "associations");
  return list ? withEntry(text, list, entry) : withStatic(text, path, "associations", entry);
}

/** Appends an entry to an object literal; keeps lines, indents and comments, and breaks a line that gets too long. */
export function withEntry(text: string, { open, close }: Span, entry: string): string {
  const indent = /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", open) + 1))![0];
  const code = withoutComments(text).slice(open, close).trimEnd();
  const end = open + code.length;
  const comma = /[{,]$/.test(code) ? "" : ",";
  const rest = text.slice(end, close);
  const isMultiline = text.slice(open, close).includes("\n");
  const added = isMultiline ? `${rest.trimEnd()}\n${indent}  ${entry},\n${indent}` : `${rest.trimEnd()} ${entry} `;
  const after = text.slice(0, end) + comma + added + text.slice(close);
  const lineEnd = after.indexOf("\n", end + comma.length + added.length);
  const line = after.slice(after.lastIndexOf("\n", open) + 1, lineEnd === -1 ? undefined : lineEnd);
  if (isMultiline || isShort(line)) return after;
  const lines = [...entriesIn(text, { open, close }), entry].map((one) => `${indent}  ${one},\n`).join("");
  return `${text.slice(0, open + 1)}\n${lines}${indent}${text.slice(close)}`;
}

/** The entries of an object literal, as they are written. */
function entriesIn(text: string, { open, close }: Span): string[] {
  const code = withoutText(text);
  const ends: number[] = [];
  for (let at = open + 1, depth = 0; at < close; at++) {
    if (")]}".includes(code[at]!)) depth--;
    if ("([{".includes(code[at]!)) depth++;
    if (code[at] === "," && depth === 0) ends.push(at);
  }
  return [...ends, close].map((end, at) => text.slice((ends[at - 1] ?? open) + 1, end).trim()).filter(Boolean);
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
