import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { slugFiles } from "./slugs_app.ts";

// Former slugs of records and tenants: what they lead to, and to whom.

type Row = Record<string, unknown>;
const schema = readFileSync(join(import.meta.dirname, "../../../plugins/database/slug_history/schema.liquid"), "utf8");
const model = "app/models/organization.ts";
const migration = "db/migrate/20260101000000_create_tables.ts";
const slugs = (scoped: boolean) => {
  const column = scoped
    ? 't.string("slug"); t.index(["organization_id", "slug"], { unique: true });'
    : 't.string("slug").unique();';
  const scope = scoped ? ' scope: "organization",' : "";
  return slugFiles(column, `static override slug = { from: "title",${scope} history: true };`);
};
const filesOf = (scoped: boolean): Record<string, string> => {
  const posts = slugs(scoped);
  return {
    ...posts,
    [migration]: edited(posts, migration, [
      /"organizations", \(t\) => \{\n\s+t\.id\(\);/,
      '"organizations", (t) => {\n    t.id();\n    t.string("slug").unique();',
    ]),
    [model]: edited(tenantFiles, model, [
      "static override associations",
      'static override paramKey = "slug";\n  static override slug = { from: "name", history: true };\n  static override associations',
    ]),
    "app/policies/post_policy.ts": edited(posts, "app/policies/post_policy.ts", [
      "canPublish() {",
      'override canShow() {\n    return (this.record as { title?: string } | undefined)?.title !== "Closed";\n  }\n  canPublish() {',
    ]),
    "db/migrate/20260103000000_create_slugs.ts": `import type { Schema } from "framewright/plugins/database";
      export async function up(db: Schema) {\n${schema}\n}
      export async function down() {}`,
  };
};

for (const database of await databases())
  for (const scoped of [false, true])
    describe(`Former slugs, unique in ${scoped ? "a tenant" : "the table"}, on ${database.name}`, (it, {
      before,
      after,
    }) => {
      let app: TestApp;
      let values: Record<string, string>;
      const base = "/customer/alpine/posts";
      const knex = () => databaseOf(app.application).knex;
      if (database.skip === undefined) {
        before(async () => {
          values = await database.values();
          app = await openTenants(filesOf(scoped), values);
          for (const [id, slug] of [
            [1, "alpine"],
            [2, "baltic"],
          ] as const) {
            await knex()("organizations").where({ id }).update({ slug });
            await knex()("posts")
              .where({ id })
              .update({ slug: `post-${slug}` });
          }
          for (const [user, post] of [
            [1, `${base}/post-alpine`],
            [2, "/customer/baltic/posts/post-baltic"],
          ] as const)
            assert.is((await send("PATCH", post, { post: { slug: `now-${user}` } }, user)).status, 200);
        });
        after(async () => {
          await app?.close();
          await database.clean();
        });
      }
      const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
      const ask = async (path: string, init: RequestInit = {}, user = 1, accept = "application/json") => {
        const headers = { accept, "content-type": "application/json", "x-user": String(user) };
        const answer = await app.request(path, { ...init, headers: { ...headers, ...(init.headers as object) } });
        const text = await answer.text();
        const isJson = /json/.test(answer.headers.get("content-type") ?? "");
        const body = (isJson ? JSON.parse(text) : {}) as { data: Row; errors: Row };
        return { status: answer.status, text, body, location: answer.headers.get("location"), headers: answer.headers };
      };
      const page = (path: string, user = 1) => ask(path, {}, user, "text/html");
      const send = (method: string, path: string, body: unknown, user = 1) =>
        ask(path, { method, body: JSON.stringify(body) }, user);

      can("Every page of the record redirects to its present address, which nothing keeps for later", async () => {
        const pages: [string, string][] = [
          [`${base}/post-alpine`, `${base}/now-1`],
          [`${base}/post-alpine.json`, `${base}/now-1.json`],
          [`${base}/post-alpine/edit?return_to=/x`, `${base}/now-1/edit?return_to=/x`],
          [`${base}/post-alpine/nested_comments/1.json?a=b`, `${base}/now-1/nested_comments/1.json?a=b`],
          [`${base}/post-alpine/preview`, `${base}/now-1/preview`],
          [`${base}/post-alpine/actions/publish`, `${base}/now-1/actions/publish`],
        ];
        for (const [old, present] of pages) {
          const answer = await page(old);
          assert.equal(
            [answer.status, answer.location, answer.headers.get("cache-control")],
            [301, present, "no-store"],
            old,
          );
          assert.is((await ask(old, { method: "HEAD" })).status, 301);
          assert.is((await page(present)).status, 200, present);
        }
      });

      can(
        "A foreign, a missing and a hidden record's former slug are the same 404, as is one whose page may not be shown",
        async () => {
          await knex()("posts").insert({
            id: 50,
            title: "Hidden",
            status: "live",
            slug: "was-hidden",
            organization_id: 1,
          });
          await knex()("posts").insert({
            id: 51,
            title: "Closed",
            status: "live",
            slug: "was-closed",
            organization_id: 1,
          });
          const { class: Post } = databaseOf(app.application).model("Post");
          for (const id of [50, 51])
            await Post.query()
              .findById(id)
              .patch({ slug: `now-${id}` } as never);
          const absent = await page(`${base}/absent`, 3);
          assert.is(absent.status, 404);
          for (const slug of ["post-baltic", "now-2", "was-hidden", "was-closed", "Post-alpine", "1"])
            for (const below of ["", "/edit", "/nested_comments", "/actions/publish"]) {
              const answer = await page(`${base}/${slug}${below}`, 3);
              assert.is(answer.status, 404, slug + below);
              assert.ok(answer.text === absent.text);
            }
          for (const slug of ["post-baltic", "was-closed", "absent"])
            assert.is((await send("PATCH", `${base}/${slug}`, { post: { title: "x" } }, 3)).status, 404, slug);
        },
      );

      can("What a form of before sends is written to the record, or refused as stale", async () => {
        const saved = await send("PATCH", `${base}/post-alpine`, { post: { title: "From an old form" } });
        assert.equal([saved.status, saved.body.data.id], [200, 1], saved.text);
        const body = JSON.stringify({ post: { title: "x" } });
        const stale = await ask(`${base}/post-alpine`, { method: "PATCH", body, headers: { "if-match": '"1-0"' } });
        assert.is(stale.status, 409);
        assert.is((await send("POST", `${base}/post-alpine/nested_comments`, { comment: { title: "c" } })).status, 201);
      });

      can("Nobody else gets a former slug, and its record can take it back", async () => {
        const taken = await send("POST", base, { post: { title: "x", slug: "post-alpine" } });
        assert.equal([taken.status, taken.body.errors], [422, { slug: ["has already been taken"] }]);
        const made = await send("POST", base, { post: { title: "Post Alpine" } });
        assert.is(made.body.data.slug, "post-alpine-2");
        const other = await send("POST", "/customer/baltic/posts", { post: { title: "Post Alpine" } }, 2);
        assert.is(other.body.data.slug, scoped ? "post-alpine" : "post-alpine-3");
        assert.is((await send("PATCH", `${base}/now-1`, { post: { slug: "post-alpine" } })).status, 200);
        assert.is((await page(`${base}/now-1`)).location, `${base}/post-alpine`);
        assert.is((await page(`${base}/post-alpine`)).status, 200);
        assert.is((await send("PATCH", `${base}/post-alpine`, { post: { slug: "now-1" } })).status, 200);
      });

      can("With the record its former slugs are gone", async () => {
        assert.is((await send("DELETE", `${base}/post-alpine-2`, {})).status, 204);
        const { id } = (await send("POST", base, { post: { title: "Short lived" } })).body.data;
        assert.is((await send("PATCH", `${base}/short-lived`, { post: { slug: "shorter" } })).status, 200);
        assert.is((await send("DELETE", `${base}/shorter`, {})).status, 204);
        assert.equal(await knex()("framewright_slugs").where({ model: "Post", record_id: String(id) }), []);
        assert.is((await send("POST", base, { post: { title: "Short lived" } })).body.data.slug, "short-lived");
      });

      can("A tenant's former slug leads its members to its present one, and nobody else", async () => {
        const { class: Organization } = databaseOf(app.application).model("Organization");
        await Organization.query()
          .findById(1)
          .patch({ slug: "alps" } as never);
        const moved = await page("/customer/alpine/posts/post-alpine/edit?q=1");
        assert.equal([moved.status, moved.location], [301, "/customer/alps/posts/post-alpine/edit?q=1"]);
        assert.is((await page("/customer/alpine")).location, "/customer/alps");
        assert.is(
          (await page("/customer/alps/posts/post-alpine/edit?q=1")).location,
          "/customer/alps/posts/now-1/edit?q=1",
        );
        const [foreign, absent] = [await page("/customer/alpine/posts", 2), await page("/customer/absent/posts", 2)];
        assert.equal([foreign.status, foreign.text], [404, absent.text]);
        const sent = await send("POST", base, { post: { title: "Sent to the old address" } });
        assert.is(sent.status, 201, sent.text);
        await Organization.query()
          .findById(1)
          .patch({ slug: "alpine" } as never);
      });

      can("It is the same without the database's fast paths", async () => {
        const paths = [
          `${base}/post-alpine`,
          `${base}/now-1`,
          `${base}/post-baltic`,
          `${base}/post-alpine/nested_comments`,
        ];
        const all = async () =>
          (await Promise.all(paths.map((path) => ask(path)))).map(({ status, location, text }) => [
            status,
            location,
            text,
          ]);
        const fast = await all();
        await app.close();
        app = await openApp(app.root, { values: { ...values, FW_DATABASE_FAST: "off" } });
        assert.equal(await all(), fast);
      });
    });

describe("The table of former slugs", (it) => {
  it("A model that keeps them is refused at boot without it", async () => {
    const { message } = await throwsCode("FW_SLUG_HISTORY", () =>
      openMigrated(writeApp({ ...tenantFiles, ...slugs(false) })),
    );
    assert.match(message, /Post.*fw generate fw:slugs:install/);
  });
});
