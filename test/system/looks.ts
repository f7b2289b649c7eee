import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator, Page } from "playwright-core";
import { picture, themes } from "../support/browser.ts";
import { assert } from "../support/index.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** The page is there, and its content too: with JavaScript the address changes first. */
export async function arrive(page: Page, address: RegExp): Promise<void> {
  await page.waitForURL(address);
  await page.locator("html:not([aria-busy])").waitFor({ state: "attached" });
}

/** The words of a piece of a page, one space between them. */
export const words = async (piece: Locator): Promise<string> =>
  ((await piece.textContent()) ?? "").replace(/\s+/g, " ").trim();

interface Finding {
  id: string;
  nodes: { target: unknown; failureSummary: string }[];
}

/** What axe finds wrong with a page by WCAG 2.2 A and AA, a line each. */
async function axeFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const run = `axe.run(document, { runOnly: ${JSON.stringify(tags)}, resultTypes: ["violations"] }).then(({ violations }) => violations)`;
  const findings = (await page.evaluate(run)) as Finding[];
  return findings.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${String(target)}: ${failureSummary}`),
  );
}

/** Two frames, and whatever moves has come to rest, except what never does: the placeholder of a panel that loads when it is seen, and what moves as a list is scrolled. */
const settled = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => document.getAnimations().filter(({ effect, timeline }) => timeline === document.timeline && effect.getComputedTiming().endTime !== Infinity))
  .then((moving) => Promise.allSettled(moving.map(({ finished }) => finished))).then(() => undefined)`;

/** The page in a theme, without loading it again: as it is for whom the system changes from day to night. */
export async function showTheme(page: Page, colorScheme: (typeof themes)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-bs-theme=${colorScheme}]`).waitFor({ state: "attached" });
  await page.evaluate(settled);
}

/** Nothing to scroll sideways. */
export async function assertNarrow(page: Page, name: string): Promise<void> {
  await picture(page, name);
  const tooWide = (await page.evaluate("document.documentElement.scrollWidth - innerWidth")) as number;
  assert.ok(tooWide <= 0, `${name} is ${tooWide} px too wide`);
}

/** As assertFit, in both themes; without JavaScript, as assertNarrow. */
export async function assertFitInThemes(page: Page, name: string, script = true): Promise<void> {
  for (const theme of themes) {
    if (script) await showTheme(page, theme);
    else await page.emulateMedia({ colorScheme: theme });
    await (script ? assertFit : assertNarrow)(page, `${name}-${theme}`);
  }
}

/** Nothing to scroll sideways, and nothing that axe finds; axe itself needs JavaScript. */
export async function assertFit(page: Page, name: string): Promise<void> {
  await assertNarrow(page, name);
  assert.equal(await axeFindings(page), [], name);
}
