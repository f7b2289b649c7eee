import type { Application } from "framewright/host";
import { finish } from "../run_generator.ts";
import { Changes } from "../support/changes.ts";
import { applicationRoot, withApp } from "../support/load_app.ts";

/** Writes columns and route names as declarations, which TypeScript can't infer. */
export default async function writeTypes(): Promise<void> {
  const changes = new Changes(applicationRoot());
  const text = await withApp({ anyColumns: true }, typesOf);
  changes.create("db/types.d.ts", text);
  await finish(changes, [], { force: true });
}

/** The text of `db/types.d.ts`. */
export async function typesOf(app: Application): Promise<string> {
  const { typesFile } = await import("framewright/plugins/database");
  const models = app.kernel.service("database", "fw types").models();
  return `${typesFile(models).trimEnd()}\n${routeNames(app.routes().map(({ name }) => name))}`;
}

function routeNames(names: readonly (string | undefined)[]): string {
  const known = [...new Set(names.filter((name) => name !== undefined))].sort();
  const lines = known.map((name) => `    ${JSON.stringify(name)}: true;\n`).join("");
  return `\ndeclare module "framewright/host" {\n  interface RouteNames {\n${lines}  }\n}\n`;
}
