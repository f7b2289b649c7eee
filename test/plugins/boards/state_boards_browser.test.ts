import { openBrowser, visit } from "../../support/browser.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { drag } from "../../system/drag.ts";
import { arrive } from "../../system/looks.ts";
import { openStates, stateFiles } from "../states/states_app.ts";

const reason = await reasonToSkip("browser");
const board = "/admin/posts?shape=board";

describe("A board by states, in Chromium", (it) => {
  it.unless(
    reason,
    "Dragging is the transition: its guard gives the reason, and one with a form leads to it and back",
    async () => {
      const app = await openStates(
        {},
        { "plugins.config.ts": withPlugin(stateFiles["plugins.config.ts"]!, "boards()", "boards") },
      );
      const browser = await openBrowser();
      try {
        const { knex } = databaseOf(app.application);
        const status = async () => ((await knex("posts").where({ id: 50 }).first()) as { status: string }).status;
        await knex("posts").insert({ id: 50, title: "Harbour permit", status: "draft" });
        const { page, problems } = await visit(browser, app.url, { headers: { "x-user": "1" } });
        const card = page.locator(".fw-tile", { hasText: "Harbour permit" });
        const cards = (key: string) => page.locator(`.fw-lane[data-lane=${key}] .fw-lane-cards`);
        await page.goto(board);
        await page.locator(".fw-board[data-ready]").waitFor();
        await drag(page, card, cards("approved"));
        assert.is(
          await cards("draft").locator(".fw-tile", { hasText: "Harbour permit" }).count(),
          1,
          "no way leads there",
        );
        await drag(page, card, cards("submitted"));
        await page
          .locator("[data-board-status]", { hasText: "Harbour permit, Submitted" })
          .waitFor({ state: "attached" });
        assert.is(await status(), "submitted");

        await knex("comments").insert({ id: 70, post_id: 50, title: "Fine" });
        await page.reload();
        await page.locator(".fw-board[data-ready]").waitFor();
        await knex("comments").where({ id: 70 }).delete();
        await drag(page, card, cards("approved"));
        await page.getByRole("alert").getByText("Nobody has commented on it.").waitFor();
        assert.is(await status(), "submitted");
        assert.is(await cards("submitted").locator(".fw-tile", { hasText: "Harbour permit" }).count(), 1);

        await drag(page, card, cards("rejected"));
        await page.getByLabel("Reason").fill("No berth is free.");
        await page.getByRole("button", { name: "Reject" }).click();
        await arrive(page, /shape=board$/);
        await cards("rejected").locator(".fw-tile", { hasText: "Harbour permit" }).waitFor();
        assert.is(await status(), "rejected");
        assert.equal(problems, []);
      } finally {
        await browser.close();
        await app.close();
      }
    },
  );
});
