import type { Page } from "playwright-core";
import { codeOf } from "../../generators/accounts_flow/hands.ts";
import { themes, type Visit, type Visitor, widths } from "../../support/browser.ts";
import { assert } from "../../support/index.ts";
import { fill, secretOn, send } from "../../system/accounts/hands.ts";
import { arrive, assertFit, assertNarrow, words } from "../../system/looks.ts";
import type { Mail } from "./inbox.ts";

/** Where people sit, and with which browser. */
export const places = {
  home: {
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    headers: { "x-forwarded-for": "198.51.100.7" },
  },
  elsewhere: {
    userAgent:
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    headers: { "x-forwarded-for": "203.0.113.66", "x-forwarded-host": "evil.example" },
  },
  phone: {
    userAgent:
      "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
    headers: { "x-forwarded-for": "198.51.100.7" },
  },
  office: {
    userAgent:
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
    headers: { "x-forwarded-for": "192.0.2.20" },
  },
} as const satisfies Record<string, Visit>;

const looks = widthsAndThemes();
function widthsAndThemes() {
  const all = Object.values(widths).flatMap((size) => themes.map((theme) => [size, theme] as const));
  return process.env.FW_SCREENSHOTS === undefined ? [all[0]!, all.at(-1)!] : all;
}

/** Nothing to scroll sideways and nothing that axe finds, on wide and narrow screens, light and dark. */
export async function look(page: Page, name: string): Promise<void> {
  assert.not.match(await words(page.locator("body")), "{{", `${name} shows a text that was not filled in`);
  for (const [size, colorScheme] of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-bs-theme=${colorScheme}]`).waitFor({ state: "attached" });
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    await assertFit(page, `mailed-${name}-${size.width}-${colorScheme}`);
  }
}

/** As a mail program shows it: nothing to scroll sideways, narrow or wide. */
export async function lookAtMail({ context }: Visitor, { html }: Mail, name: string): Promise<void> {
  const page = await context.newPage();
  for (const [size, colorScheme] of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await page.setContent(html);
    await assertNarrow(page, `mail-${name}-${size.width}-${colorScheme}`);
  }
  await page.close();
}

export const textOf = (page: Page): Promise<string> => words(page.locator("main"));

/** Sends what the sign-in page asks for; what comes of it is for the story to say. */
export async function enter(page: Page, login: string, password: string, { remember = false } = {}): Promise<void> {
  await page.goto("/users/login");
  await fill(page, { login, password });
  if (remember) await page.locator("main [name=remember]").check();
  await send(page, "Sign in");
}

export async function signOut(page: Page, type = "users"): Promise<void> {
  await page.goto(`/${type}/logout`);
  await send(page);
  await arrive(page, /login$/);
}

/** Signs up, and opens the mailed link in the same browser. `link` waits for it. */
export async function signUp(page: Page, login: string, password: string, link: () => Promise<string>): Promise<void> {
  await page.goto("/users/create-account");
  await fill(page, { login, password, password_confirmation: password });
  await send(page);
  await arrive(page, /mailed/);
  await page.goto(await link());
  await send(page, "Verify and sign in");
  await page.waitForURL((url) => !url.pathname.endsWith("/verify-account"));
}

/** Sets an authenticator app up on the page that asks for it, with the code of half a minute ago; returns its secret. */
export async function setAppUp(page: Page, password?: string): Promise<string> {
  const secret = await secretOn(page);
  await fill(page, { otp_code: await codeOf(secret, -1) });
  if (password !== undefined && (await page.locator("main [name=password]").count()) > 0)
    await fill(page, { password });
  await send(page, "Turn on");
  return secret;
}

/** Makes recovery codes on the page that offers them. */
export async function makeCodes(page: Page, { name }: { name?: string } = {}): Promise<string[]> {
  await send(page, "Create new codes");
  await page.locator(".fw-authlib-codes").waitFor();
  if (name !== undefined) await look(page, name);
  const codes = await page.locator(".fw-authlib-codes code").allInnerTexts();
  assert.is(codes.length, 10);
  return codes;
}

export async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto("/users/webauthn-setup");
  await page.getByLabel("Passkey name").fill(name);
  await send(page, "Add a passkey");
  await page.locator(".fw-flash-success").waitFor();
  assert.match(await words(page.locator(".fw-authlib-rows")), name);
}

/** Whether a page of the application opens: who is not signed in is asked for it. */
export async function isIn({ page }: Pick<Visitor, "page">): Promise<boolean> {
  await page.goto("/customer");
  return new URL(page.url()).pathname === "/customer";
}
