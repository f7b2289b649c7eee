import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, themes, visit, widths } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { arrive, assertFit, assertNarrow } from "../../system/looks.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { task, taskFiles } from "./tasks_app.ts";

// All that can be done in a list, one thing after the other: by keyboard alone, and without JavaScript on a phone.

const reason = await reasonToSkip("browser");
const tasks = "/customer/1/tasks";
const headers = { "x-user": "1" };
const TABS = 150;

const plugins = join(import.meta.dirname, "../../../plugins");
const schema = ["jobs", "background_runs", "imports", "saved_views"]
  .map((folder) => readFileSync(join(plugins, folder, "schema.liquid"), "utf8"))
  .join("");
const plain = taskFiles(`this.reorder("position");
  this.action("duplicate");
  this.action("destroy", { bulk: true });
  this.column("hours", { edit: true });`);
const policy = "app/policies/task_policy.ts";
const config = "plugins.config.ts";
const files = {
  ...plain,
  [policy]: edited(plain, policy, [
    "override canRead()",
    "override canExport() { return true; } override canImport() { return true; } override canRead()",
  ]),
  [config]: edited(
    tenantFiles,
    config,
    [
      "import { i18n }",
      'import { backgroundRuns } from "framewright/plugins/background_runs"; import { imports } from "framewright/plugins/imports"; import { jobs } from "framewright/plugins/jobs"; import { storage } from "framewright/plugins/storage"; import { savedViews } from "framewright/plugins/saved_views"; import { i18n }',
    ],
    [
      "  resources(),",
      "  savedViews(),\n  resources(),\n  backgroundRuns(),\n  imports(),\n  jobs({ poll: 100 }),\n  storage(),\n  people,",
    ],
    [
      "export default",
      `const people = definePlugin({
  name: "people",
  requires: ["resources", "database"],
  apply({ hooks, services: { database } }) {
    hooks.resources.backgroundAccount.tapPromise("people", async ({ id }) =>
      (await database.query(database.model("User").class).findById(Number(id))) ?? false);
  },
});
export default`,
    ],
  ),
  "db/migrate/20260302000000_create_imports.ts": `export async function up(db) {\n${schema}}\nexport async function down(db) {}\n`,
};
const imported = { name: "tasks.csv", mimeType: "text/csv", buffer: Buffer.from("Title,Hours\nFrom a file,7\n") };

describe("All that is done in a list, in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  const knex = () => databaseOf(app.application).knex;
  const reset = async () => {
    for (const table of ["tasks", "framewright_saved_views", "framewright_imports"]) await knex()(table).delete();
    await knex()("tasks").insert([1, 2, 3, 4].map((id) => task(id, { position: id * 10, code: null, serial: null })));
  };
  const hours = async (id: number) => Number((await knex()("tasks").where({ id }).first()).hours);
  const order = async () => (await knex()("tasks").orderBy("position").pluck("id")).map(Number).slice(0, 3);
  const titled = async (title: string) => (await knex()("tasks").where({ title })).length;
  if (reason === undefined) {
    before(async () => {
      app = await openTenants(files, {});
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }

  /** Goes on by Tab until what is looked for has the focus, which is where it can be seen. */
  async function reach(page: Page, target: Locator): Promise<void> {
    await target.first().waitFor({ state: "attached" });
    for (let at = 0; at < TABS; at++) {
      if ((await target.and(page.locator(":focus-visible")).count()) > 0) return;
      await page.keyboard.press("Tab");
    }
    assert.unreachable(`${target} is not reached by Tab`);
  }
  const press = async (page: Page, target: Locator, key = "Enter") => {
    await reach(page, target);
    await page.keyboard.press(key);
  };
  const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
  const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });

  it.unless(
    reason,
    "By keyboard alone rows are selected and deleted, edited, moved and duplicated",
    async () => {
      await reset();
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(tasks);
      await press(page, page.getByRole("checkbox", { name: "Select Task 4" }), "Space");
      await press(page, page.locator("form[data-bulk]").getByRole("button", { name: "Delete" }));
      await press(page, page.locator(".fw-confirmation").getByRole("button", { name: "Delete" }));
      await page.getByText("Deleted 1.").waitFor();
      await press(page, link(page, "Edit Hours: Task 2"));
      const input = page.locator("#fw-cell-2-hours").getByRole("spinbutton");
      await input.and(page.locator(":focus")).waitFor();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("9");
      await page.keyboard.press("Enter");
      await page.locator("#fw-cell-2-hours .fw-cell-edit:focus").waitFor();
      assert.is(await hours(2), 9);
      const moved = page.waitForResponse((answer) => answer.url().endsWith("/order"));
      await press(page, button(page, "Move down: Task 1"));
      assert.is((await moved).status(), 200);
      assert.equal(await order(), [2, 1, 3]);
      await press(page, link(page, "Duplicate: Task 3"));
      await arrive(page, /\/duplicate/);
      await reach(page, page.getByLabel("Title"));
      await page.keyboard.press("Control+a");
      await page.keyboard.type("Another");
      await page.keyboard.press("Enter");
      await page.getByText("Another was created.").waitFor();
      assert.is(await titled("Another"), 1);
      assert.equal(problems, []);
      await context.close();
    },
    40_000,
  );

  it.unless(
    reason,
    "By keyboard alone a view is saved, a list exported, a file imported, and a record found",
    async () => {
      await reset();
      const { context, page, problems } = await visit(browser, app.url, { headers });
      await page.goto(`${tasks}?q=Task&sort=-title`);
      await press(page, page.locator("summary", { hasText: "Save view" }));
      await reach(page, page.getByLabel("Name of the view"));
      await page.keyboard.type("Backwards");
      await page.keyboard.press("Enter");
      await page.getByText("The view “Backwards” was saved.").waitFor();
      await press(page, link(page, "Backwards"));
      await arrive(page, /sort=-title/);
      assert.is(await page.locator('.fw-scope[aria-current="page"]').innerText(), "Backwards");
      const download = page.waitForEvent("download");
      await press(page, page.locator("summary", { hasText: "Export" }));
      await press(page, link(page, "CSV"));
      const file = readFileSync(await (await download).path(), "utf8");
      assert.ok(file.indexOf("Task 4") < file.indexOf("Task 1"));
      await page.goto(tasks);
      await press(page, link(page, "Import"));
      await page.getByRole("heading", { name: "Import tasks" }).waitFor();
      const chooser = page.waitForEvent("filechooser");
      await press(page, page.getByLabel("CSV, XLSX or ODS file"));
      await (await chooser).setFiles(imported);
      for (const name of ["Continue", "Check", "Import 1 row"]) await press(page, button(page, name));
      await page.getByText("Imported", { exact: true }).waitFor({ timeout: 20_000 });
      assert.is(await titled("From a file"), 1);
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search everything" }).waitFor();
      await page.keyboard.type("From a f");
      await page.getByRole("option").filter({ hasText: "From a file" }).waitFor();
      const chosen = page.locator('[role=option][aria-selected="true"]');
      while ((await chosen.innerText()) !== "From a file") await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "From a file" }).waitFor();
      assert.equal(problems, []);
      await context.close();
    },
    40_000,
  );

  it.unless(
    reason,
    "Without JavaScript, on a dark phone, all of it is done by links and forms",
    async () => {
      await reset();
      const { context, page, problems } = await visit(browser, app.url, {
        ...{ headers, script: false, width: "narrow", theme: "dark" },
      });
      await page.goto(tasks);
      await assertNarrow(page, "story-plain-list");
      await page.getByRole("checkbox", { name: "Select Task 4" }).check();
      await page.locator("form[data-bulk]").getByRole("button", { name: "Delete" }).click();
      await assertNarrow(page, "story-plain-delete");
      await page.locator(".fw-confirmation").getByRole("button", { name: "Delete" }).click();
      await page.getByText("Deleted 1.").waitFor();
      await link(page, "Edit Hours: Task 2").click();
      await page.getByRole("spinbutton").fill("9");
      await assertNarrow(page, "story-plain-cell");
      await button(page, "Save").click();
      await page.getByText("Task 2").first().waitFor();
      assert.is(await hours(2), 9);
      await button(page, "Move down: Task 1").click();
      await page.getByText("Moved: Task 1").waitFor();
      assert.equal(await order(), [2, 1, 3]);
      await link(page, "Duplicate: Task 3").click();
      await page.getByLabel("Title").fill("Another");
      await assertNarrow(page, "story-plain-duplicate");
      await page.locator(".fw-form-footer .btn-primary").click();
      await page.getByText("Another was created.").waitFor();
      await page.goto(`${tasks}?q=Task&sort=-title`);
      await page.locator("summary", { hasText: "Save view" }).click();
      await page.getByLabel("Name of the view").fill("Backwards");
      await button(page, "Save").click();
      await page.getByText("The view “Backwards” was saved.").waitFor();
      const download = page.waitForEvent("download");
      await page.locator("summary", { hasText: "Export" }).click();
      await link(page, "CSV").click();
      assert.match(readFileSync(await (await download).path(), "utf8"), "Task 1");
      await page.goto(tasks);
      await link(page, "Import").click();
      await page.getByLabel("CSV, XLSX or ODS file").setInputFiles(imported);
      for (const name of ["Continue", "Check", "Import 1 row"]) {
        await assertNarrow(page, `story-plain-${name}`);
        await button(page, name).click();
      }
      await page.getByText("Imported", { exact: true }).waitFor({ timeout: 20_000 });
      assert.is(await titled("From a file"), 1);
      assert.equal(problems, []);
      await context.close();
    },
    40_000,
  );

  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    for (const theme of themes)
      it.unless(reason, `Its menus and forms fit a ${width} ${theme} page, and axe finds nothing`, async () => {
        await reset();
        const { context, page, problems } = await visit(browser, app.url, { headers, width, theme });
        const look = (name: string) => assertFit(page, `story-${name}-${width}-${theme}`);
        await page.goto(`${tasks}?q=Task`);
        await page.locator("summary", { hasText: "Export" }).click();
        await look("export");
        await page.locator("summary", { hasText: "Save view" }).click();
        await look("view");
        await page.goto(tasks);
        await link(page, "Edit Hours: Task 2").click();
        await page.locator("#fw-cell-2-hours .fw-cell-form").waitFor();
        await look("cell");
        for (const [name, path] of Object.entries({ duplicate: "/3/duplicate", import: "/import" })) {
          await page.goto(tasks + path);
          await look(name);
        }
        assert.equal(problems, []);
        await context.close();
      });
});
