import { readRecord } from "../../support/drift/records.ts";
import { localNameOf, statementsOf } from "../../support/import_statements.ts";
import { imports } from "../../support/imports.ts";
import { insertPlugin, moduleOf, type PluginList, readPluginList } from "../../support/plugins_config.ts";
import { CONFIG, type Upgrade, type UpgradeStep } from "../upgrade.ts";

/** What `resources()` had built in, with the slots that each needs besides. */
const builtIn: readonly (readonly [name: string, needs: readonly string[]])[] = [
  ["exports", []],
  ["imports", ["jobs", "storage"]],
  ["backgroundRuns", ["jobs"]],
  ["search", []],
  ["shortcuts", []],
  ["density", []],
  ["filters", []],
  ["bulkActions", []],
  ["summaries", []],
  ["inlineEditing", []],
  ["reorder", []],
];
/** Those that no error of a boot requires: whoever has one of them has chosen among all. */
const unasked = ["search", "shortcuts", "density"];
const fillers: Readonly<Record<string, readonly string[]>> = { jobs: ["jobs", "bullmq"] };

/** Adds the lines of plugins that `resources()` had built in. */
export const addBuiltIn: UpgradeStep = (upgrade) => {
  const text = upgrade.changes.read(CONFIG) ?? "";
  const known = readPluginList(text);
  if (!known) {
    leaveUnreadable(upgrade, text);
    return;
  }
  if (!known.lists("resources") || !isOfBefore(upgrade, known)) return;
  for (const [name, needs] of builtIn) if (!known.lists(name)) add(upgrade, known, name, needs);
};

function add(upgrade: Upgrade, known: PluginList, name: string, needs: readonly string[]): void {
  const filled = needs.map((slot) => fillers[slot] ?? [slot]);
  if (!filled.every((factories) => factories.some((one) => known.lists(one)))) return;
  const { open } = known.list;
  const unsure = needs.filter((_, index) => !filled[index]!.some((one) => known.isAlways(one)));
  const text = upgrade.changes.read(CONFIG)!;
  const line = `${name}() of "${moduleOf(name)}"`;
  const hindrance =
    unsure.length > 0
      ? `and ${unsure.join("() and ")}() is within a condition. Add ${line} within the same one`
      : isTaken(text, name) && `and "${name}" is something else here. Import ${line} by another name, and list that`;
  if (hindrance) {
    upgrade.leaves(name, CONFIG, open, `resources() no longer has ${name}() built in, ${hindrance}`);
    return;
  }
  upgrade.rewrites(name, CONFIG, open, `${name}() is not listed, and resources() no longer has it built in`);
  insertPlugin(upgrade.changes, name);
}

const isTaken = (text: string, name: string): boolean =>
  localNameOf(text, name, moduleOf(name)) === undefined &&
  (imports(text, name) || new RegExp(`\\b(?:const|let|var|function|class) ${name}\\b`).test(text));

/** A line that is missing from a list of this release was left out by a person: it is not added. */
function isOfBefore({ root }: Upgrade, known: PluginList): boolean {
  const record = readRecord(root, CONFIG);
  if (!record) return !unasked.some((name) => known.lists(name));
  return statementsOf(record.edited ?? record.generated, moduleOf("search")).length === 0;
}

/** A list that another file or a function puts together. */
function leaveUnreadable(upgrade: Upgrade, text: string): void {
  const isListed = (name: string) => localNameOf(text, name, moduleOf(name)) !== undefined;
  const missing = builtIn.filter(
    ([name, needs]) => !isListed(name) && needs.every((slot) => (fillers[slot] ?? [slot]).some(isListed)),
  );
  if (!isListed("resources") || unasked.some(isListed)) return;
  for (const [name] of missing) {
    const what = `the list is not an array within definePlugins([…]), which fw upgrade reads`;
    upgrade.leaves(name, CONFIG, 0, `${what}. Add ${name}() of "${moduleOf(name)}" to it: resources() had it built in`);
  }
}
