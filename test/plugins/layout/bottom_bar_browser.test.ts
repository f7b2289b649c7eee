import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { task, taskFiles } from "../resources/tasks_app.ts";
import { openTenants } from "../scoping/tenants.ts";

const reason = await reasonToSkip("browser");
const headers = { "x-user": "1" };
const tasks = "/customer/1/tasks";

describe("The bar at the bottom of phones, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(taskFiles('this.action("destroy", { bulk: true });'), {});
      const rows = Array.from({ length: 30 }, (_, at) => task(at + 1));
      await databaseOf(app.application).knex("tasks").insert(rows);
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
      `It leads home, to the search and to a new record, ${script ? "with" : "without"} scripts`,
      async () => {
        const { context, page, problems } = await visit(browser, app.url, { headers, width: "narrow", script });
        await page.goto(tasks);
        const bar = page.getByRole("navigation", { name: "Quick navigation" });
        assert.equal(await bar.getByRole("link").allTextContents(), ["Home", "Search", "New"]);
        await bar.getByRole("link", { name: "Search" }).click();
        if (script) {
          await page.locator("dialog[open] input[type=search], dialog[open] input").first().waitFor();
          await page.keyboard.press("Escape");
        } else {
          await page.waitForURL(/_search/);
          await page.goto(tasks);
        }
        await bar.getByRole("link", { name: "New" }).click();
        await page.waitForURL(/tasks\/new$/);
        assert.equal(await bar.getByRole("link").allTextContents(), ["Home", "Search"], "a form is no list");
        await bar.getByRole("link", { name: "Home" }).click();
        await page.waitForURL(/\/customer\/1\/?$/);
        assert.equal(problems, []);
        await context.close();
      },
    );

  for (const script of [true, false])
    it.unless(
      reason,
      `Its menu opens above it and is closed there, ${script ? "with" : "without"} scripts`,
      async () => {
        const { context, page, problems } = await visit(browser, app.url, { headers, width: "narrow", script });
        await page.goto(tasks);
        const menu = page.locator(".fw-menu > summary");
        const box = (await menu.boundingBox())!;
        assert.ok(box.y > 700 && box.x > 200 && box.height >= 44, JSON.stringify(box));
        await menu.click();
        const panel = page.locator(".fw-sidebar");
        const { y, height } = (await panel.boundingBox())!;
        assert.ok(y > 40 && y + height <= box.y + 1, `the panel ends at ${y + height}, the bar begins at ${box.y}`);
        if (script) await picture(page, "bottom-menu");
        await menu.click();
        assert.ok(await panel.getByRole("link", { name: "Comments" }).isHidden());
        await menu.click();
        await panel.getByRole("link", { name: "Comments" }).click();
        await page.waitForURL(/comments/);
        assert.equal(problems, []);
        await context.close();
      },
    );

  it.unless(reason, "It covers no end of a page, no bar of selected rows and nothing that has the focus", async () => {
    const { context, page } = await visit(browser, app.url, { headers, width: "narrow" });
    const top = async () => (await page.locator(".fw-bottom").boundingBox())!.y;
    await page.goto(tasks);
    await page.locator('input[name="ids[]"]').first().check();
    const bulk = (await page.locator("form[data-bulk]").boundingBox())!;
    assert.ok(bulk.y + bulk.height <= (await top()) + 1, "the bar of what is selected stands above it");
    for (const url of [`${tasks}/1/edit`, tasks]) {
      await page.goto(url);
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      const last = page.locator("main .fw-form-footer, main .fw-pager").last();
      const { y, height } = (await last.boundingBox())!;
      assert.ok(y + height <= (await top()) + 1, url);
    }
    await page.goto(`${tasks}/1/edit`);
    for (let at = 0; at < 40; at++) {
      await page.keyboard.press("Tab");
      const hidden = await page.evaluate(`(() => {
        const one = document.activeElement, bar = document.querySelector(".fw-bottom");
        if (one === document.body || bar.contains(one) || one.closest(".fw-menu")) return false;
        return one.getBoundingClientRect().top >= bar.getBoundingClientRect().top;
      })()`);
      assert.is(hidden, false, `after ${at + 1} steps`);
    }
    await context.close();
  });

  it.unless(reason, "Wide pages, printed ones and those of who may not create have less", async () => {
    const { context, page } = await visit(browser, app.url, { headers });
    await page.goto(tasks);
    assert.ok(await page.locator(".fw-bottom").isHidden());
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok(await page.locator(".fw-bottom").isVisible());
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator(".fw-bottom").isHidden());
    await page.emulateMedia({ media: "screen" });
    await page.goto("/guest/1/tasks");
    assert.is(await page.locator('.fw-bottom a[href$="/new"]').count(), 0);
    await context.close();
  });

  it.unless(reason, "A list and a form fit with it, light and dark", async () => {
    const { context, page } = await visit(browser, app.url, { headers, width: "narrow" });
    for (const [name, url] of [
      ["list", tasks],
      ["form", `${tasks}/1/edit`],
    ] as const) {
      await page.goto(url);
      await assertFitInThemes(page, `bottom-${name}`);
    }
    await context.close();
  });
});
