import { openApp, type TestApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf, openShop } from "../support/shop.ts";

// An application below a path of its host: everything that it writes leads below it.

const APP_URL = "http://shop.example/back";
const linked = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/(?:href|src|action|formaction|data-url|data-src)="(\/[^"]*)"/g)].map(([, url]) => url!),
  ),
];

async function opened(values: Record<string, string> = {}): Promise<TestApp> {
  const app = await openShop();
  await app.close();
  return openApp(app.root, { values: { APP_URL, ...values } });
}
const text = async (app: TestApp, path: string) => {
  const answer = await app.request(path, { headers: { accept: "text/html" } });
  return { status: answer.status, body: await answer.text(), headers: answer.headers };
};

describe("An address below a path", (it) => {
  it("Pages are served below the path alone, and all that they lead to is below it", async () => {
    const app = await opened();
    try {
      const { knex } = databaseOf(app.application);
      await knex("authors").insert({ name: "Ada", created_at: new Date(), updated_at: new Date() });
      const seen = new Set<string>(["/back/admin"]);
      for (const path of seen) {
        const { status, body } = await text(app, path);
        assert.ok([200, 301, 303, 405].includes(status), `${path}: ${status}`);
        if (!/^\/back\/admin/.test(path) || /\.\w+$/.test(path) || /_list|export|theme/.test(path)) continue;
        for (const url of linked(body)) {
          assert.ok(url === "/back" || url.startsWith("/back/"), `${url} on ${path}`);
          const decoded = url.replaceAll("&amp;", "&");
          if (url !== "/back" && seen.size < 150 && !/actions|destroy|logout/.test(decoded)) seen.add(decoded);
        }
      }
      assert.ok(seen.size > 30, [...seen].join(" "));
      for (const path of ["/admin", "/admin/authors", "/backadmin", "/assets/x"])
        assert.is((await text(app, path)).status, 404, path);
      assert.is((await text(app, "/healthz")).status, 200);
    } finally {
      await app.close();
    }
  });

  it("Redirects, cookies and JSON name the path", async () => {
    const app = await opened({ APP_URL: "https://shop.example/back" });
    try {
      const json: Record<string, string> = { accept: "application/json", "content-type": "application/json" };
      const made = await app.request("/back/admin/blogging/posts", {
        method: "POST",
        headers: json,
        body: JSON.stringify({ blogging_post: { title: "Bea" } }),
      });
      assert.is(made.status, 201, await made.clone().text());
      assert.match(made.headers.get("location") ?? "", /^\/back\/admin\/blogging\/posts\/\d+$/);
      const cookies = (await text(app, "/back/admin/blogging/posts/new")).headers.getSetCookie();
      assert.ok(cookies.length > 0);
      for (const cookie of cookies) assert.match(cookie, /^__Secure-fw_\w+=.*; Path=\/back;/);
      const { body } = await text(app, "/back/admin/blogging/posts/new");
      assert.match(body, /<html [^>]*data-base-path="\/back"/, "for the cookie of the script");
      const slash = await app.request("/back/admin/blogging/posts/", {
        headers: { accept: "text/html" },
        redirect: "manual",
      });
      assert.equal([slash.status, slash.headers.get("location")], [301, "/back/admin/blogging/posts"]);
    } finally {
      await app.close();
    }
  });

  it("A path that no address can have is refused by name", async () => {
    const app = await openShop();
    await app.close();
    let message = "";
    await openApp(app.root, { values: { APP_URL: "https://shop.example/b%20ck" } }).catch((error: Error) => {
      message = error.message;
    });
    assert.match(message, /FW_SETTING_INVALID.*APP_URL/);
  });
});
