import { localNameOf, statementsOf } from "../../support/import_statements.ts";
import { withoutText } from "../../support/list_literal.ts";
import { type ObjectLiteral, type Property, withoutProperties } from "../../support/object_literal.ts";
import { insertPlugin, moduleOf, readPluginList } from "../../support/plugins_config.ts";
import { type CalledOptions, optionsOf, sourceOf } from "../called_options.ts";
import { CONFIG, type Upgrade, type UpgradeStep } from "../upgrade.ts";

/** Options of `resources()` that are plugins by now. */
const movedTo: Readonly<Record<string, string>> = {
  savedViews: "savedViews",
  undoDeletions: "undo",
  background: "backgroundRuns",
  exports: "exports",
};
const switches: ReadonlySet<string> = new Set(["savedViews", "undoDeletions"]);

/** Moves options of `resources()` into the plugins that they became. */
export const moveOptions: UpgradeStep = (upgrade) => {
  const text = upgrade.changes.read(CONFIG) ?? "";
  const name = localNameOf(text, "resources", moduleOf("resources"));
  leaveNamespace(upgrade, text);
  if (name === undefined) return;
  const calls = [...withoutText(text).matchAll(new RegExp(`(?<![.\\w])${name}\\s*\\(`, "g"))];
  const places = calls.map(({ 0: call, index }) => optionsOf(text, index, index + call.length));
  const old = places.filter((place) => movedOf(place.literal).length > 0);
  for (const place of places) leaveUnread(upgrade, text, place);
  if (old.length === 1) moveAll(upgrade, old[0]!.literal!);
  else
    for (const { literal } of old)
      for (const property of movedOf(literal))
        leave(upgrade, property, "several calls of resources() have such options, and one plugin takes them");
};

/** `all.resources(…)` of `import * as all`: nothing of it is read. */
function leaveNamespace(upgrade: Upgrade, text: string): void {
  const isNew = ["search", "shortcuts", "density"].some((name) => text.includes(`"${moduleOf(name)}"`));
  for (const { namespace, start } of statementsOf(text, moduleOf("resources")))
    if (!isNew && namespace !== undefined && withoutText(text).includes(`${namespace}.resources`))
      upgrade.leaves(
        "resources",
        CONFIG,
        start,
        `${namespace}.resources() is not read. Import { resources } by its name, and run fw upgrade again`,
      );
}

const movedOf = (literal: ObjectLiteral | undefined): Property[] =>
  literal?.properties.filter(({ key }) => key !== undefined && Object.hasOwn(movedTo, key)) ?? [];

/** Names what can't be read: options that a spread, a function or another file brings. */
function leaveUnread(upgrade: Upgrade, text: string, { at, literal, argument }: CalledOptions): void {
  const brought = literal
    ? literal.properties.filter(({ key }) => key === undefined).map(({ value }) => value.replace(/^\.\.\./, ""))
    : [argument.trim()].filter((written) => written !== "");
  for (const written of brought) {
    const isName = /^\w+$/.test(written);
    const origin = isName ? (sourceOf(upgrade, text, written) ?? "") : written;
    for (const key of Object.keys(movedTo).filter((one) => new RegExp(`\\b${one}\\b["'\\]]*\\s*[:,}\\n]`).test(origin)))
      upgrade.leaves(
        movedTo[key]!,
        CONFIG,
        at,
        `resources() is given "${key}" by ${isName ? written : "an expression"}. ${whatToWrite(key)}`,
      );
  }
}

const whatToWrite = (key: string): string => {
  const call = switches.has(key) ? `${movedTo[key]}()` : `${movedTo[key]}({ … })`;
  return `Add ${call} of "${moduleOf(movedTo[key]!)}" to the list, and take the option away`;
};

function leave(upgrade: Upgrade, { key, at }: Property, why: string): void {
  upgrade.leaves(movedTo[key!]!, CONFIG, at, `resources() has the option "${key}": ${why}. ${whatToWrite(key!)}`);
}

function moveAll(upgrade: Upgrade, literal: ObjectLiteral): void {
  const text = upgrade.changes.read(CONFIG)!;
  const moved = movedOf(literal).filter((property) => {
    const why = hindrance(text, property);
    if (why !== undefined) leave(upgrade, property, why);
    else
      upgrade.rewrites(
        movedTo[property.key!]!,
        CONFIG,
        property.at,
        `the option "${property.key}" of resources() is the plugin ${movedTo[property.key!]}()`,
      );
    return why === undefined;
  });
  if (moved.length === 0) return;
  const lines = moved.map((property) => ({ property, lineIndent: indentOfLine(text, property.at) }));
  upgrade.changes.edit(CONFIG, (now) => {
    const [before, after] = [now.slice(0, literal.open), now.slice(literal.close + 1)];
    const rest = withoutProperties(now, literal, moved);
    const isWhole = /\(\s*$/.test(before) && /^\s*,?\s*\)/.test(after); // nothing else is the argument
    if (rest !== "" || !isWhole) return before + (rest || "{}") + after;
    return before.trimEnd() + after.replace(/^\s*,?\s*\)/, ")");
  });
  for (const { property, lineIndent } of lines) addPlugin(upgrade, property, lineIndent);
}

const indentOfLine = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))![0];

/** Why an option stays where it is; undefined where it can move. */
function hindrance(text: string, { key }: Property): string | undefined {
  const known = readPluginList(text);
  const name = movedTo[key!]!;
  if (!known) return "the list is not an array within definePlugins([…])";
  if (switches.has(key!)) return undefined;
  if (known.all !== undefined && known.lists(name))
    return `${name}() of ${known.all} takes it. Leave that one out there: ${known.all}.filter((plugin) => plugin.name !== "${moduleOf(name).split("/").at(-1)}")`;
  if (name === "backgroundRuns" && !known.isAlways("jobs") && !known.isAlways("bullmq"))
    return "it needs jobs(), which is not listed, or within a condition";
  const written = entryOf(text, name);
  if (written === undefined && known.lists(name)) return `${name}() is listed within a condition`;
  if (written !== undefined && !isEmptyCall(written)) return `${name}() has options already`;
  return undefined;
}

const isEmptyCall = (written: string): boolean => /^\w+\s*\(\s*\)$/.test(written);

function entryOf(text: string, name: string): string | undefined {
  const local = localNameOf(text, name, moduleOf(name));
  const entry = readPluginList(text)?.list.entries.find((one) => one.name === local);
  return entry && text.slice(entry.start, entry.end);
}

function addPlugin({ changes }: Upgrade, property: Property, lineIndent: string): void {
  const { key, value, comments } = property;
  const name = movedTo[key!]!;
  if (switches.has(key!) && value === "false") return;
  const text = changes.read(CONFIG)!;
  const listed = entryOf(text, name);
  const isSwitch = switches.has(key!);
  if (listed !== undefined) {
    if (!isSwitch) changes.edit(CONFIG, (now) => withArgument(now, name, value, comments));
    return;
  }
  insertPlugin(changes, name, (indent) => {
    const call = isSwitch ? `${name}()` : `${name}(${indented(value, lineIndent, indent ?? lineIndent)})`;
    const entry = isSwitch && value !== "true" ? `...(${value} ? [${call}] : [])` : call;
    return [...comments.map((one) => (indent === undefined ? asBlock(one) : one)), entry].join(
      indent === undefined ? " " : `\n${indent}`,
    );
  });
}

function withArgument(text: string, name: string, value: string, comments: readonly string[]): string {
  const local = localNameOf(text, name, moduleOf(name));
  const { start, end } = readPluginList(text)!.list.entries.find((one) => one.name === local)!;
  return `${text.slice(0, start)}${local}(${[...comments.map(asBlock), value].join(" ")})${text.slice(end)}`;
}

const asBlock = (comment: string): string =>
  comment.startsWith("//") ? `/*${comment.slice(2).replaceAll("*/", "* /")} */` : comment;

/** A value of several lines, moved to another indentation. A text of several lines stays as it is. */
function indented(value: string, from: string, to: string): string {
  if (!value.includes("\n") || value.includes("`")) return value;
  return value.replaceAll(`\n${from}`, `\n${to}`);
}
