import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, visit } from "../../support/browser.ts";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { send } from "../notifications/notifications_app.ts";
import { task } from "../resources/tasks_app.ts";
import { ann, cat, liveFiles, openLive } from "./live_app.ts";

const reason = await reasonToSkip("browser");
const tasks = "/customer/1/tasks?columns=title,status,author";
const own = liveFiles(
  'this.column("status", { edit: true }); this.action("destroy", { bulk: true }); this.cards({ facts: ["status"] });',
);
const config = { text: withPlugin(own["plugins.config.ts"], "cards()", "cards") };
const files = {
  ...own,
  "plugins.config.ts": edited(config, "text", ["i18n()", 'i18n({ locales: ["en", "de"] })']),
};

describe("Pages that follow changes, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openLive(files);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const patch = async (id: number, values: Record<string, unknown>) => {
    const database = databaseOf(app.application);
    await database
      .query(database.model("Task").class as never)
      .findById(id)
      .patch(values as never);
  };
  const reset = async () => {
    const { knex } = databaseOf(app.application);
    await knex("tasks").delete();
    await knex("tasks").insert([task(1), task(2), task(3, { title: "Hidden" })]);
  };
  /** Ann looks at a page while somebody else works, until her page has done so too. */
  const look = async (path: string, story: (page: Page) => Promise<void>) => {
    await reset();
    const { context, page, problems } = await visit(browser, app.url, { headers: ann });
    const stream = page.waitForResponse((response) => response.url().includes("/_live"));
    await page.goto(path);
    await stream;
    await story(page);
    assert.equal(problems, []);
    await context.close();
  };
  const row = (page: Page, text: string) => page.locator("tbody tr", { hasText: text });
  const line = (page: Page) => page.locator(".fw-live-shown");
  const show = (page: Page) => page.locator(".fw-live-shown").getByRole("button", { name: "Show" });
  const can = (sentence: string, story: () => Promise<void>) => it.unless(reason, sentence, story);

  can("A cell that another person changes by form changes in its place; the scroll, the focus and the row stay", () =>
    look(tasks, async (page) => {
      const other = await visit(browser, app.url, { headers: cat });
      const before = await row(page, "Task 1").elementHandle();
      await page.getByRole("link", { name: "Task 2", exact: true }).focus();
      await other.page.goto("/customer/1/tasks/1/edit");
      await other.page.getByLabel("Title").fill("Changed by Cat");
      await other.page.getByRole("button", { name: "Save" }).click();
      await row(page, "Changed by Cat").waitFor();
      assert.ok(await before!.evaluate((tr) => tr.isConnected && tr.textContent!.includes("Changed by Cat")));
      assert.is(await page.evaluate("document.activeElement.textContent"), "Task 2");
      assert.is(
        await page.getByRole("link", { name: "Edit: Changed by Cat" }).count(),
        1,
        "its actions are named anew",
      );
      assert.is(await line(page).count(), 0);
      await other.context.close();
    }),
  );

  can("Rows that come or go are announced by a line; Show brings them, and what is selected stays selected", () =>
    look(tasks, async (page) => {
      await page.locator('input[name="ids[]"][value="2"]').check();
      const title = page.locator("h1");
      const top = async () => (await title.boundingBox())!.y;
      const at = await top();
      const { knex } = databaseOf(app.application);
      const database = databaseOf(app.application);
      await database.query(database.model("Task").class as never).insert(task(7, { title: "Just created" }) as never);
      await line(page).filter({ hasText: "This list has changed." }).waitFor();
      assert.is(await top(), at, "nothing of the page moves");
      assert.is(await row(page, "Just created").count(), 0);
      await assertFitInThemes(page, "live-line", true);
      await show(page).click();
      await row(page, "Just created").waitFor();
      assert.ok(await page.locator('input[name="ids[]"][value="2"]').isChecked());
      assert.is(await page.getByText("3 tasks").count(), 1, "the number of rows is that of now");
      assert.is(await line(page).count(), 0);
      await knex("tasks").where({ id: 7 }).delete();
    }),
  );

  can("A cell that is being edited, a menu that is open and text that is selected are never touched", () =>
    look(tasks, async (page) => {
      await row(page, "Task 1").hover();
      await page.getByRole("link", { name: /Edit Status.*Task 1/ }).click();
      const input = row(page, "Task 1").locator(".fw-cell-form select, .fw-cell-form input:not([type=hidden])").first();
      await input.waitFor();
      const form = await row(page, "Task 1").locator(".fw-cell-form").elementHandle();
      await patch(1, { title: "Others", status: "done" });
      await line(page).waitFor();
      assert.ok(await form!.evaluate((one) => one.isConnected));
      assert.is(await row(page, "Others").count(), 0);
      await show(page).click();
      assert.ok(await form!.evaluate((one) => one.isConnected), "shown or not");
      await page.keyboard.press("Escape");
    }),
  );

  can("What somebody saves in a cell is no news to them, and the row goes on following others", () =>
    look(tasks, async (page) => {
      await row(page, "Task 1").hover();
      await page.getByRole("link", { name: /Edit Status.*Task 1/ }).click();
      await row(page, "Task 1").locator("select").selectOption("busy");
      const read = page.waitForResponse((response) => response.request().headers()["x-sec-purpose"] !== undefined);
      await row(page, "Task 1").getByRole("button", { name: "Save" }).click();
      await read;
      await row(page, "Task 1").filter({ hasText: "Busy" }).waitFor();
      assert.is(await line(page).count(), 0);
      await patch(1, { title: "By another" });
      await row(page, "By another").filter({ hasText: "Busy" }).waitFor();
      assert.is(await line(page).count(), 0);
      assert.is(await page.evaluate("document.activeElement.className"), "fw-cell-edit");
    }),
  );

  can(
    "A record's page shows new values in their place, beside a menu that is open a line, and says that it is deleted",
    () =>
      look("/customer/1/tasks/1", async (page) => {
        await patch(1, { status: "busy" });
        await page
          .locator("dd", { hasText: "Busy" })
          .or(page.locator(".fw-page-header", { hasText: "Busy" }))
          .first()
          .waitFor();
        assert.is(await line(page).count(), 0);
        await page.locator("summary[title='More actions']").click();
        await patch(1, { title: "Renamed" });
        await line(page).filter({ hasText: "This page has changed." }).waitFor();
        assert.is(await page.locator("h1").textContent(), "Task 1");
        assert.ok(await page.locator("details.fw-more-actions[open]").isVisible());
        await show(page).click();
        await page.locator("h1", { hasText: "Renamed" }).waitFor();
        const database = databaseOf(app.application);
        await page.waitForTimeout(300);
        await database.query(database.model("Task").class as never).deleteById(1);
        await line(page).filter({ hasText: "This record has been deleted" }).waitFor();
        assert.is(await show(page).count(), 0);
      }),
  );

  can("A form says that the record was changed meanwhile, and what was typed stays; saving leads to both", () =>
    look("/customer/1/tasks/1/edit", async (page) => {
      await page.getByLabel("Title").fill("Typed by Ann");
      await patch(1, { title: "Saved by Cat" });
      await line(page).filter({ hasText: "Somebody else has changed this record" }).waitFor();
      assert.is(await page.getByLabel("Title").inputValue(), "Typed by Ann");
      await assertFitInThemes(page, "live-form", true);
      await picture(page, "live-form");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("This changed while you were editing.").waitFor();
      assert.is(await page.getByLabel("Title").inputValue(), "Typed by Ann");
    }),
  );

  can("The bell counts on", () =>
    look(tasks, async (page) => {
      await send(app, 1, { title: "For Ann" }, { tenant: 1 });
      await page.locator(".fw-bell-count", { hasText: "1" }).waitFor();
      await page.goto("/customer/1/_notifications");
      await page.locator(".fw-bell-count", { hasText: "1" }).waitFor();
      await send(app, 1, { title: "Again" }, { tenant: 1 });
      await page.locator(".fw-bell-count", { hasText: "2" }).waitFor();
    }),
  );

  can("A hidden page has no stream, and looks once when it is seen again", () =>
    look(tasks, async (page) => {
      const hide = (state: string) =>
        page.evaluate(`for (const [name, value] of [["hidden", ${state === "hidden"}], ["visibilityState", "${state}"]])
            Object.defineProperty(document, name, { value, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));`);
      await hide("hidden");
      await patch(1, { title: "Unseen" });
      await sleep(500);
      assert.is(await row(page, "Unseen").count(), 0);
      await hide("visible");
      await row(page, "Unseen").waitFor();
      await patch(1, { title: "Seen" });
      await row(page, "Seen").waitFor();
    }),
  );

  can("Turbo's visits close one stream and open the next", () =>
    look(tasks, async (page) => {
      const next = page.waitForResponse((response) => response.url().includes("/tasks/1/_live"));
      await page.getByRole("link", { name: "Task 1", exact: true }).click();
      await next;
      await patch(1, { title: "On its page" });
      await page.locator("h1", { hasText: "On its page" }).waitFor();
      await page.goBack();
      await row(page, "On its page").waitFor();
      await patch(1, { title: "Back on the list" });
      await row(page, "Back on the list").waitFor();
    }),
  );

  can("Another shape of a list has the line alone", () =>
    look("/customer/1/tasks?shape=cards", async (page) => {
      await patch(1, { title: "On a card" });
      await line(page).waitFor();
      assert.is(await page.getByText("On a card").count(), 0);
      await show(page).click();
      await page.getByText("On a card").waitFor();
      assert.is(await line(page).count(), 0);
    }),
  );

  can(
    "On a narrow page and in German it stands over the page; an empty list says that there is something",
    async () => {
      await databaseOf(app.application).knex("tasks").delete();
      const { context, page, problems } = await visit(browser, app.url, { headers: ann, width: "narrow" });
      await context.addCookies([{ name: "fw_locale", value: "de", url: app.url }]);
      const stream = page.waitForResponse((response) => response.url().includes("/_live"));
      await page.goto(tasks);
      await stream;
      const database = databaseOf(app.application);
      await database.query(database.model("Task").class as never).insert(task(1) as never);
      await line(page).filter({ hasText: "Diese Liste hat sich geändert." }).waitFor();
      await assertFitInThemes(page, "live-narrow", true);
      await page.getByRole("button", { name: "Anzeigen" }).click();
      await row(page, "Task 1").waitFor();
      assert.equal(problems, []);
      await context.close();
    },
  );

  can("Without JavaScript there is no trace of it to be seen", async () => {
    await reset();
    const { context, page, problems } = await visit(browser, app.url, { headers: ann, script: false });
    await page.goto(tasks);
    assert.is((await page.locator(".fw-live").innerText()).trim(), "");
    await row(page, "Task 1").waitFor();
    assert.equal(problems, []);
    await context.close();
  });
});
