import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { bulkFiles } from "./bulk_app.ts";

const reason = await reasonToSkip("browser");
const posts = "/customer/1/posts";
const list = `${posts}?per_page=5&sort=id`;
const headers = { "x-user": "1" };
const titles = ["Two", "Locked", "Four", "Five", "Six", "Seven"];

describe("Selected rows in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  const knex = () => databaseOf(app.application).knex;
  const reset = async () => {
    await knex()("posts").whereNotIn("id", [1, 2]).delete();
    for (const [at, title] of titles.entries())
      await knex()("posts").insert({ id: 10 + at, title, status: "live", organization_id: 1, author_id: 1 });
  };
  const published = async () =>
    (await knex()("posts").where({ status: "published" }).orderBy("id").pluck("id")).map(Number);
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(bulkFiles, {});
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const box = (page: Page, label: string) => page.getByRole("checkbox", { name: `Select ${label}`, exact: true });
  const bar = (page: Page) => page.locator("form[data-bulk]");
  const count = (page: Page) => page.locator("[data-bulk-count]").textContent();

  it.unless(reason, "Rows, a range and the page are selected, and the bar does an action to them", async () => {
    await reset();
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(list);
    await bar(page).waitFor({ state: "hidden" });
    await box(page, "Two").click();
    await bar(page).waitFor();
    assert.is(await count(page), "1 selected");
    await box(page, "Five").click({ modifiers: ["Shift"] });
    assert.is(await count(page), "4 selected");
    await page.getByRole("checkbox", { name: "Select all on this page" }).click();
    assert.is(await count(page), "5 selected");
    const all = page.getByLabel("Select all 7 that match");
    await all.check();
    assert.is(await count(page), "All 7 that match are selected");
    await box(page, "Locked").click();
    assert.is(await count(page), "4 selected");
    assert.is(await all.isVisible(), false);
    await page.getByRole("button", { name: "Clear" }).click();
    await bar(page).waitFor({ state: "hidden" });
    await box(page, "Two").click();
    await box(page, "Locked").click();
    await bar(page).getByRole("button", { name: "Publish" }).click();
    await page.getByRole("heading", { name: "Publish 2 posts?" }).first().waitFor();
    await page.locator(".fw-confirmation").getByRole("button", { name: "Publish" }).click();
    await page.getByText("Published 1. 1 was not allowed: Locked.").waitFor();
    assert.match(page.url(), /per_page=5&sort=id$/);
    assert.equal(await published(), [10]);
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "By keyboard alone rows are selected and an action is done", async () => {
    await reset();
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(list);
    await box(page, "Two").focus();
    await page.keyboard.press("Space");
    await box(page, "Four").focus();
    await page.keyboard.press("Shift+Space");
    await page.locator("[data-bulk-count]", { hasText: "selected" }).waitFor();
    await bar(page).getByRole("button", { name: "Stamp" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(/^Stamp: \d done\./).waitFor();
    assert.ok((await published()).includes(12));
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "Without scripts the boxes and buttons of the list do the same", async () => {
    await reset();
    const { context, page, problems } = await visit(browser, app.url, { headers, script: false });
    await page.goto(list);
    await box(page, "Two").check();
    await box(page, "Four").check();
    await bar(page).getByRole("button", { name: "Delete" }).click();
    await page.locator(".fw-confirmation").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Deleted 2.").waitFor();
    await box(page, "Five").check();
    await bar(page).getByRole("button", { name: "Stamp" }).click();
    await page.getByText("Stamp: 1 done.").waitFor();
    assert.equal(await published(), [13]);
    await bar(page).getByRole("button", { name: "Publish" }).click();
    await page.getByText("Select at least one row first.").waitFor();
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "It fits both widths in both themes, and axe finds nothing", async () => {
    await reset();
    for (const width of Object.keys(widths) as (keyof typeof widths)[]) {
      const { context, page, problems } = await visit(browser, app.url, { headers, width });
      // the whole page: what lies behind a bar that stays in sight is no target of the right size there
      await page.setViewportSize({ width: page.viewportSize()!.width, height: 1600 });
      await page.goto(list);
      await assertFitInThemes(page, `bulk-none-${width}`);
      await box(page, "Two").click();
      await box(page, "Four").click();
      await assertFitInThemes(page, `bulk-two-${width}`);
      if (width === "narrow") await page.getByRole("button", { name: "Select all on this page" }).click();
      else await page.getByRole("checkbox", { name: "Select all on this page" }).click();
      await assertFitInThemes(page, `bulk-page-${width}`);
      await bar(page).getByRole("button", { name: "Delete" }).click();
      await page.locator(".fw-confirmation").waitFor();
      await assertFitInThemes(page, `bulk-question-${width}`);
      assert.equal(problems, []);
      await context.close();
    }
  });
});
