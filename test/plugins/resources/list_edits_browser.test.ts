import type { Browser, Locator, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFit } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { task, taskFiles } from "./tasks_app.ts";

const reason = await reasonToSkip("browser");
const tasks = "/customer/1/tasks";
const headers = { "x-user": "1" };
const definition = `this.reorder("position");
  this.action("duplicate");
  this.action("edit", { open: "dialog", collectionRecordAction: true });
  this.action("destroy", { bulk: true });
  this.column("title", { edit: true });
  this.column("status", { edit: true });
  this.column("fee", { edit: true, total: "sum", currency: "EUR" });
  this.column("hours", { edit: true, total: "average" });
  this.column("author", { edit: true });`;

describe("Cells and rows of a list in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  const knex = () => databaseOf(app.application).knex;
  const reset = async () => {
    await knex()("tasks").delete();
    await knex()("tasks").insert([1, 2, 3, 4].map((id) => task(id, { position: id * 10 })));
  };
  const order = async () => (await knex()("tasks").orderBy("position").pluck("id")) as number[];
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(taskFiles(definition), {});
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const focused = (page: Page, locator: Locator) => locator.and(page.locator(":focus")).waitFor();
  const titles = (page: Page) => page.locator("tbody .fw-row-link").allTextContents();

  it.unless(
    reason,
    "The totals below a list follow a cell that is edited, and its link still knows the list",
    async () => {
      await reset();
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(`${tasks}?sort=position`);
      const total = page.locator('tfoot [data-total="hours"]');
      const before = await total.innerText();
      await page.getByRole("link", { name: "Edit Hours: Task 2" }).click();
      await page.locator("#fw-cell-2-hours").getByRole("spinbutton").fill("44");
      await page.keyboard.press("Enter");
      await page.locator("#fw-cell-2-hours .fw-cell-shown", { hasText: "44" }).waitFor();
      const now = await total.innerText();
      assert.is.not(now, before);
      await page.getByRole("link", { name: "Edit Title: Task 2" }).click();
      await page.locator("#fw-cell-2-title-first").getByRole("textbox").fill("Second");
      await page.keyboard.press("Enter");
      const link = page.getByRole("link", { name: "Second", exact: true });
      assert.is(await link.getAttribute("href"), `${tasks}/2?_list=sort%3Dposition`);
      await page.reload();
      assert.is(await total.innerText(), now);
      assert.is(await page.locator("template[data-totals]").count(), 0);
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(reason, "A cell is opened, left by Escape, refused in its place and saved, by keyboard alone", async () => {
    await reset();
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(tasks);
    const link = page.getByRole("link", { name: "Edit Hours: Task 2" });
    const cell = page.locator("#fw-cell-2-hours");
    await link.focus();
    await page.keyboard.press("Enter");
    const input = cell.getByRole("spinbutton");
    await input.waitFor();
    await focused(page, input);
    await page.keyboard.type("9");
    await page.keyboard.press("Escape");
    await input.waitFor({ state: "detached" });
    await focused(page, link);
    assert.is((await knex()("tasks").where({ id: 2 }).first()).hours, 4);
    await page.keyboard.press("Enter");
    await input.fill("101");
    await page.keyboard.press("Enter");
    await cell.locator(".fw-field-errors").waitFor();
    await input.fill("8");
    await page.keyboard.press("Enter");
    await cell.getByText("8").waitFor();
    await page.locator("#fw-cell-2-hours .fw-cell-edit:focus").waitFor();
    assert.is(new URL(page.url()).pathname, tasks);
    assert.is((await knex()("tasks").where({ id: 2 }).first()).hours, 8);
    await page.getByRole("link", { name: "Edit Hours: Task 3" }).click();
    await page.getByRole("link", { name: "Edit Fee: Task 3" }).click();
    await page.locator("#fw-cell-3-fee input[type=text]").fill("99");
    await page.locator("#fw-cell-3-hours").getByRole("spinbutton").fill("3");
    await page.locator("#fw-cell-3-hours").getByRole("button", { name: "Save" }).click();
    await page.locator("#fw-cell-3-hours .fw-number").waitFor();
    await page.locator("#fw-cell-3-fee").getByRole("button", { name: "Save" }).click();
    await page.getByText("€99.00").waitFor();
    await page.getByRole("link", { name: "Edit Title: Task 2" }).click();
    await page.locator("#fw-cell-2-title-first input[type=text]").fill("Renamed");
    await knex()("tasks").where({ id: 2 }).update({ title: "By somebody" });
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("By somebody").waitFor();
    await page.locator("#fw-cell-2-title-first").getByRole("button", { name: "Save" }).click();
    await page.locator("#fw-cell-2-title-first .fw-row-link").getByText("Renamed").waitFor();
    await page.locator("#fw-cell-2-title-first .fw-row-link").click();
    await page.getByRole("heading", { name: "Renamed" }).waitFor();
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(
    reason,
    "Rows are dragged by their handles and moved by their buttons, and the server has the order",
    async () => {
      await reset();
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(tasks);
      assert.equal(await titles(page), ["Task 1", "Task 2", "Task 3", "Task 4"]);
      const saved = () => page.waitForResponse((answer) => answer.url().endsWith("/order"));
      const down = page.getByRole("button", { name: "Move down: Task 1" });
      let answer = saved();
      await down.press("Enter");
      await answer;
      await focused(page, down);
      answer = saved();
      await down.press("Enter");
      assert.is((await answer).status(), 200);
      assert.equal(await titles(page), ["Task 2", "Task 3", "Task 1", "Task 4"]);
      assert.equal(await order(), [2, 3, 1, 4]);
      const handle = (title: string) => page.locator("tr", { hasText: title }).locator(".fw-order-handle");
      answer = saved();
      await handle("Task 4").dragTo(handle("Task 2"), { targetPosition: { x: 8, y: 2 } });
      await answer;
      assert.equal(await titles(page), ["Task 4", "Task 2", "Task 3", "Task 1"]);
      assert.equal(await order(), [4, 2, 3, 1]);
      await page.reload();
      assert.equal(await titles(page), ["Task 4", "Task 2", "Task 3", "Task 1"]);
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(reason, "The list fits on a phone and a desk, in light and dark, with a cell open", async () => {
    await reset();
    for (const [width, theme] of [
      ["wide", "dark"],
      ["narrow", "light"],
    ] as const) {
      const { context, page, problems } = await visit(browser, app.url, { width, theme, headers });
      await page.goto(tasks);
      await page.getByRole("link", { name: "Edit Fee: Task 2" }).click();
      await page.locator("#fw-cell-2-fee .fw-cell-form").waitFor();
      await assertFit(page, `edited list ${width} ${theme}`);
      await page.goto(`${tasks}/1/cells/status`);
      await assertFit(page, `cell ${width} ${theme}`);
      assert.equal(problems, []);
      await context.close();
    }
  });
});
