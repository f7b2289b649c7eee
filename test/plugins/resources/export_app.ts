import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { databaseOf, shopFiles } from "../../support/shop.ts";

const blogging = "packages/blogging/app";
const policy = `${blogging}/policies/blogging/post_policy.ts`;
const comments = `${blogging}/policies/blogging/comment_policy.ts`;
const definition = `${blogging}/definitions/blogging/post_definition.ts`;
const model = `${blogging}/models/blogging/post.ts`;
const concern = "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts";
const migration = "db/migrate/20260101000000_create_tables.ts";

/** Posts that everybody exports but Nobody. Their policy hides some. */
export const exportFiles: Record<string, string> = {
  [policy]: edited(
    shopFiles,
    policy,
    [
      '["title", "author", "price", "status", "created_at"]',
      '["title", "author", "price", "status", "published", "published_at", "due_on", "position", "secret_token", "paper", "details"]',
    ],
    [
      "canPublish() {",
      `override canExport() { return (this.user as { name: string }).name !== "Nobody"; }
       override canIndex() { return (this.user as { name: string }).name !== "Stranger"; }
       override relationScope(query: any) { return query.where("title", "<>", "Hidden"); }
       canPublish() {`,
    ],
  ),
  [comments]: edited(shopFiles, comments, [
    "override canCreate()",
    "override canExport() { return true; } override canCreate()",
  ]),
  [definition]: edited(shopFiles, definition, [
    "super.configure();",
    `super.configure(); this.sort("author", { by: "name" }); this.input("paper", { as: "file" });
     this.column("position", { label: "Rank", condition: ({ currentUser }) => (currentUser as { name: string }).name === "Boss" });
     this.column("title", { format: (value) => "<b>" + String(value) + "</b>" });`,
  ]),
  [concern]: edited(shopFiles, concern, [
    'async () => ({ name: "Somebody" })',
    'async (request) => ({ name: request.header("x-name") ?? "Somebody" })',
  ]),
  "plugins.config.ts": edited(
    shopFiles,
    "plugins.config.ts",
    ["import { views }", 'import { storage } from "framewright/plugins/storage"; import { views }'],
    ["resources(),\n]", "storage(), resources()]"],
  ),
  [migration]: edited(shopFiles, migration, [
    't.integer("position");',
    't.integer("position"); t.json("paper"); t.json("details");',
  ]),
};
/** The model makes its records itself: lists read instances. */
export const withRecords: Record<string, string> = {
  ...exportFiles,
  [model]: edited(shopFiles, model, ["static override money", "override async $afterFind() {} static override money"]),
};

export const POSTS = 1230;
const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };

/** Posts with few distinct titles and times: what decides is the id. */
export async function fillPosts(app: TestApp): Promise<void> {
  const { knex } = databaseOf(app.application);
  for (const name of ['Zoë, "Zed"', "=Ada"]) await knex("authors").insert({ name, ...stamps });
  const rows = Array.from({ length: POSTS }, (_, at) => ({
    ...{ title: at % 97 === 0 ? "Hidden" : `T ${at % 3}`, author_id: [null, 1, 2][at % 3], ...stamps },
    ...{
      price_cents: at % 7 === 0 ? null : (at % 50) * 99 - 500,
      published: at % 2,
      position: at % 5 === 0 ? null : at,
    },
    ...{ status: at % 4 === 0 ? "live" : "draft", secret_token: "do-not-tell" },
    published_at: at % 3 === 0 ? null : `2026-03-0${1 + (at % 2)} 09:30:00.000`,
  }));
  for (let at = 0; at < rows.length; at += 40) await knex("blogging_posts").insert(rows.slice(at, at + 40));
}

/** The cells of a file, as RFC 4180 has them. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (const [, quoted, plain, end] of text.matchAll(pattern)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end !== ",") rows.push([]);
  }
  if (rows.pop()!.length > 0) throw new Error("the last line has no end");
  return rows;
}
