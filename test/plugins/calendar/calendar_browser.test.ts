import type { Browser, Locator, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { drag } from "../../system/drag.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { task } from "../resources/tasks_app.ts";
import { openCalendar } from "./calendar_app.ts";

const reason = await reasonToSkip("browser");
const at = (span: string) => `/customer/1/tasks?shape=calendar.${span}.2026-03-04`;
const headers = { "x-user": "1" };

describe("A calendar in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  const knex = () => databaseOf(app.application).knex;
  const reset = async () => {
    await knex()("tasks").delete();
    await knex()("tasks").insert([
      task(1, { title: "Order the timber", starts_at: "2026-03-04 09:00:00.000" }),
      task(2, { title: "Measure the hull", starts_at: "2026-03-04 14:30:00.000" }),
      task(3, { title: "Ask the harbour master for a berth", starts_at: "2026-03-13 10:00:00.000" }),
      task(4, { title: "Locked", starts_at: "2026-03-20 10:00:00.000" }),
    ]);
  };
  if (reason === undefined) {
    before(async () => {
      app = await openCalendar('this.calendar({ on: "starts_at" });');
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const entry = (page: Page, title: string): Locator => page.locator(".fw-event", { hasText: title });
  const day = (page: Page, date: string): Locator => page.locator(`[data-day="${date}"]`);
  const ready = (page: Page) => page.locator(".fw-calendar[data-ready]").waitFor();
  const announced = (page: Page, text: string) =>
    page.locator("[data-calendar-status]", { hasText: text }).waitFor({ state: "attached" });

  it.unless(
    reason,
    "An entry is dragged to another day and keeps its time, one that may not be moved stays",
    async () => {
      await reset();
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto("/customer/1/tasks"); // the first page learns the zone of the browser
      await page.goto(at("month"));
      await ready(page);
      await drag(page, entry(page, "Measure the hull"), day(page, "2026-03-10"));
      await announced(page, "Measure the hull, 2026-03-10");
      assert.match((await day(page, "2026-03-10").textContent())!, "15:30 Measure the hull");
      await ready(page);
      await drag(page, entry(page, "Locked"), day(page, "2026-03-11"));
      assert.match((await day(page, "2026-03-20").textContent())!, "Locked");
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(reason, "By keyboard an entry goes to other days and weeks, and by its form to any", async () => {
    await reset();
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(at("month"));
    await ready(page);
    await entry(page, "Order the timber").getByRole("link").focus();
    await page.keyboard.press("Alt+ArrowRight");
    await announced(page, "2026-03-05");
    await page.keyboard.press("Alt+ArrowDown");
    await announced(page, "2026-03-12");
    await day(page, "2026-03-12").locator("a:focus", { hasText: "Order the timber" }).waitFor();
    await page.getByRole("link", { name: "Agenda" }).click();
    await page.locator(".fw-agenda").waitFor();
    await ready(page);
    await page.locator("summary[aria-label='Move Order the timber']").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Move Order the timber").last().fill("2026-03-25T08:15");
    await page.keyboard.press("Enter");
    await announced(page, "2026-03-25");
    assert.match((await day(page, "2026-03-25").textContent())!, "08:15 Order the timber");
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "It fits wide and narrow windows, by day and by night", async () => {
    await reset();
    for (const [width, size] of Object.entries(widths)) {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.setViewportSize(size);
      for (const span of ["month", "week", "agenda"]) {
        await page.goto(at(span));
        await ready(page);
        if (span === "agenda") await page.locator("summary[aria-label='Move Order the timber']").click();
        await assertFitInThemes(page, `calendar-${span}-${width}`);
      }
      assert.equal(problems, []);
      await context.close();
    }
  });
});
