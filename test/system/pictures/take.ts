import type { Page } from "playwright-core";
import type { themes } from "../../support/browser.ts";
import { showTheme } from "../looks.ts";
import type { World } from "../world.ts";
import { shots, size } from "./shots.ts";

type Theme = (typeof themes)[number];

/** Takes each picture in both themes, as PNG, in their order. */
export async function takeAll(world: World, took: (name: string, png: Buffer) => Promise<void>): Promise<void> {
  const { page, context } = await world.visit();
  await page.setViewportSize(size);
  for (const shot of shots) {
    await page.goto(shot.path, { waitUntil: "networkidle" });
    await shot.prepare?.(page);
    for (const theme of ["light", "dark"] satisfies Theme[])
      await took(`${shot.name}-${theme}`, await take(page, theme));
  }
  await context.close();
}

async function take(page: Page, theme: Theme): Promise<Buffer> {
  await showTheme(page, theme);
  return page.screenshot({ caret: "hide" });
}
