import type { Page } from "playwright-core";
import { assert, describe } from "../../../support/index.ts";
import { arrive, words } from "../../looks.ts";
import type { World } from "../../world.ts";
import { finish } from "../pages.ts";
import { field, fill, flash, go, look, onStep, press, saved, visitAs } from "./hands.ts";

const member = "member@demo.test";

/** Answers one step, types half of the next, goes back and reloads: everything is still there. */
async function beginAtDesk(page: Page): Promise<void> {
  await page.goto("/customer");
  await onStep(page, "About you");
  await press(page, "next");
  await page.locator(".fw-error-summary").waitFor();
  assert.match(await words(page.locator(".fw-error-summary")), /Name.*What brings you here\?/);
  await look(page, "onboarding-errors");
  await fill(page, { name: "Jonas Webb" });
  await page.getByLabel("Writing").check();
  await go(page, "next", "Your first post");
  await fill(page, { title: "Half a title" });
  await go(page, "back", "About you");
  assert.is(await field(page, "name").inputValue(), "Jonas Webb");
  await go(page, "next", "Your first post");
  assert.is(await field(page, "title").inputValue(), "Half a title", "Back kept what was typed");
  await fill(page, { body: "Typed, and never sent" });
  await saved(page);
  await page.reload();
  assert.is(await field(page, "body").inputValue(), "Typed, and never sent");
}

async function finishOnPhone(page: Page): Promise<void> {
  await page.goto("/customer/1?from=mail");
  await onStep(page, "Your first post");
  assert.is(await field(page, "title").inputValue(), "Half a title");
  await fill(page, { title: "A whole title" });
  await go(page, "next", "Review");
  assert.match(await words(page.locator("main")), /Jonas Webb.*Writing.*A whole title.*Typed, and never sent/);
  await look(page, "onboarding-review");
  await press(page, "next");
  await arrive(page, /\/customer\/1\?from=mail$/);
  assert.is(await flash(page), "Welcome, Jonas Webb.");
}

export function tellOnboarding(world: () => World, reason: string | undefined): void {
  describe("The wizard Onboarding", (it) => {
    it.unless(
      reason,
      "The wizard Onboarding gates the portal once and continues on another device at the same step",
      async () => {
        const desk = await visitAs(world(), member);
        const phone = await visitAs(world(), member, { width: "narrow", theme: "dark" });
        const { page } = desk;
        await beginAtDesk(page);
        await finishOnPhone(phone.page);
        await press(page, "next");
        await arrive(page, /\/customer\/1$/);
        await page.goto("/customer/1/onboarding");
        await arrive(page, /completed$/);
        await look(page, "onboarding-completed");
        await page.goto("/customer/1/blogging/posts?q=A+whole+title");
        assert.match(await words(page.locator("main tbody")), /A whole title.*Draft.*Jonas Webb/);
        assert.is(await page.locator("main tbody tr").count(), 1, "it was written once");
        await finish(desk);
        await finish(phone);
      },
    );
  });
}
