import { themes } from "../../support/browser.ts";
import { showTheme } from "../looks.ts";
import type { World } from "../world.ts";
import { shots, size } from "./shots.ts";

/** Takes each picture in both themes, as PNG, in their order. */
export async function takeAll(world: World, took: (name: string, png: Buffer) => Promise<void>): Promise<void> {
  const { page, context } = await world.visit();
  await page.setViewportSize(size);
  for (const shot of shots) {
    await page.goto(shot.path, { waitUntil: "networkidle" });
    await shot.prepare?.(page);
    for (const theme of themes) {
      await showTheme(page, theme);
      await took(`${shot.name}-${theme}`, await page.screenshot({ caret: "hide" }));
    }
  }
  await context.close();
}
