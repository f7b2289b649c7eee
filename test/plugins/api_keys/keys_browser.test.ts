import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, themes, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { KeyClient, openKeys, PASSWORD } from "./keys_app.ts";

const reason = await reasonToSkip("browser");
const page = "/users/api-keys";

describe("API keys in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openKeys({});
      browser = await openBrowser();
    });
    after(async () => {
      await browser?.close();
      await app?.close();
    });
  }
  it.unless(reason, "A key is created with the keyboard, seen and copied once, and revoked", async () => {
    const { context, page: tab, problems } = await visit(browser, app.url);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const client = app.client();
    await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
    await context.addCookies([{ name: "fw_session", value: client.cookie("fw_session")!, url: app.url }]);
    await tab.goto("/users/account");
    await tab
      .getByRole("link", { name: /Manage/ })
      .first()
      .click();
    await tab.getByRole("heading", { name: "API keys" }).waitFor();
    await tab.getByLabel("Name").focus();
    await tab.keyboard.type("Importer");
    await tab.keyboard.press("Tab");
    await tab.keyboard.press("3"); // 30 days
    const box = tab.getByRole("checkbox", { name: "Posts: Read" });
    for (let steps = 0; steps < 60 && (await tab.evaluate("document.activeElement.value")) !== "posts:read"; steps++)
      await tab.keyboard.press("Tab");
    await tab.keyboard.press("Space");
    assert.is(await box.isChecked(), true);
    for (const width of Object.keys(widths) as (keyof typeof widths)[])
      for (const theme of themes) {
        await tab.setViewportSize(widths[width]);
        await tab.emulateMedia({ colorScheme: theme });
        await picture(tab, `api_keys_form_${width}_${theme}`);
      }
    await tab.setViewportSize(widths.wide);
    await tab.emulateMedia({ colorScheme: "light" });
    await tab.getByRole("button", { name: "Create key" }).focus();
    await tab.keyboard.press("Enter");
    await tab.getByRole("heading", { name: "Your new key" }).waitFor();
    const key = (await tab.locator("code").first().textContent())!;
    assert.match(key, /^fwk_[\w-]{49}$/);
    await picture(tab, "api_key_shown");
    await assertFitInThemes(tab, "api_key");
    await tab.getByRole("button", { name: "Copy" }).click();
    assert.is(await tab.evaluate("navigator.clipboard.readText()"), key);
    const program = new KeyClient(app, key);
    assert.is((await program.get("/customer/1/posts")).status, 200);
    await tab.getByRole("link", { name: "I have copied the key" }).click();
    await tab.getByRole("heading", { name: "API keys" }).waitFor();
    await tab.goBack();
    assert.is((await tab.content()).includes(key), false, "going back shows it no more");
    await tab.goto(page);
    for (const width of Object.keys(widths) as (keyof typeof widths)[])
      for (const theme of themes) {
        await tab.setViewportSize(widths[width]);
        await tab.emulateMedia({ colorScheme: theme });
        await picture(tab, `api_keys_list_${width}_${theme}`);
      }
    await assertFitInThemes(tab, "api_keys");
    await tab.setViewportSize(widths.wide);
    await tab.getByRole("button", { name: "Revoke: Importer" }).focus();
    await tab.keyboard.press("Enter");
    await tab.locator("dialog[open], [role=alertdialog]").getByRole("button").last().click();
    await tab.getByText("The key is revoked.").waitFor();
    assert.is((await program.get("/customer/1/posts")).status, 401);
    assert.equal(problems, []);
    await context.close();
  });
});
