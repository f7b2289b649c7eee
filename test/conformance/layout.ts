// What every filler of the slot "layout" must do. The templates of the checks are in Liquid. Uses node:assert alone, so that it runs
// under any test runner: for (const { sentence, check } of layoutConformance) test(sentence, () => check({ plugins: [i18n(), views(), assets(), myLayout()] })).
import assert from "node:assert/strict";
import { BaseController, html, raw } from "framewright/host";
import { definePlugin } from "framewright/kernel";
import type { Layout } from "framewright/plugins/layout";
import type { TestApplication } from "framewright/testing";
import { type Answer, ask, count, type Subject, within, writeFolder } from "./support/application.ts";

export interface LayoutCheck {
  sentence: string;
  /** With the plugins of an application that has the filler. */
  check(subject: Subject): Promise<void>;
}

const CONTENT = '<p id="conformance">a &amp; b</p>';
const locals = {
  title: `Tom & <Jerry>`,
  flash: [
    { kind: "notice", message: "Saved <it> & more" },
    { kind: "alert", message: "Failed <it>" },
  ],
  csrf_token: "conformance-token",
};

class Pages extends BaseController {
  static override guests = "admit" as const;
  page() {
    return this.render("conformance/page", { locals });
  }
  portal() {
    return this.render("conformance/page", {
      locals,
      layout: this.request.kernel.service("layout").choose({ host: "portal" }),
    });
  }
  chosen() {
    return this.render("conformance/page", { locals, layout: "conformance" });
  }
  none() {
    return this.render("conformance/page", { locals, layout: "none" });
  }
}

/** Pages of the application, and what two plugins add to their heads. */
const pages = () => {
  const directory = writeFolder({
    "views/conformance/page.liquid": '<p id="conformance">{{ "a & b" }}</p>',
    "views/layouts/conformance.liquid": "<section>{{ content }}</section>",
  });
  const drawing = definePlugin({
    name: "conformance",
    directory,
    requires: ["host", "layout", "views"],
    apply({ services: { layout }, hooks, tap }) {
      layout.head.add(() => html`<meta name="conformance" content="${'"<1>'}">`);
      layout.head.add(() => raw('<meta name="conformance-shared">'));
      layout.head.add(() => undefined);
      tap(hooks.kernel.drawRoutes, (routes) => {
        for (const action of ["page", "portal", "chosen", "none"])
          routes.get(`conformance/${action}`, { controller: Pages, action });
        routes.get("conformance/tapped", { controller: Pages, action: "page" });
      });
      tap(hooks.kernel.layout, ({ path }) => (path === "/conformance/tapped" ? "conformance" : undefined));
    },
  });
  const another = definePlugin({
    name: "conformance-another",
    requires: ["layout"],
    apply: ({ services: { layout } }) => layout.head.add(() => raw('<meta name="conformance-shared">')),
  });
  return [drawing, another];
};

const withPages = (subject: Subject, work: (app: TestApplication, layout: Layout) => void | Promise<void>) =>
  within(subject, pages(), (app) => work(app, app.application.kernel.service("layout")));
const get = (app: TestApplication, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(app, path, { headers: { accept: "text/html", ...headers } });

/** Fails unless a text is one whole page. */
function assertDocument(text: string): void {
  for (const tag of ["<!doctype html>", "<html", "</html>", "<head>", "</head>", "<title>", "<body", "</body>"])
    assert.equal(count(text.toLowerCase(), tag), 1, `${tag} in ${text}`);
}
const headOf = (text: string): string => text.slice(text.indexOf("<head>"), text.indexOf("</head>"));

export const layoutConformance: readonly LayoutCheck[] = [
  {
    sentence:
      "A page outside of portals and one in a portal are each one document, which has the view's content once and unchanged",
    check: (subject) =>
      withPages(subject, async (app) => {
        for (const path of ["/conformance/page", "/conformance/portal"]) {
          const { status, text } = await get(app, path);
          assert.equal(status, 200, path);
          assertDocument(text);
          assert.equal(count(text, CONTENT), 1, path);
          assert.equal(count(text, "conformance&quot;"), 0, `${path}: the content is escaped a second time`);
          assert.ok(text.indexOf(CONTENT) > text.indexOf("<body"), path);
        }
      }),
  },
  {
    sentence: "Title, messages and the token for scripts are shown, and escaped",
    check: (subject) =>
      withPages(subject, async (app) => {
        for (const path of ["/conformance/page", "/conformance/portal"]) {
          const { text } = await get(app, path);
          assert.match(headOf(text), /<title>[^<]*Tom &amp; &lt;Jerry&gt;[^<]*<\/title>/, path);
          assert.equal(count(text, "Saved &lt;it&gt; &amp; more"), 1, path);
          assert.equal(count(text, "Failed &lt;it&gt;"), 1, path);
          assert.ok(!/<jerry>|<it>/i.test(text), path);
          assert.match(headOf(text), /<meta name="csrf-token" content="conformance-token">/, path);
        }
      }),
  },
  {
    sentence: "What plugins add to the head is in the head of every page with a layout of the slot, each element once",
    check: (subject) =>
      withPages(subject, async (app) => {
        for (const path of ["/conformance/page", "/conformance/portal"]) {
          const head = headOf((await get(app, path)).text);
          assert.equal(count(head, '<meta name="conformance" content="&quot;&lt;1&gt;">'), 1, path);
          assert.equal(count(head, '<meta name="conformance-shared">'), 1, path);
        }
      }),
  },
  {
    sentence:
      "A page keeps the layout that it asks for, none included, and a tap of kernel.layout comes before the slot's own choice",
    check: (subject) =>
      withPages(subject, async (app, layout) => {
        const texts = await Promise.all(["chosen", "none", "tapped"].map((name) => get(app, `/conformance/${name}`)));
        assert.deepEqual(
          texts.map(({ text }) => text.trim()),
          [`<section>${CONTENT}</section>`, CONTENT, `<section>${CONTENT}</section>`],
        );
        for (const host of ["portal", "main"] as const) {
          assert.equal(layout.choose({ host, layout: "conformance" }), "conformance");
          assert.equal(layout.choose({ host, layout: "conformance", frame: "x" }), "none");
          assert.notEqual(layout.choose({ host }), "none");
        }
      }),
  },
  {
    sentence: "A Turbo frame gets the content alone, in an element with its escaped id",
    check: (subject) =>
      withPages(subject, async (app, layout) => {
        const { text } = await get(app, "/conformance/page", { "turbo-frame": "details" });
        assert.equal(text.trim(), `<turbo-frame id="details">${CONTENT}</turbo-frame>`);
        const frame = layout.frame(`a"b<`, html`<p>${"<&>"}</p>`);
        assert.equal(frame.toString(), '<turbo-frame id="a&quot;b&lt;"><p>&lt;&amp;&gt;</p></turbo-frame>');
        assert.equal(layout.frame("x", "<p>HTML</p>").toString(), '<turbo-frame id="x"><p>HTML</p></turbo-frame>');
      }),
  },
  {
    sentence:
      "Errors are pages of the layout basic: one document, with the status of the error and nothing of the request",
    check: (subject) =>
      withPages(subject, async (app) => {
        const views = app.application.kernel.service("views");
        assert.deepEqual(
          [views.exists(undefined, "errors/error"), views.exists(undefined, "layouts/basic")],
          [true, true],
        );
        const { status, text } = await get(app, "/conformance/<script>missing?q=<script>missing");
        assert.equal(status, 404);
        assertDocument(text);
        assert.ok(!/script>missing|%3cscript/i.test(text));
        const locals = { status: 418, title: "Tea <pot>", message: "No <coffee>" };
        const own = views.render({ names: ["errors/error"], layout: "basic", locals });
        assertDocument(own);
        assert.match(own, /Tea &lt;pot&gt;[\s\S]*No &lt;coffee&gt;/);
      }),
  },
];
