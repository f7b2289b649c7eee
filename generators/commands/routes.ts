import { withApp } from "../support/load_app.ts";
import { table } from "../support/table.ts";
import type { CommandContext } from "./command.ts";

export default async function printRoutes({ args: [part], options }: CommandContext): Promise<void> {
  const all = await withApp({}, async (app) => app.routes());
  const searched = (part ?? "").toLowerCase();
  const routes = all.filter(({ path, name = "", to }) =>
    [path, name, to].some((text) => text.toLowerCase().includes(searched)),
  );
  if (options.json) return console.log(JSON.stringify(routes, null, 2));
  const rows = routes.map(({ verb, path, name, to, account, guests, policy }) => [
    verb,
    path,
    name ?? "",
    to,
    account,
    guests === "refuse" ? "" : guests,
    String(policy ?? ""),
  ]);
  console.log(table(["verb", "path", "name", "leads to", "account", "guests", "policy"], rows));
}
