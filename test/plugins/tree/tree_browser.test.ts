import type { Browser, Locator, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { frames } from "../../system/drag.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { place, treeFiles } from "./tree_app.ts";

const reason = await reasonToSkip("browser");
const headers = { "x-user": "1" };

describe("A tree in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  const knex = () => databaseOf(app.application).knex;
  const parentOf = async (id: number) => (await knex()("places").where({ id }).first("parent_id")).parent_id;
  const reset = async () => {
    await knex()("places").update({ parent_id: null });
    await knex()("places").delete();
    for (const row of [place(1, "Europe", null), place(2, "Asia", null), place(3, "Germany", 1), place(4, "Berlin", 3)])
      await knex()("places").insert(row);
  };
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(treeFiles(""), {});
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const row = (page: Page, id: number): Locator => page.locator(`.fw-tree-node[data-node="${id}"] > .fw-tree-row`);
  const open = async (page: Page) => {
    await page.goto("/customer/1/places?shape=tree");
    await page.locator('.fw-tree-node[data-node="1"] > details > summary').click();
    await row(page, 3).waitFor();
  };
  /** Over the right half of a row, which is where a record is put below another. */
  const drag = async (page: Page, from: Locator, to: Locator) => {
    await from.locator("a").first().hover();
    await page.mouse.down();
    const { x, y, width } = (await to.boundingBox())!;
    await page.mouse.move(x + width * 0.7, y + 8, { steps: 8 });
    for (const at of [12, 18, 12, 18]) {
      await page.mouse.move(x + width * 0.7, y + at);
      await page.evaluate(frames);
    }
    await page.mouse.up();
  };

  it.unless(reason, "A record is dragged below another, and what was open stays open", async () => {
    await reset();
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await open(page);
    await drag(page, row(page, 2), row(page, 3));
    await page.locator("[data-tree-status]", { hasText: "Moved: Asia" }).waitFor({ state: "attached" });
    assert.is(await parentOf(2), 3);
    await row(page, 3).waitFor();
    await row(page, 2).waitFor();
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "A move that is refused goes back, and says why", async () => {
    await reset();
    const { context, page } = await visit(browser, app.url, { headers });
    await open(page);
    await knex()("places").where({ id: 3 }).update({ parent_id: 2 });
    await drag(page, row(page, 3), row(page, 2));
    await page.locator(".fw-tree-problem", { hasText: "Somebody else moved" }).waitFor();
    assert.is(await page.locator('.fw-tree-node[data-node="1"] .fw-tree-node[data-node="3"]').count(), 1);
    await knex()("places").where({ id: 2 }).update({ parent_id: 3 });
    await knex()("places").where({ id: 3 }).update({ parent_id: 1 });
    await drag(page, row(page, 3), row(page, 2));
    await page.locator(".fw-tree-problem", { hasText: "nor one below it" }).waitFor();
    assert.is(await parentOf(3), 1);
    await context.close();
  });

  it.unless(reason, "By the keyboard a record is moved by its menu, and keeps the focus", async () => {
    await reset();
    const { context, page } = await visit(browser, app.url, { headers });
    await open(page);
    await row(page, 3).getByLabel("Move: Germany").focus();
    await page.keyboard.press("Enter");
    await row(page, 3).getByRole("button", { name: "Out of Europe" }).press("Enter");
    await page.locator("[data-tree-status]", { hasText: "Moved: Germany" }).waitFor({ state: "attached" });
    assert.is(await parentOf(3), null);
    assert.is(await page.evaluate("document.activeElement.closest('.fw-tree-node').dataset.node"), "3");
    await context.close();
  });

  for (const width of ["wide", "narrow"] as const)
    it.unless(reason, `It fits a ${width} screen`, async () => {
      await reset();
      const { context, page } = await visit(browser, app.url, { headers, width });
      await open(page);
      await assertFitInThemes(page, `tree-${width}`);
      await context.close();
    });
});
