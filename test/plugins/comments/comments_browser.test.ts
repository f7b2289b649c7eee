import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { type MailServer, openServer, partsOf, smtpTo } from "../mailer/support.ts";
import { type Known, openTenants, signedIn } from "../scoping/tenants.ts";
import { commentFiles, post } from "./comments_app.ts";

const reason = await reasonToSkip("browser");

describe("Comments, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  let known: Known;
  let inbox: MailServer;
  if (reason === undefined) {
    before(async () => {
      inbox = await openServer();
      app = await openTenants(commentFiles, smtpTo(inbox));
      known = await signedIn(app);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
      await inbox.close();
    });
  }
  const enter = async (who: keyof Known, options: object = {}) => {
    const opened = await visit(browser, app.url, options);
    const [name, value] = known[who].cookie!.split("=");
    await opened.context.addCookies([{ name: name!, value: value!, url: app.url }]);
    return opened;
  };
  const input = (page: Page) => page.getByLabel("Your comment");

  it.unless(
    reason,
    "A person is named by keyboard, follows the mail that a server got to another browser, and answers without scripts",
    async () => {
      const ann = await enter("ann");
      await ann.page.goto(app.url + post(1));
      await ann.page.getByRole("tab", { name: "Comments", exact: true }).last().click();
      await ann.page.getByLabel("Internal: not for everybody").uncheck();
      await input(ann.page).pressSequentially("Hello @ca");
      await ann.page.getByRole("option", { name: "Cat" }).waitFor();
      await ann.page.keyboard.press("Escape");
      assert.is(await ann.page.getByRole("listbox").count(), 0);
      await input(ann.page).pressSequentially("t");
      await ann.page.getByRole("option", { name: "Cat" }).waitFor();
      await ann.page.keyboard.press("Enter");
      assert.is(await input(ann.page).inputValue(), "Hello @Cat ");
      await input(ann.page).pressSequentially("have a look");
      await ann.page.getByRole("button", { name: "Comment", exact: true }).click();
      await ann.page.getByText("Your comment was added.").waitFor();
      await ann.page.locator(".fw-mention", { hasText: "@Cat" }).waitFor();

      const jobs = app.application.kernel.service("jobs");
      while ((await jobs.drain()) > 0);
      const [mail, ...more] = inbox.received;
      assert.equal([mail?.to, more.length], [["cat@example.test"], 0]);
      const link = /https?:\/\/[^\s"<]+#comment-\d+/.exec(partsOf(mail!.raw)["text/plain"]!)?.[0];
      const cat = await enter("cat", { script: false });
      await cat.page.goto(app.url + link!.replace(/^https?:\/\/[^/]+/, ""));
      await cat.page.locator(".fw-mention", { hasText: "@Cat" }).waitFor();
      await input(cat.page).fill("Seen");
      await cat.page.getByRole("button", { name: "Comment", exact: true }).click();
      await ann.page.reload();
      await ann.page.locator(".fw-comments li", { hasText: "Seen" }).locator("mark", { hasText: "New" }).waitFor();
      assert.equal(ann.problems, []);
      for (const { context } of [ann, cat]) await context.close();
    },
  );

  for (const [name, width] of Object.entries(widths)) {
    it.unless(reason, `Its panel and its pages fit a ${name} screen, and axe finds nothing`, async () => {
      const { context, page } = await enter("ann", { width });
      await page.goto(`${app.url}${post(1)}/_comments`);
      await assertFitInThemes(page, `comments-${name}`);
      await page.locator(".fw-comment-who a").first().click();
      await page.waitForURL(/edit$/);
      await assertFitInThemes(page, `comment-edit-${name}`);
      await context.close();
    });
  }
});
