import { raw } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import { i18n, type Texts } from "framewright/plugins/i18n";
import { type Layout, layout } from "framewright/plugins/layout";
import { type Views, views } from "framewright/plugins/views";
import { i18nConformance } from "../../conformance/i18n.ts";
import { layoutConformance } from "../../conformance/layout.ts";
import { writeFolder } from "../../conformance/support/application.ts";
import { liquid, viewsConformance } from "../../conformance/views.ts";
import { describe } from "../../support/index.ts";
import { pagePlugins, refuses } from "./suites.ts";

/** Texts that differ from the standard ones in one point. */
const texts = (change: (texts: Texts) => Partial<Texts>): Plugin[] => [
  i18n(),
  definePlugin({
    name: "wrong-texts",
    decorates: "i18n",
    apply({ services }): Texts {
      const own: Texts = services.i18n;
      return { t: own.t, has: own.has, add: own.add, ...change(own) };
    },
  }),
];

describe("The suite of the slot i18n", (it) => {
  for (const { sentence, check } of i18nConformance)
    it(`The standard plugin: ${sentence}`, () => check({ plugins: [i18n()] }));

  it("It refuses texts that throw for a missing key", () =>
    refuses(
      i18nConformance,
      {
        plugins: texts((own) => ({
          t(key, vars, locale) {
            if (!own.has(key, locale) && vars?.count === undefined) throw new Error(`no text for ${key}`);
            return own.t(key, vars, locale);
          },
        })),
      },
      { "A missing text": /no text for conformance\.not_there/ },
    ));
  it("It refuses texts that escape values", () =>
    refuses(
      i18nConformance,
      {
        plugins: texts((own) => ({
          t: (key, vars = {}, locale) =>
            own.t(
              key,
              Object.fromEntries(
                Object.entries(vars).map(([name, value]) => [
                  name,
                  typeof value === "string" ? value.replaceAll("<", "&lt;") : value,
                ]),
              ),
              locale,
            ),
        })),
      },
      { "nothing in it or in the values is escaped": /&lt;Ada/ },
    ));
  it("It refuses texts that ignore the locale, and those of which the last plugin wins in silence", () =>
    refuses(
      i18nConformance,
      {
        plugins: texts((own) => ({
          t: (key, vars) => own.t(key, vars),
          add(locale, catalogue) {
            try {
              own.add(locale, catalogue);
            } catch {} // the first one stays
          },
        })),
      },
      { "the locale that is asked for": /Ä/, "Two plugins": /the application started/ },
    ));
});

/** Views that differ from the standard ones in one point. */
const templates = (change: (views: Views) => Partial<Views>): Plugin[] => [
  i18n(),
  views(),
  definePlugin({
    name: "wrong-views",
    decorates: "views",
    apply: ({ services }): Views => ({ ...services.views, ...change(services.views) }),
  }),
];

describe("The suite of the slot views", (it) => {
  for (const { sentence, check } of viewsConformance)
    it(`The standard plugin: ${sentence}`, () => check({ plugins: [i18n(), views()], language: liquid }));

  it("It refuses views that escape nothing", () =>
    refuses(
      viewsConformance,
      {
        language: liquid,
        plugins: templates((own) => ({
          render: (view) =>
            own.render({
              ...view,
              locals: Object.fromEntries(
                Object.entries(view.locals).map(([name, value]) => [
                  name,
                  typeof value === "string" ? raw(value) : value,
                ]),
              ),
            }),
        })),
      },
      { "Values are escaped": /./, "A layout has its page once": /./ },
    ));
  it("It refuses views that ignore the hook and the portal, or print the page again in place of its layout", async () => {
    await refuses(
      viewsConformance,
      {
        language: liquid,
        plugins: templates((own) => ({
          render: ({ portal: _, ...view }) => own.render({ ...view, names: ["conformance/none", ...view.names] }),
        })),
      },
      { "by rank": /./, "What a tap": /by the template/ },
    );
    await refuses(
      viewsConformance,
      {
        language: liquid,
        plugins: templates((own) => ({ render: (view) => own.render({ ...view, layout: undefined }).repeat(2) })),
      },
      {
        "Values are escaped": /./,
        "A layout has": /./,
        "The first of several": /./,
        "by rank": /./,
        "no name leads out": /./,
        "What a tap": /./,
        "app/views": /./,
      },
    );
  });
});

/** A layout whose templates differ: of a plugin, which comes before the framework's own. */
const shell = (
  templates: Record<string, string>,
  change: (layout: Layout) => Partial<Layout> = () => ({}),
): Plugin[] => [
  ...pagePlugins(),
  layout(),
  definePlugin({
    name: "wrong-layout",
    directory: writeFolder(
      Object.fromEntries(Object.entries(templates).map(([name, text]) => [`views/layouts/${name}.liquid`, text])),
    ),
    decorates: "layout",
    apply: ({ services }): Layout => ({ ...services.layout, ...change(services.layout) }),
  }),
];
const document = (head: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>{{ title }}</title><meta name="csrf-token" content="{{ csrf_token }}">${head}</head><body>{% for one in flash %}<p>{{ one.message }}</p>{% endfor %}${body}</body></html>`;
const both = (text: string) => ({ basic: text, resource: text });

describe("The suite of the slot layout", (it) => {
  for (const { sentence, check } of layoutConformance)
    it(`The standard plugin: ${sentence}`, () => check({ plugins: [...pagePlugins(), layout()] }));

  it("A layout of a few lines passes", () =>
    refuses(layoutConformance, { plugins: shell(both(document("{{ head }}", "{{ content }}"))) }, {}));
  it("It refuses a layout that escapes its page a second time", () =>
    refuses(
      layoutConformance,
      {
        plugins: shell(
          both(
            document(
              "{{ head }}",
              "{% capture page %}{{ content }}{% endcapture %}<pre>{{ page | append: '' | escape }}</pre>",
            ),
          ),
        ),
      },
      { "each one document": /./, "Errors are pages": /./ },
    ));
  it("It refuses a layout that leaves out what plugins add to the head, or prints the page twice", () =>
    refuses(
      layoutConformance,
      {
        plugins: shell({
          basic: document("", "{{ content }}"),
          resource: document("{{ head }}", "{{ content }}{{ content }}"),
        }),
      },
      { "What plugins add": /conformance\/page/, "each one document": /conformance\/portal/ },
    ));
  it("It refuses a layout that wraps Turbo frames in the shell, with their ids as they are", () =>
    refuses(
      layoutConformance,
      {
        plugins: shell(both(document("{{ head }}", "{{ content }}")), (own) => ({
          choose: ({ frame: _, ...page }) => own.choose(page),
          frame: (id, content) => raw(`<turbo-frame id="${id}">${content}</turbo-frame>`),
        })),
      },
      { "A page keeps the layout": /none/, "A Turbo frame": /./ },
    ));
});
