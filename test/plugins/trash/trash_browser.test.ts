import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { trashFiles } from "./trash_app.ts";

const reason = await reasonToSkip("browser");
const cat = { headers: { "x-user": "3" } };
const list = "/customer/1/posts";

describe("The trash, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      (globalThis as { heard?: string[] }).heard = [];
      app = await openTenants(trashFiles(), {});
      for (const table of ["notes", "attachments"]) await databaseOf(app.application).knex(table).delete();
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  it.unless(reason, "A record is deleted, found in the trash, looked at there and restored", async () => {
    const { context, page, problems } = await visit(browser, app.url, cat);
    await page.goto(`${app.url}${list}/1`);
    await page.getByLabel("More actions").click();
    await page.getByRole("link", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.goto(`${app.url}${list}/trash`);
    await page.getByRole("row", { name: /Post Alpine/ }).waitFor();
    for (const [width, size] of Object.entries(widths)) {
      await page.setViewportSize(size);
      await assertFitInThemes(page, `trash-${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole("button", { name: "Restore Post Alpine" }).click();
    await page.getByText("The trash is empty").or(page.getByText("restored")).first().waitFor();
    await page.goto(`${app.url}${list}/1`);
    await page.getByRole("heading", { name: "Post Alpine" }).waitFor();
    assert.equal(problems, []);
    await context.close();
  });
});
