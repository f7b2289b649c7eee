import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { openTenants, signedIn } from "../scoping/tenants.ts";
import { hooksOf, post, Receiver, Story, webhookFiles } from "./webhooks_app.ts";

const reason = await reasonToSkip("browser");

describe("The webhooks of a tenant, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  let story: Story;
  let receiver: Receiver;
  if (reason === undefined) {
    before(async () => {
      receiver = await Receiver.open();
      app = await openTenants(webhookFiles());
      story = new Story(app, await signedIn(app));
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
      await receiver.close();
    });
  }

  it.unless(
    reason,
    "One is set up, tried and given another secret, and its pages fit both widths in both themes",
    async () => {
      const [, session] = story.known.ann.cookie!.split("fw_session=");
      const cookie = { name: "fw_session", value: session!, url: app.url };
      const { context, page, problems } = await visit(browser, app.url);
      await context.addCookies([cookie]);
      await page.goto("/customer/1/posts");
      await page.goto(hooksOf());
      await page.getByRole("link", { name: "Add webhook" }).click();
      await page
        .getByLabel("URL")
        .fill(receiver.url("/a/path/that/is/long/enough/for/two/lines/of/a/narrow/screen/tenants/alpine"));
      await page.getByLabel("Description").fill("The accounting system");
      const posts = page.getByRole("group", { name: "Posts" });
      for (const label of ["Created", "Updated", "State changed"]) await posts.getByLabel(label).check();
      await page.getByRole("button", { name: "Create webhook" }).click();
      const secret = await page.locator(".fw-webhook-secret").textContent();
      assert.match(secret!, /^whsec_.{44}$/);
      await page.getByRole("link", { name: "I have stored it" }).click();
      await page.getByText("Nothing sent yet").waitFor();
      await page.goBack();
      assert.is(await page.getByText(secret!).count(), 0);
      await page.goto(hooksOf());
      await page.getByText("The accounting system").waitFor();
      await page.locator("a.fw-webhook-url").click();
      await page.getByRole("button", { name: "Send a test event" }).click();
      await page.getByText("A test event is being sent.").waitFor();
      await story.work();
      receiver.at(
        "/a/path/that/is/long/enough/for/two/lines/of/a/narrow/screen/tenants/alpine",
        (_, response) =>
          void response
            .writeHead(500, { "content-type": "text/html" })
            .end(`<h1>Internal Server Error</h1> ${"Trace of the receiver. ".repeat(20)}`),
      );
      await story.send("ann", post(1), { post: { title: "Seen by the receiver" } }, "PATCH");
      await story.work();
      await page.reload();
      await page.getByText("Trying again").waitFor();
      const address = new URL(page.url()).pathname;
      const [failed] = await story.sent("ann", address);
      assert.equal(problems, []);
      await context.close();
      for (const width of Object.keys(widths) as (keyof typeof widths)[]) {
        const { context: other, page: shown, problems: found } = await visit(browser, app.url, { width });
        await other.addCookies([cookie]);
        const pages = {
          list: hooksOf(),
          new: `${hooksOf()}/new`,
          show: address,
          edit: `${address}/edit`,
          delivery: `${address}/deliveries/${failed!.id}`,
        };
        for (const [name, path] of Object.entries(pages)) {
          await shown.goto(path);
          await assertFitInThemes(shown, `webhooks-${name}-${width}`);
        }
        shown.on("dialog", (dialog) => void dialog.accept());
        await shown.goto(address);
        await shown.getByRole("button", { name: "Replace the secret" }).click();
        const confirm = shown.getByRole("dialog").getByRole("button", { name: /OK|Yes|Continue|Replace|Confirm/ });
        if ((await confirm.count()) > 0) await confirm.click();
        await shown.locator(".fw-webhook-secret").waitFor();
        await assertFitInThemes(shown, `webhooks-secret-${width}`);
        assert.equal(found, []);
        await other.close();
      }
    },
  );
});
