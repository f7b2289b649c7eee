import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { openWizards, wizardFiles } from "./mounts_support.ts";
import { requests } from "./runs_app.ts";

// Unfinished runs that the list and the record of a resource with wizards offer, in frames that the page loads afterwards.

const browserless = await reasonToSkip("browser");
const [ann, bob] = [1, 2];
const list = "/admin/posts";
const runs = `${list}/wizards/intake/runs`;
const frame = { "turbo-frame": "fw-draft-intake", accept: "text/html" };

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Drafts of wizards on lists, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let { as: by, send } = requests("");
    before(async () => {
      if (database.skip) return;
      app = await openWizards({}, await database.values());
      ({ as: by, send } = requests(app.url));
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await databaseOf(app.application).knex("framewright_wizard_runs").delete();
        await story();
      });
    const start = async (user: number, path = `${list}/wizards/intake`) => {
      const first = (await by(user, "GET", path)).headers.get("location")!;
      assert.is((await send(user, first, { title: "x" })).status, 303);
      return first.replace(/first$/, "second");
    };
    const page = async (user: number, path: string, headers: Record<string, string> = { accept: "text/html" }) => {
      const answer = await app.request(path, { headers: { ...headers, "x-user": String(user) } });
      assert.is(answer.status, 200, path);
      return answer.text();
    };

    can(
      "The list has a frame that offers the person's unfinished run: its step, by number and name, and to discard it",
      async () => {
        const url = await start(ann);
        const html = await page(ann, list);
        assert.match(html, `<turbo-frame id="fw-draft-intake" src="${runs}" target="_top" data-optional><noscript>`);
        assert.not.match(html, "Continue “Import”");
        const draft = await page(ann, runs, frame);
        assert.match(draft, `<a href="${url}">Continue “Import” (step 2 of 2: Second)</a>`);
        assert.match(draft, /<form class="fw-draft" method="post" action="\/admin\/posts\/wizards\/intake\/runs\/\d+"/);
      },
    );
    can("Nothing is offered of others' runs, of those that were only opened, and of those that ended", async () => {
      await start(bob);
      await by(ann, "GET", `${list}/wizards/intake`);
      assert.not.match(await page(ann, runs, frame), "Continue");
      await start(ann);
      await databaseOf(app.application).knex("framewright_wizard_runs").update({ state: "completed" });
      assert.not.match(await page(ann, runs, frame), "Continue");
    });
    can("A run is discarded by its owner alone, and with a token", async () => {
      await start(ann);
      const draft = await page(ann, runs, frame);
      const [, action] = /action="([^"]+)"/.exec(draft)!;
      const bare = { method: "DELETE", headers: { "x-user": "1", accept: "text/html" }, redirect: "manual" } as const;
      assert.is((await app.request(action!, bare)).status, 403, "without a token");
      assert.is((await by(bob, "DELETE", action!)).status, 404);
      assert.match(await page(ann, runs, frame), "Continue “Import”");
    });
    can("A record has a frame for the wizards on records, where the person may use them", async () => {
      const url = await start(ann, `${list}/1/wizards/configure`);
      const html = await page(ann, `${list}/1`);
      assert.match(html, `<turbo-frame id="fw-draft-configure" src="${list}/1/wizards/configure/runs"`);
      assert.not.match(html, "fw-draft-intake");
      const draft = await page(ann, `${list}/1/wizards/configure/runs`, {
        ...frame,
        "turbo-frame": "fw-draft-configure",
      });
      assert.match(draft, `<a href="${url}">Continue “Configure” (step 2 of 2: Second)</a>`);
      assert.not.match(await page(ann, `${list}/2`), "fw-draft", "a record that can't be configured");
    });
    can("Lists of resources without wizards have no frame, nor have further pages of a list", async () => {
      assert.not.match(await page(ann, "/admin/comments"), "fw-draft");
      assert.not.match(await page(ann, `${list}?page=1`), "fw-draft");
    });
  });
}

describe("A resource whose wizard a person may not use", (it) => {
  it("Its list has no frame, and none for guests", async () => {
    const policy = "app/policies/post_policy.ts";
    const app = await openWizards({
      [policy]: edited(wizardFiles, policy, [/canIntake\(\) \{\s+return true;/, "canIntake() { return false;"]),
    });
    try {
      const answer = await app.request(list, { headers: { "x-user": "1", accept: "text/html" } });
      assert.is(answer.status, 200);
      assert.not.match(await answer.text(), "fw-draft");
      const refused = await app.request(runs, { headers: { ...frame, "x-user": "1" } });
      assert.is(refused.status, 403);
    } finally {
      await app.close();
    }
  });
});

describe("Drafts of wizards in Chromium", (it) => {
  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    it.unless(
      browserless,
      `The list offers to continue or to discard, on a ${width} page, with and without JavaScript`,
      async () => {
        const app = await openWizards();
        const browser = await openBrowser();
        const { as: by, send } = requests(app.url);
        try {
          for (const script of [false, true]) {
            const first = (await by(ann, "GET", `${list}/wizards/intake`)).headers.get("location")!;
            await send(ann, first, { title: "x" });
            const { context, page, problems } = await visit(browser, app.url, {
              script,
              width,
              headers: { "x-user": "1" },
            });
            await page.goto(list);
            const name = `drafts-${width}${script ? "" : "-no-script"}`;
            if (!script) {
              await assertFitInThemes(page, name, script);
              await page.getByRole("link", { name: "Show what you started" }).click();
              await page.getByRole("link", { name: "Continue" }).first().waitFor();
            } else {
              await page.getByRole("link", { name: "Continue “Import” (step 2 of 2: Second)" }).first().waitFor();
              await assertFitInThemes(page, name);
              const buttons = page.getByRole("button", { name: "Discard" });
              const count = await buttons.count();
              await buttons.first().click();
              await page.locator("dialog[open]").getByRole("button", { name: "Discard" }).click();
              await page.getByText("Cancelled.").waitFor();
              await page
                .locator(".fw-draft")
                .nth(count - 1)
                .waitFor({ state: "detached" });
              assert.match(page.url(), /\/admin\/posts$/);
            }
            assert.equal(problems, []);
            await context.close();
          }
        } finally {
          await browser.close();
          await app.close();
        }
      },
    );
});
