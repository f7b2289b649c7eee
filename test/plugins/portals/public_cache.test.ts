import type { TestApp } from "../../support/apps.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { cat, engineWith, get, openPublic, publicFiles } from "./public_app.ts";

// What proxies may keep of a portal that guests read: what is nobody's own, and only where the portal says so.

const list = "/guest/1/posts";
const record = "/guest/1/posts/1";

describe("What caches may keep of a portal", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openPublic();
  });
  after(() => app.close());

  it("Lists, records and their JSON are public for the portal's age, with a tag, and set no cookie", async () => {
    for (const path of [list, `${list}?q=Alpine&sort=-title`, record, `${list}.json`, `${record}.json`]) {
      const { status, headers } = await get(app, path);
      assert.equal(
        [status, headers["cache-control"], headers["set-cookie"]],
        [200, "public, max-age=60", undefined],
        path,
      );
      assert.match(String(headers.etag), /^(?:W\/)?"[^"]+"$/);
      for (const name of ["cookie", "authorization", "accept", "turbo-frame", "host", "accept-encoding"])
        assert.ok(String(headers.vary).split(", ").includes(name), `${name} in ${headers.vary}`);
    }
  });

  it("Whoever has a page gets 304 until what it shows changes; HEAD has the same headers", async () => {
    const first = await get(app, list);
    const etag = String(first.headers.etag);
    const known = await get(app, list, { "if-none-match": `"x", ${etag}` });
    assert.equal([known.status, known.text, known.headers.etag], [304, "", etag]);
    assert.equal([known.headers["cache-control"], known.headers["content-type"]], ["public, max-age=60", undefined]);
    assert.is(known.headers.vary, first.headers.vary);
    const head = await get(app, list, { method: "HEAD" });
    assert.equal([head.status, head.text, head.headers.etag], [200, "", etag]);
    assert.is(head.headers["content-length"], String(Buffer.byteLength(first.text)));
    assert.is((await get(app, list, { method: "HEAD", "if-none-match": etag })).status, 304);
    await databaseOf(app.application).knex("posts").where({ id: 1 }).update({ title: "Post Alpine, changed" });
    const changed = await get(app, list, { "if-none-match": etag });
    assert.is(changed.status, 200);
    assert.match(changed.text, "Post Alpine, changed");
    assert.is.not(changed.headers.etag, etag);
  });

  it("Nothing is public for a request with a cookie of ours, with a credential, or with a body", async () => {
    const names = [
      "fw_session",
      "fw_zone",
      "fw_locale",
      "fw_density",
      "fw_flash",
      "fw_user_remember",
      "__Host-fw_session",
    ];
    const brought = [
      ...names.map((name) => ({ cookie: `${name}=x` })),
      { cookie: "theme=dark; fw_zone=Europe/Berlin" },
      { cookie: "theme=dark;fw_zone=Europe/Berlin" },
      { cookie: "a=b, FW_session=x" },
      { authorization: "Bearer x" },
      { authorization: "Basic eDp4" },
      { "content-length": "1" },
    ];
    for (const headers of brought)
      for (const path of [list, `${list}.json`]) {
        const { headers: got } = await get(
          app,
          path,
          headers as Record<string, string>,
          "content-length" in headers ? "x" : undefined,
        );
        const said = JSON.stringify(headers);
        assert.not.match(String(got["cache-control"]), "public", said);
      }
    const own = await get(app, list, { cookie: "theme=dark" });
    assert.match(String(own.headers.vary), "cookie");
  });

  it("What a signed-in person sees is no-store; forms, errors and redirects are not public", async () => {
    const signed = await get(app, list, cat);
    assert.equal([signed.status, signed.headers["cache-control"], signed.headers.etag], [200, "no-store", undefined]);
    const form = await get(app, `${list}/new`);
    assert.not.match(String(form.headers["cache-control"]), "public");
    if (form.status === 200) assert.ok(form.headers["set-cookie"]);
    for (const path of [
      "/guest/1/posts/99",
      "/guest/9/posts",
      "/guest/1/nothing",
      `${list}/`,
      "/customer/1/posts",
      "/users/login",
    ])
      assert.not.match(String((await get(app, path)).headers["cache-control"]), "public", path);
    assert.not.match(String((await get(app, list, { method: "OPTIONS" })).headers["cache-control"]), "public");
  });

  it("A Turbo frame and JSON at the address of a page have tags of their own", async () => {
    const tags = new Set<string>();
    const ways: Record<string, string>[] = [{}, { accept: "application/json" }, { "turbo-frame": "modal" }];
    for (const headers of ways) tags.add(String((await get(app, list, headers)).headers.etag));
    assert.is(tags.size, 3);
  });
});

describe("A portal that caches may not keep", (it) => {
  const withApp = async (changes: Record<string, string>, story: (app: TestApp) => Promise<void>) => {
    const app = await openPublic(changes);
    await story(app).finally(() => app.close());
  };

  it("Pages that keep nothing set no cookie there either, and are for their visitor alone", () =>
    withApp(engineWith(""), async (app) => {
      for (const path of [list, record]) {
        const { headers } = await get(app, path);
        assert.equal(
          [headers["set-cookie"], headers["cache-control"], headers.etag],
          [undefined, "private, no-cache", undefined],
        );
      }
      const kept = await get(app, list, { cookie: "fw_session=x" });
      assert.match(kept.text, 'name="csrf-token"');
      assert.not.match((await get(app, list)).text, 'name="csrf-token"');
    }));

  it("A controller may refuse, or be kept shorter", () =>
    withApp(
      {
        "packages/guest_portal/app/controllers/guest_portal/posts_controller.ts": `import ResourceController from "./resource_controller.ts";
          export default class PostsController extends ResourceController { static override readonly publicMaxAge = 5; preview() { return this.json({}); } }`,
        "packages/guest_portal/app/controllers/guest_portal/categories_controller.ts": `import ResourceController from "./resource_controller.ts";
          export default class CategoriesController extends ResourceController { static override readonly publicMaxAge = 0; }`,
      },
      async (app) => {
        assert.is((await get(app, list)).headers["cache-control"], "public, max-age=5");
        assert.is((await get(app, "/guest/1/comments")).headers["cache-control"], "public, max-age=60");
        assert.is((await get(app, "/guest/1/categories")).headers["cache-control"], "private, no-cache");
      },
    ));

  const refused = async (changes: Record<string, string>, reason: string) => {
    const error = await throwsCode("FW_PUBLIC_CACHE", async () => (await openPublic(changes)).close());
    assert.match(error.message, reason);
  };

  it("Boot refuses it where people are known by more than cookies", async () => {
    const concern = "packages/guest_portal/app/controllers/guest_portal/concerns/controller.ts";
    const byo = publicFiles[concern]!.replace("{ PortalController }", "{ CurrentUser, PortalController }").replace(
      'AuthenticatedBy("member")',
      "CurrentUser(async () => undefined)",
    );
    await refused({ [concern]: byo }, '"byo"');
    const config = publicFiles["plugins.config.ts"]!.replace("  members,", "  members, knowing,").replace(
      "export default",
      `const knowing = definePlugin({ name: "knowing", requires: ["host"], apply({ hooks }) { hooks.kernel.authenticate.tap("knowing", () => undefined); } });\nexport default`,
    );
    await refused({ "plugins.config.ts": config }, "hook authenticate");
  });

  it("Boot refuses it where the tenant is in neither path nor host name, behind a constraint, and for another age", async () => {
    await refused(
      engineWith("engine.allowPublicCache({ maxAge: 60 });", "currentOrganization"),
      "neither in the path nor in the host",
    );
    for (const age of ["-1", "1.5", "86401", "Number.NaN"])
      await refused(engineWith(`engine.allowPublicCache({ maxAge: ${age} });`), "whole number of seconds");
    const routes = tenantFiles["config/routes.ts"]!.replace(
      /(routes)\.mount\(GuestPortal,([^;]*)\);/,
      "routes.constraints(() => true, (r) => r.mount(GuestPortal,$2));",
    );
    assert.is.not(routes, tenantFiles["config/routes.ts"]);
    await refused({ "config/routes.ts": routes }, "behind a constraint");
  });

  it("Guests choose a language by a form without a token, where the browser says that a page of ours sends it", async () => {
    const config = publicFiles["plugins.config.ts"]!.replace("i18n()", 'i18n({ locales: ["en", "de"] })');
    await withApp({ "plugins.config.ts": config }, async (app) => {
      const { headers, text } = await get(app, list);
      assert.equal([headers["set-cookie"], headers["cache-control"]], [undefined, "public, max-age=60"]);
      assert.match(String(headers.vary), "accept-language");
      const german = await get(app, list, { "accept-language": "de" });
      assert.match(german.text, 'lang="de"');
      assert.is.not(german.headers.etag, headers.etag);
      const [form] = /<form class="fw-locales".*?<\/form>/s.exec(text)!;
      assert.not.match(form, "authenticity_token");
      const choose = (more: Record<string, string>) =>
        get(
          app,
          "/_locale",
          { method: "POST", "content-type": "application/x-www-form-urlencoded", referer: app.url + list, ...more },
          "locale=de",
        );
      const ours: Record<string, string>[] = [{ "sec-fetch-site": "same-origin" }, { origin: app.url }];
      for (const headers of ours) {
        const chosen = await choose(headers);
        assert.equal([chosen.status, chosen.headers.location], [303, list]);
        assert.match(String(chosen.headers["set-cookie"]), /^fw_locale=de;/);
      }
      const foreign: Record<string, string>[] = [
        {},
        { origin: "null" },
        { origin: "http://evil.test" },
        { "sec-fetch-site": "cross-site" },
        { "sec-fetch-site": "same-site" },
        { "sec-fetch-site": "cross-site", origin: app.url },
        { "sec-fetch-site": "same-origin", origin: "http://evil.test" },
      ];
      for (const headers of foreign) assert.is((await choose(headers)).status, 403, JSON.stringify(headers));
      const kept = await get(app, list, { cookie: "fw_locale=de" });
      assert.match(kept.text, 'lang="de"');
      assert.not.match(String(kept.headers["cache-control"]), "public");
      const session = await get(app, list, { cookie: "fw_session=x" });
      assert.match(/<form class="fw-locales".*?<\/form>/s.exec(session.text)![0], "authenticity_token");
    });
  });
});
