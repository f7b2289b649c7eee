import type { Page } from "playwright-core";
import { assert, describe } from "../../../support/index.ts";
import { arrive, assertNarrow, words } from "../../looks.ts";
import type { World } from "../../world.ts";
import { finish } from "../pages.ts";
import { field, fill, flash, go, look, onStep, openMail, press } from "./hands.ts";

const chosen = "meadow under winter rain";

async function answer(page: Page, email: string, organization: string): Promise<void> {
  await page.goto("/signup");
  await onStep(page, "You");
  await fill(page, { name: "Nadia Brandt", email });
  await go(page, "next", "Your organization");
  await fill(page, { name: organization });
  await field(page, "plan").selectOption("free");
  await go(page, "next", "Review");
}

/** Goes on by Tab to what has this id, name or text. */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press("Tab");
    const focused = (await page.evaluate(
      "(({ id, name, textContent }) => [id, name ?? '', textContent.trim()])(document.activeElement)",
    )) as string[];
    if (focused.some((word) => wanted.test(word))) return;
  }
  throw new Error(`${wanted} can't be reached by Tab`);
}
async function enterAt(page: Page, wanted: RegExp): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press("Enter");
  await page.locator("html:not([aria-busy])").waitFor({ state: "attached" });
}
async function typeInto(page: Page, name: string, value: string): Promise<void> {
  await tabTo(page, new RegExp(`^${name}$`));
  await page.keyboard.type(value);
}

async function answerByKeys(page: Page): Promise<void> {
  await typeInto(page, "wizard_name", "Kim Osei");
  await typeInto(page, "wizard_email", "kim@demo.test");
  await page.keyboard.press("Enter");
  await onStep(page, "Your organization");
  await typeInto(page, "wizard_name", "Harbour Books");
  await typeInto(page, "wizard_plan", "t");
  await enterAt(page, /^Next$/);
  await onStep(page, "Review");
  await enterAt(page, /^Finish$/);
}

/** What everybody is shown, whoever has the address. */
async function assertMailed(page: Page): Promise<void> {
  await arrive(page, /\/signup\/completed$/);
  assert.match(await words(page.locator("main")), /^Check your inbox We have sent you a link\. .* Continue$/);
}

export function tellSignup(world: () => World, reason: string | undefined): void {
  describe("The wizard Sign-up", (it) => {
    it.unless(
      reason,
      "A guest signs up with the keyboard alone and arrives at the onboarding of the new organization",
      async () => {
        const visitor = await world().visit({ stranger: true });
        const { page } = visitor;
        await page.goto("/signup");
        await look(page, "signup-step");
        await answerByKeys(page);
        await assertMailed(page);
        await look(page, "signup-completed");
        await page.goto("/_fw/mails");
        await enterAt(page, /Verify/);
        await tabTo(page, /^HTML$/);
        await page.keyboard.press("ArrowRight");
        await enterAt(page, /verify-account/);
        await arrive(page, /verify-account/);
        await typeInto(page, "password", chosen);
        await typeInto(page, "password_confirmation", chosen);
        await page.keyboard.press("Enter");
        await onStep(page, "About you");
        assert.match(page.url(), /\/customer\/\d+\/onboarding\/you$/);
        await finish(visitor);
      },
    );

    it.unless(reason, "Sign-up and onboarding work without JavaScript", async () => {
      const visitor = await world().visit({ stranger: true, script: false, width: "narrow" });
      const { page } = visitor;
      await answer(page, "nadia@demo.test", "Nadia’s Kiosk");
      await go(page, "back", "Your organization");
      assert.is(await field(page, "name").inputValue(), "Nadia’s Kiosk");
      await go(page, "next", "Review");
      await press(page, "next");
      await assertMailed(page);
      await assertNarrow(page, "wizards-signup-no-script");
      await openMail(page, "nadia@demo.test");
      await page.locator("[name=password]").fill(chosen);
      await page.locator("[name=password_confirmation]").fill(chosen);
      await page.locator("main button.btn:not([type=button])").last().click();
      await onStep(page, "About you");
      await fill(page, { name: "Nadia Bell" });
      await page.getByLabel("Writing").check();
      await go(page, "next", "Your first post");
      await fill(page, { title: "The kiosk opens" });
      await go(page, "back", "About you");
      await go(page, "next", "Your first post");
      await page.reload();
      assert.is(await field(page, "title").inputValue(), "The kiosk opens");
      await page.goto("/customer");
      await onStep(page, "Your first post");
      await go(page, "next", "Review");
      await assertNarrow(page, "wizards-onboarding-no-script");
      await press(page, "next");
      await arrive(page, /\/customer\/\d+$/);
      assert.is(await flash(page), "Welcome, Nadia Bell.");
      await page.goto("/customer");
      await arrive(page, /\/customer\/\d+$/);
      await finish(visitor);
    });

    it.unless(
      reason,
      "A sign-up with a taken address shows the same page as with a free one, and mails the owner",
      async () => {
        const visitor = await world().visit({ stranger: true });
        const { page } = visitor;
        await answer(page, "writer@demo.test", "A second kiosk");
        await press(page, "next");
        await assertMailed(page);
        await page.goto("/_fw/mails");
        assert.match(
          await words(page.locator("tr", { hasText: "writer@demo.test" }).first()),
          "Somebody signed up with your address",
        );
        await page.goto("/customer");
        await arrive(page, /login/);
        await finish(visitor);
      },
    );
  });
}
