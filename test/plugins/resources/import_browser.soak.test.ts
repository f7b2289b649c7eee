import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, themes, visit, widths } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFit, assertNarrow } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { importFiles, list } from "./import_app.ts";

const reason = await reasonToSkip("browser");
const text = `Reference;Note;Weight;Author;Due on
A-1;"Two lines,
of a note";5;Ann Alpine;2026-05-01
;no reference;7;Ann Alpine;
A-2;;many;Nobody;2026-13-01
A-3;;9;;
`;

describe("Imports in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(importFiles, {});
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
          `A person imports a file, reads what is wrong and takes it home (${width}, ${theme}, ${script ? "with" : "without"} JavaScript)`,
          async () => {
            const { knex } = databaseOf(app.application);
            for (const table of ["shipments", "framewright_imports"]) await knex(table).delete();
            const { context, page, problems } = await visit(browser, app.url, {
              headers: { "x-user": "1" },
              width,
              theme,
              script,
            });
            const look = script ? assertFit : assertNarrow;
            const mark = `${width}-${theme}-${script ? "script" : "plain"}`;
            await page.goto(list);
            await look(page, `import-list-${mark}`);
            await page.getByRole("link", { name: "Import" }).click();
            await page.getByRole("heading", { name: "Import shipments" }).waitFor();
            await page.getByRole("button", { name: "Continue" }).click();
            await page.getByText("must be chosen").first().waitFor();
            await look(page, `import-file-refused-${mark}`);
            await page
              .getByLabel("CSV, XLSX or ODS file")
              .setInputFiles({ name: "may shipments.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
            await page.getByRole("button", { name: "Continue" }).click();
            await page.getByLabel("Reference", { exact: true }).waitFor();
            await look(page, `import-columns-${mark}`);
            await page.getByRole("button", { name: "Check" }).click();
            await page.getByText("All 4 rows were checked").waitFor();
            await look(page, `import-check-${mark}`);
            await page.getByRole("link", { name: "Change the columns" }).click();
            await page.getByLabel("Note", { exact: true }).selectOption({ label: "Don't import" });
            await page.getByRole("button", { name: "Check" }).click();
            await page.getByRole("button", { name: "Import 2 rows, leave 2" }).click();
            await page.getByText("Imported", { exact: true }).waitFor({ timeout: 20_000 });
            await look(page, `import-result-${mark}`);
            const download = page.waitForEvent("download");
            await page.getByRole("link", { name: "Download the rows with errors" }).click();
            assert.is((await download).suggestedFilename(), "may shipments-errors.csv");
            await page.getByRole("link", { name: "Back to the list" }).click();
            await page.getByText("A-3").first().waitFor();
            await knex("shipments").where({ reference: "A-3" }).update({ note: "changed" });
            await page.goBack();
            await page.getByRole("link", { name: "Undo the import" }).click();
            await page.getByRole("heading", { name: "Undo the import?" }).waitFor();
            await look(page, `import-undo-question-${mark}`);
            await page.getByRole("button", { name: "Undo the import" }).click();
            await page.getByText("The import was undone.").waitFor({ timeout: 20_000 });
            await page.getByText("A-3: was changed since then").waitFor();
            await look(page, `import-undo-result-${mark}`);
            assert.equal(problems, []);
            await context.close();
          },
          60_000,
        );

  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    it.unless(
      reason,
      `What is to be chosen of a file comes before its columns, and another encoding is shown again (${width})`,
      async () => {
        const { knex } = databaseOf(app.application);
        for (const table of ["shipments", "framewright_imports"]) await knex(table).delete();
        const { context, page } = await visit(browser, app.url, {
          headers: { "x-user": "1" },
          width,
          theme: "light",
          script: true,
        });
        await page.goto(`${list}/import`);
        const buffer = Buffer.concat([
          Buffer.from("Reference;Due on\n"),
          Buffer.from([0xcf, 0xf0]),
          Buffer.from(";4/3/2026\n"),
        ]);
        await page.setInputFiles("input[type=file]", { name: "days.csv", mimeType: "text/csv", buffer });
        await page.getByRole("button", { name: "Continue" }).click();
        await page.getByText("Ïð").first().waitFor();
        await assertFit(page, `import-choices-${width}`);
        await page.getByLabel("Encoding").selectOption("windows-1251");
        await page.getByRole("button", { name: "Check" }).click();
        await page.getByText("Пр").first().waitFor();
        await page.getByRole("button", { name: "Check" }).click();
        await page.getByText("The days of “Due on” can be read in two ways").waitFor();
        await page.getByLabel("3 April: the day first").check();
        await page.getByRole("button", { name: "Check" }).click();
        await page.getByText("1 row was checked").waitFor();
        await context.close();
      },
    );
});

describe("Imports in German in Chromium", (it) => {
  it.unless(reason, "A title, letters to look at and the longest button fit a telephone", async () => {
    const config = edited(importFiles, "plugins.config.ts", ["i18n(),", 'i18n({ locale: "de", locales: ["de"] }),']);
    const app = await openTenants({ ...importFiles, "plugins.config.ts": config }, {});
    const browser = await openBrowser();
    try {
      const { context, page } = await visit(browser, app.url, { headers: { "x-user": "1" }, width: "narrow" });
      const rows = Array.from({ length: 1500 }, (_, at) => `R-${at};${at === 7 ? "x" : 1}\n`).join("");
      const buffer = Buffer.from(`Lieferungen vom März\nReference;Weight\n${rows}`, "latin1");
      await page.goto(`${list}/import`);
      await page.setInputFiles("input[type=file]", { name: "a.csv", mimeType: "text/csv", buffer });
      await page.getByRole("button", { name: "Weiter" }).click();
      await page.getByText("Lieferungen vom März", { exact: true }).waitFor();
      await assertFit(page, "import-columns-german");
      await page.getByRole("button", { name: "Prüfen" }).click();
      await page.getByRole("button", { name: "Bis zu 1.499 Zeilen importieren, mindestens 1 auslassen" }).waitFor();
      await assertFit(page, "import-check-german");
      await context.close();
    } finally {
      await browser.close();
      await app.close();
    }
  });
});
