import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, themes, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFit } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { dialogFiles } from "./dialogs_app.ts";
import { task } from "./tasks_app.ts";

const reason = await reasonToSkip("browser");
const tasks = "/customer/1/tasks";
const headers = { "x-user": "1" };
const COUNT = 60;

describe("Forms in dialogs and panels, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  const knex = () => databaseOf(app.application).knex;
  const reset = async () => {
    await knex()("tasks").delete();
    await knex()("tasks").insert(Array.from({ length: COUNT }, (_, at) => task(at + 1)));
  };
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(dialogFiles, {});
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const dialogOf = (page: Page) => page.locator("dialog[data-modal]");
  const edit = (page: Page, id: number) => page.locator(`a[data-open][href*="/tasks/${id}/edit"]`);
  const asked = (page: Page) => page.locator("dialog.fw-dialog");

  it.unless(
    reason,
    "A saved form closes, and the list behind is drawn anew where it was, with its page and filters",
    async () => {
      await reset();
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(`${tasks}?sort=-position&page=2&status=open`);
      const link = edit(page, 25);
      await link.scrollIntoViewIfNeeded();
      await page.evaluate("scrollBy(0, 150)");
      const top = (await page.evaluate("scrollY")) as number;
      assert.ok(top > 0);
      await link.focus();
      await page.keyboard.press("Enter");
      const dialog = dialogOf(page);
      const title = dialog.getByRole("textbox", { name: "Title" });
      const hours = dialog.getByRole("spinbutton", { name: "Hours" });
      await hours.fill("101");
      await hours.press("Enter");
      await dialog.locator(".fw-error-summary:focus").waitFor();
      await hours.fill("9");
      await title.fill("Renamed");
      await title.press("Enter");
      await page.getByRole("link", { name: "Renamed", exact: true }).waitFor();
      await page.locator("#fw-flashes", { hasText: "Renamed" }).waitFor();
      await edit(page, 25).and(page.locator(":focus")).waitFor();
      assert.not.ok(await dialog.isVisible());
      assert.is(new URL(page.url()).search, "?sort=-position&page=2&status=open");
      assert.ok(Math.abs(((await page.evaluate("scrollY")) as number) - top) < 5);
      assert.equal(problems, []);
      await context.close();
    },
  );
  it.unless(reason, "Escape closes it and gives the focus back, and asks where something was typed", async () => {
    await reset();
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(`${tasks}?sort=position`);
    await edit(page, 2).press("Enter");
    const dialog = dialogOf(page);
    const title = dialog.getByRole("textbox", { name: "Title" });
    await title.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await edit(page, 2).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await title.fill("Typed");
    for (const _ of [1, 2]) {
      await page.keyboard.press("Escape");
      await asked(page).waitFor();
      await page.keyboard.press("Escape");
      await asked(page).waitFor({ state: "detached" });
      assert.is(await title.inputValue(), "Typed");
    }
    const hours = dialog.getByRole("spinbutton", { name: "Hours" });
    await hours.fill("101");
    await hours.press("Enter");
    await dialog.locator(".fw-error-summary:focus").waitFor();
    await hours.focus();
    await page.evaluate('document.body.dispatchEvent(new CustomEvent("turbo:frame-load", { bubbles: true }))');
    await hours.and(page.locator(":focus")).waitFor({ timeout: 100 });
    await dialog.getByRole("link", { name: "Cancel" }).click();
    await asked(page).getByRole("button", { name: "Confirm" }).click();
    await dialog.waitFor({ state: "hidden" });
    assert.is((await knex()("tasks").where({ id: 2 }).first()).title, "Task 2");
    assert.equal(problems, []);
    await context.close();
  });
  it.unless(
    reason,
    "New records and actions with inputs open in a panel, and a page of the record is drawn anew behind it",
    async () => {
      await reset();
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(tasks);
      await page.locator('a[data-open="panel"][href$="/tasks/new"]').click();
      const panel = dialogOf(page);
      await panel.getByRole("textbox", { name: "Title" }).fill("From the panel");
      const box = (await panel.boundingBox())!;
      assert.equal([box.y, box.height, box.x + box.width], [0, widths.wide.height, widths.wide.width]);
      assert.is(await panel.locator(".fw-another").count(), 0);
      await panel.getByRole("button", { name: "Create" }).click();
      await page.locator("#fw-flashes", { hasText: "From the panel" }).waitFor();
      assert.is(new URL(page.url()).pathname, tasks);
      await page.goto(`${tasks}/3`);
      const more = page.locator("summary[aria-label='More actions']");
      await more.click();
      await page.getByRole("link", { name: "Rename" }).click();
      const input = panel.getByRole("textbox", { name: "Title" });
      await input.fill("no");
      await input.press("Enter");
      await panel.locator(".fw-error-summary:focus", { hasText: "needs more" }).waitFor();
      await input.fill("Renamed");
      await input.press("Enter");
      await page.getByRole("heading", { name: "Renamed" }).waitFor();
      await more.and(page.locator(":focus")).waitFor();
      await more.press("Enter");
      await page.getByRole("link", { name: "Leave" }).click();
      await panel.getByRole("button", { name: "Leave" }).click();
      await page.waitForURL(/\/customer\/1\/tasks\?status=done/);
      assert.equal(problems, []);
      await context.close();
    },
  );
  it.unless(reason, "Without JavaScript, and in a tab of its own, the form is a page", async () => {
    await reset();
    const { context, page } = await visit(browser, app.url, { headers, script: false });
    await page.goto(`${tasks}?sort=position`);
    await page.getByRole("link", { name: "Task 2", exact: true }).click();
    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("Plain");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Plain" }).waitFor();
    await context.close();
    const scripted = await visit(browser, app.url, { headers });
    await scripted.page.goto(`${tasks}?sort=position`);
    const [tab] = await Promise.all([
      scripted.context.waitForEvent("page"),
      edit(scripted.page, 2).click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await tab.waitForURL(`**${tasks}/2/edit`);
    assert.not.ok(await dialogOf(scripted.page).isVisible());
    await scripted.context.close();
  });
  it.unless(reason, "They fit on a phone and a desk, in light and dark", async () => {
    await reset();
    for (const width of ["wide", "narrow"] as const)
      for (const theme of themes) {
        const { context, page, problems } = await visit(browser, app.url, { width, theme, headers });
        for (const path of [`${tasks}/2/edit`, `${tasks}/2/actions/rename`]) {
          await page.goto(`${tasks}/2`);
          const link = page.locator(`a[data-open][href="${path}"]`).first();
          if (!(await link.isVisible())) await page.locator("summary[aria-label='More actions']").click();
          await link.click();
          await dialogOf(page).locator(".fw-form").waitFor();
          const group = dialogOf(page).locator("details > summary", { hasText: "Times" });
          if (await group.count()) {
            await group.press("Enter");
            await dialogOf(page).getByLabel("Due on").waitFor();
          }
          await assertFit(page, `${path.split("/").at(-1)} over a page, ${width} ${theme}`);
        }
        const box = (await dialogOf(page).boundingBox())!;
        if (width === "narrow") assert.is(box.width, widths.narrow.width);
        assert.equal(problems, []);
        await context.close();
      }
  });
});
