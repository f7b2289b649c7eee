import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFit, assertFitInThemes } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { notificationFiles, send } from "./notifications_app.ts";

const reason = await reasonToSkip("browser");
const headers = { "x-user": "1" };
const base = "/customer/1/_notifications";

describe("Notifications in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(notificationFiles);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const fill = async () => {
    await databaseOf(app.application).knex("framewright_notifications").delete();
    await send(
      app,
      1,
      { title: "Import finished: 1,204 posts", body: "3 were refused.", kind: "warning" },
      { tenant: 1 },
    );
    await send(
      app,
      1,
      {
        title: "Bob asks you to review “The harbour at night, and what it takes to keep a very long title on one page”",
        url: "/customer/1/posts/1",
      },
      { tenant: 1 },
    );
    await send(app, 1, { title: "Your post is published", url: "/customer/1/posts/1", kind: "success" }, { tenant: 1 });
  };

  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    it.unless(reason, `By keyboard alone, with and without JavaScript, on a ${width} page`, async () => {
      for (const script of [true, false]) {
        await fill();
        const { context, page, problems } = await visit(browser, app.url, { headers, width, script });
        const name = `notifications-${width}${script ? "" : "-no-script"}`;
        await page.goto("/customer/1/posts");
        if (script) await page.locator(".fw-bell-count", { hasText: "3" }).waitFor();
        await picture(page, `${name}-bell`);
        await page.getByRole("link", { name: "Notifications" }).focus();
        await page.keyboard.press("Enter");
        await page.waitForURL(/_notifications$/);
        await page.getByRole("button", { name: "Mark all as read" }).waitFor();
        await assertFitInThemes(page, name, script);
        await page.getByRole("button", { name: "Your post is published", exact: true }).focus();
        await page.keyboard.press("Enter");
        await page.waitForURL(/posts\/1$/);
        if (script) await page.locator(".fw-bell-count", { hasText: "2" }).waitFor();
        await page.goto(base);
        await page.getByRole("button", { name: "Mark all as read" }).focus();
        await page.keyboard.press("Enter");
        await page.getByText("All notifications are marked as read.").waitFor();
        assert.is(await page.locator(".fw-notification-unread").count(), 0);
        await page.getByRole("button", { name: "Mark as unread: Your post is published" }).click();
        await page.locator(".fw-notification-unread").waitFor();
        if (script) await page.locator(".fw-bell-count", { hasText: "1" }).waitFor();
        assert.equal(problems, []);
        await context.close();
      }
    });

  it.unless(reason, "A page without any says so", async () => {
    await databaseOf(app.application).knex("framewright_notifications").delete();
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(base);
    await page.getByRole("heading", { name: "No notifications" }).waitFor();
    await assertFit(page, "notifications-empty");
    assert.equal(problems, []);
    await context.close();
  });
});
