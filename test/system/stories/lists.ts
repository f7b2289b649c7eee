import { assert, describe } from "../../support/index.ts";
import { arrive, words } from "../looks.ts";
import type { World } from "../world.ts";
import { finish } from "./pages.ts";

const rows = "main tbody tr";

export function tellLists(world: () => World, reason: string | undefined): void {
  describe("The lists of the demo", (it) => {
    it.unless(reason, "The public portal leads to published posts, without actions, and a draft is 404", async () => {
      const visitor = await world().visit();
      const { page } = visitor;
      await page.goto("/");
      await page.getByRole("link", { name: "Public portal", exact: true }).click();
      await page.locator("body.fw-site .fw-dash-list").first().waitFor();
      assert.is(await page.locator(".fw-dash-metric, .fw-periods").count(), 0, "figures are not for readers");
      await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Posts" }).click();
      await page.locator(".fw-teaser h2 a").first().click();
      await arrive(page, /\/public\/blogging\/posts\/\d+$/);
      assert.is(
        await page
          .locator("main")
          .getByRole("link", { name: /New|Edit|Delete|Publish/ })
          .count(),
        0,
      );
      assert.is((await page.goto("/public/blogging/posts/200"))?.status(), 404, "a draft");
      await finish(visitor);
    });

    for (const script of [true, false]) {
      it.unless(
        reason,
        `A list is searched, filtered, sorted, paged and scoped ${script ? "with" : "without"} JavaScript`,
        async () => {
          const visitor = await world().visit({ script });
          const { page } = visitor;
          await page.goto("/admin/blogging/posts");
          const second = page.locator(rows).nth(1);
          assert.match(await words(page.locator(".fw-pager")), /1–20 of 200/);
          await page.getByRole("searchbox").fill("cold brew");
          await page.getByRole("searchbox").press("Enter");
          await arrive(page, /q=cold/);
          assert.match(await words(second), /cold brew/i);
          await page.getByRole("combobox", { name: "Status" }).selectOption("published");
          if (!script) await page.getByRole("button", { name: "Apply" }).click();
          await arrive(page, /published/);
          assert.is(await page.locator(`${rows}:not(:has(.fw-status-success))`).count(), 0);
          await page.getByRole("link", { name: "Clear" }).click();
          await arrive(page, /posts$/);
          await page.getByRole("columnheader", { name: "Title" }).getByRole("link").click();
          await arrive(page, /sort=title/);
          assert.match(await words(page.locator(rows).first()), /^A beginner/);
          await page.getByRole("link", { name: "Next" }).click();
          await arrive(page, /page=2/);
          assert.match(await words(page.locator(".fw-pager")), /21–40 of 200/);
          await page.getByRole("link", { name: "Drafts" }).click();
          await arrive(page, /scope=drafts/);
          assert.is(await page.locator(`${rows}:not(:has(.fw-status-info))`).count(), 0);
          await finish(visitor);
        },
      );
    }

    it.unless(reason, "A customer sees the posts of one organization, and those of another one are 404", async () => {
      const visitor = await world().visit();
      const { page } = visitor;
      await page.goto("/customer");
      await page.getByRole("link", { name: "Alder & Pine Outfitters" }).click();
      await arrive(page, /\/customer\/2$/);
      await page.waitForLoadState("networkidle"); // Turbo 8 reports a card whose answer it stops reading as an error
      await page.getByRole("navigation", { name: "Main navigation" }).getByRole("link", { name: "Posts" }).click();
      await arrive(page, /\/customer\/2\/blogging\/posts$/);
      const link = await page.locator(`${rows} a`).first().getAttribute("href");
      assert.is((await page.goto(link!))?.status(), 200);
      assert.is((await page.goto(link!.replace("/customer/2", "/customer/1")))?.status(), 404);
      await page.goto("/customer/2/blogging/posts/new");
      assert.is(await page.getByLabel("Organization").count(), 0);
      await finish(visitor);
    });
  });
}
