import { existsSync } from "node:fs";
import { join } from "node:path";
import { featureEntry, schemaOf } from "../../../plugins/authlib/feature_catalogue.ts";
import { listed } from "../../res/scaffold/code.ts";
import { missingParts, newMigration, tablesMade, tablesOf } from "../../support/migrations.ts";
import { pluralize } from "../../support/names.ts";
import { codeDirectory } from "../../support/package.ts";
import { renderFile } from "../../support/template.ts";
import { sharedTables } from "../install/generator.ts";
import type { Account, Writing } from "./account.ts";

interface Part {
  feature: string;
  text: string;
}

/** Writes the migration of the tables that no migration makes yet. Returns whether there is one. */
export function migrate({ app, changes, template }: Writing, account: Account): boolean {
  const { name, model, roles } = account;
  const made = tablesMade(app);
  const shared = { feature: "shared", text: made.has("framewright_held_forms") ? sharedTables() : "" }; // else they come along
  const parts = [shared, ...partsOf(account)]
    .map(({ feature, text }) => ({ feature, text: missingParts(text, made).join("") }))
    .filter(({ text }) => text !== "");
  if (parts.length === 0) return false;
  const isFirst = !made.has(`${name}_password_hashes`);
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

/** The schema of an account's features, a text each. */
export const schemaPartsOf = (account: AccountTables): string[] => partsOf(account).map(({ text }) => text);
type AccountTables = Pick<Account, "name" | "features" | "model">;

function partsOf({ name, features, model }: AccountTables): Part[] {
  return features.flatMap((feature) => {
    const path = join(codeDirectory, schemaOf(featureEntry(feature)!));
    return existsSync(path) ? [{ feature, text: renderFile(path, { account: name, table: model.table }) }] : [];
  });
}

const suffix = (parts: readonly Part[]) => parts.slice(0, 3).map(({ feature }) => `_${feature}`).join(""); // biome-ignore format: one thought
