import { statementsOf } from "../../support/import_statements.ts";
import type { Upgrade, UpgradeStep } from "../upgrade.ts";

const NOW = "framewright/plugins/postgres";
const EXPORTED: ReadonlySet<string> = new Set(["postgres", "postgresDriver", "pgliteDriver"]);
/** The package as it was published, or its folder as it was copied: `./lib/fw-postgres/index.ts`. */
const BEFORE = /\bfrom\s*["']((?:[^"']*\/)?fw-postgres(?:\/(?:dist\/)?index\.[jt]s)?)["']/g;
const isCopy = (file: string): boolean => /(?:^|\/)fw-postgres\//.test(file);

/** Imports what was the package fw-postgres from the framework. The folder of a copy stays: it may have changes of its own. */
export const importPostgres: UpgradeStep = (upgrade) => {
  for (const file of upgrade.sources()) if (!isCopy(file)) importFrom(upgrade, file);
};

function importFrom(upgrade: Upgrade, file: string): void {
  const modules = new Set([...(upgrade.changes.read(file) ?? "").matchAll(BEFORE)].map(([, module]) => module!));
  for (const module of modules)
    for (const { start, end, names, list } of statementsOf(upgrade.changes.read(file)!, module).toReversed()) {
      const text = upgrade.changes.read(file)!;
      if (!list || names.length === 0 || !names.every(({ name }) => EXPORTED.has(name))) {
        upgrade.leaves("postgres", file, start, `"${module}" is "${NOW}" now. Import what it exports from there`);
        continue;
      }
      const rest =
        module.startsWith(".") || module.startsWith("#") ? "the folder of the copy" : `"${module}" in package.json`;
      upgrade.rewrites("postgres", file, start, `"${module}" is "${NOW}" now: remove ${rest} once nothing uses it`);
      const statement = text.slice(start, end).replace(/(["'])[^"']*\1(;?)$/, `"${NOW}"$2`);
      upgrade.changes.edit(file, (whole) => whole.slice(0, start) + statement + whole.slice(end));
    }
}
