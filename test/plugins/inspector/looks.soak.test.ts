import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, themes, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { assertFit } from "../../system/looks.ts";
import { openInspected } from "./support.ts";

const reason = await reasonToSkip("browser");

describe("/_fw in a browser", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openInspected();
      browser = await openBrowser();
      for (const path of [
        "/admin/blogging/posts",
        "/admin/blogging/posts/report",
        "/boom",
        `/${"long-name/".repeat(20)}x`,
      ])
        await app.request(path);
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const pages = {
    list: "/_fw",
    statements: "/_fw/requests/2",
    policy: "/_fw/requests/1",
    error: "/_fw/requests/3",
    gone: "/_fw/requests/99",
  };

  it.unless(reason, "The pages fit at both widths, light and dark, and break no rule of accessibility", async () => {
    for (const width of Object.keys(widths) as (keyof typeof widths)[])
      for (const theme of themes) {
        const { context, page, problems } = await visit(browser, app.url, { width, theme });
        for (const [name, path] of Object.entries(pages)) {
          await page.goto(path);
          await picture(page, `inspector-${name}-${width}-${theme}`);
          await assertFit(page, `${name}-${width}-${theme}`);
        }
        assert.equal(problems, []);
        await context.close();
      }
  });

  it.unless(
    reason,
    "Without JavaScript everything is there: from the list to a request, its stack and its partials",
    async () => {
      const { context, page, problems } = await visit(browser, app.url, { width: "narrow", script: false });
      await page.goto("/_fw");
      await page.getByRole("link", { name: "/boom" }).click();
      await page.getByText("caused by Error: the cause").waitFor();
      await page.getByText("Partials and layouts").last().click();
      await page.getByText("framewright/plugins/layout/views/framewright/_head.liquid").waitFor();
      assert.equal(problems, []);
      await context.close();
    },
  );
});
