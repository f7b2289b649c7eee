import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, type widths } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { shipments, wideFiles } from "../resources/wide_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const reason = await reasonToSkip("browser");
const list = "/customer/1/shipments";
const counts = {
  zero: "لا شحنات",
  one: "شحنة واحدة",
  two: "شحنتان",
  few: "{{total}} شحنات",
  many: "{{total}} شحنة",
  other: "{{total}} شحنة",
};
const arabic = {
  models: {
    shipment: {
      ...{ one: "شحنة", many: "الشحنات", fields: { reference: "المرجع" } },
      ...Object.fromEntries(Object.entries(counts).map(([form, text]) => [`count_${form}`, text])),
    },
  },
};
const files = {
  ...wideFiles,
  "plugins.config.ts": edited(tenantFiles, "plugins.config.ts", ["i18n()", 'i18n({ locales: ["en", "ar", "pl"] })']),
  "config/locales/ar.json": JSON.stringify(arabic),
  "config/locales/pl.json": JSON.stringify({
    models: {
      shipment: {
        one: "przesyłka",
        many: "Przesyłki",
        count_one: "{{total}} przesyłka",
        count_few: "{{total}} przesyłki",
        count_many: "{{total}} przesyłek",
      },
    },
  }),
};

describe("Pages from right to left, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(files, {});
      await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      browser = await openBrowser();
    });
    after(async () => {
      await browser?.close();
      await app?.close();
    });
  }
  const left = (page: Page, selector: string) =>
    page.evaluate(
      `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().left`,
    ) as Promise<number>;
  const open = async (width: keyof typeof widths) => {
    const visitor = await visit(browser, app.url, { headers: { "x-user": "1" }, width });
    await visitor.context.addCookies([{ name: "fw_locale", value: "ar", url: app.url }]);
    return visitor;
  };

  it.unless(
    reason,
    "The sidebar stands at the right, the first column too, and a language from left to right has no dir",
    async () => {
      const { context, page, problems } = await open("wide");
      await page.goto(list);
      assert.is(await page.evaluate("document.documentElement.dir"), "rtl");
      assert.ok((await left(page, ".fw-sidebar")) > 640);
      assert.ok((await left(page, "thead th:has(a)")) > (await left(page, "thead th:has(a) ~ th:has(a)")));
      assert.is(await page.evaluate("getComputedStyle(document.querySelector('thead th')).textAlign"), "start");
      assert.equal(problems, []);
      await context.close();
      assert.not.match(await (await app.request(list, { headers: { "x-user": "1" } })).text(), / dir="/);
    },
  );

  for (const width of ["wide", "narrow"] as const)
    it.unless(reason, `A list, a record and a form are accessible and not too wide on a ${width} page`, async () => {
      const { context, page, problems } = await open(width);
      for (const path of [list, `${list}/1002`, `${list}/1002/edit`]) {
        await page.goto(path);
        await assertFitInThemes(page, `rtl-${width}${path.replaceAll("/", "-")}`);
      }
      assert.equal(problems, []);
      await context.close();
    });

  it.unless(reason, "How many there are is said in the forms that the language has", async () => {
    const subtitle = async (language: string, query: string) => {
      const answer = await app.request(`${list}?${query}`, { headers: { "x-user": "1", "accept-language": language } });
      return /<h1>[^<]*<\/h1>\s*<p>([^<]*)<\/p>/.exec(await answer.text())![1];
    };
    assert.is(await subtitle("ar", "q=ALP-001"), "شحنة واحدة");
    assert.is(await subtitle("ar", ""), "4 شحنات");
    assert.is(await subtitle("pl", "q=ALP-001"), "1 przesyłka");
    assert.is(await subtitle("pl", ""), "4 przesyłki");
    assert.is(await subtitle("pl", "q=nothing-is-so-called"), "0 przesyłek");
  });
});
