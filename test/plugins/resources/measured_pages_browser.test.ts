import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe } from "../../support/index.ts";
import { reasonToSkip } from "../../support/requirements.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const headers = { "x-user": "1" };
const list = "/customer/1/shipments";
const reason = await reasonToSkip("browser");

describe("What a window shows of a list and of a record", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(wideFiles, {});
      const { knex } = databaseOf(app.application);
      const [one] = shipments(1, "ALP");
      const rows = Array.from({ length: 30 }, (_, at) => ({ ...one, id: 1001 + at, reference: `ALP-${at}` }));
      await knex("shipments").insert(rows);
      await knex("shipments")
        .where({ id: 1001 })
        .update({ created_at: new Date(Date.now() - 2.5 * 3_600_000) });
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  it.unless(reason, "A list begins within 150 px and has 17 rows in a window of 1280 × 800", async () => {
    const { context, page } = await visit(browser, app.url, { headers });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(list);
    const rows = await page.locator("tbody tr").evaluateAll((all) => all.map((row) => row.getBoundingClientRect()));
    assert.ok(rows[0]!.top <= 150, `the first row is at ${rows[0]!.top}`);
    const whole = rows.filter(({ bottom }) => bottom <= 800).length;
    assert.ok(whole >= 17, `${whole} rows are seen whole`);
    await context.close();
  });

  it.unless(reason, "The actions of a row cover no column until the row is pointed at, or has the focus", async () => {
    const { context, page } = await visit(browser, app.url, { headers });
    for (const width of [1024, 1280, 1440, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(list);
      const wrap = page.locator(".fw-table-wrap");
      const end = await wrap.evaluate((box) => {
        box.scrollLeft = box.scrollWidth;
        const cells = [...box.querySelectorAll("tbody tr:first-child > td:not(.fw-row-actions, [hidden])")];
        return { cell: cells.at(-1)!.getBoundingClientRect().right, box: box.getBoundingClientRect().right };
      });
      assert.ok(end.cell <= end.box + 1 && end.cell >= end.box - 3, `at ${width} px: ${JSON.stringify(end)}`);
    }
    const actions = "tbody tr:nth-child(2) .fw-row-actions > div";
    const seen = () => page.evaluate(`getComputedStyle(document.querySelector("${actions}")).opacity`);
    assert.is(await seen(), "0");
    await page.locator("tbody tr:nth-child(2) td:nth-child(3)").hover();
    assert.is(await seen(), "1");
    await page.locator("h1").hover();
    assert.is(await seen(), "0");
    await page.locator("tbody tr:nth-child(2) .fw-row-actions a").first().focus();
    assert.is(await seen(), "1");
    await context.close();
  });

  it.unless(reason, "Columns that do not fit leave, the last first, and come back by a button", async () => {
    const { context, page } = await visit(browser, app.url, { headers });
    const state = () =>
      page.locator(".fw-table-wrap").evaluate((box) => ({
        shown: [...box.querySelectorAll("thead th:not([hidden])")].map((one) => one.textContent!.replace(/\+\d+$/, "")),
        isCut: box.scrollWidth > box.clientWidth + 1,
      }));
    await page.setViewportSize({ width: 700, height: 800 });
    await page.goto(list);
    const few = await state();
    await page.setViewportSize({ width: 1024, height: 800 });
    await page.locator("thead th:not([hidden])").nth(few.shown.length).waitFor({ state: "attached" });
    const wide = await state();
    assert.is(few.isCut || wide.isCut, false);
    assert.equal(wide.shown.slice(0, few.shown.length - 1), few.shown.slice(0, -1));
    const more = page.locator(".fw-more-columns");
    const label = (await more.getAttribute("aria-label"))!;
    assert.match(label, /^\+\d+ More columns: \w/);
    assert.is(await more.textContent(), `+${label.split(",").length}`);
    await more.click();
    assert.is(await more.count(), 0);
    assert.is((await state()).shown.length, wide.shown.length + label.split(",").length);
    assert.ok((await state()).isCut);
    await page.goto(`${list}?columns=reference,carrier,contact_email,status,weight,fee,created_at`);
    assert.is(await more.count(), 0, "columns that somebody chose stay");
    await context.close();
  });

  it.unless(reason, "A list says of the last days how long ago they were, and when in the title", async () => {
    const { context, page } = await visit(browser, app.url, { headers });
    await page.setViewportSize({ width: 1440, height: 800 });
    await page.goto(`${list}?sort=reference&columns=reference,created_at`);
    const times = page.locator("tbody td time");
    assert.is(await times.first().textContent(), "2h ago");
    assert.match((await times.first().getAttribute("title"))!, /^\d+ \w{3} \d{4}, \d\d:\d\d/);
    assert.match((await times.nth(1).textContent())!, /^\d+ \w{3} \d{4}/);
    await context.close();
  });

  it.unless(reason, "The state of a record and what to do with it stand within 120 px", async () => {
    const { context, page } = await visit(browser, app.url, { headers });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${list}/1001`);
    for (const part of [".fw-page-header .fw-status", ".fw-page-header .btn-primary"]) {
      const box = (await page.locator(part).boundingBox())!;
      assert.ok(box.y + box.height <= 120, `${part} ends at ${box.y + box.height}`);
    }
    await context.close();
  });

  it.unless(reason, "From the skip link the first record is reached within 12 stops of the Tab key", async () => {
    const { context, page } = await visit(browser, app.url, { headers });
    await page.goto(list);
    await page.locator(".fw-skip").press("Enter");
    let stops = 0;
    const isThere = () => page.evaluate('document.activeElement.classList.contains("fw-row-link")');
    while (stops < 40 && !(await isThere())) {
      await page.keyboard.press("Tab");
      stops++;
    }
    assert.ok(stops <= 12, `${stops} stops`);
    await context.close();
  });
});
