import { type ImportStatement, statementsOf } from "../../support/import_statements.ts";
import { withoutText } from "../../support/list_literal.ts";
import type { Upgrade, UpgradeStep } from "../upgrade.ts";

const FROM = "framewright/plugins/resources";
interface Moved {
  capability: string;
  module: string;
  name: string;
}
/** Types that moved out of `framewright/plugins/resources`. */
const moved: Readonly<Record<string, Moved>> = {
  BackgroundOptions: {
    capability: "backgroundRuns",
    module: "framewright/plugins/background_runs",
    name: "BackgroundRunsOptions",
  },
  BackgroundRuns: {
    capability: "backgroundRuns",
    module: "framewright/plugins/background_runs",
    name: "BackgroundRuns",
  },
  ExportOptions: { capability: "exports", module: "framewright/plugins/exports", name: "ExportOptions" },
};
const names = Object.keys(moved).join("|");
const inline = new RegExp(`import\\(\\s*["']${FROM}["']\\s*\\)\\s*\\.\\s*(${names})\\b`, "g");

const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** Rewrites imports of types that moved. The name in the file stays as it is. */
export const moveTypes: UpgradeStep = (upgrade) => {
  for (const file of upgrade.sources()) {
    const text = upgrade.changes.read(file) ?? "";
    if (!text.includes(FROM) || !new RegExp(`\\b(?:${names})\\b`).test(text)) continue;
    for (const statement of statementsOf(text, FROM).toReversed()) moveNames(upgrade, file, text, statement);
    moveInline(upgrade, file);
  }
};

function moveNames(upgrade: Upgrade, file: string, text: string, statement: ImportStatement): void {
  if (statement.namespace !== undefined) leaveNamespace(upgrade, file, text, statement.namespace);
  const found = statement.names.filter(({ name }) => Object.hasOwn(moved, name));
  if (found.length === 0) return;
  for (const { name } of found) {
    const { capability, module, name: now } = moved[name]!;
    upgrade.rewrites(capability, file, statement.start, `the type ${name} is ${now} of "${module}"`);
  }
  const lines = [
    withoutNames(
      text,
      statement,
      found.map(({ name }) => name),
    ),
    ...importsOf(statement, found),
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

function importsOf({ keyword }: ImportStatement, found: readonly { name: string; local: string }[]): string[] {
  const modules = new Set(found.map(({ name }) => moved[name]!.module));
  return [...modules].map((module) => {
    const written = found
      .filter(({ name }) => moved[name]!.module === module)
      .map(({ name, local }) => (moved[name]!.name === local ? local : `${moved[name]!.name} as ${local}`));
    return `${keyword} type { ${written.join(", ")} } from "${module}";`;
  });
}

/** `import("framewright/plugins/resources").ExportOptions` */
function moveInline(upgrade: Upgrade, file: string): void {
  const text = upgrade.changes.read(file)!;
  const code = withoutText(text);
  const found = [...text.matchAll(inline)].filter(({ index }) => code[index]!.trim() !== "");
  for (const { 0: whole, 1: name, index } of found.toReversed()) {
    const { capability, module, name: now } = moved[name!]!;
    upgrade.rewrites(capability, file, index, `the type ${name} is ${now} of "${module}"`);
    const end = index + whole.length;
    upgrade.changes.edit(file, (old) => `${old.slice(0, index)}import("${module}").${now}${old.slice(end)}`);
  }
}

function leaveNamespace(upgrade: Upgrade, file: string, text: string, namespace: string): void {
  const used = new RegExp(`\\b${namespace}\\s*\\.\\s*(${names})\\b`, "g");
  for (const { 1: name, index } of withoutText(text).matchAll(used)) {
    const { capability, module, name: now } = moved[name!]!;
    const line = `import type { ${now} } from "${module}";`;
    upgrade.leaves(capability, file, index, `${namespace}.${name} moved. Write ${now}, with ${line}`);
  }
}
