import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { openHistory, Person } from "./history_app.ts";

const reason = await reasonToSkip("browser");
const headers = { "x-user": "1" };
const post = "/customer/1/posts/1";

describe("The history of records, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openHistory();
      browser = await openBrowser();
      for (const title of [
        "One",
        "Two",
        "A long title of many words that does not fit a line of a phone at all, whatever its size",
      ])
        await new Person(app.url, 1).send(post, "PATCH", { post: { title, author: 1, body: title.repeat(5) } });
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  it.unless(
    reason,
    "The panel loads, a field is taken back, and the pages fit both widths in both themes",
    async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(post);
      await page.locator("main").getByText("History", { exact: true }).first().click();
      await page.getByText("Remark 3").waitFor();
      await page.goto(`${post}/history`);
      await page.getByRole("button", { name: "Revert Title" }).first().click();
      await page.getByText("was reverted").waitFor();
      await page.getByText("reverted", { exact: true }).first().waitFor();
      await page.getByRole("button", { name: "Revert Title" }).last().click();
      await page.getByRole("heading", { name: "There are newer values" }).waitFor();
      await page.getByRole("button", { name: "Revert anyway" }).click();
      await page.getByText("Post Alpine was reverted.").waitFor();
      assert.equal(
        problems.filter((one) => !/409/.test(one)),
        [],
      );
      await context.close();
      for (const width of Object.keys(widths) as (keyof typeof widths)[]) {
        const { context: other, page: shown, problems: found } = await visit(browser, app.url, { headers, width });
        for (const path of [`${post}/history`, "/customer/1/_history", `${post}/history/on?day=2026-01-01`]) {
          await shown.goto(path);
          await assertFitInThemes(shown, `history-${path.split("/").at(-1)!.replace(/\W.*/, "")}-${width}`);
        }
        assert.equal(found, []);
        await other.close();
      }
    },
  );
});
