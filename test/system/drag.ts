import type { Locator, Page } from "playwright-core";

/** Two frames: what follows the pointer looks at each of its places in one of its own. */
export const frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** Drags something to the upper end of a list, as a hand does: past what is between, and slower at the end. */
export async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.hover();
  await page.mouse.down();
  const { x, y, width } = (await to.boundingBox())!;
  await page.mouse.move(x + width / 2, y + 40, { steps: 8 });
  for (const at of [12, 14, 12, 14]) {
    await page.mouse.move(x + width / 2, y + at);
    await page.evaluate(frames);
  }
  await page.mouse.up();
}
