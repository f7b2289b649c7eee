import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { openShop, shopFiles } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";

const reason = await reasonToSkip("browser");
const [migration, policy] = [
  "db/migrate/20260101000000_create_tables.ts",
  "packages/blogging/app/policies/blogging/post_policy.ts",
];
const files = {
  [migration]: edited(shopFiles, migration, [
    't.integer("position");',
    't.integer("position"); t.date("starts_on"); t.date("ends_on"); t.date("sent_on");',
  ]),
  [policy]: edited(shopFiles, policy, ['"position"', '"position", "starts_on", "ends_on", "sent_on"']),
};
const form = "/admin/blogging/posts/new";

describe("The fields of a form in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openShop(files);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const boxOf = async (page: Page, name: string) =>
    (await page.locator(`[name="blogging_post[${name}]"]:not([type=hidden])`).boundingBox())!;

  it.unless(reason, "Stand in one column of 640 px, the ends of a period side by side", async () => {
    const { context, page, problems } = await visit(browser, app.url);
    await page.goto(form);
    const [title, from, to, sent] = [
      await boxOf(page, "title"),
      await boxOf(page, "starts_on"),
      await boxOf(page, "ends_on"),
      await boxOf(page, "sent_on"),
    ];
    assert.ok(title.width <= 640 && title.width === sent.width, `${title.width} and ${sent.width} px`);
    assert.is(from.y, to.y);
    assert.ok(from.x + from.width < to.x && to.x + to.width <= title.x + title.width + 1);
    assert.ok(sent.y > from.y);
    const label = (await page.getByText("Published", { exact: true }).boundingBox())!;
    const box = await boxOf(page, "published");
    assert.ok(label.x < box.x && box.x + box.width <= title.x + title.width + 1, "the switch is at the end of its row");
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "The foot says how many of them were changed", async () => {
    const { context, page } = await visit(browser, app.url);
    await page.goto(form);
    const changes = page.locator(".fw-changes");
    await page.getByLabel("Title").fill("One");
    assert.is(await changes.textContent(), "Unsaved changes: 1");
    await page.getByLabel("Published").first().check();
    assert.is(await changes.textContent(), "Unsaved changes: 2");
    await page.getByLabel("Title").fill("");
    assert.is(await changes.textContent(), "Unsaved changes: 1");
    await context.close();
  });

  for (const width of ["wide", "narrow"] as const)
    it.unless(reason, `Fit a ${width} screen with "More fields" open`, async () => {
      const { context, page } = await visit(browser, app.url, { width });
      await page.goto(form);
      await page.getByText("More fields").click();
      await page.getByLabel("Title").fill("One");
      await assertFitInThemes(page, `form-fields-${width}`);
      await context.close();
    });
});
