import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { raw } from "framewright/host";
import { definePlugin, openKernel, type Settings } from "framewright/kernel";
import { i18n } from "framewright/plugins/i18n";
import { icon, iconOrNothing, type Views, views } from "framewright/plugins/views";
import { assert, describe, throwsCode } from "../../support/index.ts";

function folder(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "fw-views-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}
const settings = (root: string, env = "production") => ({ root, env }) as Settings;
async function viewsOf(files: Record<string, string>, env?: string): Promise<Views> {
  const root = folder(Object.fromEntries(Object.entries(files).map(([name, text]) => [`app/views/${name}`, text])));
  return (await openKernel([i18n(), views()], { settings: settings(root, env) })).service("views");
}
const one = async (text: string, locals: Record<string, unknown> = {}, more: Record<string, string> = {}) =>
  (await viewsOf({ "page.liquid": text, ...more })).render({ names: ["page"], locals });

class Post {
  id = 7;
  title = "<b>Hi</b>";
  $secret = "no";
  get price(): string {
    return "1.50";
  }
  toLabel(): string {
    return this.title;
  }
  destroy(): string {
    return "destroyed";
  }
}

describe("Output of views", (it) => {
  it("A view escapes everything but safe HTML", async () => {
    const text = "{{ a }}|{{ b }}|{{ c }}|{{ nothing }}|{{ a | upcase }}|{{ b | upcase }}";
    const page = await one(text, { a: "<i>", b: raw("<b>"), c: ["<u>", raw("<s>")] });
    assert.is(page, "&lt;i&gt;|<b>|&lt;u&gt;<s>||&lt;I&gt;|&lt;B&gt;");
  });

  it("A view shows the attributes and getters of a record, and calls none of its methods", async () => {
    const text =
      "{{ post.title }} {{ post.price }} {{ post.destroy }} {{ post['$secret'] }} {{ post }}{% for p in posts %} {{ p.price }}{% endfor %}";
    const page = await one(text, { post: new Post(), posts: [new Post(), new Post()] });
    assert.is(page, "&lt;b&gt;Hi&lt;/b&gt; 1.50   &lt;b&gt;Hi&lt;/b&gt; 1.50 1.50");
  });

  it("A view reads no inherited property", async () => {
    assert.is(
      await one("{{ a.constructor }}{{ a.toString }}{{ a.__proto__ }}{{ constructor }}{{ helpers.toString }}", {
        a: {},
      }),
      "",
    );
  });

  it("Path helpers are variables and filters of a view, and a misspelled one gets a suggestion", async () => {
    const helpers = {
      posts_path: () => "/posts",
      post_path: (post: Post, options?: unknown) => `/posts/${post.id}${options ? "?" : ""}`,
    };
    assert.is(await one("{{ posts_path }} {{ post | post_path }}", { helpers, post: new Post() }), "/posts /posts/7");
    const error = await throwsCode("FW_VIEW_FAILED", () =>
      one("\n{{ post | pots_path }}", { helpers, post: new Post() }),
    );
    assert.match(error.message, /page\.liquid:2:.*Did you mean "posts_path"/);
  });

  it("Filters of a view render texts, dates, times, icons and JSON", async () => {
    const text = `{{ "framework.new" | t: model: "post" }} {{ at | date }} {{ at | time }} {{ "send" | icon }}<script>{{ data | json_script }}</script>`;
    const page = await one(text, { at: "2026-11-20 14:05:00.000", data: { a: "</script>" } });
    assert.match(page, 'New post <time datetime="2026-11-20">20 Nov 2026</time>');
    assert.match(page, '<time datetime="2026-11-20T14:05:00.000Z" data-local>20 Nov 2026, 14:05 UTC</time>');
    assert.match(page, /<svg class="icon"[^>]*aria-hidden="true"/);
    assert.match(page, '{"a":"\\u003c/script\\u003e"}');
  });

  it("A captured block is not escaped a second time", async () => {
    assert.is(await one("{% capture x %}<b>{{ a }}</b>{% endcapture %}{{ x }}", { a: "<" }), "<b>&lt;</b>");
  });
});

describe("Lookup of templates", (it) => {
  it("Templates are looked up in the application, the portal's package, the plugins and then the framework", async () => {
    const ranks = ["framework", "plugin", "portal", "application"] as const;
    const service = await viewsOf({});
    const seen: string[] = [];
    for (const rank of ranks) {
      const directory = folder({ "a.liquid": rank, "_p.liquid": `${rank} partial`, "b.liquid": `{% render "p" %}` });
      service.addRoot(rank === "portal" ? { directory, rank, portal: "admin" } : { directory, rank });
      seen.push(
        service.render({ portal: "admin", names: ["a"], locals: {} }),
        service.render({ names: ["b"], locals: {} }),
      );
    }
    const own = ["framework", "framework partial", "plugin", "plugin partial"];
    assert.equal(seen, [...own, "portal", "plugin partial", "application", "application partial"]);
  });

  it("Partials are found by name and beside the page, and an application may override a single one", async () => {
    const service = await viewsOf({ "resource/_row.liquid": "own {{ title }}" });
    const framework = folder({
      "resource/index.liquid": `{% render "./row" %}, {% render "resource/cell", x: 1 %}`,
      "resource/_row.liquid": "theirs",
      "resource/_cell.liquid": "cell {{ x }}",
    });
    service.addRoot({ directory: framework, rank: "framework" });
    assert.is(service.render({ names: ["posts/index", "resource/index"], locals: { title: "T" } }), "own T, cell 1");
  });

  it("A layout wraps a page, and sees what the page has assigned", async () => {
    const service = await viewsOf({
      "page.liquid": `{% assign title = "Mine" %}<p>{{ a }}</p>`,
      "layouts/plain.liquid": "<h1>{{ title }}</h1>{{ content }}",
    });
    const page = (layout?: string) => service.render({ names: ["page"], locals: { a: "<", title: "Given" }, layout });
    assert.equal([page("plain"), page("none"), page()], ["<h1>Mine</h1><p>&lt;</p>", "<p>&lt;</p>", "<p>&lt;</p>"]);
  });

  it("FW_VIEW_MISSING lists the files that were looked up for a missing view", async () => {
    const service = await viewsOf({});
    const error = await throwsCode("FW_VIEW_MISSING", () =>
      service.render({ names: ["posts/index", "resource/index"], locals: {} }),
    );
    assert.match(error.message, /posts\/index\.liquid, .*resource\/index\.liquid/);
    assert.is(service.exists(undefined, "posts/index"), false);
  });

  it("A view name with anything but plain path segments is refused with FW_VIEW_NAME, and in a template with FW_VIEW_FAILED", async () => {
    const service = await viewsOf({ "page.liquid": "{% render name %}", "_x.liquid": "x" });
    for (const name of ["../secret", "/etc/passwd", "a//b", "a.liquid", "A", "", "a/"]) {
      await throwsCode("FW_VIEW_NAME", () => service.render({ names: [name], locals: {} }));
      await throwsCode("FW_VIEW_FAILED", () => service.render({ names: ["page"], locals: { name: name || "../x" } }));
    }
    await throwsCode("FW_VIEW_NAME", () => service.render({ names: ["page"], locals: { name: "x" }, layout: "../x" }));
    assert.is(service.render({ names: ["page"], locals: { name: "x" } }), "x");
  });

  it("FW_VIEW_FAILED names the file and the line of a mistake, also in a partial", async () => {
    const broken = { "_part.liquid": "\n\n{{ a | nonsense }}" };
    const error = await throwsCode("FW_VIEW_FAILED", () => one(`{% render "part" %}`, {}, broken));
    assert.match(error.message, /_part\.liquid:3:\d+: .*nonsense/);
    await throwsCode("FW_VIEW_FAILED", () => one("{% if %}"));
    await throwsCode("FW_VIEW_FAILED", () => one(`{% render "absent" %}`));
  });

  it("A changed template is used in development, and not in production", async () => {
    for (const [env, expected] of [
      ["development", "new own"],
      ["production", "old "],
    ] as const) {
      const root = folder({ "app/views/page.liquid": `old {% render "part" %}`, "lib/_part.liquid": "" });
      const service = (await openKernel([i18n(), views()], { settings: settings(root, env) })).service("views");
      service.addRoot({ directory: join(root, "lib"), rank: "framework" });
      service.render({ names: ["page"], locals: {} });
      writeFileSync(join(root, "app/views/page.liquid"), `new {% render "part" %}`);
      utimesSync(join(root, "app/views/page.liquid"), 1, 1);
      writeFileSync(join(root, "app/views/_part.liquid"), "own");
      assert.is(service.render({ names: ["page"], locals: {} }), expected);
    }
  });

  it("A plugin may render a page instead of its template by tapping the render hook", async () => {
    const foreign = definePlugin({
      name: "foreign",
      requires: ["views"],
      apply: ({ hooks }) =>
        hooks.views.render.tap("foreign", ({ names }) => (names[0] === "page" ? "<foreign>" : undefined)),
    });
    const kernel = await openKernel([i18n(), views(), foreign], { settings: settings(folder({})) });
    assert.is(kernel.service("views").render({ names: ["page"], locals: {} }), "<foreign>");
    await kernel.close();
  });

  it("An icon is inlined as SVG, and an unknown one fails with FW_ICON_UNKNOWN", async () => {
    assert.match(icon("send").html, "<path");
    await throwsCode("FW_ICON_UNKNOWN", () => icon("no-such-icon"));
    await throwsCode("FW_ICON_UNKNOWN", () => icon("../../package"));
    assert.is(iconOrNothing("no-such-icon").html, "");
  });
});
