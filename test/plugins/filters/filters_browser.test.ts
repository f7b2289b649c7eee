import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive, assertFit, assertFitInThemes, words } from "../../system/looks.ts";
import { shipments, wideFiles } from "../resources/wide_app.ts";
import { openTenants } from "../scoping/tenants.ts";

const reason = await reasonToSkip("browser");
const list = "/customer/1/shipments";
const headers = { "x-user": "1" };
const rowTop = (page: Page) =>
  page.evaluate(`document.querySelector("tbody tr").getBoundingClientRect().top`) as Promise<number>;
const focused = (page: Page) => page.evaluate("document.activeElement.textContent") as Promise<string>;
/** What is opened: over the list, and without JavaScript as a page. */
const opened = (page: Page) => page.locator("#fw-options");

describe("The head of a list, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(wideFiles, {});
      const [first] = shipments(1, "ALP");
      const many = Array.from({ length: 40 }, (_, at) => ({
        ...{ ...first, id: 2000 + at, weight: at, reference: `ALP-${at}`, carrier: at % 2 === 0 ? "Dart" : "Swift" },
      }));
      await databaseOf(app.application).knex("shipments").insert(many);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  it.unless(reason, "The first row is at 150 px at most, at 190 with two filters, and nothing moves it", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(list);
    const top = await rowTop(page);
    assert.ok(top <= 150, String(top));
    await page.evaluate(`{
      window.moved = 0;
      new PerformanceObserver((found) => { for (const one of found.getEntries()) window.moved += one.value; })
        .observe({ type: "layout-shift", buffered: false });
    }`);
    for (const [name, part] of [
      ["Add filter", ".fw-pick"],
      ["Columns", ".fw-pick-columns"],
      ["Display", ".fw-order-parts"],
    ] as const) {
      await page.getByRole("link", { name }).click();
      await page.locator(`.fw-popover ${part}`).waitFor();
      assert.is(await rowTop(page), top, name);
      await page.keyboard.press("Escape");
      await page.locator(".fw-popover").waitFor({ state: "detached" });
    }
    assert.is(await page.evaluate("window.moved"), 0);
    await page.goto(`${list}?filter[status][any][]=packed&filter[weight][from]=1`);
    assert.ok((await rowTop(page)) <= 190);
    await page.goto(`${list}?filter[status][any][]=packed&filter[weight][from]=1`);
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "A filter is found, set, opened again, changed and taken away by the keyboard alone", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(list);
    const opener = page.getByRole("link", { name: "Add filter" });
    await page.getByRole("searchbox", { name: "Search" }).focus();
    await page.keyboard.press("Tab");
    assert.match(await focused(page), "Add filter");
    await page.keyboard.press("Enter");
    await page.getByRole("searchbox", { name: "Find a field" }).waitFor();
    assert.is(await opener.getAttribute("aria-expanded"), "true");
    await page.keyboard.press("Escape");
    await page.locator(".fw-popover").waitFor({ state: "detached" });
    assert.match(await focused(page), "Add filter", "the focus comes back");
    await page.keyboard.press("Enter");
    await page.locator("[data-find]:focus").waitFor();
    await page.keyboard.type("ca");
    assert.equal(await page.locator(".fw-pick-fields li:visible").allInnerTexts(), ["Carrier", "Category"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.locator("[name=operator]:focus").waitFor();
    await page.keyboard.type("begins");
    await page.keyboard.press("Tab");
    await page.keyboard.type("sw");
    await page.keyboard.press("Enter");
    await arrive(page, /filter%5Bcarrier%5D%5Bbegins%5D=sw$/);
    assert.match(await words(page.locator(".fw-page-header")), "20 shipments");
    await page.getByRole("link", { name: "Carrier begins with “sw”", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.locator("[name=operator]:focus").waitFor();
    assert.is(await page.getByRole("textbox", { name: "Value" }).inputValue(), "sw");
    await page.keyboard.type("is empty");
    assert.is(await page.getByRole("textbox", { name: "Value" }).isVisible(), false);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await arrive(page, /filter%5Bcarrier%5D%5Bempty%5D=1$/);
    assert.match(await words(page.locator(".fw-chips")), "Carrier empty");
    await page.getByRole("link", { name: "Remove the filter Carrier: empty" }).focus();
    await page.keyboard.press("Enter");
    await arrive(page, /shipments$/);
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "Any of two conditions is chosen, and a group is added", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(`${list}?filter[weight][is]=3&filter[reference][ends]=7`);
    await page.getByRole("link", { name: "All of these" }).click();
    await page.locator(".fw-popover").getByRole("link", { name: "Any of these" }).click();
    await arrive(page, /match=any/);
    assert.match(await words(page.locator(".fw-page-header")), "5 shipments");
    await page.getByRole("link", { name: "Add filter" }).click();
    await page.locator(".fw-popover").getByRole("link", { name: "None of these" }).click();
    await page.locator(".fw-popover h2").first().waitFor();
    await page.locator(".fw-popover").getByRole("link", { name: "Weight", exact: true }).click();
    await page.getByRole("combobox", { name: "Operator" }).selectOption("between");
    await page.getByRole("textbox", { name: "Value" }).fill("0");
    await page.getByRole("textbox", { name: "To" }).fill("38");
    await page.getByRole("button", { name: "Apply" }).click();
    await arrive(page, /none/);
    assert.match(await words(page.locator(".fw-page-header")), "6 shipments");
    await assertFit(page, "list-groups");
    await page.getByRole("link", { name: "Clear" }).click();
    await arrive(page, /shipments$/);
    assert.equal(problems, []);
    await context.close();
  });

  for (const script of [true, false])
    it.unless(reason, `Filters are set and taken away ${script ? "with" : "without"} JavaScript`, async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers, script });
      await page.goto(list);
      await page.getByRole("link", { name: "Add filter" }).click();
      await opened(page).getByRole("link", { name: "Status", exact: true }).click();
      await page.getByRole("checkbox", { name: "Packed" }).check();
      await page.getByRole("button", { name: "Apply" }).click();
      await arrive(page, /status/);
      await page.getByRole("link", { name: "Add filter" }).click();
      await opened(page).getByRole("link", { name: "Weight", exact: true }).click();
      await page.getByRole("combobox", { name: "Operator" }).selectOption("from");
      await page.getByRole("textbox", { name: "Value" }).fill("1");
      await page.getByRole("button", { name: "Apply" }).click();
      await arrive(page, /weight/);
      assert.match(await words(page.locator(".fw-chips")), /Status Packed *Weight from 1/);
      await page.getByRole("searchbox", { name: "Search" }).fill("ALP-7");
      await page.getByRole("searchbox", { name: "Search" }).press("Enter");
      await arrive(page, /q=ALP-7/);
      await page.getByRole("link", { name: "Remove the filter Status: Packed" }).click();
      await arrive(page, /q=ALP-7(?!.*status)/);
      assert.is(await page.locator("tbody tr").count(), 1);
      assert.equal(problems, []);
      await context.close();
    });

  for (const script of [true, false])
    it.unless(
      reason,
      `Columns are chosen and moved, the list ordered and its rows made low ${script ? "with" : "without"} JavaScript`,
      async () => {
        const { context, page, problems } = await visit(browser, app.url, { headers, script });
        await page.goto(list);
        const heads = async () => (await page.locator("thead th").allInnerTexts()).map((text) => text.trim());
        await page.getByRole("link", { name: "Columns" }).click();
        for (const name of ["Author", "Category", "Fee"])
          await page.getByRole("checkbox", { name, exact: true }).uncheck();
        await page.getByRole("checkbox", { name: "Carrier", exact: true }).check();
        await page.getByRole("button", { name: "Move Status up" }).click();
        await page.locator(".fw-pick-columns li:first-child", { hasText: "Status" }).waitFor();
        await page.getByRole("button", { name: "Apply" }).click();
        await arrive(page, /shipments\?columns/);
        const shown = ["Status", "Reference", "Due on", "Created at", "Carrier"];
        assert.equal((await heads()).slice(0, shown.length), shown);
        await page.getByRole("link", { name: "Display" }).click();
        await page.getByRole("combobox", { name: "First by…" }).selectOption("-weight");
        await page.getByRole("combobox", { name: "Then by…" }).first().selectOption("-reference");
        await page.getByRole("button", { name: "Apply" }).click();
        await page.locator("th", { hasText: "Reference2" }).waitFor();
        await page.getByRole("link", { name: "Display" }).click();
        await page.getByRole("button", { name: "Compact" }).click();
        await page.locator(".fw-table.fw-compact").waitFor();
        assert.match(page.url(), /columns=/);
        assert.equal(problems, []);
        await context.close();
      },
    );

  it.unless(reason, "What is opened fits both widths in both themes, and axe finds nothing", async () => {
    const query = "filter[status][any][]=packed&filter[author]=1";
    for (const width of Object.keys(widths) as (keyof typeof widths)[]) {
      const { context, page, problems } = await visit(browser, app.url, { headers, width });
      for (const [name, part] of [
        ["Add filter", ".fw-pick-fields"],
        ["Status Packed", ".fw-condition"],
        ["Author Ann Alpine", ".fw-condition .ts-control"],
        ["Columns", ".fw-pick-columns"],
        ["Display", ".fw-order-parts"],
      ] as const) {
        await page.goto(`${list}?${query}`);
        await page.getByRole("link", { name, exact: true }).first().click();
        await page.locator(`.fw-popover ${part}`).waitFor();
        await assertFitInThemes(page, `${width}-${name.toLowerCase().replaceAll(" ", "-")}`);
        if (width === "narrow") {
          const box = (await page.locator(".fw-popover").boundingBox())!;
          assert.equal([box.x, Math.round(box.width), Math.round(box.y + box.height)], [0, 390, 844], name);
        }
      }
      assert.equal(problems, []);
      await context.close();
    }
  });
});
