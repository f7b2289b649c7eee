import type { Page } from "playwright-core";
import { assert, describe } from "../../../support/index.ts";
import { arrive, assertNarrow, words } from "../../looks.ts";
import type { World } from "../../world.ts";
import { finish } from "../pages.ts";
import { field, fill, flash, go, look, onStep, press, saved } from "./hands.ts";

const dialog = "dialog[open]";
const open = async (page: Page) => {
  await page.getByRole("link", { name: "Configure" }).click();
  await onStep(page, "Plan");
};

/** Adds people, takes one out again, is told of an address that nobody has, and corrects it. */
async function invite(page: Page, script: boolean): Promise<void> {
  const add = async (entry: number, email: string) => {
    await page.getByRole("button", { name: /^Add\s*: Members$/ }).click();
    await field(page, `members-${entry}-email`).waitFor();
    if (script) await page.locator(`#wizard_members-${entry}-email:focus`).waitFor();
    await field(page, `members-${entry}-email`).fill(email);
    await field(page, `members-${entry}-role`).selectOption("member");
  };
  await add(0, "nobody@demo.test");
  await add(1, "away@demo.test");
  assert.is(await field(page, "members-0-email").inputValue(), "nobody@demo.test", "a button loses nothing");
  await (script ? look : assertNarrow)(page, script ? "configure-people-modal" : "wizards-configure-people-no-script");
  await page.getByRole("button", { name: /^Remove\s*: Member.* 2$/ }).click();
  await field(page, "members-1-email").waitFor({ state: "detached" });
  if (script) await page.locator("#wizard_members:focus").waitFor();
  await go(page, "next", "Review");
  await press(page, "next");
  await page.locator(".fw-error-summary").waitFor();
  assert.match(await words(page.locator(".fw-error-summary")), "is nobody's address");
  if (script) await look(page, "configure-refused-modal");
  await onStep(page, "People");
  assert.is(await field(page, "members-0-email").inputValue(), "nobody@demo.test");
}

export function tellConfigure(world: () => World, reason: string | undefined): void {
  describe("The wizard Configure", (it) => {
    it.unless(
      reason,
      "The wizard Configure opens in a modal, keeps what is typed, and ends at the record’s page",
      async () => {
        const visitor = await world().visit();
        const { page } = visitor;
        await page.goto("/admin/organizations/1");
        await open(page);
        assert.is(await page.locator(dialog).getAttribute("aria-label"), "Configure");
        await look(page, "configure-step-modal");
        await fill(page, { website: "https://typed.example" });
        await saved(page);
        await page.keyboard.press("Escape");
        await page.locator(dialog).waitFor({ state: "detached" });
        await open(page);
        assert.is(await field(page, "website").inputValue(), "https://typed.example");
        await field(page, "plan").selectOption("team");
        const place = await page.locator(dialog).boundingBox();
        await go(page, "next", "People");
        assert.equal(await page.locator(dialog).boundingBox(), place, "the dialog stays where it is");
        const start = (selector: string) =>
          page.evaluate(`(() => { const one = document.querySelector('${dialog} ${selector}');
            return one.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(one).paddingLeft); })()`) as Promise<number>;
        assert.ok(
          Math.abs((await start('[value="cancel"]')) - (await start(".fw-panel h2"))) <= 2,
          "Cancel is aligned",
        );
        await invite(page, true);
        await fill(page, { "members-0-email": "writer@demo.test" });
        await go(page, "next", "Review");
        await press(page, "next");
        await page.locator(".fw-flash-success").waitFor();
        assert.is(page.url(), `${world().demo.url}/admin/organizations/1`);
        assert.is(await page.locator(dialog).count(), 0);
        assert.is(await flash(page), "Fernhill Coffee Roasters is configured.");
        assert.match(await words(page.locator("main")), /typed\.example.*Team.*Tomás Herrera/);
        await finish(visitor);
      },
    );

    it.unless(reason, "The wizard Configure is a page of its own without JavaScript", async () => {
      const visitor = await world().visit({ script: false, width: "narrow" });
      const { page } = visitor;
      await page.goto("/admin/organizations/2");
      await open(page);
      await assertNarrow(page, "wizards-configure-no-script");
      await field(page, "plan").selectOption("business");
      await fill(page, { website: "https://plain.example" });
      await go(page, "next", "People");
      await invite(page, false);
      await fill(page, { "members-0-email": "member@demo.test" });
      await go(page, "next", "Review");
      await press(page, "next");
      await arrive(page, /\/admin\/organizations\/2$/);
      assert.is(await flash(page), "Alder & Pine Outfitters is configured.");
      assert.match(await words(page.locator("main")), /plain\.example.*Business.*Jonas/);
      await finish(visitor);
    });

    it.unless(
      reason,
      "The wizard Configure in two tabs is one run, in which the last version of a step counts as a whole",
      async () => {
        const visitor = await world().visit();
        const [first, second] = [visitor.page, await visitor.context.newPage()];
        for (const page of [first, second]) await page.goto("/admin/organizations/2/wizards/configure");
        await first.bringToFront();
        await field(first, "plan").selectOption("free");
        await fill(first, { website: "https://first.example" });
        await go(first, "next", "People");
        await second.bringToFront();
        await field(second, "plan").selectOption("team");
        await fill(second, { website: "https://second.example" });
        await go(second, "next", "People");
        await first.bringToFront();
        await go(first, "next", "Review");
        const shown = await words(first.locator("main"));
        assert.match(shown, /Team.*second\.example/);
        assert.not.match(shown, "first.example");
        await press(first, "next");
        await arrive(first, /\/admin\/organizations\/2$/);
        await second.bringToFront();
        await press(second, "next");
        await arrive(second, /\/admin\/organizations\/2$/);
        assert.match(await words(second.locator("main")), /second\.example.*Team/);
        await finish(visitor);
      },
    );
  });
}
