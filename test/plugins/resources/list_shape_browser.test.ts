import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive, assertFit, assertNarrow, words } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, shownColumns, wideFiles } from "./wide_app.ts";

const reason = await reasonToSkip("browser");
const list = "/customer/1/shipments";
const headers = { "x-user": "1" };

describe("A list of sixteen columns, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(wideFiles, {});
      const [first] = shipments(1, "ALP");
      const many = Array.from({ length: 40 }, (_, at) => ({
        ...{
          ...first,
          id: 2000 + at,
          reference: `ALP-${at}`,
          carrier: `A carrier with a name that is long, number ${at}`,
        },
      }));
      await databaseOf(app.application).knex("shipments").insert(many);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  it.unless(
    reason,
    "A window of 1280 by 800 has at least 15 rows, of one line each, and the sidebar stays",
    async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(list);
      await page.goto(`${list}?columns=${shownColumns.join()}`);
      await assertNarrow(page, "list-all-columns");
      await page.goto(list);
      await assertFit(page, "list-wide");
      const rows = (await page.evaluate(
        `[...document.querySelectorAll("tbody tr")].map((row) => { const { bottom, height } = row.getBoundingClientRect(); return { bottom, height }; })`,
      )) as { bottom: number; height: number }[];
      assert.ok(
        rows.every(({ height }) => height <= 44),
        JSON.stringify(rows[0]),
      );
      const whole = rows.filter(({ bottom }) => bottom <= 800).length;
      assert.ok(whole >= 15, `${whole} rows`);
      await page.mouse.wheel(0, 600);
      await page.evaluate(`new Promise((done) => {
        const look = () => scrollY > 100 && done();
        addEventListener("scroll", look);
        look();
      })`);
      const top = (await page.evaluate(`document.querySelector(".fw-sidebar").getBoundingClientRect().top`)) as number;
      assert.ok(Math.abs(top) < 1, `the sidebar is at ${top}`);
      await page.locator("tbody tr").first().locator("a").first().click();
      await arrive(page, /shipments\/20\d\d\?_list$/);
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(reason, "A phone has nothing to scroll sideways, and the list is sorted on it", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers, width: "narrow" });
    await page.goto(list);
    await assertNarrow(page, "list-narrow");
    await page.getByRole("link", { name: "Display" }).click();
    await page.getByRole("combobox", { name: "First by…" }).selectOption("reference");
    await page.getByRole("button", { name: "Apply" }).click();
    await arrive(page, /sort(%5B%5D)?=reference/);
    assert.match(await words(page.locator("tbody tr").first()), "ALP-0");
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "A click on a row opens the record, and one on what is in it does not", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(list);
    const row = page.locator("tbody tr").nth(2);
    await row.locator("td").nth(3).click();
    await arrive(page, /shipments\/2037\?_list$/);
    await page.goBack();
    await page.locator("tbody tr").first().waitFor();
    await page.evaluate(`(() => {
      const cell = document.querySelector("tbody tr td:nth-child(2)");
      getSelection().selectAllChildren(cell);
      cell.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    })()`);
    assert.is(new URL(page.url()).pathname, list, "who selects a text is not led away");
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "A phone shows a record of a list in a few lines", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers, width: "narrow" });
    await page.goto(list);
    const bottoms = await page
      .locator("tbody tr")
      .evaluateAll((rows) =>
        rows.map((row) => row.getBoundingClientRect()).map(({ bottom, height }) => [bottom, height]),
      );
    const height = page.viewportSize()!.height;
    assert.ok(
      bottoms.filter(([bottom]) => bottom! <= height).length >= 4,
      JSON.stringify([height, bottoms.slice(0, 9)]),
    );
    assert.ok(
      bottoms.every(([, tall]) => tall! <= 110),
      JSON.stringify(bottoms.slice(0, 9)),
    );
    await assertNarrow(page, "list-phone");
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "What is found shows while it is typed, in the place of the list alone", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(`${app.url}/`);
    await page.goto(`${list}?sort=reference`);
    await page.getByRole("searchbox").pressSequentially("ALP-7");
    await page.waitForURL(/q=ALP-7/);
    assert.is(await page.locator("tbody tr").count(), 1);
    assert.match(await words(page.locator(".fw-page-header")), "1 shipment");
    assert.match(await words(page.locator(".fw-search [role=status]")), "1 shipment");
    assert.is(await page.evaluate("document.activeElement.value"), "ALP-7");
    assert.match(page.url(), "sort=reference");
    await page.getByRole("link", { name: "Clear" }).waitFor();
    await page.getByRole("searchbox").fill("");
    await page.waitForURL((url) => !url.searchParams.has("q"));
    await page.goBack();
    assert.is(new URL(page.url()).pathname, "/", "no step of the history is a letter");
    assert.equal(problems, []);
    await context.close();
  });
});
