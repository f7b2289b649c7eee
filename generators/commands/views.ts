import { relative } from "node:path";
import type { TemplateMode } from "framewright/plugins/views";
import { withApp } from "../support/load_app.ts";
import { table } from "../support/table.ts";
import type { CommandContext } from "./command.ts";

type Row = { portal: string | null } & TemplateMode;

/** Lists which templates are compiled and which liquidjs interprets, per portal. */
export default async function printViews({ options }: CommandContext): Promise<void> {
  const rows = await withApp({}, async (app): Promise<Row[]> => {
    const views = app.kernel.service("views", "fw views");
    const portals = [undefined, ...[...app.engines.values()].map(({ path }) => path)];
    const row = (portal: string | undefined) => (template: TemplateMode) => ({
      portal: portal ?? null,
      ...template,
      file: relative(app.settings.root, template.file),
    });
    return portals.flatMap((portal) => views.templates?.(portal).map(row(portal)) ?? []);
  });
  if (options.json) return console.log(JSON.stringify(rows, null, 2));
  const lines = rows.map(({ file, portal, ...mode }) => [
    file,
    portal ?? "",
    ...(mode.compiled ? ["compiled", ""] : ["interpreted", mode.why]),
  ]);
  console.log(table(["file", "portal", "rendered", "why"], lines));
}
