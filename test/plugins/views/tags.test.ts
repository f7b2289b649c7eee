import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { html } from "framewright/host";
import { definePlugin, openKernel, type Settings } from "framewright/kernel";
import { i18n } from "framewright/plugins/i18n";
import { type Tag, type Views, views } from "framewright/plugins/views";
import { assert, describe, throwsCode } from "../../support/index.ts";

const settings = { root: "", env: "production" } as Settings;
const moneyBar: Tag = {
  render: ({ values: [amount, ...more], named: { max = 100, unit }, read }) =>
    html`<meter max="${max}" value="${amount}">${more.length} ${unit} ${read("request", "locale")}</meter>`,
};
const note: Tag = {
  block: true,
  render: ({ content, values: [kind] }) => html`<aside class="${kind}">${content}</aside>`,
};
class Post {
  id = 7;
  toLabel(): string {
    return "Hi";
  }
}

/** The views of an application with these templates, and tags that a plugin adds. */
async function viewsWith(files: Record<string, string>, tags: Record<string, Tag>, compile = true): Promise<Views> {
  const directory = mkdtempSync(join(tmpdir(), "fw-tags-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  const plugin = definePlugin({
    name: "broom",
    requires: ["views"],
    apply: ({ services }) => {
      services.views.addRoot({ directory, rank: "application" });
      for (const [name, tag] of Object.entries(tags)) services.views.addTag(name, tag);
    },
  });
  return (await openKernel([i18n(), views({ compile }), plugin], { settings })).service("views");
}
const page = async (text: string, tags: Record<string, Tag>, locals: Record<string, unknown> = {}, compile = true) =>
  (await viewsWith({ "page.liquid": text }, tags, compile)).render({ names: ["page"], locals });

describe("Tags that a plugin adds", (it) => {
  it("A tag gets its arguments and the page, and what it prints is escaped unless it is safe", async () => {
    const locals = { total: 12, request: { locale: "en" } };
    const bar = '<meter max="50" value="12">1 &lt;b&gt; en</meter>';
    const text = `{% money_bar total, "x", unit: "<b>", max: 50 %}|{% plain "<i>" %}|{% plain %}`;
    const tags: Record<string, Tag> = { money_bar: moneyBar, plain: { render: ({ values }) => values.map(String) } };
    for (const compile of [true, false]) assert.is(await page(text, tags, locals, compile), `${bar}|&lt;i&gt;|`);
  });

  it("A block has its content rendered, with the variables around it, and other tags in it", async () => {
    const text = `{% for p in posts %}{% note "info" %}{{ p }}{% note p %}{% if p %}<b>{% endif %}{% endnote %}{% endnote %}{% endfor %}`;
    assert.is(
      await page(text, { note }, { posts: ["<", "b"] }),
      '<aside class="info">&lt;<aside class="&lt;"><b></aside></aside><aside class="info">b<aside class="b"><b></aside></aside>',
    );
  });

  it("A tag gets records themselves, alone and in lists", async () => {
    const seen: unknown[] = [];
    const look: Tag = { render: ({ values, read }) => void seen.push(...values.flat(), read("post")) };
    const post = new Post();
    await page("{% look post, posts %}", { look }, { post, posts: [post] });
    assert.equal(
      seen.map((value) => value === post),
      [true, true, true],
    );
  });

  it("A template with such a tag, its own or in a partial, is interpreted, and the list of templates says why", async () => {
    const files = {
      "a.liquid": "\n{% note %}{% endnote %}",
      "b.liquid": `{% render "part" %}`,
      "c.liquid": "c",
      "_part.liquid": "{% note %}x{% endnote %}",
    };
    const service = await viewsWith(files, { note });
    const modes = service.templates?.(undefined) ?? [];
    assert.equal(
      modes.map((mode) => (mode.compiled ? "compiled" : mode.why)),
      ['the tag "note" (line 2)', 'the tag "note" (line 1)', "compiled"],
    );
    assert.is(service.render({ names: ["b"], locals: {} }), '<aside class="">x</aside>');
  });

  it("A tag that is added later is known to templates that failed without it", async () => {
    const service = await viewsWith({ "page.liquid": "{% late %}" }, {});
    await throwsCode("FW_VIEW_FAILED", () => service.render({ names: ["page"], locals: {} }));
    service.addTag("late", { render: () => "here" });
    assert.is(service.render({ names: ["page"], locals: {} }), "here");
  });

  it("Arguments that can't be read, a block that is not closed and a promise fail with file and line", async () => {
    const wait = { render: (async () => "late") as never };
    for (const [text, reason] of [
      ["\n{% note 1 2 %}{% endnote %}", "unexpected character"],
      ["\n{% note %}x", "tag {% note %} not closed"],
      ["\n{% wait %}", 'the tag "wait" returned a promise'],
    ] as const) {
      const error = await throwsCode("FW_VIEW_FAILED", () => page(text, { note, wait }));
      assert.match(error.message, "page.liquid:2:");
      assert.match(error.message, reason);
    }
  });

  it("A tag that two plugins add is refused by the names of both, unless one replaces it", async () => {
    const adds = (name: string, options?: { replace: boolean }) =>
      definePlugin({
        name,
        requires: ["views"],
        apply: ({ services }) => services.views.addTag("note", note, options),
      });
    const open = (...plugins: ReturnType<typeof adds>[]) => openKernel([i18n(), views(), ...plugins], { settings });
    const error = await throwsCode("FW_REGISTRY_TAKEN", () => open(adds("broom"), adds("vacuum")));
    assert.match(error.message, '"broom" and "vacuum" both');
    assert.match(error.message, 'the Liquid tag "note"');
    await (await open(adds("broom"), adds("vacuum", { replace: true }))).close();
  });

  it("A tag of liquidjs and a name that no tag can have are refused with FW_TAG_NAME", async () => {
    for (const name of ["if", "render", "endnote", "else", "when", "money-bar", "Bar", ""]) {
      const error = await throwsCode("FW_TAG_NAME", () => page("x", { [name]: note }));
      assert.match(error.message, `"${name}"`);
    }
  });
});
