import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { addPeople, signIn } from "../authlib/accounts.ts";
import { unzipped } from "./everywhere.ts";
import { openPersonalData } from "./personal_data_app.ts";

const reason = await reasonToSkip("browser");

describe("A person's data, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openPersonalData();
      await addPeople(app, "user", "ann@example.test", "bea@example.test");
      browser = await openBrowser();
    });
    after(async () => {
      await browser?.close();
      await app?.close();
    });
  }
  const enter = async (type: string, login: string, options: object = {}) => {
    const client = await signIn(app, type, login);
    const opened = await visit(browser, app.url, options);
    await opened.context.addCookies([{ name: "fw_session", value: client.cookie("fw_session")!, url: app.url }]);
    return opened;
  };
  const downloaded = async ({ page }: Awaited<ReturnType<typeof enter>>, click: () => Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent("download"), click()]);
    return unzipped(readFileSync(await download.path()));
  };

  it.unless(reason, "A person downloads their data from their account's page", async () => {
    const ann = await enter("user", "ann@example.test");
    await ann.page.goto("/users/account");
    await ann.page.getByRole("link", { name: /Download/ }).click();
    await ann.page.getByRole("heading", { name: "Your data" }).waitFor();
    const files = await downloaded(ann, () => ann.page.getByRole("button", { name: "Download" }).click());
    assert.match(files.get("models/user.json")!.toString(), "ann@example.test");
    assert.equal(ann.problems, []);
    await ann.context.close();
  });
  it.unless(reason, "An administrator exports and erases a person from the page of their account", async () => {
    const root = await enter("admin", "root@example.test");
    await root.page.goto("/admin/users/2");
    const choose = async (name: string) => {
      await root.page.locator(".fw-more-actions > summary").click();
      await root.page.locator(".fw-more-actions").getByText(name, { exact: true }).click();
    };
    await choose("Export personal data");
    const files = await downloaded(root, () =>
      root.page.getByRole("dialog").getByRole("button", { name: "Export personal data" }).click(),
    );
    assert.match(files.get("models/user.json")!.toString(), "bea@example.test");
    await root.page.goto("/admin/users/2");
    await choose("Erase person");
    await root.page.getByLabel("Login").fill("bea@example.test");
    await root.page.locator("form.fw-form button.btn-danger").click();
    await root.page.getByText("The person was erased.").waitFor();
    assert.equal(root.problems, []);
    await root.context.close();
  });
});
