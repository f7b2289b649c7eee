import type { Page } from "playwright-core";
import { arrive } from "../looks.ts";

/** A picture of the documents: a page of the demo, and what is done on it before it is taken. */
export interface Shot {
  readonly name: string;
  readonly path: string;
  prepare?(page: Page): Promise<void>;
}

/** Short enough to be read at half its size. */
export const size = { width: 1200, height: 750 } as const;

export const shots: readonly Shot[] = [
  { name: "list", path: "/admin/blogging/posts" },
  { name: "record", path: "/admin/blogging/posts/1" },
  { name: "form", path: "/admin/blogging/posts/102/edit" },
  { name: "dashboard", path: "/admin" },
  {
    name: "palette",
    path: "/admin/blogging/posts",
    async prepare(page) {
      await page.keyboard.press("ControlOrMeta+k");
      await page.locator("dialog[open]").waitFor();
    },
  },
  {
    name: "wizard",
    path: "/admin/organizations/2/wizards/configure",
    prepare: (page) => arrive(page, /wizards\/configure\/\w+/),
  },
];
