import type { Browser, Locator, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { drag, frames } from "../../system/drag.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { task } from "../resources/tasks_app.ts";
import { openBoards } from "./boards_app.ts";

const reason = await reasonToSkip("browser");
const board = "/customer/1/tasks?shape=board";
const headers = { "x-user": "1" };

describe("A board in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  const knex = () => databaseOf(app.application).knex;
  const reset = async () => {
    await knex()("tasks").delete();
    await knex()("tasks").insert([
      task(1, { title: "Order the timber" }),
      task(2, { title: "Measure the hull", status: "busy", urgent: false }),
      task(3, { title: "Ask the harbour master for a berth until the end of May", status: "busy", due_on: null }),
      task(4, { title: "Locked" }),
      task(6, { title: "Paint", status: "open" }),
    ]);
  };
  if (reason === undefined) {
    before(async () => {
      app = await openBoards(
        `this.reorder("position"); this.display("status", { as: "enum", tones: { busy: "info", done: "success" } }); this.board({ card: { facts: ["due_on", "author", "fee"] }, limits: { busy: 2 } }); this.cards({ facts: ["due_on", "author", "fee", "hours"] });`,
      );
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const lane = (page: Page, key: string): Locator => page.locator(`.fw-lane[data-lane=${key}]`);
  const titles = (page: Page, key: string) => lane(page, key).locator(".fw-tile-title").allTextContents();
  const card = (page: Page, title: string): Locator => page.locator(".fw-tile", { hasText: title });
  const status = async (id: number) => ((await knex()("tasks").where({ id }).first()) as { status: string }).status;
  const order = async () =>
    (await knex()("tasks").where({ status: "open" }).orderBy(["position", "id"]).pluck("title")) as string[];
  const announced = (page: Page, text: string) =>
    page.locator("[data-board-status]", { hasText: text }).waitFor({ state: "attached" });

  it.unless(reason, "A card is dragged to another column, and within its own", async () => {
    await reset();
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto("/customer/1/tasks");
    await page.getByRole("link", { name: "Board", exact: true }).click();
    await page.locator(".fw-board[data-ready]").waitFor();
    await drag(page, card(page, "Paint"), lane(page, "done").locator(".fw-lane-cards"));
    await announced(page, "Moved: Paint, Done");
    assert.is(await status(6), "done");
    assert.equal(await titles(page, "done"), ["Paint"]);
    assert.is(await lane(page, "open").locator("[data-count]").textContent(), "2");
    await page.getByRole("link", { name: "Order the timber" }).click();
    await page.getByRole("heading", { name: "Order the timber" }).first().waitFor();
    await page.goBack();
    await page.locator(".fw-board[data-ready]").waitFor();
    await page.waitForFunction("document.querySelector('.fw-board').isReady");
    await drag(page, card(page, "Measure the hull"), lane(page, "done").locator(".fw-lane-cards"));
    await announced(page, "Moved: Measure the hull, Done");
    await reset();
    await page.goto(board);
    await page.locator(".fw-board[data-ready]").waitFor();
    const target = await card(page, "Order the timber").boundingBox();
    await card(page, "Paint").hover();
    await page.mouse.down();
    await page.mouse.move(target!.x + 40, target!.y + 40, { steps: 6 });
    for (const at of [6, 4, 6, 4]) {
      await page.mouse.move(target!.x + 40, target!.y + at);
      await page.evaluate(frames);
    }
    const saved = page.waitForResponse(/\/order$/);
    await page.mouse.up();
    await saved;
    assert.equal(await order(), ["Paint", "Order the timber", "Locked"]);
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "By keyboard a card is moved by its menu, and keeps the focus", async () => {
    await reset();
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(board);
    await page.locator(".fw-board[data-ready]").waitFor();
    await page.locator("summary[aria-label='Move Order the timber']").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await announced(page, "Moved: Order the timber, Busy");
    assert.is(await status(1), "busy");
    await page.locator("summary[aria-label='Move Order the timber']:focus").waitFor();
    for (const round of [1, 2]) {
      const saved = page.waitForResponse(/card=1$/);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Move down" }).press("Enter");
      await saved;
      assert.is((await titles(page, "busy")).indexOf("Order the timber"), round);
      await page.locator("summary[aria-label='Move Order the timber']:focus").waitFor();
    }
    const places = await knex()("tasks").where({ status: "busy" }).orderBy(["position", "id"]).pluck("title");
    assert.equal(places, await titles(page, "busy"));
    assert.ok(await lane(page, "busy").locator(".fw-lane-over").isVisible());
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(
    reason,
    "A card that somebody else moved goes where it is, and the reason stands above the board",
    async () => {
      await reset();
      const { context, page } = await visit(browser, app.url, { headers });
      await page.goto(board);
      await page.locator(".fw-board[data-ready]").waitFor();
      await knex()("tasks").where({ id: 6 }).update({ title: "Paint it blue", status: "busy" });
      await drag(page, card(page, "Paint"), lane(page, "done").locator(".fw-lane-cards"));
      await page.getByRole("alert").getByText("Somebody else moved or changed this card meanwhile").waitFor();
      assert.ok((await titles(page, "busy")).includes("Paint it blue"), "as it is stored now");
      assert.equal(await titles(page, "done"), []);
      assert.is(await lane(page, "done").locator("[data-count]").textContent(), "0");
      await drag(page, card(page, "Paint"), lane(page, "done").locator(".fw-lane-cards"));
      await announced(page, "Moved: Paint it blue, Done");
      await context.close();
    },
  );

  it.unless(reason, "A card that may not be moved stays, and more cards come without a new page", async () => {
    await reset();
    const many = Array.from({ length: 30 }, (_, at) => task(100 + at, { position: 100 + at, title: `Nail ${at}` }));
    await knex()("tasks").insert(many);
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(board);
    await page.locator(".fw-board[data-ready]").waitFor();
    await drag(page, card(page, "Locked"), lane(page, "done").locator(".fw-lane-cards"));
    assert.equal(await titles(page, "done"), []);
    assert.is((await titles(page, "open")).length, 20);
    await page.getByRole("link", { name: "Show more" }).click();
    await card(page, "Nail 29").waitFor();
    assert.is((await titles(page, "open")).length, 33);
    assert.is(await page.getByRole("link", { name: "Show more" }).count(), 0);
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "It fits wide and narrow windows, by day and by night, with its menus", async () => {
    await reset();
    for (const [width, size] of Object.entries(widths)) {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.setViewportSize(size);
      await page.goto(board);
      await page.locator(".fw-board[data-ready]").waitFor();
      await page.locator("summary[aria-label='Move Order the timber']").click();
      await assertFitInThemes(page, `board-${width}`);
      await page.goto("/customer/1/tasks?shape=cards");
      await assertFitInThemes(page, `cards-${width}`);
      await page.goto("/customer/1/tasks");
      await assertFitInThemes(page, `shapes-${width}`);
      assert.equal(problems, []);
      await context.close();
    }
  });
});
