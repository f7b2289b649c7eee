import { existsSync } from "node:fs";
import { join } from "node:path";
import { pluralize } from "framewright/host/inflection";
import { featureEntry, schemaOf } from "framewright/plugins/authlib/catalogue";
import {
  codeDirectory,
  createdTables,
  missingParts,
  newMigration,
  renderFile,
  tablesOf,
} from "../../../../generators/toolkit/index.ts";
import { listed } from "../../../database/generators/toolkit/index.ts";
import { sharedTables } from "../install/generator.ts";
import type { Account, AccountContext } from "./types.ts";

interface Part {
  feature: string;
  text: string;
}

/** Writes a migration for the tables that no migration creates yet. Returns whether there is one. */
export function migrate({ app, changes, template }: AccountContext, account: Account): boolean {
  const { name, model, roles } = account;
  const created = createdTables(app);
  const shared = { feature: "shared", text: created.has("framewright_held_forms") ? sharedTables() : "" }; // otherwise fw:authlib:install creates them
  const parts = [shared, ...partsOf(account)]
    .map(({ feature, text }) => ({ feature, text: missingParts(text, created).join("") }))
    .filter(({ text }) => text !== "");
  if (parts.length === 0) return false;
  const isFirst = !created.has(`${name}_password_hashes`);
  const own = parts.flatMap(({ text }) => tablesOf(text)).toReversed();
  const path = newMigration(app, changes, `create_${pluralize(name)}_authlib${isFirst ? "" : suffix(parts)}`);
  template(path, !isFirst ? "more_migration.ts" : model.isNew ? "new_migration.ts" : "migration.ts", {
    account: name,
    table: model.table,
    snippets: parts.map(({ text }) => text).join(""),
    roles: roles ? listed(roles, "      ") : "",
    role: roles ? (roles[1] ?? roles[0]) : "",
    dropped: isFirst && model.isNew ? [...own, model.table] : own,
  });
  return true;
}

/** The schema of each of an account's features. */
export const schemaPartsOf = (account: AccountTables): string[] => partsOf(account).map(({ text }) => text);
type AccountTables = Pick<Account, "name" | "features" | "model">;

function partsOf({ name, features, model }: AccountTables): Part[] {
  return features.flatMap((feature) => {
    const path = join(codeDirectory, schemaOf(featureEntry(feature)!));
    return existsSync(path) ? [{ feature, text: renderFile(path, { account: name, table: model.table }) }] : [];
  });
}

const suffix = (parts: readonly Part[]) => parts.slice(0, 3).map(({ feature }) => `_${feature}`).join(""); // biome-ignore format: one thought
