import { withPlugin } from "../../support/fixtures.ts";
import { taskFiles } from "../resources/tasks_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

/** The list of plugins of the tenants, with boards and cards. */
const config = withPlugin(withPlugin(tenantFiles["plugins.config.ts"]!, "boards()", "boards"), "cards()", "cards");

/** Tasks of two tenants on a board by their status; `definition`: lines of its `configure()`. */
export const boardFiles = (definition = "this.board();"): Record<string, string> => ({
  ...taskFiles(definition),
  "plugins.config.ts": config,
});
export const openBoards = (
  definition?: string,
  values: Record<string, string> = {},
  changes: Record<string, string> = {},
) => openTenants({ ...boardFiles(definition), ...changes }, values);

/** The columns of a board's page: of each its count, and the ids of its cards. */
export function lanesIn(html: string): Record<string, { count: string; cards: string[] }> {
  const lanes: Record<string, { count: string; cards: string[] }> = {};
  for (const [, lane, body] of html.matchAll(/<section class="fw-lane" data-lane="([^"]*)"(.*?)<\/section>/gs))
    lanes[lane!] = {
      count: /data-count>([^<]*)</.exec(body!)?.[1] ?? "",
      cards: [...body!.matchAll(/data-card="([^"]*)"/g)].map(([, id]) => id!),
    };
  return lanes;
}

/** The piece of a board's page that is one card. */
export const cardIn = (html: string, id: number | string): string =>
  new RegExp(`<li class="fw-tile" data-card="${id}".*?</li>`, "s").exec(html)?.[0] ?? "";
