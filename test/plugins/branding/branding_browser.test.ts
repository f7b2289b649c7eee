import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { brandingFiles, logo, page as pageOf } from "./branding_app.ts";

const reason = await reasonToSkip("browser");
const cat = { headers: { "x-user": "3" } };
const accentOf = (page: Page) =>
  page.evaluate("getComputedStyle(document.querySelector('.fw-form-footer .btn-primary')).backgroundColor");

describe("The look of a tenant, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(brandingFiles, {});
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  it.unless(reason, "It is chosen in a form, fits both widths in both themes, and axe finds nothing", async () => {
    const { context, page } = await visit(browser, app.url, cat);
    await page.goto(pageOf(1));
    await page.getByLabel("Name", { exact: true }).fill("Alpine Press");
    await page.getByLabel("Choose the colour").fill("#7a1f5c");
    await page
      .getByLabel("Logo", { exact: true })
      .setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: logo });
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The look was saved.").waitFor();
    assert.is(await accentOf(page), "rgb(122, 31, 92)");
    await context.close();
    for (const width of Object.keys(widths) as (keyof typeof widths)[]) {
      const { context: other, page: shown, problems } = await visit(browser, app.url, { ...cat, width });
      for (const path of [pageOf(1), "/customer/1/posts"]) {
        await shown.goto(path);
        await assertFitInThemes(shown, `branding-${path.split("/").at(-1)}-${width}`);
      }
      assert.equal(problems, []);
      await other.close();
    }
  });

  it.unless(reason, "Another tenant's pages have their own, also when a link led there", async () => {
    const { context, page, problems } = await visit(browser, app.url, cat);
    await page.goto(pageOf(1));
    assert.is(await accentOf(page), "rgb(122, 31, 92)");
    await page.evaluate(
      `(() => { const link = document.createElement("a"); link.href = "${pageOf(2)}"; link.id = "other"; link.textContent = "other"; document.querySelector("main").prepend(link); })()`,
    );
    await page.locator("#other").click();
    await page.waitForURL(/customer\/2/);
    await page.waitForFunction("document.querySelectorAll('link[href*=\"_branding/styles\"]').length === 0");
    assert.is(await accentOf(page), "rgb(52, 81, 198)");
    assert.is(await page.getByText("Alpine Press").count(), 0);
    await page.goBack();
    await page.getByText("Alpine Press").first().waitFor();
    assert.equal(problems, []);
    await context.close();
  });
});
