import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, themes, visit, widths } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFit } from "../../system/looks.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { task, taskFiles } from "./tasks_app.ts";

const reason = await reasonToSkip("browser");
const posts = "app/policies/post_policy.ts";
const page = "/customer/1/posts/1";
const headers = { "x-user": "1" };

describe("Lists on the page of a record in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      const shown = edited(tenantFiles, posts, [
        'return ["comments", "note"];',
        'return ["comments", "note", "tasks"] as never;',
      ]);
      app = await openTenants({ ...taskFiles(""), [posts]: shown }, {});
      const rows = Array.from({ length: 12 }, (_, at) => task(at + 1, { post_id: 1, hours: 20 - at }));
      await databaseOf(app.application).knex("tasks").insert(rows);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const first = "#panel-tasks-list tbody tr:first-child .fw-row-link";

  it.unless(
    reason,
    "A search, a heading and a page change the rows of their list alone, by keyboard as well",
    async () => {
      const { context, page: shown, problems } = await visit(browser, app.url, { headers });
      await shown.goto(page);
      await shown.getByRole("tab", { name: /^Tasks/ }).click();
      const row = (text: string) => shown.locator(first, { hasText: new RegExp(`^${text}$`) }).waitFor();
      await row("Task 12");
      await shown.evaluate("document.querySelector('#main h1').id = 'untouched'");
      await shown.locator("#panel-tasks-list").getByRole("link", { name: "Title" }).click();
      await row("Task 1");
      await shown.locator("#panel-tasks-list").getByRole("link", { name: "Page 2" }).click();
      await row("Task 3");
      const box = shown.getByRole("searchbox", { name: "Search: Tasks" });
      await box.fill("Task 7");
      await box.press("Enter");
      await row("Task 7");
      await shown.locator("#panel-tasks-list").getByRole("link", { name: "Clear" }).click();
      await row("Task 12");
      assert.is(await shown.locator("#untouched").count(), 1);
      await shown.locator('#panel-tasks-list a[href*="/12/edit"]').click();
      await shown.waitForURL(/nested_tasks\/12\/edit/);
      await shown.locator(".fw-form-footer .btn-primary").click();
      await shown.waitForURL(/posts\/1$/);
      assert.equal(problems, []);
      await context.close();
    },
  );

  for (const width of ["wide", "narrow"] as const)
    for (const theme of themes)
      it.unless(reason, `The page fits at ${widths[width].width} px, ${theme}`, async () => {
        const { context, page: shown } = await visit(browser, app.url, { headers, width, theme });
        await shown.goto(page);
        await assertFit(shown, `panel list ${width} ${theme}`);
        await picture(shown, `panels-${width}-${theme}`);
        await context.close();
      });
});
