import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, themes, visit, widths } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive, assertFit } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const reason = await reasonToSkip("browser");
const list = "/customer/1/shipments";
const headers = { "x-user": "1" };
const [definition, policy] = ["app/definitions/shipment_definition.ts", "app/policies/shipment_policy.ts"];
const files = {
  ...wideFiles,
  [definition]: edited(wideFiles, definition, [
    "super.configure();",
    `super.configure();
    this.tab("Parcel", ["status", "weight", "fee"], { text: "What is sent." });
    this.tab("Way", ["due_on", "sent_at", "tracking_code"], { condition: ({ values }) => values.carrier !== "None" });
    this.tab("People", ["author", "category"]);`,
  ]),
  [policy]: edited(wideFiles, policy, [
    "override canCreate",
    "override canUpdate() { return true; } override canCreate",
  ]),
};

describe("Fields in tabs, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(files, {});
      await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  it.unless(
    reason,
    "They are opened by mouse and keyboard, come and go with what is filled in, and show what is wrong",
    async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(`${list}/1001/edit`);
      const tab = (name: string) => page.getByRole("tab", { name });
      assert.equal(await page.getByRole("tab").allInnerTexts(), ["Parcel", "Way", "People"]);
      await page.getByLabel("Weight").waitFor();
      assert.is(await page.getByLabel("Tracking code").isVisible(), false);
      await tab("Parcel").press("ArrowRight");
      assert.is(await tab("Way").getAttribute("aria-selected"), "true");
      await page.getByLabel("Tracking code").fill("typed");
      await page.getByLabel("Carrier").fill("None");
      await page.getByLabel("Carrier").press("Tab");
      await tab("Way").waitFor({ state: "hidden" });
      await page.getByLabel("Weight").waitFor();
      await page.getByLabel("Carrier").fill("Dart");
      await page.getByLabel("Carrier").press("Tab");
      await tab("Way").waitFor();
      await page.getByLabel("Fee").fill("much");
      await tab("People").click();
      await page.locator(".fw-form-footer .btn-primary").click();
      await page.locator(".fw-error-summary a").click();
      assert.is(await page.evaluate("document.activeElement.name"), "shipment[fee]");
      assert.is(await tab("Parcel").getAttribute("aria-selected"), "true");
      await assertFit(page, "tabs-invalid");
      await page.goto(`${list}/1001?_list=sort%3Dweight`);
      await tab("Way").click();
      await page.getByText("Tracking code").waitFor();
      await page.keyboard.press("j");
      await arrive(page, /1002\?_list=sort%3Dweight$/);
      await page.keyboard.press("k");
      await arrive(page, /1001\?_list=sort%3Dweight$/);
      await page.emulateMedia({ media: "print" });
      for (const text of ["Weight", "Tracking code", "Category"])
        assert.ok(await page.locator("dt", { hasText: text }).isVisible(), text);
      for (const gone of [".fw-sidebar", ".fw-tablist", ".fw-actions"])
        assert.is(await page.locator(gone).isVisible(), false, gone);
      await assertFit(page, "tabs-print");
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(reason, "Without JavaScript all stand under their headings", async () => {
    const { context, page } = await visit(browser, app.url, { headers, script: false });
    await page.goto(`${list}/1001`);
    for (const name of ["Parcel", "Way", "People"]) await page.getByRole("heading", { name }).waitFor();
    await page.getByText("Tracking code").waitFor();
    await context.close();
  });

  it.unless(reason, "They fit both widths in both themes, and axe finds nothing", async () => {
    for (const width of Object.keys(widths) as (keyof typeof widths)[])
      for (const theme of themes) {
        const { context, page, problems } = await visit(browser, app.url, { headers, width, theme });
        for (const [name, path] of [
          ["record", "1001?_list"],
          ["form", "1001/edit"],
        ] as const) {
          await page.goto(`${list}/${path}`);
          await page.getByRole("tab", { name: "Way" }).waitFor();
          await assertFit(page, `tabs-${name}-${width}-${theme}`);
        }
        assert.equal(problems, []);
        await context.close();
      }
  });
});
