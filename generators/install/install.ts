import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineGenerator, type Generator, type GeneratorContext } from "../generator.ts";
import type { Changes } from "../support/changes.ts";
import { addMissingPackages, type Manifest } from "../support/manifest.ts";
import { createdTables, missingParts, newMigration, tablesOf } from "../support/migrations.ts";
import { packageDirectory } from "../support/package.ts";
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

/** Adds lines and missing tables of installations: those that were requested, and what they need. */
export function install(
  chain: readonly Installation[],
  context: GeneratorContext,
  requested: readonly Installation[] = chain.slice(-1),
): void {
  const name = requested.map((one) => one.name).join(", ");
  const next = requested.flatMap((one) => one.next ?? []);
  const plugins = chain.flatMap((one) => one.plugins ?? []);
  if (plugins.length > 0) addPlugins(context.changes, plugins);
  const installs = chain.flatMap(({ packages }) => (packages ? addPackages(context.changes, packages) : []));
  const hasTables = chain.some(({ schema }) => schema !== undefined);
  const isComplete = hasTables && !addTables(chain, context);
  if (isComplete) context.note(`The tables of ${name} are complete.`);
  const steps = [...installs, ...(hasTables && !isComplete ? ["npx fw db:migrate"] : []), ...next];
  if (steps.length > 0) context.note(["\nNext:", ...steps].join("\n  "));
}

/** In a folder of a project the packages are the project's: its package.json is left alone, and what to install is a step. */
function addPackages(changes: Changes, packages: NonNullable<Installation["packages"]>): string[] {
  const { peerDependencies } = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8")) as {
    peerDependencies: Record<string, string>;
  };
  const added = Object.fromEntries(
    Object.entries(packages).map(([kind, names]) => [
      kind,
      Object.fromEntries(names.map((name) => [name, peerDependencies[name]!])),
    ]),
  );
  const { dependencies } = JSON.parse(changes.read("package.json") ?? "{}") as Manifest;
  if (dependencies?.framewright !== undefined) {
    addMissingPackages(changes, added);
    return ["npm install"];
  }
  const { dependencies: always = [], devDependencies: inDevelopment = [] } = packages;
  return [`npm install ${always.join(" ")}`, `npm install --save-dev ${inDevelopment.join(" ")}`];
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
