import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive, assertFit, assertFitInThemes, assertNarrow, words } from "../../system/looks.ts";
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
    await page.getByRole("link", { name: "Reference" }).first().click();
    await arrive(page, /sort=reference/);
    assert.match(await words(page.locator("tbody tr").first()), "ALP-0");
    assert.equal(problems, []);
    await context.close();
  });

  for (const script of [true, false])
    it.unless(
      reason,
      `Filters are opened, applied and taken away ${script ? "with" : "without"} JavaScript`,
      async () => {
        const { context, page, problems } = await visit(browser, app.url, { headers, script });
        await page.goto(list);
        await page.getByRole("link", { name: "Filters" }).click();
        await page.locator(".fw-filter-panel").waitFor();
        await page.getByLabel("Weight: From").fill("1");
        await page.getByRole("checkbox", { name: "Packed" }).check();
        await page.locator(".fw-filter-panel").getByRole("button", { name: "Apply" }).click();
        await arrive(page, /filter/);
        assert.match(await words(page.locator(".fw-chips")), /Status Packed.*Weight from 1/);
        await page.getByRole("searchbox").fill("ALP-7");
        await page.getByRole("searchbox").press("Enter");
        await arrive(page, /q=ALP-7/);
        assert.match(await words(page.locator(".fw-chips")), /Status Packed/);
        await page.getByRole("link", { name: "Remove the filter Status: Packed" }).click();
        await arrive(page, /q=ALP-7(?!.*status)/);
        assert.is(await page.locator("tbody tr").count(), 1);
        assert.equal(problems, []);
        await context.close();
      },
    );

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

  for (const script of [true, false])
    it.unless(reason, `Columns are chosen ${script ? "with" : "without"} JavaScript`, async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers, script });
      await page.goto(list);
      await page.getByRole("link", { name: "Filters and columns" }).click();
      await page.locator(".fw-filter-panel").waitFor();
      for (const name of ["Carrier", "Weight", "Fee"])
        await page.getByRole("checkbox", { name, exact: true }).uncheck();
      await page.getByRole("checkbox", { name: "Due on", exact: true }).check();
      await page.locator(".fw-filter-panel").getByRole("button", { name: "Apply" }).click();
      await arrive(page, /columns/);
      const heads = (await page.locator("thead th").allInnerTexts()).map((text) => text.trim());
      assert.equal(heads.slice(0, -1), ["Reference", "Contact email", "Status", "Created at", "Due on"]);
      assert.equal(problems, []);
      await context.close();
    });

  for (const script of process.env.FW_TEST_SOAK === undefined ? [true] : [true, false])
    it.unless(
      reason,
      `Columns are moved, the list ordered and its rows made low ${script ? "with" : "without"} JavaScript`,
      async () => {
        const { context, page, problems } = await visit(browser, app.url, { headers, script });
        await page.goto(list);
        const heads = async () =>
          (await page.locator("thead th").allInnerTexts()).map((text) => text.trim()).slice(0, 3);
        if (script) {
          await page.getByRole("link", { name: "Weight", exact: true }).click();
          await arrive(page, /sort=weight$/);
          await page.getByRole("link", { name: "Reference", exact: true }).click({ modifiers: ["Shift"] });
          await arrive(page, /sort=weight%2Creference$/);
          assert.equal(await page.locator("th sup").allInnerTexts(), ["2", "1"]);
        }
        await page.getByRole("link", { name: "Filters and columns" }).click();
        await page.getByRole("button", { name: "Move Carrier up" }).click();
        await page.locator(".fw-filter-columns li:first-child", { hasText: "Carrier" }).waitFor();
        await page.getByRole("combobox", { name: "First by…" }).selectOption("-weight");
        await page.getByRole("combobox", { name: "Then by…" }).first().selectOption("-reference");
        await page.locator(".fw-filter-panel").getByRole("button", { name: "Apply" }).click();
        await page.locator("th[aria-sort=descending]", { hasText: "Weight" }).waitFor();
        assert.equal(await heads(), ["Carrier", "Reference2", "Contact email"]);
        await page.getByRole("link", { name: "Filters and columns" }).click();
        await page.getByRole("button", { name: "Compact" }).click();
        await page.locator(".fw-table.fw-compact").waitFor();
        const { height } = (await page.locator("tbody tr").first().boundingBox())!;
        assert.ok(height < 36, String(height));
        if (script) await assertFit(page, "list-compact");
        assert.equal(problems, []);
        await context.close();
      },
    );

  it.unless(reason, "The open panel fits both widths in both themes, and axe finds nothing", async () => {
    for (const width of Object.keys(widths) as (keyof typeof widths)[]) {
      const { context, page, problems } = await visit(browser, app.url, { headers, width });
      await page.goto(`${list}?_filters=1&filter[status][any][]=packed&filter[weight][from]=1&filter[author]=1`);
      await assertFitInThemes(page, `filters-${width}`);
      assert.equal(problems, []);
      await context.close();
    }
  });
});
