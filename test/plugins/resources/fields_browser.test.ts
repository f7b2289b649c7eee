import type { Browser } from "playwright-core";
import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { type FieldsApp, openFieldsApp } from "./fields_app.ts";

const reason = await reasonToSkip("browser");
const one = "/customer/1/posts/1";
/** The same fields, wherever they are asked for. */
const forms = { interaction: `${one}/actions/ask`, wizard: `${one}/wizards/question` };

describe("Fields that depend on others in Chromium", (it, { before, after }) => {
  let app: FieldsApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openFieldsApp({});
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  for (const [key, path] of Object.entries(forms)) {
    it.unless(reason, `With scripts, a field of the ${key} comes and goes while the form is filled in`, async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers: { "x-user": "1" } });
      await page.goto(path);
      const detail = page.locator(`[name="${key}[detail]"]`);
      const sub = page.locator(`[name="${key}[sub]"] option`);
      await page.getByLabel("Title").fill("typed");
      assert.equal([await detail.count(), await sub.allTextContents()], [0, ["Choose…", "None"]]);
      await page.getByLabel("Kind").selectOption("other");
      await detail.waitFor();
      await detail.fill("much");
      await detail.blur();
      await page.locator(`[name="${key}[more]"]`).waitFor();
      assert.is(await detail.inputValue(), "much");
      await page.getByLabel("Kind").selectOption("spam");
      await detail.waitFor({ state: "detached" });
      assert.equal(await sub.allTextContents(), ["Choose…", "Link", "Text"]);
      assert.is(await page.getByLabel("Title").inputValue(), "typed");
      assert.equal(problems, []);
      await context.close();
    });
    it.unless(reason, `Without scripts, the ${key} comes back with the field`, async () => {
      const { context, page, problems } = await visit(browser, app.url, { script: false, headers: { "x-user": "3" } });
      await page.goto(path);
      await page.getByLabel("Kind").selectOption("other");
      await page.getByRole("button", { name: "Update the form" }).click();
      const detail = page.getByLabel("Detail");
      await detail.waitFor();
      await page.getByLabel("Kind").selectOption("spam");
      await page.locator(".fw-form-footer .btn-primary").click();
      await page.waitForLoadState();
      assert.is(await detail.count(), 0);
      assert.equal(problems, []);
      await context.close();
    });
  }
});
