import type { Page } from "playwright-core";
import { assert, describe } from "../../../support/index.ts";
import { arrive, assertNarrow, words } from "../../looks.ts";
import type { World } from "../../world.ts";
import { finish } from "../pages.ts";
import { field, flash, go, look, onStep, press, runsOf } from "./hands.ts";

const text = (titles: string) => ({ name: "titles.txt", mimeType: "text/plain", buffer: Buffer.from(titles) });
const image = { name: "cup.png", mimeType: "image/png", buffer: Buffer.from("no titles at all") };

const launches = [
  "/customer/1/blogging/posts/wizards/bring_in",
  "/admin/organizations/1/wizards/configure",
  "/signup",
] as const;

async function launch(page: Page, organization: number): Promise<void> {
  await page.goto(`/customer/${organization}/blogging/posts`);
  await page.locator("main").getByRole("link", { name: "Import", exact: true }).click();
  await onStep(page, "Source");
}

/** Sends a wrong file and then a right one, and goes away half-way. */
async function begin(page: Page, organization: number, titles: string): Promise<void> {
  await launch(page, organization);
  await field(page, "file").setInputFiles(image);
  await press(page, "next");
  await page.locator(".fw-error-summary").waitFor();
  assert.match(await words(page.locator(".fw-error-summary")), "File must be one of text/plain, text/csv");
  await field(page, "file").setInputFiles(text(titles));
  await go(page, "next", "Defaults");
}

export function tellImport(world: () => World, reason: string | undefined): void {
  describe("The wizard Import", (it) => {
    for (const script of [true, false]) {
      const [how, organization] = script ? ["with", 1] : ["without", 2];
      it.unless(
        reason,
        `The wizard Import takes a file, is resumed half-way, and writes its posts ${how} JavaScript`,
        async () => {
          const visitor = await world().visit({ script });
          const { page } = visitor;
          const see = (name: string) =>
            script ? look(page, `import-${name}`) : assertNarrow(page, `wizards-import-${name}-no-script`);
          await begin(page, organization, `Imported ${how} one\nImported ${how} two\n`);
          await launch(page, organization);
          assert.match(await words(page.locator(".fw-notice")), "You started this before and got as far as “Defaults”");
          await see("offered");
          await page.getByRole("link", { name: "Continue where you left off" }).click();
          await onStep(page, "Defaults");
          await field(page, "status").selectOption("in_review");
          await go(page, "back", "Source");
          assert.match(await words(page.locator(".fw-file-kept")), /titles\.txt \(\d+ B\)/);
          await see("file-kept");
          await go(page, "next", "Defaults");
          await go(page, "next", "Review");
          assert.match(await words(page.locator("main")), /titles\.txt.*In review/);
          await press(page, "next");
          await arrive(page, /\/blogging\/posts$/);
          assert.is(await flash(page), "2 posts were imported.");
          await page.goto(`/customer/${organization}/blogging/posts?q=Imported+${how}+`);
          assert.is(await page.locator("main tbody tr").count(), 2);
          assert.match(await words(page.locator("main tbody")), /In review.*Priya Raman/);
          await finish(visitor);
        },
      );

      it.unless(
        reason,
        `The runs of the wizard Import are listed to be continued or discarded ${how} JavaScript`,
        async () => {
          const visitor = await world().visit({ script });
          const { page } = visitor;
          const runs = `/customer/${organization}/blogging/posts/wizards/bring_in/runs`;
          const rows = page.locator(".fw-rows > li");
          await page.goto(runs);
          assert.match(await words(page.locator("main")), "Nothing in progress");
          if (script) await look(page, "runs-none");
          await begin(page, organization, "Never");
          await page.goto(runs);
          await (script ? look(page, "runs") : assertNarrow(page, "wizards-runs-no-script"));
          assert.match(await words(rows), "Current step: Defaults");
          await rows.getByRole("link", { name: "Continue" }).click();
          await onStep(page, "Defaults");
          await page.goto(runs);
          const cancel = () => rows.getByRole("button", { name: "Cancel" }).click();
          await cancel();
          if (script) {
            await page.locator("dialog", { hasText: "Cancel and discard your answers" }).waitFor();
            await look(page, "runs-cancel");
            await page.getByRole("button", { name: "Continue editing" }).click();
            assert.is(await rows.count(), 1);
            await cancel();
            await page.getByRole("button", { name: "Discard" }).click();
          }
          await arrive(page, /\/blogging\/posts(\/wizards\/bring_in\/runs)?$/);
          await page.locator(".fw-flash").waitFor();
          assert.match(await flash(page), "Cancelled. Your answers were discarded.");
          await page.goto(runs);
          assert.is(await rows.count(), 0);
          await finish(visitor);
        },
      );
    }
  });

  describe("The launch of a wizard", (it) => {
    it.unless(reason, "HEAD, prefetch and hover start no run of a wizard, and a click starts one", async () => {
      const visitor = await world().visit();
      const { page } = visitor;
      const before = runsOf(world());
      for (const path of launches) {
        await page.request.head(path);
        await page.request.get(path, { headers: { "sec-purpose": "prefetch;prerender" } });
      }
      const [posts, organization] = launches;
      for (const [list, name] of [
        [posts, "Import"],
        [organization, "Configure"],
      ] as const) {
        await page.goto(list.replace(/\/wizards.*/, ""));
        await page.locator("main").getByRole("link", { name, exact: true }).hover();
        await page.waitForTimeout(300); // Turbo prefetches after 100 ms
      }
      const prefetched = page.waitForResponse((answer) => answer.url().endsWith(posts));
      await page.evaluate(
        `document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href: "${posts}" }))`,
      );
      assert.ok((await prefetched).status() < 400);
      assert.is(runsOf(world()), before);
      await launch(page, 1);
      assert.is(runsOf(world()), before + 1, "a click begins one");
      await finish(visitor);
    });
  });
}
