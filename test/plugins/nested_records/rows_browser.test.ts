import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { openPermits } from "./permits_app.ts";

const reason = await reasonToSkip("browser");
const headers = { "x-user": "1" };

describe("Rows within a form in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  const knex = () => databaseOf(app.application).knex;
  const areas = async () =>
    (await knex()("parcels").where({ permit_id: 1 }).orderBy("position")).map((row) => row.area);
  if (reason === undefined) {
    before(async () => {
      app = await openPermits({});
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const rows = (page: Page) => page.locator("#permit_parcels > [data-row]");
  const shown = async (page: Page) => {
    const texts: string[] = [];
    for (const row of await rows(page).all()) texts.push(await row.locator("input[name$='[area]']").inputValue());
    return texts;
  };
  const press = (page: Page, row: number, name: string) =>
    rows(page).nth(row).locator(`:scope > .fw-row-buttons > button[name=${name}]`).click();
  async function open() {
    const visited = await visit(browser, app.url, { headers });
    let posts = 0;
    visited.page.on("request", (request) => {
      if (/(?:^|&)_(?:add|copy|up|down|remove|restore)=/.test(request.postData() ?? "")) posts++;
    });
    await visited.page.goto("/admin/permits/1/edit");
    return { ...visited, posted: () => posts };
  }

  it.unless(
    reason,
    "Rows are added, copied, moved, removed and put back without a request, and saved as they stand",
    async () => {
      const { context, page, problems, posted } = await open();
      await page.locator("button[name=_add][value=parcels]").click();
      await page.keyboard.type("east"); // the focus is in the new row
      await press(page, 0, "_copy");
      await page.keyboard.press("End");
      await page.keyboard.type(" two");
      assert.equal(await shown(page), ["north", "north two", "south", "east"]);
      await press(page, 3, "_up");
      assert.equal(await shown(page), ["north", "north two", "east", "south"]);
      await press(page, 1, "_remove");
      await press(page, 2, "_remove");
      assert.match((await rows(page).nth(2).getAttribute("class")) ?? "", "fw-entry-removed");
      await press(page, 2, "_restore");
      await press(page, 0, "_down");
      assert.equal(await shown(page), ["east", "north", "south"]);
      assert.equal(await rows(page).locator(":scope > legend").allTextContents(), ["Parcel 1", "Parcel 2", "Parcel 3"]);
      assert.is(posted(), 0);
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.locator(".fw-rows-table").first().waitFor();
      assert.equal(await areas(), ["east", "north", "south"]);
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(reason, "Rows are dragged by their handles", async () => {
    const { context, page, posted } = await open();
    await page.setViewportSize({ width: 1280, height: 2400 });
    const before = await shown(page);
    const { height } = (await rows(page).nth(2).boundingBox())!;
    const handle = rows(page).nth(0).locator(":scope > .fw-row-handle");
    await handle.hover();
    await page.mouse.down();
    const { x, y } = (await rows(page).nth(2).boundingBox())!;
    for (const part of [0.5, 0.9, 0.95]) await page.mouse.move(x + 20, y + height * part);
    await page.mouse.up();
    assert.equal(await shown(page), [before[1], before[2], before[0]]);
    assert.is(
      await rows(page).nth(2).locator("input[name$='[area]']").getAttribute("name"),
      "permit[parcels][2][area]",
    );
    assert.is(posted(), 0);
    await context.close();
  });

  it.unless(reason, "A full list has its button off and says why, until a row is removed", async () => {
    const { context, page } = await open();
    const add = page.locator("button[name=_add][value=parcels]");
    while (await add.isEnabled()) await add.click();
    assert.is(await rows(page).count(), 5);
    assert.ok(await page.locator("#permit_parcels_full").isVisible());
    await press(page, 4, "_remove");
    assert.ok(await add.isEnabled());
    await context.close();
  });

  it.unless(reason, "Fields that depend on others of their row are drawn as they change", async () => {
    const { context, page } = await open();
    await page.locator("[name='permit[lines][0][kind]']").selectOption("material");
    await page.locator("[name='permit[lines][0][hours]']").waitFor({ state: "detached" });
    await page.locator("[name='permit[lines][0][kind]']").selectOption("work");
    await page.locator("[name='permit[lines][0][hours]']").waitFor();
    await context.close();
  });

  it.unless(
    reason,
    "Rows, and names with their values, are entered, moved, removed and saved by keyboard alone",
    async () => {
      const { context, page, problems } = await open();
      const key = async (...keys: string[]) => {
        for (const one of keys) await page.keyboard.press(one);
      };
      await page.getByLabel("Title").focus();
      const reach = async (selector: string) => {
        for (let turn = 0; turn < 120; turn++) {
          if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
          await key("Tab");
        }
        throw new Error(`Tab does not lead to ${selector}`);
      };
      await reach("button[name=_add][value=settings]");
      await key("Enter");
      await page.keyboard.type("width");
      await key("Tab");
      await page.keyboard.type("7");
      await reach("button[name=_add][value=parcels]");
      await key("Enter");
      await page.keyboard.type("by keys");
      const at = (await shown(page)).length - 1;
      await page.getByLabel("Title").focus();
      await reach(`button[name=_up][value='parcels.${at}']`);
      await key("Enter", "Enter");
      assert.is((await shown(page)).indexOf("by keys"), Math.max(0, at - 2));
      await page.getByLabel("Title").focus();
      await key("Enter"); // saves
      await page.locator(".fw-rows-table").first().waitFor();
      assert.ok((await areas()).includes("by keys"));
      const { settings } = await knex()("permits").where({ id: 1 }).first();
      assert.equal(typeof settings === "string" ? JSON.parse(settings) : settings, { colour: "red", width: "7" });
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(reason, "The form is accessible, and fits a phone, in both themes", async () => {
    for (const width of ["wide", "narrow"] as const) {
      const { context, page } = await visit(browser, app.url, { headers, width });
      await page.goto("/admin/permits/1/edit");
      await press(page, 0, "_remove");
      await assertFitInThemes(page, `rows-${width}`);
      await context.close();
    }
  });
});
