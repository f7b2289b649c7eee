import { readdirSync } from "node:fs";
import { join } from "node:path";
import { raw } from "framewright/host";
import { definePlugin, openKernel, type RequestContext, type Settings } from "framewright/kernel";
import { assets } from "framewright/plugins/assets";
import { i18n } from "framewright/plugins/i18n";
import { layout } from "framewright/plugins/layout";
import { views } from "framewright/plugins/views";
import { assert, describe, throwsCode } from "../../support/index.ts";

const settings = { root: "/nowhere", env: "test" } as Settings;
const shell = () => [i18n(), views(), assets(), layout()];
const content = definePlugin({
  name: "content",
  requires: ["views"],
  apply: ({ hooks }) =>
    hooks.views.render.tap("content", (view) => {
      if (view.names[0] === "page") view.names = ["errors/404"];
      return undefined;
    }),
});
const locals = {
  title: `A & <b>`,
  portal: { name: "admin", label: "Admin", root_url: "/admin" },
  navigation: [{ label: "Posts", url: "/admin/posts", icon: "article", active: true }],
  breadcrumbs: [{ label: "Posts", url: "/admin/posts" }, { label: "<i>Hello" }],
  flash: [
    { kind: "alert", message: "<script>x" },
    { kind: "notice", message: "Saved" },
  ],
  current_user: { name: "Ada" },
  user_menu: [{ label: "Sign out", url: "/logout", method: "post" }],
  csrf: raw('<input type="hidden" name="_csrf" value="t">'),
  request: { id: "r-1", locale: "en" },
};

describe("Choice of a layout", (it) => {
  const request = (frame?: string, engine?: object) => ({ frame, engine }) as unknown as RequestContext;

  it("The layout is resource in a portal, basic outside of portals and none in a Turbo frame", async () => {
    const kernel = await openKernel(shell(), { settings });
    const hook = kernel.hooks.layout;
    assert.equal(
      [hook.call(request(undefined, {})), hook.call(request()), hook.call(request("post_1", {}))],
      ["resource", "basic", "none"],
    );
    const service = kernel.service("layout");
    assert.is(service.choose({ host: "portal", layout: "shop" }), "shop");
    assert.is(service.choose({ host: "portal", layout: "shop", frame: "x" }), "none");
  });

  it("An option sets the layout of portals, and another plugin may choose a layout first", async () => {
    const mine = definePlugin({
      name: "mine",
      apply: ({ hooks }) => hooks.kernel.layout.tap("mine", ({ path }) => (path === "/print" ? "print" : undefined)),
    });
    const kernel = await openKernel([i18n(), views(), assets(), layout({ portal: "wide" }), mine], { settings });
    const at = (path: string) => kernel.hooks.layout.call({ path, engine: {} } as unknown as RequestContext);
    assert.equal([at("/print"), at("/posts")], ["print", "wide"]);
  });

  it("The answer to a Turbo frame is wrapped in that frame", async () => {
    const service = (await openKernel(shell(), { settings })).service("layout");
    assert.is(service.frame(`a"b`, "<p>x</p>").html, '<turbo-frame id="a&quot;b"><p>x</p></turbo-frame>');
  });

  it("An unknown option of the layout plugin is refused with FW_OPTION_UNKNOWN", () =>
    throwsCode("FW_OPTION_UNKNOWN", () => layout({ sidebar: true } as never)).then(() => undefined));
});

describe("Content of a layout", (it) => {
  const render = async (name: string, more: Record<string, unknown> = {}) =>
    (await openKernel([...shell(), content], { settings }))
      .service("views")
      .render({ names: ["page"], layout: name, locals: { ...locals, ...more } });

  it("A layout escapes titles, messages and breadcrumbs", async () => {
    const page = await render("resource");
    assert.match(page, "<title>A &amp; &lt;b&gt; &middot; Admin &middot; Framewright</title>");
    assert.not.match(page, "<script>x");
    assert.not.match(page, "<i>Hello");
  });

  it("The resource layout has a skip link, landmarks, the current page, messages and a sign-out form with a token", async () => {
    const page = await render("resource");
    for (const part of [
      'href="#main"',
      '<main id="main"',
      "<header",
      "<nav aria-label",
      'aria-current="page"',
      'role="alert"',
      'role="status"',
      '<html lang="en"',
    ]) {
      assert.ok(page.includes(part), part);
    }
    assert.match(page, /<form method="post" action="\/logout"><input type="hidden" name="_csrf" value="t">/);
    assert.match(page, /<details class="fw-menu">/);
  });

  it("What stands around the content of a page is small", async () => {
    const page = await render("resource");
    assert.ok(page.length <= 4_000, `${page.length} characters`);
    assert.is(page.split("fw-brand-mark").length, 2, "the brand stands once");
  });

  it("The basic layout links stylesheets by addresses with a content hash, and has no sidebar", async () => {
    const page = await render("basic");
    assert.match(page, /href="\/assets\/pages-[\w-]{12}\.css"/);
    assert.match(page, /src="\/assets\/pages-[\w-]{12}\.js"/);
    assert.not.match(page, "fw-sidebar");
  });

  it("Every error page shows its status, and of a failure the id of the request", async () => {
    const service = (await openKernel(shell(), { settings })).service("views");
    const files = readdirSync(join(import.meta.dirname, "../../../plugins/layout/views/errors"));
    const statuses = files.flatMap((file) => /^(\d{3})\.liquid$/.exec(file)?.[1] ?? []);
    assert.ok(statuses.length >= 10);
    for (const status of statuses) {
      const page = service.render({
        names: [`errors/${status}`],
        layout: "basic",
        locals: { status: Number(status), request: { id: "id-of-request" } },
      });
      assert.match(page, `<p class="fw-error-status" aria-hidden="true">${status}</p>`);
      assert.is(page.includes("id-of-request"), Number(status) >= 500, status);
      assert.not.match(page, "[missing");
    }
    const own = service.render({ names: ["errors/error"], locals: { status: 418, title: "Tea", message: "<b>" } });
    assert.match(own, "<h1>Tea</h1>");
    assert.match(own, "&lt;b&gt;");
  });
});
