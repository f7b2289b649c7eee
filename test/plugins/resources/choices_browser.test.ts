import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, themes, visit, widths } from "../../support/browser.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFit } from "../../system/looks.ts";
import { openSurfaces } from "../scoping/surfaces_app.ts";

const reason = await reasonToSkip("browser");
const posts = "/customer/alpine/posts";
const edit = `${posts}/post-alpine/edit`;
const headers = { "x-user": "1" };
const room = globalThis as {
  delay?: number;
  afterMark?: (transaction: unknown, record: { id: number }) => Promise<unknown>;
};

const withLine = {
  "app/definitions/tag_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    export default class TagDefinition extends ResourceDefinition {
      override configure() { super.configure(); this.choiceLine(["code"] as never); }
    }`,
};

describe("Choices and runs in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  const knex = () => databaseOf(app.application).knex;
  if (reason === undefined) {
    before(async () => {
      app = await openSurfaces({}, withLine);
      const people = Array.from({ length: 150 }, (_, at) => ({ id: 100 + at, name: `Person ${at}` }));
      await knex()("users").insert(people);
      await knex()("memberships").insert(people.map(({ id }) => ({ user_id: id, organization_id: 1 })));
      for (const [at, code] of ["Red", "Green", "A long name that fills a narrow screen by itself"].entries())
        await knex()("tags").insert({ id: 10 + at, code, organization_id: 1 });
      browser = await openBrowser();
    });
    after(async () => {
      Object.assign(room, { delay: 0, afterMark: undefined });
      await browser.close();
      await app.close();
    });
  }
  const tagsOf = async () =>
    (await knex()("taggings").where({ post_id: 1 }).orderBy("tag_id").pluck("tag_id")).map(Number);
  const authorOf = async () => Number((await knex()("posts").where({ id: 1 }).first()).author_id);
  const save = async (page: Page) => {
    await page.locator(".fw-form-footer .btn-primary").click();
    await page.waitForURL(/post-alpine$/);
  };
  const shown = (page: Page, name: string) => page.locator(`#post_${name}-ts-dropdown .option`);
  const box = (page: Page, name: string) => page.locator(`#post_${name}-ts-control`);

  it.unless(reason, "A record is searched, chosen and removed by keyboard alone", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(edit);
    await box(page, "author").focus();
    await page.keyboard.press("ArrowDown");
    await page.locator("#post_author-ts-dropdown + .fw-more", { hasText: /^and \d+ more: type to search$/ }).waitFor();
    await page.keyboard.type("Person 99");
    await shown(page, "author").filter({ hasText: "Person 99" }).waitFor();
    assert.equal(await shown(page, "author").allTextContents(), ["Person 99"]);
    await page.keyboard.press("Enter");
    await save(page);
    assert.is(await authorOf(), 199);
    await page.goto(edit);
    await box(page, "author").focus();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Tab");
    await save(page);
    assert.is(await authorOf(), 0);
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "A second line stands in the list, and not in what is chosen", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(edit);
    await box(page, "tags").focus();
    await page.keyboard.press("ArrowDown");
    const option = shown(page, "tags").filter({ hasText: "Tag Red" });
    await option.locator(".fw-choice-line", { hasText: /^Red$/ }).waitFor();
    await option.click();
    const item = page.locator(".ts-wrapper.multi .item", { hasText: "Red" });
    assert.match((await item.textContent())!, /^Tag Red\W*$/);
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(reason, "Several records are chosen and removed by mouse, and by keyboard", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers });
    await page.goto(edit);
    await page.locator(".ts-wrapper.multi .ts-control").click();
    await shown(page, "tags").filter({ hasText: "Tag Red" }).click();
    await shown(page, "tags").filter({ hasText: "Tag Green" }).click();
    await page.getByRole("button", { name: "Remove Tag Alpine" }).click();
    await page.keyboard.press("Escape");
    await save(page);
    assert.equal(await tagsOf(), [3, 10, 11]); // what she does not see stays
    await page.goto(edit);
    await box(page, "tags").focus();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Tab"); // to the next control, which opens its list
    await shown(page, "drawing").first().waitFor();
    await page.keyboard.press("Escape");
    await save(page);
    assert.equal(await tagsOf(), [3]);
    assert.equal(problems, []);
    await context.close();
  });

  it.unless(
    reason,
    "A record is made beside its select in a dialog, where it may be corrected, and chosen",
    async () => {
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(edit);
      await page.locator('[name="post[title]"]').fill("Typed before");
      const dialog = page.locator("dialog[data-modal][open]");
      assert.equal(await page.getByRole("button", { name: "New tag" }).count(), 0);
      await page.locator(".ts-wrapper.multi .ts-control").click();
      await page.getByRole("option", { name: "New tag" }).click();
      await dialog.getByRole("link", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.locator(".ts-wrapper.multi.focus:not(.dropdown-active)").waitFor();
      await page.keyboard.type("none is called so");
      await page.locator(".create.active").waitFor();
      await page.keyboard.press("Enter");
      await dialog.locator('[name="tag[code]"]').fill("Made beside");
      await assertFit(page, "choices-beside");
      await page.keyboard.press("Enter");
      await page.locator(".ts-wrapper.multi .item", { hasText: "Made beside" }).waitFor();
      assert.equal(await dialog.count(), 0);
      await page.locator('[name="post[title]"]').press("Enter");
      await page.waitForURL(/post-alpine$/);
      const { id } = await knex()("tags").where({ code: "Made beside" }).first();
      assert.ok((await tagsOf()).includes(Number(id)));
      assert.is((await knex()("posts").where({ id: 1 }).first()).title, "Typed before");
      assert.equal(problems, []);
      await context.close();
    },
  );

  it.unless(reason, "Without scripts the same form chooses one and several", async () => {
    const { context, page, problems } = await visit(browser, app.url, { headers, script: false });
    await page.goto(edit);
    await page.locator('[name="post[author]"]').selectOption("1");
    await page.locator('select[name="post[tags]"]').selectOption(["1", "10"]);
    await save(page);
    assert.equal([await authorOf(), await tagsOf()], [1, [1, 3, 10]]);
    assert.equal(problems, []);
    await context.close();
  });

  const looks = async (page: Page, name: string) => {
    await page.goto(`${posts}/new`);
    await page.locator("#post_author-ts-control").click();
    await assertFit(page, `choices-${name}`);
    await page.keyboard.type("nobody");
    await page.getByText("Nothing matches").waitFor();
    await assertFit(page, `choices-none-${name}`);
    await knex()("taggings").where({ post_id: 1 }).delete();
    for (const tag_id of [1, 10, 11, 12]) await knex()("taggings").insert({ post_id: 1, tag_id });
    await page.goto(edit);
    await page.getByRole("button", { name: "Remove Tag Red" }).waitFor();
    await assertFit(page, `choices-several-${name}`);
    await page.locator('[name="post[title]"]').fill("Mine");
    const body = JSON.stringify({ post: { title: `Theirs ${name}`, tags: [1, 12], author: 1 } });
    const sent = { ...headers, accept: "application/json", "content-type": "application/json" };
    assert.is((await app.request(`${posts}/post-alpine`, { method: "PATCH", headers: sent, body })).status, 200);
    await page.locator(".fw-form-footer .btn-primary").click();
    await page.locator(".fw-conflict").waitFor();
    await assertFit(page, `conflict-${name}`);
  };
  const runs = async (page: Page, name: string) => {
    room.delay = 50;
    room.afterMark = async (_, { id }) => {
      await sleep(room.delay ?? 0);
      if (Number(id) % 20 === 0) throw new Error("this one fails");
    };
    await page.goto(`${posts}/actions/mark`);
    await page.getByLabel("Label").fill("red");
    await assertFit(page, `run-form-${name}`);
    await page.locator(".fw-form-footer .btn-primary").click();
    await page.getByText("Running", { exact: true }).waitFor();
    await assertFit(page, `run-running-${name}`);
    const url = page.url();
    room.delay = 0;
    await page.getByText("An error occurred.").first().waitFor();
    assert.is(page.url(), url); // the page was brought up to date by itself
    await page.locator("[data-refresh]").waitFor({ state: "detached" });
    await assertFit(page, `run-done-${name}`);
    room.delay = 250; // so that a slow machine finds it open
    await page.goto(`${posts}/actions/mark`);
    await page.getByLabel("Label").fill("red");
    await page.locator(".fw-form-footer .btn-primary").click();
    await page.getByRole("button", { name: "Cancel the rest" }).click();
    await page.getByText("Cancelled", { exact: true }).waitFor();
    room.delay = 0;
    await assertFit(page, `run-cancelled-${name}`);
    await page.getByRole("link", { name: "Posts" }).last().click();
    await page.waitForURL(/\/posts$/);
    await app.application.kernel.service("jobs").drain();
  };

  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    for (const theme of process.env.FW_TEST_SOAK === undefined ? themes.slice(0, 1) : themes)
      it.unless(
        reason,
        `Choices, a conflict and runs fit a ${width} screen, and axe finds nothing (${theme})`,
        async () => {
          await knex()("posts").where("id", ">", 3).delete();
          for (let id = 30; id < 110; id++)
            await knex()("posts").insert({ id, title: `Post ${id}`, slug: `post-${id}`, organization_id: 1 });
          const { context, page, problems } = await visit(browser, app.url, { headers, width, theme });
          await looks(page, `${width}-${theme}`);
          await runs(page, `${width}-${theme}`);
          assert.equal(problems, []);
          await context.close();
        },
      );
});
