import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openWizards } from "../wizards/mounts_support.ts";
import { combinedFiles, combinedRows } from "./combined_app.ts";

const reason = await reasonToSkip("browser");

describe("Filters by several columns in one field, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openWizards(combinedFiles);
      const { knex } = databaseOf(app.application);
      await knex("comments").delete();
      await knex("posts").whereIn("id", [1, 2]).delete();
      await knex("posts").insert(combinedRows);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  for (const script of [true, false])
    it.unless(
      reason,
      `A currency is chosen in the place of a number, ${script ? "with" : "without"} JavaScript`,
      async () => {
        const { context, page, problems } = await visit(browser, app.url, { headers: { "x-user": "1" }, script });
        await page.goto("/admin/posts?sort=-fee");
        await page.getByRole("link", { name: "Add filter" }).click();
        await page.locator(".fw-pick").getByRole("link", { name: "Fee" }).click();
        const currency = page.getByRole("combobox", { name: "Currency" });
        const number = page.getByRole("textbox", { name: "Value" });
        await number.waitFor();
        assert.is(await currency.isVisible(), false);
        await page.getByRole("combobox", { name: "Operator" }).selectOption({ label: "Currency" });
        await currency.waitFor();
        assert.is(await number.isVisible(), false);
        await currency.selectOption({ label: "Euro" });
        await page.getByRole("button", { name: "Apply" }).click();
        await page.locator(".fw-chip", { hasText: "Currency: Euro" }).waitFor();
        const titles = (await page.locator("tbody tr td:has(a)").first().innerText()) + new URL(page.url()).search;
        assert.match(decodeURIComponent(titles), /^C.*filter\[fee\]\[currency\]/s);
        assert.match(page.url(), "sort=-fee");
        assert.equal(problems, []);
        await context.close();
      },
    );
});
