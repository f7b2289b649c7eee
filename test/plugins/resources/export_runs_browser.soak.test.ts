import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, themes, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFit, assertNarrow } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { exportRunFiles, shipment } from "./export_runs_app.ts";
import { list } from "./import_app.ts";

const reason = await reasonToSkip("browser");
const ROWS = 60_000;

describe("Long exports in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(exportRunFiles, {});
      const { knex } = databaseOf(app.application);
      for (let at = 0; at < ROWS; at += 100)
        await knex("shipments").insert(Array.from({ length: 100 }, (_, index) => shipment(at + index)));
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    for (const theme of themes)
      for (const script of [true, false])
        it.unless(
          reason,
          `A person has a file prepared, and takes it home (${width}, ${theme}, ${script ? "with" : "without"} JavaScript)`,
          async () => {
            await databaseOf(app.application).knex("framewright_background_runs").delete();
            const { context, page, problems } = await visit(browser, app.url, {
              headers: { "x-user": "1" },
              width,
              theme,
              script,
            });
            const look = script ? assertFit : assertNarrow;
            const mark = `${width}-${theme}-${script ? "script" : "plain"}`;
            await page.goto(`${list}?sort=reference&columns=reference,weight`);
            await page.getByText("Export", { exact: true }).click();
            await look(page, `export-menu-${mark}`);
            await page.getByRole("link", { name: "Excel (XLSX)" }).click();
            await page.getByText("An XLSX file has at most 50,000 rows").waitFor();
            await look(page, `export-too-long-${mark}`);
            await page.getByRole("link", { name: "Export as CSV" }).click();
            await page.getByRole("heading", { name: "Export shipments" }).waitFor();
            await look(page, `export-offer-${mark}`);
            await page.getByRole("button", { name: "Prepare the file" }).click();
            await page.getByText("Waiting", { exact: true }).waitFor();
            await look(page, `export-waiting-${mark}`);
            await app.application.kernel.service("jobs").drain();
            const link = page.getByRole("link", { name: "Download" });
            await link.waitFor({ timeout: 20_000 });
            await look(page, `export-ready-${mark}`);
            const download = page.waitForEvent("download");
            await link.click();
            assert.match((await download).suggestedFilename(), /^shipments-.*\.csv$/);
            assert.equal(
              problems.filter((text) => !text.includes("422")),
              [],
            );
            await context.close();
          },
          60_000,
        );
});
