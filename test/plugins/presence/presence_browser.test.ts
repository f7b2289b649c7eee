import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { shipments } from "../resources/wide_app.ts";
import { openTenants } from "../scoping/tenants.ts";
import { form, list, presenceFiles } from "./presence_app.ts";

const reason = await reasonToSkip("browser");
/** Three reports of a browser fit in, each of them late by seconds where the machine is busy. */
const CLOSED_AFTER_MS = 6000;
const as = (id: number) => ({ headers: { "x-user": String(id) } });

describe("Who has a form open, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(presenceFiles("", CLOSED_AFTER_MS), {});
      await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const line = (page: Page) => page.locator(".fw-presence");

  it.unless(
    reason,
    "The line comes and goes with the other person, and takes neither focus nor what was typed",
    async () => {
      const ann = await visit(browser, app.url, as(1));
      const cat = await visit(browser, app.url, as(3));
      await ann.page.goto(form);
      assert.ok(await line(ann.page).isHidden());
      const field = ann.page.getByLabel("Carrier");
      await field.fill("Slow boat");
      await cat.page.goto(form);
      await cat.page.getByText("Ann Alpine has just opened this form too.").waitFor();
      await ann.page.getByText("Cat has just opened this form too.").waitFor();
      assert.is(await field.inputValue(), "Slow boat");
      assert.ok(await field.evaluate((one) => one === one.ownerDocument.activeElement));
      await cat.page.goto(list);
      await line(ann.page).waitFor({ state: "hidden" });
      await cat.page.goto(form);
      await ann.page.getByText("Cat has just opened this form too.").waitFor();
      await cat.page.getByRole("button", { name: "Save", exact: true }).click();
      await cat.page.waitForURL(/1001(?!\/edit)/);
      await line(ann.page).waitFor({ state: "hidden" });
      assert.equal([ann.problems, cat.problems], [[], []]);
      for (const { context } of [ann, cat]) await context.close();
    },
  );

  it.unless(reason, "A browser that was ended is forgotten, and without scripts the line is there too", async () => {
    const ann = await visit(browser, app.url, { ...as(1), script: false });
    const cat = await visit(browser, app.url, as(3));
    await cat.page.goto(form);
    await ann.page.goto(form);
    assert.match(await line(ann.page).innerText(), "Cat has just opened this form too.");
    await cat.page.getByText("Ann Alpine has just opened this form too.").waitFor();
    await ann.context.close(); // which reports nothing
    await line(cat.page).waitFor({ state: "hidden" });
    await cat.context.close();
  });

  it.unless(reason, "It fits both widths in both themes, and axe finds nothing", async () => {
    const cat = await visit(browser, app.url, as(3));
    await cat.page.goto(form);
    for (const width of Object.keys(widths) as (keyof typeof widths)[]) {
      const { context, page, problems } = await visit(browser, app.url, { ...as(1), width });
      await page.goto(form);
      await line(page).waitFor();
      await assertFitInThemes(page, `presence-${width}`);
      assert.equal(problems, []);
      await context.close();
    }
    await cat.context.close();
  });
});
