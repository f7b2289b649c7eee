import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop } from "../../support/shop.ts";

// In a portal guests write nothing, whatever a feature's policy allows, unless a policy of that portal says so by name.

const admin = "packages/admin_portal";
const open = {
  [`${admin}/app/controllers/admin_portal/concerns/controller.ts`]: `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController, PublicAccess } from "framewright/plugins/portals";
    export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, CurrentUser(async (request) => (request.header("x-user") === undefined ? undefined : { name: "Somebody" }), { guests: "admit" })); void PublicAccess;`,
  [`${admin}/config/routes.ts`]: `import { AdminPortal } from "../lib/engine.ts"; import Author from "#app/models/author.ts"; import Post from "#packages/blogging/app/models/blogging/post.ts"; import Comment from "#packages/blogging/app/models/blogging/comment.ts";
    export default AdminPortal.routes.draw((routes) => { routes.root({ to: "dashboard#index" });
      routes.registerResource(Post, {}, (r) => { r.member((m) => { m.get("preview", { as: "preview" }); m.post("stamp", { action: "preview" }); }); r.collection((c) => c.post("report")); });
      routes.registerResource(Comment); routes.registerResource(Author); });`,
};
const policy = (body: string) => ({
  [`${admin}/app/policies/admin_portal/blogging/post_policy.ts`]: `import Feature from "#packages/blogging/app/policies/blogging/post_policy.ts";
    const mixin = (Base: typeof Feature) => class extends Base { canTidy() { return true; } };
    export default class PostPolicy extends mixin(Feature) { ${body} }`,
});
const posts = "/admin/blogging/posts";
/** The feature's policy allows all of it to whoever asks. */
const writes: readonly [string, string][] = [
  ["POST", posts],
  ["GET", `${posts}/new`],
  ["GET", `${posts}/1/edit`],
  ["PATCH", `${posts}/1`],
  ["DELETE", `${posts}/1`],
  ["POST", `${posts}/1/stamp`],
  ["POST", `${posts}/report`],
  ["GET", `${posts}/1/actions/publish`],
  ["POST", `${posts}/1/actions/publish`],
  ["POST", `${posts}/actions/tidy`],
  ["POST", `${posts}/1/nested_comments`],
];
const reads = [posts, `${posts}/1`, `${posts}/1/preview`, `${posts}/1/nested_comments`];

async function withShop(changes: Record<string, string>, body: (ask: Ask, app: TestApp) => Promise<void>) {
  const app = await openShop({ ...open, ...changes });
  try {
    const { knex } = databaseOf(app.application);
    const now = new Date();
    await knex("authors").insert({ id: 1, name: "Ada", email: "ada@x.test", created_at: now, updated_at: now });
    await knex("blogging_posts").insert({ id: 1, title: "Hello", author_id: 1, created_at: now, updated_at: now });
    const ask: Ask = (method, path, headers = {}) =>
      app.request(path, {
        method,
        headers: { accept: "application/json", "content-type": "application/json", ...headers },
        ...(method === "GET"
          ? {}
          : { body: JSON.stringify({ blogging_post: { title: "New", author: 1 }, interaction: { note: "x" } }) }),
      });
    await body(ask, app);
  } finally {
    await app.close();
  }
}
type Ask = (method: string, path: string, headers?: Record<string, string>) => Promise<Response>;

describe("The guests of a portal", (it) => {
  it("A guest reads what the policies permit and gets 403 for every write that only a feature's policy allows", async () => {
    await withShop({}, async (ask, app) => {
      for (const path of reads) assert.is((await ask("GET", path)).status, 200, path);
      for (const [method, path] of writes) assert.is((await ask(method, path)).status, 403, `${method} ${path}`);
      const known = { "x-user": "1" };
      assert.is((await ask("PATCH", `${posts}/1`, known)).status, 200);
      assert.is((await ask("POST", `${posts}/1/stamp`, known)).status, 200);
      const page = await (await app.request(posts)).text();
      assert.not.match(page, /posts\/new|\/edit|actions\/destroy/);
      const listed = app.application.routes().filter(({ engine, guests }) => engine && guests === "write");
      assert.equal(listed, []);
    });
  });
  it("A guest writes by predicates that the portal's policy or its mixin defines, and not by ones derived from them", async () => {
    await withShop(policy("override canCreate() { return true; }"), async (ask, app) => {
      assert.is((await ask("POST", posts)).status, 201);
      assert.is((await ask("POST", `${posts}/actions/tidy`)).status, 200);
      for (const [method, path] of [
        ["PATCH", `${posts}/1`],
        ["DELETE", `${posts}/1`],
        ["POST", `${posts}/1/actions/publish`],
      ] as const)
        assert.is((await ask(method, path)).status, 403, `${method} ${path}`);
      const listed = app.application
        .routes()
        .filter(({ engine, guests, path }) => engine && guests === "write" && path.startsWith(posts));
      assert.equal(
        listed.map(({ verb, path }) => `${verb} ${path}`),
        [
          `POST ${posts}`,
          `POST ${posts}/report`,
          `POST ${posts}/actions/:action_key`,
          `POST ${posts}/:id/actions/:action_key`,
        ],
      );
    });
  });
  it("A guest searches the lists that they may see, and chooses from them where they may write", async () => {
    await withShop(policy("override canCreate() { return true; }"), async (ask) => {
      const found = async (path: string) => ((await (await ask("GET", path)).json()) as { data: object[] }).data.length;
      assert.equal([await found(`${posts}?q=Hello`), await found(`${posts}?q=nothing`)], [1, 0]);
      assert.equal(await found(`${posts}/typeahead/author?q=Ada`), 1);
    });
  });
  it("A guest of a portal that refuses guests gets 401 with the portal's own page, also at its root", async () => {
    const closed = {
      [`${admin}/app/controllers/admin_portal/concerns/controller.ts`]: edited(
        open,
        `${admin}/app/controllers/admin_portal/concerns/controller.ts`,
        ['{ guests: "admit" }', "{}"],
      ),
      [`${admin}/app/views/errors/401.liquid`]: "<h1>Bring your badge</h1>",
    };
    await withShop(closed, async (ask, app) => {
      for (const path of ["/admin", ...reads]) {
        assert.is((await ask("GET", path)).status, 401, path);
        const page = await app.request(path, { headers: { accept: "text/html" } });
        assert.is(page.status, 401, path);
        assert.match(await page.text(), "Bring your badge");
      }
      for (const [method, path] of writes) assert.is((await ask(method, path)).status, 401, `${method} ${path}`);
    });
  });
});
