import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive, assertFitInThemes } from "../../system/looks.ts";
import { shipments } from "../resources/wide_app.ts";
import { openTenants } from "../scoping/tenants.ts";
import { as, files, list, settings } from "./settings_app.ts";

const reason = await reasonToSkip("browser");
const headers = as(1);

describe("Settings of a list in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(files, {});
      await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const can = (sentence: string, body: () => Promise<void>) =>
    it.unless(reason, sentence, async () => {
      await databaseOf(app.application).knex("framewright_list_settings").delete();
      await body();
    });
  const handle = (page: Page, column = "Carrier") => page.getByRole("separator", { name: `Width of ${column}` });
  const widthOf = (page: Page, column = "carrier"): Promise<unknown> =>
    page.evaluate(`Math.round(document.querySelector("th[data-column=${column}]").getBoundingClientRect().width)`);
  /** What `act` causes to be stored has been. */
  const stored = async (page: Page, act: () => Promise<unknown>) => {
    const saved = page.waitForResponse((answer) => new URL(answer.url()).pathname === settings);
    await act();
    assert.is((await saved).status(), 200);
  };

  can("A column is dragged at its edge, and has its width on the next page before a script has run", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(list);
    const automatic = Number(await widthOf(page));
    const box = (await handle(page).boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await stored(page, async () => {
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x - 30, y, { steps: 3 });
      await page.mouse.move(x - (automatic - 60), y, { steps: 3 });
      await page.mouse.up();
    });
    assert.is(await widthOf(page), 60);
    assert.is(await handle(page).getAttribute("aria-valuenow"), "60");
    const cut = Number(await page.evaluate(`document.querySelector("tbody td:nth-child(2)").clientWidth`));
    assert.ok(cut <= 60, `what is in the column is as wide as it: ${cut}`);
    await assertFitInThemes(page, "list-widths");
    const plain = await visit(browser, app.url, { headers, script: false });
    await plain.page.goto(list);
    assert.is(await widthOf(plain.page), 60);
    await plain.context.close();
    await stored(page, () => handle(page).dblclick());
    await page.reload();
    assert.is(await widthOf(page), automatic);
    assert.equal(problems, []);
    await context.close();
  });

  can("A column is dragged by a finger, and one that is pointed at and left keeps its width", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(list);
    const box = (await handle(page, "Reference").boundingBox())!;
    const before = Number(await widthOf(page, "reference"));
    const touch = await context.newCDPSession(page);
    const at = (type: "touchStart" | "touchMove" | "touchEnd", x?: number) =>
      touch.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: x === undefined ? [] : [{ x, y: box.y + box.height / 2 }],
      });
    const x = box.x + box.width / 2;
    await stored(page, async () => {
      await at("touchStart", x);
      await at("touchMove", x - 60);
      await at("touchMove", x - 100);
      await at("touchEnd");
    });
    assert.is(await widthOf(page, "reference"), Math.round((before - 100) / 10) * 10);
    await page.locator("th[data-column=carrier]").hover();
    await handle(page).click();
    assert.is(await page.locator("th[data-column=carrier].fw-sized").count(), 0);
    assert.equal(problems, []);
    await context.close();
  });

  can("A column is sized by keys", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(list);
    const automatic = Number(await widthOf(page));
    await handle(page).focus();
    const press = async (key: string, width: number | string) => {
      await stored(page, () => page.keyboard.press(key));
      assert.is(await handle(page).getAttribute("aria-valuenow"), String(width), key);
      assert.is(await widthOf(page), Number(width), key);
    };
    const first = Math.round(automatic / 10) * 10;
    await press("ArrowRight", Math.round((automatic + 10) / 10) * 10);
    await press("ArrowLeft", Math.round((automatic + 10) / 10) * 10 - 10);
    await press("Shift+ArrowRight", Math.round((automatic + 10) / 10) * 10 + 40);
    await press("Home", 50);
    await press("Enter", automatic);
    await press("Enter", 50);
    await press("Delete", automatic);
    assert.ok(first > 50);
    assert.equal(problems, []);
    await context.close();
  });

  can("A wide column makes others leave, and a list in a narrow window is cards without widths", async () => {
    const { context, page } = await visit(browser, app.url, { headers });
    await page.goto(list);
    assert.is(await page.locator(".fw-more-columns").count(), 0);
    const room =
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.fw-table-wrap'))";
    assert.is(await page.evaluate(room), 0, "handles widen nothing");
    await handle(page).focus();
    await stored(page, () => page.keyboard.press("End"));
    await page.locator(".fw-more-columns").waitFor();
    assert.is(await handle(page, "Weight").count(), 0, "a column that left has no handle");
    assert.is(await widthOf(page), 800, "the one that was sized stays");
    await assertFitInThemes(page, "list-widths-fit");
    await page.reload();
    await page.locator(".fw-more-columns").waitFor();
    assert.is(await page.locator("th:visible").count(), 2);
    await page.setViewportSize({ width: 1900, height: 900 });
    await handle(page, "Weight").waitFor();
    const narrow = await visit(browser, app.url, { headers, width: "narrow" });
    await narrow.page.goto(list);
    await assertFitInThemes(narrow.page, "list-widths-narrow");
    assert.is(await narrow.page.getByRole("separator").count(), 0);
    await narrow.context.close();
    await context.close();
  });

  can("A list is opened as the person left it, on another device too, and a link to it changes nothing", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(`${list}?sort=-reference`);
    await page.waitForLoadState("networkidle");
    await page.goto(list);
    assert.is(new URL(page.url()).search, "", "a link that was opened is not remembered");
    await stored(page, () => page.getByRole("link", { name: "Carrier", exact: true }).click());
    await arrive(page, /sort=carrier/);
    const other = await visit(browser, app.url, { headers });
    await other.page.goto(list);
    assert.match(other.page.url(), "sort=carrier");
    await other.page.locator('a[data-popover="fw-options"]', { hasText: "Display" }).click();
    await other.page.getByText("Widths of columns").click();
    await assertFitInThemes(other.page, "list-settings-display");
    await other.page.getByRole("spinbutton", { name: "Carrier" }).fill("240");
    await other.page.getByRole("button", { name: "Save widths" }).click();
    await other.page.locator("th[data-column=carrier].fw-w24").waitFor();
    assert.is(await widthOf(other.page), 240);
    await other.page.locator('a[data-popover="fw-options"]', { hasText: "Display" }).click();
    await other.page.getByRole("button", { name: "Reset this list" }).click();
    await other.page.getByText("The list is as it was defined.").waitFor();
    assert.is(new URL(other.page.url()).search, "");
    assert.is(await other.page.locator(".fw-sized").count(), 0);
    assert.equal([...problems, ...other.problems], []);
    await other.context.close();
    await context.close();
  });

  can("Without JavaScript widths and the last view are forms in Display", async () => {
    const { context, page } = await visit(browser, app.url, { headers, script: false });
    await page.goto(`${list}/list/options?show=display`);
    await page.getByText("Widths of columns").click();
    await assertFitInThemes(page, "list-settings-plain", false);
    await page.getByRole("spinbutton", { name: "Carrier" }).fill("120");
    await page.getByRole("button", { name: "Save widths" }).click();
    assert.is(new URL(page.url()).pathname, list);
    assert.is(await widthOf(page), 120);
    assert.is(await page.getByRole("separator").count(), 0);
    await page.goto(`${list}/list/options?sort=-reference&show=display`);
    await page.getByRole("button", { name: "Open the list like this" }).click();
    await page.goto(list);
    assert.is(new URL(page.url()).search, "?sort=-reference");
    await page.goto(`${list}/list/options?sort=-reference&show=display`);
    assert.is(await page.getByRole("button", { name: "Open the list like this" }).count(), 0);
    await assertFitInThemes(page, "list-settings-reset", false);
    await page.getByRole("button", { name: "Reset this list" }).click();
    assert.is(new URL(page.url()).search, "");
    await context.close();
  });
});
