import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive, assertFitInThemes } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const reason = await reasonToSkip("browser");
const list = "/customer/1/shipments";
const headers = { "x-user": "1" };

describe("The search of a portal, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(wideFiles, {});
      await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  it.unless(reason, "Ctrl+K opens it, arrows choose, Enter leads there, Escape closes", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(list);
    await page.keyboard.press("Control+k");
    const input = page.getByRole("combobox", { name: "Search everything" });
    await input.pressSequentially("ALP-00");
    const options = page.getByRole("option");
    await options.filter({ hasText: "ALP-003" }).waitFor();
    const chosen = async () => (await page.locator('[role=option][aria-selected="true"]').innerText()).split("\n")[0];
    const first = await chosen();
    await page.keyboard.press("ArrowDown");
    assert.is.not(await chosen(), first);
    await page.keyboard.press("ArrowUp");
    assert.is(await chosen(), first);
    assert.is(
      await input.getAttribute("aria-activedescendant"),
      await page.locator('[aria-selected="true"]').getAttribute("id"),
    );
    await input.fill("ALP-002");
    await options.filter({ hasText: "ALP-001" }).waitFor({ state: "detached" });
    while ((await chosen()) !== "ALP-002") await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await arrive(page, /shipments\/1002$/);
    await page.keyboard.press("Control+k");
    await input.pressSequentially("shipm");
    await options.filter({ hasText: "Shipments" }).first().waitFor();
    await page.keyboard.press("Escape");
    await input.waitFor({ state: "hidden" });
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(
    reason,
    "Before anything is typed it offers pages that were open, and what can be done from here",
    async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto("/customer/1/shipments/1002");
      await page.goto(list);
      await page.keyboard.press("Control+k");
      const group = (name: string) => page.getByRole("group", { name }).getByRole("option");
      assert.is(await group("Recent").first().innerText(), "ALP-002");
      assert.is(await group("Actions").first().innerText(), "New shipment");
      await page.getByRole("combobox").fill("ship new");
      await group("Recent").first().waitFor({ state: "detached" });
      await page.keyboard.press("Enter");
      await arrive(page, /shipments\/new/);
      assert.equal(problems, []);
      await context.close();
    },
  );

  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    it.unless(reason, `It is accessible on a ${width} page, light and dark`, async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers, width });
      await page.goto(list);
      await page
        .getByRole("link", { name: "Search", exact: false })
        .and(page.locator("[data-palette]"))
        .locator("visible=true")
        .click();
      await page.getByRole("combobox").pressSequentially("ALP-00");
      await page.getByRole("option").filter({ hasText: "ALP-003" }).waitFor();
      await assertFitInThemes(page, `palette-${width}`);
      assert.equal(problems, []);
      await context.close();
    });

  it.unless(reason, "Without JavaScript its link leads to a page", async () => {
    const { context, page } = await visit(browser, app.url, { headers, script: false });
    await page.goto(list);
    await page.locator(".fw-search-open").click();
    await page.getByRole("searchbox", { name: "Search everything" }).fill("ALP-00");
    await page.locator(".fw-everywhere button").click();
    await page.getByRole("link", { name: "ALP-003" }).waitFor();
    await picture(page, "search-page");
    await page.getByRole("link", { name: "ALP-003" }).click();
    await page.waitForURL(/shipments\/1003$/);
    await context.close();
  });
});
