import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, themes, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive, assertFit, assertNarrow, words } from "../../system/looks.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

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
      await page.waitForFunction("scrollY > 100");
      const top = (await page.evaluate(`document.querySelector(".fw-sidebar").getBoundingClientRect().top`)) as number;
      assert.ok(Math.abs(top) < 1, `the sidebar is at ${top}`);
      await page.locator("tbody tr").first().locator("a").first().click();
      await arrive(page, /shipments\/20\d\d$/);
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

  it.unless(reason, "The open panel fits both widths in both themes, and axe finds nothing", async () => {
    for (const width of Object.keys(widths) as (keyof typeof widths)[])
      for (const theme of themes) {
        const { context, page, problems } = await visit(browser, app.url, { headers, width, theme });
        await page.goto(`${list}?_filters=1&filter[status][any][]=packed&filter[weight][from]=1&filter[author]=1`);
        await assertFit(page, `filters-${width}-${theme}`);
        assert.equal(problems, []);
        await context.close();
      }
  });
});
