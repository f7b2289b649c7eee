import { readRecord } from "../../support/drift/records.ts";
import { statementsOf } from "../../support/import_statements.ts";
import { insertPlugin, moduleOf, readPluginList } from "../../support/plugins_config.ts";
import { CONFIG, type UpgradeStep } from "../upgrade.ts";

/** Plugins of `fw new` that earlier releases did not have, or had within others. */
const added: readonly string[] = ["extraFields", "filters", "bulkActions", "states", "printing", "nestedRecords"];

/** Adds their lines to a list that `fw new` of an earlier release wrote; one of this release that lacks them was left so by a person. */
export const addNew: UpgradeStep = (upgrade) => {
  const known = readPluginList(upgrade.changes.read(CONFIG) ?? "");
  const record = readRecord(upgrade.root, CONFIG);
  if (!known?.lists("resources") || known.all !== undefined || !record) return;
  for (const name of added) {
    const isOfBefore = statementsOf(record.edited ?? record.generated, moduleOf(name)).length === 0;
    if (!isOfBefore || known.lists(name)) continue;
    upgrade.rewrites(name, CONFIG, known.list.open, `${name}() is not listed, and earlier releases did not have it`);
    insertPlugin(upgrade.changes, name);
  }
};
