import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const reason = await reasonToSkip("browser");
const list = "/customer/1/shipments";
const headers = { "x-user": "1" };
const schema = readFileSync(join(import.meta.dirname, "../../../plugins/saved_views/schema.liquid"), "utf8");
const files: Record<string, string> = {
  ...wideFiles,
  "plugins.config.ts": withPlugin(tenantFiles["plugins.config.ts"]!, "savedViews()", "saved_views"),
  "db/migrate/20260401000000_create_framewright_saved_views.ts": `export async function up(db) {\n${schema}}\nexport async function down(db) { await db.dropTable("framewright_saved_views"); }\n`,
};

describe("Saved views in Chromium", (it, { before, after }) => {
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

  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    for (const script of [true, false])
      it.unless(
        reason,
        `A person keeps a view, opens it and deletes it (${width}, ${script ? "with" : "without"} JavaScript)`,
        async () => {
          const { context, page, problems } = await visit(browser, app.url, { headers, width, script });
          const mark = `${width}-${script ? "script" : "plain"}`;
          await page.goto(`${list}?q=ALP&sort=-reference&columns=reference,status`); // a link half below what is opened has no size
          await page.getByText("Save view").click();
          if (script)
            assert.ok(await page.locator("#fw-view-name").evaluate((one) => one === one.ownerDocument.activeElement));
          await page.getByLabel("Name of the view").fill("Latest of Alpine");
          await assertFitInThemes(page, `view-saving-${mark}`, script);
          await page.getByRole("button", { name: "Save", exact: true }).click();
          await page.getByText("The view “Latest of Alpine” was saved.").waitFor();
          await page.goto(list);
          await page.getByRole("link", { name: "Latest of Alpine" }).click();
          await page.getByRole("button", { name: "Delete view" }).waitFor();
          assert.is(await page.locator('.fw-scope[aria-current="page"]').innerText(), "Latest of Alpine");
          assert.match(page.url(), "sort=-reference");
          await assertFitInThemes(page, `view-open-${mark}`, script);
          await page.getByRole("button", { name: "Delete view" }).click();
          await page.getByText("The view was deleted.").waitFor();
          assert.is(await page.getByRole("link", { name: "Latest of Alpine" }).count(), 0);
          assert.equal(problems, []);
          await context.close();
        },
      );
});
