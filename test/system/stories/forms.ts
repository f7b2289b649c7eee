import type { Page } from "playwright-core";
import { picture } from "../../support/browser.ts";
import { assert, describe } from "../../support/index.ts";
import { arrive, assertFit, assertNarrow, words } from "../looks.ts";
import type { World } from "../world.ts";
import { finish } from "./pages.ts";

const long = "x".repeat(121);
const flash = (page: Page) => page.locator(".fw-flash");
const submit = (page: Page) => page.locator("main form .btn-primary").click();

/** Chooses in a list of records, as it is with JavaScript and without. */
async function choose(page: Page, field: string, label: string, script: boolean): Promise<void> {
  const select = page.locator(`select[name$="[${field}]"]`);
  if (!script) return void (await select.selectOption({ label }));
  await page
    .locator(
      `.ts-wrapper:has(+ select[name$="[${field}]"]) .ts-control, select[name$="[${field}]"] + .ts-wrapper .ts-control`,
    )
    .click();
  const answer = page.waitForResponse(/\/typeahead\/\w+\?q=/);
  await page.keyboard.type(label.slice(0, 4));
  assert.match(await (await answer).text(), label);
  await page.locator(".ts-dropdown:visible .option", { hasText: label }).click();
}

async function writePost(page: Page, script: boolean): Promise<void> {
  await page.goto("/admin/blogging/posts/new");
  await page.getByLabel("Title").fill(long);
  await page.getByRole("textbox", { name: "Body" }).fill("Two lines\nof text");
  await choose(page, "author", "Grace Okafor", script);
  await submit(page);
  await page.locator(".fw-error-summary").waitFor();
  assert.is(await page.getByLabel("Title").inputValue(), long);
  assert.is(await page.getByRole("textbox", { name: "Body" }).inputValue(), "Two lines\nof text");
  assert.match(await words(page.locator(".fw-error-summary")), /2 things.*Title is too long.*Organization/s);
  await page.getByLabel("Title").fill("Written in a browser");
  await choose(page, "organization", "Alder & Pine Outfitters", script);
  await submit(page);
  await arrive(page, /posts\/\d+$/);
  assert.match(await words(flash(page)), /Written in a browser was created/);
  assert.match(await words(page.locator("main")), /Grace Okafor/);
}

async function editPost(page: Page): Promise<void> {
  await page.locator("main").getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Writer’s fee").fill("12.30");
  await submit(page);
  await arrive(page, /posts\/\d+$/);
  assert.match(await words(page.locator("main")), /€12\.30/);
}

async function commentOn(page: Page, script: boolean): Promise<void> {
  const post = page.url();
  await page
    .locator("section", { has: page.getByRole("heading", { name: "Comments" }) })
    .getByRole("link", { name: "New" })
    .click();
  await arrive(page, /nested_comments\/new$/);
  await page.getByRole("textbox", { name: "Body" }).fill("First!");
  await choose(page, "author", "Priya Raman", script);
  await submit(page);
  await arrive(page, /nested_comments\/\d+$/);
  await page.goto(post);
  assert.match(await words(page.locator("main")), /First!/);
}

async function deletePost(page: Page, script: boolean): Promise<void> {
  const post = page.url();
  const ask = async () => {
    await page.locator(".fw-more-actions > summary").click();
    await page.locator("main a.fw-action-danger").click();
  };
  await ask();
  await page.getByText("you can undo this for 10 minutes").waitFor();
  await page
    .getByRole(script ? "button" : "link", { name: "Cancel" })
    .or(page.locator("[data-cancel]"))
    .first()
    .click();
  await page.locator("[data-confirmation]").waitFor({ state: "detached" });
  assert.is(page.url(), post);
  await ask();
  await page.locator("[data-confirmation] button.btn-danger").click();
  await arrive(page, /posts$/);
  assert.match(await words(flash(page)), /Written in a browser was deleted/);
  assert.is((await page.goto(post))?.status(), 404);
}

export function tellForms(world: () => World, reason: string | undefined): void {
  describe("The forms of the demo", (it) => {
    for (const script of [true, false]) {
      it.unless(
        reason,
        `A post is created, edited, commented on and deleted ${script ? "with" : "without"} JavaScript`,
        async () => {
          const visitor = await world().visit({ script });
          await writePost(visitor.page, script);
          await editPost(visitor.page);
          await commentOn(visitor.page, script);
          await deletePost(visitor.page, script);
          await finish(visitor);
        },
      );

      it.unless(
        reason,
        `A stale edit shows both versions and can be saved over the other one ${script ? "with" : "without"} JavaScript`,
        async () => {
          const [mine, theirs] = [
            await world().visit({ script }),
            await world().visit({ script, width: "narrow", theme: "dark" }),
          ];
          for (const { page } of [mine, theirs]) await page.goto("/admin/blogging/posts/102/edit");
          await theirs.page.getByLabel("Title").fill("Theirs");
          await submit(theirs.page);
          await arrive(theirs.page, /posts\/102$/);
          const title = `Mine ${script ? "with" : "without"} JavaScript`;
          await mine.page.getByLabel("Title").fill(title);
          await choose(mine.page, "author", script ? "Tomás Herrera" : "Jonas Weber", script);
          await submit(mine.page);
          await mine.page.locator(".fw-conflict").waitFor();
          assert.match(
            await words(mine.page.locator(".fw-conflict")),
            /Changed by both of you.*Theirs.*Mine.*Changed by you/s,
          );
          assert.equal(
            await mine.page.locator(".fw-conflict tbody th[scope=row]").allInnerTexts(),
            ["Title", "Author"],
            "only what differs",
          );
          assert.match(await words(mine.page.locator(".fw-conflict")), script ? /Tomás Herrera$/ : /Jonas Weber$/);
          const rows = mine.page.locator(".fw-conflict tbody tr:not(.fw-conflict-group)");
          await mine.page.getByRole("button", { name: /Use what is saved.*Author/ }).click();
          await rows.nth(1).waitFor({ state: "detached" });
          assert.is(await mine.page.getByLabel("Title").inputValue(), title, "the other fields are as they were typed");
          await (script ? assertFit : assertNarrow)(mine.page, `conflict-${script ? "script" : "no-script"}`);
          await submit(mine.page);
          await arrive(mine.page, /posts\/102$/);
          assert.is(await words(mine.page.locator("h1")), title);
          await finish(theirs);
          await finish(mine);
        },
      );
    }

    it.unless(reason, "A post in review is published after a confirmation", async () => {
      const visitor = await world().visit();
      const { page } = visitor;
      await page.goto("/admin/blogging/posts?scope=in_review");
      await page.locator("main tbody tr a").first().click();
      await arrive(page, /posts\/\d+\?_list=scope%3Din_review$/);
      const title = await words(page.locator("h1"));
      await page.locator("main").getByText("Publish", { exact: true }).click();
      await page.locator("dialog[open]").waitFor();
      await picture(page, "publish");
      await page.locator("dialog[open] button", { hasText: "Publish" }).click();
      await flash(page).waitFor();
      assert.is(await words(flash(page)), `${title} is published.`);
      await finish(visitor);
    });
  });
}
