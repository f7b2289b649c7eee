import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFit } from "../../system/looks.ts";
import { shipments, wideFiles } from "../resources/wide_app.ts";
import { openTenants } from "../scoping/tenants.ts";

const reason = await reasonToSkip("browser");
const list = "/customer/1/shipments";
const headers = { "x-user": "1" };
const policy = "app/policies/shipment_policy.ts";
const files = {
  ...wideFiles,
  [policy]: edited(wideFiles, policy, [
    "override canCreate",
    "override canUpdate() { return true; } override canCreate",
  ]),
};
const save = ".fw-form-footer .btn-primary";
const top = (page: Page, selector: string) =>
  page.evaluate(`document.querySelector("${selector}").getBoundingClientRect().top`) as Promise<number>;

describe("What a page says of what is done, in Chromium", (it, { before, after }) => {
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

  it.unless(reason, "A button that was pressed shows that it is busy, and keeps its size", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(`${list}/1001/edit`);
    const button = page.locator(save);
    const place = () =>
      page.evaluate(`(({ x, width, height }) => [x, width, height].map(Math.round))(
        document.querySelector("${save}").getBoundingClientRect())`);
    await page.getByLabel("Carrier").fill("Dart");
    const before = await place();
    let go = () => {};
    const wait = new Promise<void>((done) => {
      go = done;
    });
    await page.route("**/shipments/1001", async (route) => {
      await wait;
      await route.continue();
    });
    await button.click();
    await page.locator(`${save}[aria-busy="true"]`).waitFor();
    await page.getByText("Saving…").waitFor();
    assert.equal(await place(), before);
    assert.is(
      await page.evaluate(`getComputedStyle(document.querySelector("${save}"), "::after").borderRightStyle`),
      "solid",
    );
    go();
    await page.locator(".fw-flash-success").waitFor();
    assert.is(await page.locator("[aria-busy], .fw-saving").count(), 0);
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "A message stands over the page, which stays where it is, until it is dismissed", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(`${list}/1001`);
    const heading = await top(page, "h1");
    await page.goto(`${list}/1001/edit`);
    await page.getByLabel("Carrier").fill("Express");
    await page.locator(save).click();
    const message = page.locator('.fw-flash[role="status"]');
    await message.waitFor();
    assert.is(await top(page, "h1"), heading);
    await assertFit(page, "message-wide");
    await message.getByRole("button", { name: "Close" }).click();
    assert.is(await message.count(), 0);
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "Without JavaScript a message stands in the page", async () => {
    const { context, page } = await visit(browser, app.url, { headers, script: false });
    await page.goto(`${list}/1001/edit`);
    await page.getByLabel("Carrier").fill("By hand");
    await page.locator(save).click();
    const message = await page.locator(".fw-flash-success").boundingBox();
    const heading = await page.locator("h1").boundingBox();
    assert.ok(message!.y + message!.height <= heading!.y);
    await context.close();
  });

  it.unless(reason, "Without a connection what was typed stays, and is said to; it is sent later", async () => {
    const { context, page } = await visit(browser, app.url, { headers });
    await page.goto(`${list}/1001/edit`);
    const address = page.url();
    await page.getByLabel("Carrier").fill("Typed offline");
    await context.setOffline(true);
    await page.locator(save).click();
    await page.locator(".fw-form [role=alert]", { hasText: "What you typed is still here" }).waitFor();
    await assertFit(page, "offline-form");
    assert.is(await page.locator("[aria-busy]").count(), 0);
    let asked = 0;
    page.on("dialog", (dialog) => {
      asked++;
      return dialog.accept();
    });
    for (const times of [1, 2]) {
      await page.locator(".fw-sidebar").getByRole("link", { name: "Shipments" }).click();
      await page.locator(".fw-flashes [role=alert]", { hasText: "There is no connection" }).waitFor();
      assert.is(asked, times, "what is not saved is asked for again");
      await page.locator(".fw-flashes [role=alert] button").click();
    }
    assert.is(page.url(), address);
    assert.is(await page.getByLabel("Carrier").inputValue(), "Typed offline");
    await context.setOffline(false);
    await page.locator(save).click();
    await page.locator(".fw-flash-success").waitFor();
    await page.getByText("Typed offline").waitFor();
    await context.close();
  });

  it.unless(reason, "The link to the content leaves the address as it is", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(list);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    assert.is(await page.evaluate("document.activeElement.id"), "main");
    assert.match(page.url(), /\/shipments$/);
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "A printed list is dark on white, without arrows and buttons, in both themes", async () => {
    for (const theme of ["light", "dark"] as const) {
      const { context, page } = await visit(browser, app.url, { headers, theme });
      await page.goto(list);
      await page.emulateMedia({ media: "print" });
      const shown = (selector: string) => page.locator(selector).first().isVisible();
      for (const gone of [".fw-sidebar", ".fw-topbar", ".fw-toolbar", ".fw-actions", ".fw-row-actions"])
        assert.is(await shown(gone), false, gone);
      const [ink, ground] = (await page.evaluate(`[...document.querySelectorAll("tbody td, body")].flatMap((one) => {
        const { color, backgroundColor } = getComputedStyle(one); return [[color, backgroundColor]]; }).at(-1)`)) as string[];
      assert.match(ink!, /^rgb\((\d|[1-9]\d), (\d|[1-9]\d), (\d|[1-9]\d)\)$/, `${theme}: ink is dark`);
      assert.is(ground, "rgba(0, 0, 0, 0)", theme);
      await context.close();
    }
  });
});
