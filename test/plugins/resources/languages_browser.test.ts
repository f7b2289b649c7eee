import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive, assertNarrow } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { germanFiles, volumes } from "./german_app.ts";
import { shipments } from "./wide_app.ts";

const reason = await reasonToSkip("browser");
const list = "/customer/1/shipments";
const headers = { "x-user": "1" };

describe("An application in German, in a browser", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(germanFiles, {});
      await databaseOf(app.application)
        .knex("shipments")
        .insert(volumes(shipments(1, "ALP")));
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  for (const width of ["wide", "narrow"] as const)
    it.unless(
      reason,
      `A person chooses German, reads a list, corrects an amount and goes back, at ${widths[width].width} px`,
      async () => {
        const { context, page, problems } = await visit(browser, app.url, { headers, width });
        await page.goto(list);
        await page.locator("summary.fw-user").click();
        await picture(page, `german-menu-${width}`);
        await page.getByRole("button", { name: "Deutsch" }).click();
        await arrive(page, /shipments$/);
        assert.is(await page.locator("html").getAttribute("lang"), "de");
        assert.match(await page.locator("h1").innerText(), "Lieferungen");
        await assertNarrow(page, `german-list-${width}`);
        await page.getByRole("link", { name: "ALP-001", exact: true }).first().click();
        await arrive(page, /shipments\/1001(\?|$)/);
        await assertNarrow(page, `german-record-${width}`);
        await page.getByRole("link", { name: "Bearbeiten" }).first().click();
        await arrive(page, /edit(\?|$)/);
        const fee = page.getByLabel("Honorar");
        await fee.fill("1.299");
        await page.getByRole("button", { name: "Speichern", exact: true }).click();
        await page.getByText("ist nicht eindeutig").first().waitFor();
        assert.is(await fee.inputValue(), "1.299");
        await assertNarrow(page, `german-form-${width}`);
        await fee.fill("1.299,50");
        await page.getByRole("button", { name: "Speichern", exact: true }).click();
        await arrive(page, /shipments\/1001(\?|$)/);
        await page.getByText("„ALP-001“ wurde gespeichert.").waitFor();
        assert.match(await page.locator("main").innerText(), "1.299,50\u00a0€");
        await page.locator("summary.fw-user").click();
        await page.getByRole("button", { name: "English" }).click();
        await page.getByRole("link", { name: "Edit" }).first().waitFor();
        assert.is(await page.locator("html").getAttribute("lang"), "en");
        assert.equal(problems, []);
        await context.close();
      },
    );

  it.unless(reason, "Times that the browser shows in its own zone are in the language of the page", async () => {
    const { context, page } = await visit(browser, app.url, { headers });
    await context.addCookies([{ name: "fw_locale", value: "de", url: app.url }]);
    await page.goto(`${list}/1001`);
    const shown = page.locator("time[datetime^='2026-03-01T23:30']").first();
    assert.is(await shown.innerText(), "2. März 2026, 00:30");
    await context.close();
  });

  it.unless(reason, "Without JavaScript the choice works as well", async () => {
    const { context, page } = await visit(browser, app.url, { headers, script: false });
    await page.goto(list);
    await page.locator("summary.fw-user").click();
    await page.getByRole("button", { name: "Deutsch" }).click();
    await page.waitForURL(/shipments$/);
    assert.is(await page.locator("html").getAttribute("lang"), "de");
    await context.close();
  });
});
