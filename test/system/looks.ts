import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { assert } from "../support/index.ts";
import { picture } from "../support/browser.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

interface Finding {
  id: string;
  nodes: { target: unknown; failureSummary: string }[];
}

/** What axe finds wrong with a page by WCAG 2.2 A and AA, a line each. */
async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const run = `axe.run(document, { runOnly: ${JSON.stringify(tags)}, resultTypes: ["violations"] }).then(({ violations }) => violations)`;
  const findings = (await page.evaluate(run)) as Finding[];
  return findings.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id} ${String(target)}: ${failureSummary}`));
}

/** Nothing to scroll sideways. */
export async function assertNarrow(page: Page, name: string): Promise<void> {
  await picture(page, name);
  const tooWide = (await page.evaluate("document.documentElement.scrollWidth - innerWidth")) as number;
  assert.ok(tooWide <= 0, `${name} is ${tooWide} px too wide`);
}

/** Nothing to scroll sideways, and nothing that axe finds; axe itself needs JavaScript. */
export async function assertFit(page: Page, name: string): Promise<void> {
  await assertNarrow(page, name);
  assert.equal(await axeFindings(page), [], name);
}
