import { relative } from "node:path";
import { suggest } from "framewright/kernel";
import type { TemplateSource } from "framewright/plugins/views";
import { ejection, sourceOf } from "../eject/generator.ts";
import { usage } from "../errors.ts";
import { runGenerator } from "../run_generator.ts";
import { ApplicationFiles } from "../support/application.ts";
import { applicationRoot, withApp } from "../support/load_app.ts";
import { table } from "../support/table.ts";
import type { WriteOptions } from "../support/write_options.ts";
import type { CommandContext } from "./command.ts";

/**
 * Copies a template of the framework or of a plugin into the application, where it is found first, and records it; without a name,
 * lists them.
 */
export default async function eject({ args: [name], options }: CommandContext): Promise<void> {
  const root = applicationRoot();
  const application = new ApplicationFiles(root);
  const portal = options.dest === undefined ? undefined : application.portal(String(options.dest));
  const sources = await withApp({}, async (app) => app.kernel.service("views", "fw eject").sources?.(portal) ?? []);
  const foreign = sources.filter(({ file }) => isForeign(root, file));
  if (name === undefined) return list(root, foreign, options.json === true);
  const found = sources.find((source) => source.name === name);
  if (!found)
    throw usage.FW_TEMPLATE_UNKNOWN(
      name,
      suggest(
        name,
        sources.map((source) => source.name),
      ),
    );
  const { dryRun, force, skip } = options as WriteOptions;
  const isOwn = !isForeign(root, found.file);
  const original = [found.file, ...(found.replaces ?? [])].find((file) => isForeign(root, file));
  if (original === undefined || (isOwn && !force))
    throw usage.FW_TEMPLATE_OWN(name, relative(root, found.file), original !== undefined);
  const from = sourceOf(root, original);
  const given = { dryRun, force, skip, from, ...(portal && { dest: portal }) };
  await runGenerator(ejection(root, from), application, [name], given);
}

/** Whether a file is none of the application's own: packages are below node_modules, or elsewhere. */
const isForeign = (root: string, file: string): boolean =>
  /^\.\.|(^|[\\/])node_modules[\\/]/.test(relative(root, file));

function list(root: string, sources: readonly TemplateSource[], json: boolean): void {
  const rows = sources.map(({ name, file }) => ({ name, file: relative(root, file) }));
  if (json) console.log(JSON.stringify(rows, null, 2));
  else
    console.log(
      table(
        ["template", "file"],
        rows.map(({ name, file }) => [name, file]),
      ),
    );
}
