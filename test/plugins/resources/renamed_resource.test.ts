import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const routes = "packages/customer_portal/config/routes.ts";
const dashboard = "packages/customer_portal/app/controllers/customer_portal/dashboard_controller.ts";
const as = (options: string) => ({
  [routes]: edited(tenantFiles, routes, ["registerResource(Post, {}", `registerResource(Post, ${options}`]),
  [dashboard]: tenantFiles[dashboard]!.replaceAll("posts_path", "articles_path").replaceAll(
    "post_path",
    "article_path",
  ),
});

describe("A resource under another name", (it) => {
  it("Its paths, helpers, nested paths, labels and forms follow", async () => {
    const app = await openTenants(as('{ as: "articles" }'));
    try {
      const ask = async (path: string, init: RequestInit = {}, accept = "application/json") => {
        const headers = { accept, "content-type": "application/json", "x-user": "1" };
        const answer = await app.request(`/customer/1${path}`, { ...init, headers });
        return { status: answer.status, text: await answer.text(), location: answer.headers.get("location") };
      };
      const page = (path: string) => ask(path, {}, "text/html");
      const list = await page("/articles");
      assert.ok(
        list.text.includes("<h1>Articles</h1>") && list.text.includes('href="/customer/1/articles/1?_list"'),
        list.text,
      );
      assert.is((await page("/posts")).status, 404);
      assert.match((await page("/articles/1/edit")).text, /name="article\[title\]"/);
      assert.is((await page("/articles/1/nested_comments/1")).status, 200);
      const created = await ask("/articles", { method: "POST", body: JSON.stringify({ article: { title: "New" } }) });
      assert.equal([created.status, created.location], [201, "/customer/1/articles/3"], created.text);
      const { posts, post, other } = JSON.parse((await ask("/")).text) as Record<string, string>;
      assert.equal([posts, post, other], ["/customer/1/articles", "/customer/1/articles/7", "/customer/9/articles"]);
      const paths = app.application.routes().map(({ path }) => path);
      assert.ok(paths.includes("/customer/:organization_id/articles/:article_id/nested_comments/:id"));
    } finally {
      await app.close();
    }
  });

  it("A name that is no name is refused", async () => {
    const { message } = await throwsCode("FW_RESOURCE_OPTION_SHAPE", () => openTenants(as('{ as: "/Articles" }')));
    assert.match(message, /Post.*as a name in lower case/);
  });
});
