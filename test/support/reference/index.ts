import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { llmsText } from "./llms.ts";
import * as pages from "./pages.ts";
import { root, sources } from "./source.ts";

const make: Readonly<Record<string, () => string | Promise<string>>> = {
  "commands.md": pages.commandsPage,
  "definitions.md": pages.definitionsPage,
  "errors.md": pages.errorsPage,
  "fields.md": pages.fieldsPage,
  "generators.md": pages.generatorsPage,
  "hooks.md": pages.hooksPage,
  "models.md": pages.modelsPage,
  "policies.md": pages.policiesPage,
  "settings.md": pages.settingsPage,
};
/** Below docs/. */
const whole: Readonly<Record<string, () => string | Promise<string>>> = {
  ...Object.fromEntries(Object.entries(make).map(([name, page]) => [`reference/${name}`, page])),
  "llms.txt": llmsText,
};
const fileOf = (name: string) => join(root, "docs", name);

/** Writes the pages of docs/reference that are made from the code, and the index of all documents. */
export async function writeReference(): Promise<void> {
  for (const [name, page] of Object.entries(whole)) writeFileSync(fileOf(name), await page());
}

/** Pages that are not what the code says now, and settings that no page names. */
export async function referenceProblems(): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, page] of Object.entries(whole)) {
    const path = fileOf(name);
    if (!existsSync(path) || readFileSync(path, "utf8") !== (await page()))
      problems.push(`docs/${name} is stale. Run: npm run reference`);
  }
  const named = new Set(
    pages.environment.flatMap(([cell]) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, one]) => one!)),
  );
  const used = new Set<string>();
  for (const [path, text] of sources())
    if (!path.startsWith("generators/"))
      for (const [, one, other] of text
        .replaceAll(/\/\*[\s\S]*?\*\//g, "")
        .matchAll(
          /\b(?:all|values|process\.env)\.([A-Z][A-Z_]{3,})\b|"((?:PASSWORD|FW)_[A-Z_]*(?:PEPPER|COMPILE|FAST))"/g,
        ))
        used.add((one ?? other)!);
  for (const name of used) if (!named.has(name)) problems.push(`docs/reference/settings.md does not name ${name}`);
  for (const name of named)
    if (!used.has(name) && ![...sources().values()].some((text) => text.includes(name)))
      problems.push(`docs/reference/settings.md names ${name}, which nothing reads`);
  return problems;
}

if (process.argv[2] === "write") await writeReference();
