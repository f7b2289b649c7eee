import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { assertFit, assertFitInThemes, assertNarrow } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { grouped, withLines } from "./navigation_app.ts";

const reason = await reasonToSkip("browser");
const headers = { "x-user": "1" };
const list = "/customer/1/posts";
const waiting = `items.push({ label: "Waiting", url: "/customer/1/users?waiting", badge: async () => 7 });`;

describe("A sidebar in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants({ ...grouped, ...withLines(waiting) });
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const content = (page: Page) => page.locator(".fw-sidebar details", { hasText: "Content" });
  const isOpen = async (page: Page) => (await content(page).getAttribute("open")) !== null;

  it.unless(
    reason,
    "A group that a person closed stays closed on the next pages, and is closed before it is painted",
    async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(list);
      await content(page).locator("summary").focus();
      await page.keyboard.press("Enter");
      assert.not.ok(await isOpen(page));
      await page.locator(".fw-sidebar").getByRole("link", { name: "Users" }).click();
      await page.waitForURL(/users$/);
      assert.not.ok(await isOpen(page), "after a visit of Turbo");
      await page.addInitScript(`requestAnimationFrame(function look() {
        const group = document.querySelector(".fw-sidebar details");
        if (!group) return void requestAnimationFrame(look);
        document.documentElement.dataset.firstSeen = group.open ? "open" : "closed";
      });`);
      await page.reload();
      await page.locator("html[data-first-seen]").waitFor({ state: "attached" });
      assert.is(await page.evaluate("document.documentElement.dataset.firstSeen"), "closed");
      await content(page).locator("summary").click();
      await page.goto(list);
      assert.ok(await isOpen(page));
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(
    reason,
    "A badge that is a function is loaded once the page is shown, in the menu of a phone once that is open",
    async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      const requests: string[] = [];
      page.on("request", (request) => request.url().includes("/_badge") && requests.push(request.url()));
      await page.goto(list);
      await page.locator(".fw-sidebar").getByRole("link", { name: "Waiting 7" }).waitFor();
      assert.is(requests.length, 1, String(requests));
      await page.setViewportSize({ width: 390, height: 844 });
      await page.locator(".fw-menu > summary").click();
      await page.locator(".fw-sidebar").getByRole("link", { name: "Waiting 7" }).waitFor();
      assert.is(requests.length, 1, String(requests));
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(
    reason,
    "The sidebar narrows to icons of 56 px by a button, and stays so; each icon keeps its name",
    async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(list);
      const button = page.getByRole("button", { name: "Collapse the sidebar" });
      const width = () => page.locator(".fw-sidebar").evaluate((sidebar) => sidebar.getBoundingClientRect().width);
      assert.is(await button.getAttribute("aria-pressed"), "false");
      await button.focus();
      await page.keyboard.press("Enter");
      assert.is(await width(), 56);
      assert.is(await button.getAttribute("aria-pressed"), "true");
      await assertFit(page, "sidebar-narrow");
      const users = page.locator(".fw-sidebar").getByRole("link", { name: "Users" });
      assert.is(await users.getAttribute("title"), "Users");
      await users.click();
      await page.waitForURL(/users$/);
      assert.is(await width(), 56);
      await page.reload();
      assert.is(await width(), 56);
      await button.click();
      assert.ok((await width()) > 200);
      assert.is(await users.getAttribute("title"), null);
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(reason, "At 390 px the groups are in the menu, with and without JavaScript", async () => {
    for (const script of [true, false]) {
      const { context, page, problems } = await visit(browser, app.url, { headers, width: "narrow", script });
      await page.goto(list);
      await page.locator(".fw-menu > summary").click();
      const group = page.locator(".fw-sidebar details", { hasText: "Content" });
      await group.getByRole("link", { name: "Notes" }).waitFor();
      if (script) await assertFit(page, "sidebar-menu");
      else await assertNarrow(page, "sidebar-menu-no-script");
      await group.locator("summary").click();
      await group.getByRole("link", { name: "Notes" }).waitFor({ state: "hidden" });
      assert.equal(problems, []);
      await context.close();
    }
  });

  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    it.unless(reason, `It is accessible on a ${width} page, light and dark`, async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers, width });
      await page.goto("/customer/1/notes");
      await assertFitInThemes(page, `sidebar-${width}`);
      assert.equal(problems, []);
      await context.close();
    });
});
