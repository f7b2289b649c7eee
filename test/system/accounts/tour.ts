import type { Page } from "playwright-core";
import { type Visitor, widths } from "../../support/browser.ts";
import { assert, describe } from "../../support/index.ts";
import { assertFit, words } from "../looks.ts";
import { finish } from "../stories/pages.ts";
import { heldForm, secondFactor, settings } from "./inside.ts";
import { behindMails, signingIn, signingUp } from "./outside.ts";
import type { AccountsWorld } from "./world.ts";

/** Looks at the page that is open, under a name. */
export type Look = (page: Page, name: string) => Promise<void>;
/** Goes from page to page, looks at each, and says which visitors did. */
export type Tour = (world: AccountsWorld, look: Look) => Promise<Visitor[]>;

const settled = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
const looks = [
  ["narrow", "dark"],
  ["wide", "light"],
] as const;
/** Pages with pieces of their own are looked at in both; the rest in one of them, by turns. */
const both = new Set([
  "login",
  "login-refused",
  "account",
  "sessions",
  "otp-setup",
  "recovery-codes",
  "webauthn-setup",
]);
const kept = (name: string) => (both.has(name) ? looks : looks.slice(name.length % 2).slice(0, 1));

/** Nothing to scroll sideways and nothing that axe finds. */
export const look: Look = async (page, name) => {
  assert.not.match(await words(page.locator("body")), "{{", `${name} shows a text that was not filled in`);
  for (const [width, colorScheme] of kept(name)) {
    await page.setViewportSize(widths[width]);
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-bs-theme=${colorScheme}]`).waitFor({ state: "attached" });
    await page.evaluate(settled);
    await assertFit(page, `accounts-${name}-${width}-${colorScheme}`);
  }
};

const tours: Record<string, Tour> = {
  "of the sign-in": signingIn,
  "of the sign-up": signingUp,
  "behind mailed links": behindMails,
  "of an account's settings": settings,
  "of the second factor": secondFactor,
  "of a pending form": heldForm,
};

export function tellTour(world: () => AccountsWorld, reason: string | undefined): void {
  describe("The pages of accounts", (it) => {
    for (const [where, tour] of Object.entries(tours)) {
      it.unless(reason, `The pages ${where} fit the screen, and axe finds nothing`, async () => {
        for (const visitor of await tour(world(), look)) await finish(visitor);
      });
    }
  });
}
