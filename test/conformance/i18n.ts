// What every filler of the slot "i18n" must do. Uses node:assert alone, so that it runs under any test runner:
// for (const { sentence, check } of i18nConformance) test(sentence, () => check({ plugins: [myTexts()] })).
import assert from "node:assert/strict";
import { definePlugin } from "framewright/kernel";
import type { Catalogue, Texts } from "framewright/plugins/i18n";
import { refusal, type Subject, within, writeFolder } from "./support/application.ts";

export interface I18nCheck {
  sentence: string;
  /** With the plugins of an application that has the filler. */
  check(subject: Subject): Promise<void>;
}

/** A plugin that adds texts in `apply`, or by its `directory`. */
const adding = (name: string, catalogue: Catalogue, directory?: string) =>
  definePlugin({
    name,
    ...(directory === undefined ? {} : { directory }),
    requires: ["i18n"],
    apply: ({ services: { i18n } }) => i18n.add("en", catalogue),
  });

/** Runs the work with the texts of an application, to which these were added. */
const withTexts = (subject: Subject, catalogue: Catalogue, work: (texts: Texts) => void): Promise<void> =>
  within(subject, [adding("conformance", { conformance: catalogue })], ({ application }) =>
    work(application.kernel.service("i18n")),
  );

export const i18nConformance: readonly I18nCheck[] = [
  {
    sentence: "A text is found by its key; its placeholders are filled, and nothing in it or in the values is escaped",
    check: (subject) =>
      withTexts(subject, { plain: "<b>Fish & chips</b>", hello: "Hello {{name}}, {{ name }}: {{n}}" }, (texts) => {
        assert.equal(texts.t("conformance.plain"), "<b>Fish & chips</b>");
        assert.equal(
          texts.t("conformance.hello", { name: `<Ada> & "Bob"`, n: 0 }),
          `Hello <Ada> & "Bob", <Ada> & "Bob": 0`,
        );
        const hostile = "{{n}} $t(conformance.plain) $& $1";
        assert.equal(texts.t("conformance.hello", { name: hostile, n: 1 }), `Hello ${hostile}, ${hostile}: 1`);
      }),
  },
  {
    sentence: "A count selects the plural form of its text, by the rules of the language",
    check: (subject) =>
      withTexts(subject, { mails_one: "{{count}} mail", mails_other: "{{count}} mails" }, (texts) => {
        const counted = (count: number) => texts.t("conformance.mails", { count });
        assert.deepEqual([0, 1, 2, 11].map(counted), ["0 mails", "1 mail", "2 mails", "11 mails"]);
      }),
  },
  {
    sentence: "A missing text is shown by its key or the last words of it, whatever the key, and nothing is thrown",
    check: (subject) =>
      withTexts(subject, { hello: "Hello" }, (texts) => {
        assert.match(texts.t("conformance.not_there"), /not.there/i);
        assert.match(texts.t("conformance.not_there", { count: 2, name: "Ada" }), /not.there/i);
        const strange = [
          "",
          ".",
          "a..b",
          "__proto__.x",
          "constructor",
          "conformance",
          "conformance.hello.x",
          "k".repeat(80),
        ];
        for (const key of strange) {
          assert.equal(typeof texts.t(key), "string", key);
          assert.equal(typeof texts.t(key, { name: "Ada" }, "de"), "string", key);
        }
        assert.equal(texts.has("conformance.not_there"), false);
        assert.equal(texts.has("conformance.hello"), true);
        texts.add("en", { conformance: { mails_one: "{{count}} mail", mails_other: "{{count}} mails" } });
        assert.deepEqual(
          [0, 1, 2].map((count) => [
            texts.has("conformance.mails", "en", count),
            texts.t("conformance.mails", { count }),
          ]),
          [
            [true, "0 mails"],
            [true, "1 mail"],
            [true, "2 mails"],
          ],
        );
        assert.equal(texts.has("conformance.mails"), false);
      }),
  },
  {
    sentence: "A text is found in the locale that is asked for, else in that of the application, else in English",
    check: (subject) =>
      withTexts(subject, { a: "A", b: "B" }, (texts) => {
        texts.add("de", { conformance: { a: "Ä" } });
        const found = ["de", "xx", undefined].map((locale) =>
          ["a", "b"].map((key) => texts.t(`conformance.${key}`, {}, locale)),
        );
        assert.deepEqual(found, [
          ["Ä", "B"],
          ["A", "B"],
          ["A", "B"],
        ]);
      }),
  },
  {
    sentence: "A text that is added later is there at once, and takes the place of the one that was used until then",
    check: (subject) =>
      withTexts(subject, { old: "Old", kept: "Kept {{n}}" }, (texts) => {
        assert.equal(texts.t("conformance.old") + texts.t("conformance.kept", { n: 1 }), "OldKept 1");
        assert.equal(texts.has("conformance.late"), false);
        texts.add("en", { conformance: { old: "New", late: "Late" } });
        assert.equal(texts.t("conformance.old") + texts.t("conformance.late"), "NewLate");
        assert.equal(texts.t("conformance.kept", { n: 2 }), "Kept 2");
        assert.equal(texts.has("conformance.late"), true);
      }),
  },
  {
    sentence: "Two plugins that add one key are refused at boot with FW_TEXT_TAKEN and the names of key and plugins",
    async check(subject) {
      const pair = ["conformance-one", "conformance-two"].map((name) => adding(name, { conformance: { title: name } }));
      const error = await refusal(subject, pair);
      assert.ok(error, "the application started");
      for (const part of ["FW_TEXT_TAKEN", "conformance.title", "conformance-one", "conformance-two"])
        assert.ok(error.message.includes(part), `"${part}" is not in: ${error.message}`);
    },
  },
  {
    sentence: "Texts are read from the folder locales/ of plugins, and those of the application come before them",
    check: (subject) => {
      const directory = writeFolder({
        "locales/en.json": JSON.stringify({ conformance: { own: "of the plugin", both: "of the plugin" } }),
      });
      const files = {
        ...subject.files,
        "config/locales/conformance.en.json": JSON.stringify({ conformance: { both: "of the application" } }),
      };
      return within({ ...subject, files }, [adding("conformance", {}, directory)], ({ application }) => {
        const texts = application.kernel.service("i18n");
        assert.equal(texts.t("conformance.own"), "of the plugin");
        assert.equal(texts.t("conformance.both"), "of the application");
      });
    },
  },
];
