import { type ImportStatement, statementsOf } from "../../support/import_statements.ts";
import { withoutText } from "../../support/list_literal.ts";
import type { Upgrade, UpgradeStep } from "../upgrade.ts";
import { modulesOfFields } from "./names_of_fields.ts";

const FROM = "framewright/plugins/resources";
const froms = [FROM, `${FROM}/toolkit`];
interface Moved {
  /** The plugin that the application needs for it. */
  capability: string;
  module: string;
  name: string;
  isType?: boolean;
}
const type = (capability: string, folder: string, name: string): Moved => ({
  ...{ capability, module: `framewright/plugins/${folder}`, name, isType: true },
});
/** Names that moved out of `framewright/plugins/resources`. */
const moved: Readonly<Record<string, Moved>> = {
  BackgroundOptions: type("backgroundRuns", "background_runs", "BackgroundRunsOptions"),
  BackgroundRuns: type("backgroundRuns", "background_runs", "BackgroundRuns"),
  ExportOptions: type("exports", "exports", "ExportOptions"),
  ...Object.fromEntries(
    Object.entries(modulesOfFields).map(([name, module]) => [name, { capability: "names", module, name }]),
  ),
};
const names = Object.keys(moved).join("|");
const inline = new RegExp(`import\\(\\s*["']${FROM}(?:/toolkit)?["']\\s*\\)\\s*\\.\\s*(${names})\\b`, "g");

const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** Rewrites imports of names that moved. The name in the file stays as it is. */
export const moveNames: UpgradeStep = (upgrade) => {
  for (const file of upgrade.sources()) {
    const text = upgrade.changes.read(file) ?? "";
    if (!text.includes(FROM) || !new RegExp(`\\b(?:${names})\\b`).test(text)) continue;
    for (const from of froms)
      for (const statement of statementsOf(upgrade.changes.read(file)!, from).toReversed())
        moveStatement(upgrade, file, statement);
    moveInline(upgrade, file);
    moveDeclarations(upgrade, file);
  }
};

/** What is reported of a name that moved. */
const textOf = (name: string): string => {
  const { module, name: now, isType } = moved[name]!;
  return `${isType ? "the type " : ""}${name} is ${now === name ? "" : `${now} `}of "${module}"`;
};

function moveStatement(upgrade: Upgrade, file: string, statement: ImportStatement): void {
  const text = upgrade.changes.read(file)!;
  if (statement.namespace !== undefined) leaveNamespace(upgrade, file, text, statement.namespace);
  const found = statement.names.filter(({ name }) => Object.hasOwn(moved, name));
  if (found.length === 0) return;
  for (const { name } of found) upgrade.rewrites(moved[name]!.capability, file, statement.start, textOf(name));
  const lines = [
    withoutNames(
      text,
      statement,
      found.map(({ name }) => name),
    ),
    ...importsOf(text, statement, found),
  ];
  upgrade.changes.edit(
    file,
    (now) => now.slice(0, statement.start) + lines.filter(Boolean).join("\n") + now.slice(statement.end),
  );
}

/** The statement without these names; "" where no name and no comment is left. */
function withoutNames(text: string, { start, end, list }: ImportStatement, removed: readonly string[]): string {
  const inside = text.slice(list!.start, list!.end);
  const specifier = new RegExp(`^\\s*(?:type\\s+)?(?:${removed.join("|")})(?:\\s+as\\s+\\w+)?\\s*$`);
  let comments = ""; // those beside a removed name stay, before the next one
  const kept = piecesOf(inside).flatMap((written) => {
    if (!specifier.test(withoutText(written))) {
      const whole = comments + written;
      comments = "";
      return [whole];
    }
    comments +=
      written
        .match(comment)
        ?.map((one) => `\n  ${one}`)
        .join("") ?? "";
    return [];
  });
  const rest = (kept.join(",") + comments).trimEnd();
  if (rest === "") return "";
  const isLine = !rest.includes("\n");
  const names = isLine ? `${rest.replace(/,$/, "")} ` : `${rest}${/[,/]$/.test(rest) || comments ? "" : ","}\n`;
  return text.slice(start, list!.start) + names + text.slice(list!.end, end);
}

/** The text between commas that are no part of a comment. */
function piecesOf(inside: string): string[] {
  const commas = [...withoutText(inside).matchAll(/,/g)].map(({ index }) => index);
  return [...commas, inside.length].map((end, index) => inside.slice(index === 0 ? 0 : commas[index - 1]! + 1, end));
}

/** The statements that import moved names, or export them: one for each module. */
function importsOf(text: string, statement: ImportStatement, found: ImportStatement["names"]): string[] {
  const { keyword, start, list } = statement;
  const isOfTypes = /^\w+\s+type\b/.test(text.slice(start, list!.start));
  const inside = text.slice(list!.start, list!.end);
  const isType = (name: string) => isOfTypes || moved[name]!.isType || new RegExp(`\\btype\\s+${name}\\b`).test(inside);
  const modules = new Set(found.map(({ name }) => moved[name]!.module));
  return [...modules].map((module) => {
    const own = found.filter(({ name }) => moved[name]!.module === module);
    const all = own.every(({ name }) => isType(name));
    const written = own.map(({ name, local }) => {
      const now = moved[name]!.name;
      return `${!all && isType(name) ? "type " : ""}${now === local ? local : `${now} as ${local}`}`;
    });
    return `${keyword} ${all ? "type " : ""}{ ${written.join(", ")} } from "${module}";`;
  });
}

/** `import("framewright/plugins/resources").ExportOptions` */
function moveInline(upgrade: Upgrade, file: string): void {
  const text = upgrade.changes.read(file)!;
  const code = withoutText(text);
  const found = [...text.matchAll(inline)].filter(({ index }) => code[index]!.trim() !== "");
  for (const { 0: whole, 1: name, index } of found.toReversed()) {
    const { capability, module, name: now } = moved[name!]!;
    upgrade.rewrites(capability, file, index, textOf(name!));
    const end = index + whole.length;
    upgrade.changes.edit(file, (old) => `${old.slice(0, index)}import("${module}").${now}${old.slice(end)}`);
  }
}

function leaveNamespace(upgrade: Upgrade, file: string, text: string, namespace: string): void {
  const used = new RegExp(`\\b${namespace}\\s*\\.\\s*(${names})\\b`, "g");
  for (const { 1: name, index } of withoutText(text).matchAll(used)) {
    const { capability, module, name: now, isType } = moved[name!]!;
    const line = `import ${isType ? "type " : ""}{ ${now} } from "${module}";`;
    upgrade.leaves(capability, file, index, `${namespace}.${name} moved. Write ${now}, with ${line}`);
  }
}

/** `declare module "framewright/plugins/resources" { interface FieldTypes { … } }`, which types of fields are declared by. */
function moveDeclarations(upgrade: Upgrade, file: string): void {
  const text = upgrade.changes.read(file)!;
  const code = withoutText(text);
  const declared = new RegExp(`declare module (["'])${FROM}\\1 \\{`, "g");
  for (const { 0: head, index } of [...text.matchAll(declared)].toReversed()) {
    const block = blockAt(code, index + head.length);
    const interfaces = [...block.matchAll(/\binterface\s+(\w+)/g)].map(([, name]) => name);
    if (code[index]!.trim() === "" || !interfaces.includes("FieldTypes")) continue;
    const line = `the interface FieldTypes is declared of "${modulesOfFields.FieldTypes}"`;
    if (interfaces.length > 1) {
      upgrade.leaves(
        "names",
        file,
        index,
        `${line}. Give it a block of its own: declare module "${modulesOfFields.FieldTypes}"`,
      );
      continue;
    }
    upgrade.rewrites("names", file, index, line);
    upgrade.changes.edit(
      file,
      (now) => now.slice(0, index) + head.replace(FROM, modulesOfFields.FieldTypes!) + now.slice(index + head.length),
    );
  }
}

/** The code from a position, after an opening brace, to the brace that closes it. */
function blockAt(code: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; end < code.length && depth > 0; end++) depth += { "{": 1, "}": -1 }[code[end]!] ?? 0;
  return code.slice(start, end);
}
