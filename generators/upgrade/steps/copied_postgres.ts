import { statementsOf } from "../../support/import_statements.ts";
import type { Upgrade, UpgradeStep } from "../upgrade.ts";

const NOW = "framewright/plugins/postgres";
const EXPORTED: ReadonlySet<string> = new Set(["postgres", "postgresDriver", "pgliteDriver"]);
/** The package as it was published, or its folder as it was copied: `./lib/fw-postgres/index.ts`. */
const BEFORE = /\bfrom\s*["']((?:[^"']*\/)?fw-postgres(?:\/(?:dist\/)?index\.[jt]s)?)["']/g;
const COPY = /(?:^|\/)fw-postgres\//;

/** Imports what was the package fw-postgres from the framework. A copy of its folder stays: it may have changes of its own. */
export const importPostgres: UpgradeStep = (upgrade) => {
  const sources = upgrade.sources();
  for (const file of sources.filter((one) => !COPY.test(one))) importFrom(upgrade, file);
  const copy = sources.find((one) => one.endsWith("fw-postgres/index.ts"));
  if (copy !== undefined)
    upgrade.leaves(
      "postgres",
      copy,
      0,
      `this copy is not used any more, with what was changed in it, since its plugin is imported from "${NOW}". Remove its folder, or give it another name and import that`,
    );
};

function importFrom(upgrade: Upgrade, file: string): void {
  const modules = new Set([...(upgrade.changes.read(file) ?? "").matchAll(BEFORE)].map(([, module]) => module!));
  for (const module of modules)
    for (const { start, end, names, list } of statementsOf(upgrade.changes.read(file)!, module).toReversed()) {
      if (!list || names.length === 0 || !names.every(({ name }) => EXPORTED.has(name))) {
        upgrade.leaves("postgres", file, start, `"${module}" is "${NOW}" now. Import what it exports from there`);
        continue;
      }
      upgrade.rewrites("postgres", file, start, `"${module}" is "${NOW}" now`);
      upgrade.changes.edit(file, (text) => {
        const statement = text.slice(start, end).replace(/(["'])[^"']*\1(;?)$/, `"${NOW}"$2`);
        return text.slice(0, start) + statement + text.slice(end);
      });
    }
}
