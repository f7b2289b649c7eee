import type { Page } from "playwright-core";
import { addDevice } from "../../support/authenticator.ts";
import { openBrowser, type Visitor, visit } from "../../support/browser.ts";
import { assert } from "../../support/index.ts";
import { PASSWORD, signUp } from "./hands.ts";
import type { Can } from "./people.ts";

const login = "key@example.test";
/** Chromium with a device whose fingerprint reader always says yes. */
export function tellPasskeys(can: Can): void {
  can("A user adds a passkey, signs in by it and removes it in Chromium", async (world) => {
    await signUp(world, login);
    const browser = await openBrowser();
    try {
      const visitor = await visit(browser, world.url);
      const { answer } = await addDevice(visitor);
      await story(visitor, answer).catch(async (error: Error) => {
        throw new Error(`${visitor.page.url()}: ${await visitor.page.locator("main").innerText()}`, { cause: error });
      });
    } finally {
      await browser.close();
    }
  });
}

/** `answer` lets the device answer by itself, also where a page only offers passkeys in a field. */
async function story({ page, problems }: Visitor, answer: (enabled: boolean) => Promise<void>): Promise<void> {
  await page.goto("/users/login");
  await page.getByLabel("Email address").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await press(page, "Sign in");
  await page.waitForURL(/\/customer$/);
  await page.goto("/users/webauthn-setup");
  await page.getByLabel("Passkey name").fill("Kitchen laptop");
  await press(page, "Add a passkey");
  await page.getByText("The passkey is added.").waitFor();
  await answer(false);
  await page.goto("/users/logout");
  await press(page, "Sign out");
  await page.waitForURL(/\/users\/login$/);
  await page.locator("main").getByRole("link", { name: "Use a passkey" }).click();
  await page.waitForURL(/webauthn-auth$/);
  await answer(true);
  await press(page, "Use a passkey");
  await page.waitForURL(/\/customer$/);
  await page.goto("/users/webauthn-setup");
  await page.getByRole("link", { name: "Remove: Kitchen laptop" }).click();
  await page.getByRole("heading", { name: "Remove passkey" }).waitFor();
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD); // who signed in without it is asked for it
  await press(page, "Remove");
  await page.getByText("You have no passkeys yet.").waitFor();
  assert.equal(problems, []);
}

const press = (page: Page, name: string) => page.locator("main").getByRole("button", { name, exact: true }).click();
