// What every filler of the slot "views" must do, in whatever language its templates are. Uses node:assert alone, so that it runs
// under any test runner: for (const { sentence, check } of viewsConformance) test(sentence, () => check({ plugins: [i18n(), myViews()], language })).
import assert from "node:assert/strict";
import { raw } from "framewright/host";
import { definePlugin } from "framewright/kernel";
import type { ViewRoot, Views } from "framewright/plugins/views";
import { count, type Subject, within, writeFolder } from "./support/application.ts";

/** How a template is written. */
export interface ViewLanguage {
  /** The ending of a template's file, as in "eta". */
  ending: string;
  /** What prints a local: `<%= it.name %>`. */
  print(local: string): string;
  /** A template that cannot be parsed. */
  broken: string;
  /** A layout that has its page between `<main>` and `</main>`, and the ending of its file. */
  layout: { ending: string; text: string };
}
/** Templates in Liquid. */
export const liquid: ViewLanguage = {
  ending: "liquid",
  print: (local) => `{{ ${local} }}`,
  broken: "<p>{% if %}</p>",
  layout: { ending: "liquid", text: "<main>{{ content }}</main>" },
};

/** An application that has the filler, and the language of its templates. */
export interface ViewsSubject extends Subject {
  language: ViewLanguage;
}
export interface ViewsCheck {
  sentence: string;
  check(subject: ViewsSubject): Promise<void>;
}

/** Answers the hook for one page. */
const answering = definePlugin({
  name: "conformance",
  requires: ["views"],
  apply({ hooks, tap }) {
    tap(hooks.views.render, ({ names }) => (names[0] === "conformance/answered" ? "<p>by a tap</p>" : undefined));
  },
});

/** A folder of templates, whose keys are names without an ending. */
const folderOf = ({ ending }: { ending: string }, templates: Readonly<Record<string, string>>): string =>
  writeFolder(Object.fromEntries(Object.entries(templates).map(([name, text]) => [`${name}.${ending}`, text])));

/** Runs the work with views that have these templates. */
const withTemplates = (
  subject: ViewsSubject,
  templates: Readonly<Record<string, string>>,
  work: (views: Views) => void,
): Promise<void> =>
  within(subject, [answering], ({ application }) => {
    const views = application.kernel.service("views");
    views.addRoot({ directory: folderOf(subject.language, templates), rank: "plugin" });
    views.addRoot({
      directory: folderOf(subject.language.layout, { "layouts/conformance": subject.language.layout.text }),
      rank: "plugin",
    });
    work(views);
  });

const page = "conformance/page";
/** Space around a page, and around what its layout has of it, is the language's own affair. */
const tight = (html: string): string => html.replace(/>\s+</g, "><").trim();

export const viewsConformance: readonly ViewsCheck[] = [
  {
    sentence:
      "Values are escaped, for text and for attributes, safe HTML is printed as it is, and nothing prints nothing",
    check: (subject) => {
      const { print } = subject.language;
      const text = `<p title="${print("value")}">${print("value")}|${print("safe")}|${print("none")}</p>`;
      return withTemplates(subject, { [page]: text }, (views) => {
        const locals = { value: `<b a='1' b="2">&amp;`, safe: raw("<i>&amp;</i>"), none: undefined };
        const html = tight(views.render({ names: [page], locals }));
        assert.match(html, /^<p title="[^"<>']*">[^"<>']*\|<i>&amp;<\/i>\|<\/p>$/);
        assert.equal(count(html, "&amp;amp;"), 2, "a value that looks escaped is escaped as any other");
        assert.ok(!html.includes("&amp;lt;"), "a value is escaped once");
      });
    },
  },
  {
    sentence: "A layout has its page once and unchanged, and none or no layout leaves the page as it is",
    check: (subject) =>
      withTemplates(subject, { [page]: `<p>${subject.language.print("value")}</p>` }, (views) => {
        const render = (layout?: string) => tight(views.render({ names: [page], layout, locals: { value: "<&>" } }));
        assert.equal(render(), "<p>&lt;&amp;&gt;</p>");
        assert.equal(render("none"), render());
        assert.equal(render("conformance"), `<main>${render()}</main>`);
        assert.throws(() => render("conformance_missing"), { code: "FW_VIEW_MISSING", message: /conformance_missing/ });
      }),
  },
  {
    sentence: "The first of several names that exists is rendered, as exists says",
    check: (subject) =>
      withTemplates(subject, { "conformance/b": "B", "conformance/c": "C" }, (views) => {
        const names = ["conformance/a", "conformance/b", "conformance/c"];
        assert.deepEqual(
          names.map((name) => views.exists(undefined, name)),
          [false, true, true],
        );
        assert.equal(tight(views.render({ names, locals: {} })), "B");
        assert.equal(tight(views.render({ names: names.toReversed(), locals: {} })), "C");
      }),
  },
  {
    sentence: "Folders are searched by rank (application, portal, plugin, framework), a portal's for that portal alone",
    check: (subject) =>
      within(subject, [], ({ application }) => {
        const views = application.kernel.service("views");
        const seen: string[] = [];
        for (const rank of ["framework", "plugin", "portal", "application"] as const) {
          const directory = folderOf(subject.language, { [page]: rank, [`conformance/only_${rank}`]: rank });
          const root: ViewRoot =
            rank === "portal" ? { directory, rank, portal: "conformance_portal" } : { directory, rank };
          views.addRoot(root);
          for (const portal of ["conformance_portal", "another_portal", undefined])
            seen.push(views.render({ portal, names: [page], locals: {} }).trim());
        }
        const [framework, plugin, own] = ["framework", "plugin", "application"].map((rank) => [rank, rank, rank]);
        assert.deepEqual(seen, [...framework!, ...plugin!, "portal", "plugin", "plugin", ...own!]);
        const only = ["conformance_portal", "another_portal"].map((name) =>
          views.exists(name, "conformance/only_portal"),
        );
        assert.deepEqual(only, [true, false]);
      }),
  },
  {
    sentence: "A missing view is FW_VIEW_MISSING with its names, and no name leads out of the folders (FW_VIEW_NAME)",
    check: (subject) =>
      within(subject, [], ({ application }) => {
        const { language } = subject;
        const views = application.kernel.service("views");
        const templates = { "inside/page": "inside", secret: "marked" };
        const folder = folderOf(language, templates);
        views.addRoot({ directory: `${folder}/inside`, rank: "plugin" });
        const render = (...names: string[]) => views.render({ names, locals: {} });
        assert.throws(() => render("conformance/x", "conformance/y"), {
          code: "FW_VIEW_MISSING",
          message: /conformance\/x.*conformance\/y/s,
        });
        assert.equal(render("page").trim(), "inside");
        for (const name of [
          "../secret",
          "x/../../secret",
          `${folder}/secret`,
          `page.${language.ending}`,
          "a//b",
          "A",
          "",
          "page\0",
        ])
          assert.throws(() => render(name), { code: "FW_VIEW_NAME" }, JSON.stringify(name));
      }),
  },
  {
    sentence: "A template that fails is FW_VIEW_FAILED with the path of its file",
    check: (subject) =>
      withTemplates(subject, { "conformance/broken": subject.language.broken }, (views) =>
        assert.throws(
          () => views.render({ names: ["conformance/broken"], locals: {} }),
          (error: Error) => {
            assert.equal((error as { code?: string }).code, "FW_VIEW_FAILED");
            assert.ok(error.message.includes(`conformance/broken.${subject.language.ending}`), error.message);
            return true;
          },
        ),
      ),
  },
  {
    sentence: "What a tap of the hook render returns is used in place of the template",
    check: (subject) =>
      withTemplates(subject, { "conformance/answered": "by the template", [page]: "a page" }, (views) => {
        assert.equal(views.render({ names: ["conformance/answered"], locals: {} }), "<p>by a tap</p>");
        assert.equal(views.render({ names: [page], locals: {} }).trim(), "a page");
      }),
  },
  {
    sentence: "Templates are found in app/views of the application, and in the folder views/ of plugins",
    check: (subject) => {
      const { ending } = subject.language;
      const directory = writeFolder({
        [`views/${page}.${ending}`]: "plugin",
        [`views/conformance/own.${ending}`]: "own",
      });
      const plugin = definePlugin({
        name: "conformance-folder",
        directory,
        requires: ["views"],
        apply: () => undefined,
      });
      const files = { ...subject.files, [`app/views/${page}.${ending}`]: "application" };
      return within({ ...subject, files }, [plugin], ({ application }) => {
        const views = application.kernel.service("views");
        const render = (name: string) => views.render({ names: [name], locals: {} }).trim();
        assert.deepEqual([render("conformance/own"), render(page)], ["own", "application"]);
      });
    },
  },
];
