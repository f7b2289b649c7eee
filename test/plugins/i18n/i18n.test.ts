import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKernel, type Settings } from "framewright/kernel";
import { i18n, openTexts } from "framewright/plugins/i18n";
import { assert, describe, throwsCode } from "../../support/index.ts";

function applicationWith(file: string, content: string): Settings {
  const root = mkdtempSync(join(tmpdir(), "fw-i18n-"));
  mkdirSync(join(root, "config/locales"), { recursive: true });
  writeFileSync(join(root, "config/locales", file), content);
  return { root, env: "production" } as Settings;
}

describe("Texts", (it) => {
  it("A text interpolates values and picks the plural form", () => {
    const texts = openTexts({ locale: "en" });
    texts.add("en", { mails_one: "{{count}} mail", mails_other: "{{count}} mails", hello: "Hello {{name}}" });
    assert.is(texts.t("mails", { count: 1 }), "1 mail");
    assert.is(texts.t("mails", { count: 3 }), "3 mails");
    assert.is(texts.t("hello", { name: "<Ada>" }), "Hello <Ada>");
  });

  it("A missing text is reported once and rendered as its key, or without a listener as readable words", () => {
    const heard: string[] = [];
    const texts = openTexts({ locale: "en", onMissing: (key) => heard.push(key) });
    assert.is(texts.t("shop.cart"), "[missing: shop.cart]");
    texts.t("shop.cart");
    assert.equal(heard, ["shop.cart"]);
    assert.is(texts.has("shop.cart"), false);
    assert.is(openTexts({ locale: "en" }).t("shop.empty_cart"), "Empty cart");
  });

  it("A text is looked up in the given language first, and then in English", () => {
    const texts = openTexts({ locale: "en" });
    texts.add("en", { a: "A", b: "B" });
    texts.add("de", { a: "Ä" });
    assert.is(texts.t("a", {}, "de") + texts.t("b", {}, "de"), "ÄB");
  });

  it("An application's catalogue adds texts, and overrides those of the framework", async () => {
    const settings = applicationWith("en.json", `{ "framework": { "save": "Store" }, "shop": { "name": "Corner" } }`);
    const kernel = await openKernel([i18n()], { settings });
    const texts = kernel.service("i18n");
    assert.equal(
      [texts.t("framework.save"), texts.t("shop.name"), texts.t("framework.cancel")],
      ["Store", "Corner", "Cancel"],
    );
    assert.is(texts.t("framework.records", { count: 2 }), "2 records");
    await kernel.close();
  });

  it("A catalogue that cannot be parsed is refused by its path with FW_CATALOGUE_INVALID", async () => {
    const settings = applicationWith("en.json", "{");
    const error = await throwsCode("FW_CATALOGUE_INVALID", () => openKernel([i18n()], { settings }));
    assert.match(error.message, "config/locales/en.json");
  });

  it("The locales of people are the application's own and those of its catalogues, or those that are named", async () => {
    const settings = applicationWith("shop.de.json", `{ "shop": { "name": "Ecke" } }`);
    writeFileSync(join(settings.root, "config/locales/notes.json"), "{}");
    const offeredBy = async (options?: Parameters<typeof i18n>[0]) => {
      const kernel = await openKernel([i18n(options)], { settings });
      const { locale, locales, t } = kernel.service("i18n");
      const found = [locale, locales?.join(), t("framework.save"), t("framework.save", {}, "de")].join(" ");
      await kernel.close();
      return found;
    };
    assert.is(await offeredBy(), "en en,de Save Speichern");
    assert.is(await offeredBy({ locale: "de" }), "de de Speichern Speichern");
    assert.is(await offeredBy({ locale: "de", locales: ["de", "en"] }), "de de,en Speichern Speichern");
    assert.is(await offeredBy({ locales: ["en", "fr"] }), "en en,fr Save Speichern");
  });

  it("What a language lacks is known by its keys, the application's first, whatever forms of plurals it has", async () => {
    const settings = applicationWith("fr.json", `{ "framework": { "save": "Enregistrer", "records_many": "…" } }`);
    const shop = { shop: { name: "Corner", open: "Open" }, models: { post: { one: "Post" } } };
    writeFileSync(join(settings.root, "config/locales/en.json"), JSON.stringify(shop));
    const kernel = await openKernel([i18n()], { settings });
    const { missing, locales } = kernel.service("i18n");
    assert.equal(locales, ["en", "fr"]);
    const [french, german] = [missing!("fr"), missing!("de")];
    assert.equal(Object.entries(french).slice(0, 3), [
      ["shop.name", "Corner"],
      ["shop.open", "Open"],
      ["models.post.one", "Post"],
    ]);
    assert.is(french["framework.cancel"], "Cancel");
    for (const key of ["framework.save", "framework.records_one", "framework.records_other"]) assert.not(key in french);
    assert.equal(Object.keys(german).slice(0, 3), ["shop.name", "shop.open", "models.post.one"]);
    await kernel.close();

    const texts = openTexts({ locale: "de", locales: ["de", "de-AT", "en"] });
    texts.add("de", { application: { name: "Eck" }, shop: { name: "Ecke" }, models: { post: { one: "Beitrag" } } });
    texts.add("en", { shop: {} });
    assert.equal(texts.missing!("en"), { "shop.name": "Ecke" }, "labels are derived from names");
    assert.equal(texts.missing!("de-AT"), {});
  });

  it("A locale that is none, and one that is not offered, are refused by name", async () => {
    const unknown = await throwsCode("FW_LOCALE_UNKNOWN", () => i18n({ locales: ["en", "klingon-"] }));
    assert.match(unknown.message, "klingon-");
    await throwsCode("FW_LOCALE_UNKNOWN", () => i18n({ locale: "english" }));
    await throwsCode("FW_LOCALE_NOT_OFFERED", () => i18n({ locale: "en", locales: ["de"] }));
  });

  it("An unknown option of the i18n plugin is refused with FW_OPTION_UNKNOWN", () =>
    throwsCode("FW_OPTION_UNKNOWN", () => i18n({ languages: "en" } as never)).then(() => undefined));
});
