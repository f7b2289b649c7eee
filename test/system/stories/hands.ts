import { assert, describe } from "../../support/index.ts";
import { arrive, assertFit, assertNarrow, words } from "../looks.ts";
import type { World } from "../world.ts";
import { finish } from "./pages.ts";

const theme = "document.documentElement.dataset.bsTheme";

export function tellHands(world: () => World, reason: string | undefined): void {
  describe("Keyboard, menu and theme", (it) => {
    it.unless(reason, "The chosen theme is kept on the next page", async () => {
      const visitor = await world().visit();
      const { page } = visitor;
      await page.goto("/admin");
      await page.getByRole("button", { name: "Switch between light and dark" }).click();
      assert.is(await page.evaluate(theme), "dark");
      await page.goto("/public");
      assert.is(await page.evaluate(theme), "dark");
      await finish(visitor);
    });

    for (const script of [true, false]) {
      it.unless(
        reason,
        `The menu of a narrow screen opens and leads to a page ${script ? "with" : "without"} JavaScript`,
        async () => {
          const visitor = await world().visit({ width: "narrow", script });
          const { page } = visitor;
          await page.goto("/admin");
          await page.locator(".fw-menu > summary").click();
          await (script ? assertFit : assertNarrow)(page, `menu-${script ? "script" : "no-script"}`);
          await page.locator(".fw-sidebar").getByRole("link", { name: "Categories" }).click();
          await arrive(page, /categories$/);
          assert.is(await words(page.locator("h1")), "Categories");
          await finish(visitor);
        },
      );
    }

    it.unless(reason, "A row is opened, edited and saved with the keyboard alone", async () => {
      const visitor = await world().visit();
      const { page } = visitor;
      const press = (key: string) => page.keyboard.press(key);
      const tabTo = async (text: string) => {
        for (let step = 0; step < 60; step++) {
          await press("Tab");
          const focused = (await page.evaluate(
            "document.activeElement.textContent.trim() || document.activeElement.id",
          )) as string;
          if (focused === text) return;
        }
        throw new Error(`"${text}" can't be reached by Tab`);
      };
      await page.goto("/admin/blogging/categories");
      await press("Tab");
      await press("Enter");
      await tabTo("Guides");
      await press("Enter");
      await arrive(page, /categories\/\d+(\?|$)/);
      await tabTo("Edit");
      await press("Enter");
      await arrive(page, /edit(\?|$)/);
      await tabTo("blogging_category_name");
      await page.keyboard.type("How-to guides");
      await press("Enter");
      await arrive(page, /categories\/\d+(\?|$)/);
      assert.is(await words(page.locator("h1")), "How-to guides");
      await finish(visitor);
    });
  });
}
