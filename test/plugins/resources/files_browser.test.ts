import type { Browser } from "playwright-core";
import { type TestApp, writeApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { copyFixture } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { openMigrated } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";

const reason = await reasonToSkip("browser");
const posts = "/admin/blogging/posts";
const file = { name: "a paper.txt", mimeType: "text/plain", buffer: Buffer.from("mine") };

describe("A file in a form in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openMigrated(writeApp(copyFixture("files")));
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
      `A file is named and kept when another field is refused, ${script ? "with" : "without"} scripts`,
      async () => {
        const { context, page, problems } = await visit(browser, app.url, { script });
        await page.goto(`${posts}/new`);
        await page.locator('input[name="blogging_post[paper]"]').setInputFiles(file);
        await page.getByRole("button", { name: "Create" }).click();
        await page.locator(".fw-file-kept", { hasText: "a paper.txt (4 B)" }).waitFor();
        await page.getByLabel("Title").fill("With a paper");
        await page.getByRole("button", { name: "Create" }).click();
        await page.getByRole("heading", { name: "With a paper" }).waitFor();
        await page.getByText("a paper.txt (4 B)").waitFor();
        assert.equal(problems, []);
        await context.close();
      },
    );
  it.unless(reason, "A form with kept files fits at both widths, light and dark", async () => {
    for (const width of Object.keys(widths) as (keyof typeof widths)[]) {
      const { context, page, problems } = await visit(browser, app.url, { width });
      await page.goto(`${posts}/new`);
      await page.locator('input[name="blogging_post[paper]"]').setInputFiles(file);
      await page.locator('input[name="blogging_post[cover]"]').setInputFiles(file);
      await page.getByRole("button", { name: "Create" }).click();
      await page.locator(".fw-file-kept").first().waitFor();
      await assertFitInThemes(page, `files-kept-${width}`);
      assert.equal(problems, []);
      await context.close();
    }
  });
});
