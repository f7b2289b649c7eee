import type { Browser } from "playwright-core";
import { openBrowser, themes, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { assertFit } from "../../system/looks.ts";
import { link, type MailApp, openMails } from "./support.ts";

const reason = await reasonToSkip("browser");

describe("/_fw/mails in a browser", (it, { before, after }) => {
  let app: MailApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openMails();
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const can = (sentence: string, body: () => Promise<void>) => it.unless(reason, sentence, body);
  const look = async (path: string, name: string) => {
    for (const width of Object.keys(widths) as (keyof typeof widths)[]) {
      for (const theme of themes) {
        const { context, page, problems } = await visit(browser, app.url, { width, theme });
        await page.goto(path);
        await assertFit(page, `mails-${name}-${width}-${theme}`);
        assert.equal(problems, []);
        await context.close();
      }
    }
  };

  can("The pages of /_fw/mails fit at both widths, light and dark, empty and filled", async () => {
    await look("/_fw/mails", "empty");
    await app.hello({ subject: "Confirm your address" });
    await app.hello({
      subject: `A very long subject ${"and more of it ".repeat(12)}`,
      to: "somebody.with.a.very.long.name@a-long-host.example.com",
    });
    await app.drain();
    await look("/_fw/mails", "list");
    await look("/_fw/mails/1", "mail");
    await look("/_fw/mails/2", "long");
  });

  can("The HTML of a mail is shown with its styles in a frame, and its links open outside of the frame", async () => {
    const { context, page, problems } = await visit(browser, app.url);
    await page.goto("/_fw/mails/1");
    const frame = page.frameLocator("iframe");
    const tab = (name: string) => page.getByRole("tab", { name });
    await tab("Text").click();
    assert.equal([await page.locator("iframe").isVisible(), await page.locator("pre").isVisible()], [false, true]);
    await tab("Text").press("ArrowLeft");
    assert.is(await tab("HTML").getAttribute("aria-selected"), "true");
    const styles = "getComputedStyle(document.querySelector('.fw-mail-card')).borderRadius";
    await frame.locator(".fw-mail-card").waitFor();
    const radius = await page.frames()[1]!.evaluate(styles);
    assert.is(radius, "10px");
    await page.route("https://shop.example/**", (route) => route.fulfill({ body: "there", contentType: "text/plain" }));
    await frame.getByRole("link", { name: "Confirm" }).click();
    await page.waitForURL(link);
    assert.equal(problems, []);
    await context.close();
  });

  can("The links in the text of a mail are rendered as links", async () => {
    const { context, page } = await visit(browser, app.url, { script: false });
    await page.goto("/_fw/mails/1");
    assert.is(await page.getByRole("link", { name: link }).getAttribute("href"), link);
    await context.close();
  });
});
