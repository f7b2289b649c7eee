import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { PASSWORD } from "../../plugins/authlib/accounts.ts";

export const GOOD = "meadow under winter rain";

export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.locator(`main [name=${name}]`).fill(value);
}

/** Presses the button of that name, or the last one that sends a form. */
export async function send(page: Page, name?: string): Promise<void> {
  const main = page.locator("main");
  const named = () => main.getByRole("button", { name, exact: true });
  await (name === undefined ? main.locator("button.btn:not([type=button])").last() : named()).click();
}

/** Fills the page's form in, sends it, and waits until it is refused. */
export async function sendRefused(page: Page, fields: Record<string, string>, name?: string): Promise<void> {
  await page.evaluate("for (const shown of document.querySelectorAll('main [role=alert]')) shown.remove()");
  await fill(page, fields);
  await send(page, name);
  await page.locator("main [role=alert]:visible").first().waitFor();
}

export async function signInAs(page: Page, login: string, type = "users", password = PASSWORD): Promise<void> {
  await page.goto(`/${type}/login`);
  await fill(page, { login, password });
  await send(page, "Sign in");
  await page.waitForURL((url) => !url.pathname.endsWith("/login"));
}

/** The key that the set-up page shows. */
export const secretOn = async (page: Page): Promise<string> =>
  (await page.locator(".fw-authlib-steps code").innerText()).replaceAll(/\s/g, "");

/** The code of an app that holds the key; `step` 1 is the next one, which is taken already. */
export const codeOf = (secret: string, step = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + step * 30_000 });
