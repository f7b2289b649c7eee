import { defineGenerator, type Generator, type GeneratorContext } from "../generator.ts";
import { createdTables, missingParts, newMigration, tablesOf } from "../support/migrations.ts";
import { addPlugins } from "../support/plugins_config.ts";
import { renderFile } from "../support/template.ts";
import type { Installation } from "./installation.ts";

/** The generator that has an installation's own name, as in fw:jobs:install. */
export const aliasOf = (name: string, chain: readonly Installation[]): Generator =>
  defineGenerator({
    name,
    summary: chain.at(-1)!.summary,
    example: `fw generate ${name}`,
    directory: import.meta.dirname,
    run: (context) => install(chain, context),
  });

/** Adds lines and missing tables of installations; the last one is what was asked for, the others are what it needs. */
export function install(chain: readonly Installation[], context: GeneratorContext): void {
  const { name, next = [] } = chain.at(-1)!;
  const plugins = chain.flatMap((one) => one.plugins ?? []);
  if (plugins.length > 0) addPlugins(context.changes, plugins);
  const hasTables = chain.some(({ schema }) => schema !== undefined);
  const isComplete = hasTables && !addTables(chain, context);
  if (isComplete) context.note(`The tables of ${name} are complete.`);
  const steps = [...(hasTables && !isComplete ? ["npx fw db:migrate"] : []), ...next];
  if (steps.length > 0) context.note(["\nNext:", ...steps].join("\n  "));
}

/** Drafts a migration, named by the first table that is the last one's own. Returns false where no table is missing. */
function addTables(chain: readonly Installation[], { app, changes, template }: GeneratorContext): boolean {
  const created = createdTables(app);
  const parts = chain.map(({ schema }) => (schema === undefined ? [] : missingParts(renderFile(schema, {}), created)));
  const snippets = parts.flat().join("");
  if (snippets === "") return false;
  const [named] = tablesOf(parts.findLast((own) => own.length > 0)!.join(""));
  const dropped = tablesOf(snippets).toReversed();
  template(newMigration(app, changes, `create_${named}`), "migration.ts", { snippets, dropped });
  return true;
}
