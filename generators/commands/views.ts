import { relative } from "node:path";
import type { TemplateMode } from "framewright/plugins/views";
import { withApp } from "../support/load_app.ts";
import { table } from "../support/table.ts";
import type { CommandContext } from "./index.ts";

type Row = { portal: string | null } & TemplateMode;

/** Which templates are functions, and which are left to liquidjs: a line for each portal, as each has its own. */
export default async function printViews({ options }: CommandContext): Promise<void> {
  const rows = await withApp({}, async (app): Promise<Row[]> => {
    const views = app.kernel.service("views", "fw views");
    const portals = [undefined, ...[...app.engines.values()].map(({ path }) => path)];
    const row = (portal: string | undefined) => (way: TemplateMode) => ({
      portal: portal ?? null,
      ...way,
      file: relative(app.settings.root, way.file),
    });
    return portals.flatMap((portal) => views.templates?.(portal).map(row(portal)) ?? []);
  });
  if (options.json) return console.log(JSON.stringify(rows, null, 2));
  const lines = rows.map(({ file, portal, ...way }) => [
    file,
    portal ?? "",
    ...(way.compiled ? ["compiled", ""] : ["interpreted", way.why]),
  ]);
  console.log(table(["file", "portal", "rendered", "why"], lines));
}
