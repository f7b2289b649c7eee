import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HookInfo, TapInfo } from "framewright/kernel";
import { withApp } from "../support/load_app.ts";
import { packageDirectory } from "../support/package.ts";
import { table } from "../support/table.ts";
import { bold, dim } from "../support/terminal.ts";
import type { CommandContext } from "./command.ts";

/** Lists the taps of a booted application, or all of its hooks. */
export default async function printHooks({ options }: CommandContext): Promise<void> {
  const [taps, hooks] = await withApp({}, async (app) => [app.kernel.taps(), app.kernel.hookInfo()] as const);
  if (options.all) return printAll(hooks, options.json === true);
  if (options.json) return console.log(JSON.stringify(taps, null, 2));
  console.log(table(["hook", "plugin", "stage", "kind", "portal"], taps.map(row)));
}

const row = ({ hook, plugin, stage, kind, portal = "" }: TapInfo): string[] => [
  hook,
  plugin,
  String(stage),
  kind,
  portal,
];

function printAll(hooks: readonly HookInfo[], json: boolean): void {
  const sentences = referenceSentences();
  const described = hooks.map((info) => ({ ...info, sentence: sentences.get(info.hook) ?? "" }));
  if (json) console.log(JSON.stringify(described, null, 2));
  else described.forEach(printHook);
}

function printHook({ hook, owner, kind, arguments: names, taps, sentence }: HookInfo & { sentence: string }): void {
  console.log(`${bold(hook)} ${dim(`${kind}(${names.join(", ")}) of ${owner}`)}`);
  if (sentence) console.log(`    ${sentence}`);
  console.log(`    ${taps.length > 0 ? `tapped by ${taps.join(", ")}` : "not tapped"}`);
}

/** What the reference states about the framework's own hooks. */
function referenceSentences(): Map<string, string> {
  const file = join(packageDirectory, "docs/reference/hooks.md");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const rows = text.matchAll(/^\| `([\w.]+)` \| `.*?` \| (.*?) \| [\w ]+ \|$/gm);
  return new Map([...rows].map(([, hook, sentence]) => [hook!, sentence!]));
}
