import { assert, describe } from "../../../support/index.ts";
import { arrive, words } from "../../looks.ts";
import type { World } from "../../world.ts";
import { finish } from "../pages.ts";
import { field, fill, flash, go, look, onStep, press, saved, visitAs } from "./hands.ts";

const member = "member@demo.test";

export function tellOnboarding(world: () => World, reason: string | undefined): void {
  describe("onboarding", (it) => {
    it.unless(
      reason,
      "stands before a person’s first page, once, and goes on where another device left it",
      async () => {
        const [desk, phone] = [
          await visitAs(world(), member),
          await visitAs(world(), member, { width: "narrow", theme: "dark" }),
        ];
        const { page } = desk;
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

        await phone.page.goto("/customer");
        await onStep(phone.page, "Your first post");
        assert.is(await field(phone.page, "title").inputValue(), "Half a title");
        await fill(phone.page, { title: "A whole title" });
        await go(phone.page, "next", "Review");
        assert.match(
          await words(phone.page.locator("main")),
          /Jonas Webb.*Writing.*A whole title.*Typed, and never sent/,
        );
        await look(phone.page, "onboarding-review");
        await press(phone.page, "next");
        await arrive(phone.page, /\/customer\/1$/);
        assert.is(await flash(phone.page), "Welcome, Jonas Webb.");

        await press(page, "next");
        await arrive(page, /\/customer\/1$/);
        await page.goto("/customer/1/onboarding");
        await arrive(page, /completed$/);
        await look(page, "onboarding-completed");
        await page.goto("/customer/1/blogging/posts?q=A+whole+title");
        assert.match(await words(page.locator("main tbody")), /A whole title.*Draft.*Jonas Webb/);
        await page.goto("/customer/1/blogging/posts?q=Half+a+title");
        assert.is(await page.locator("main tbody tr").count(), 0, "it was written once");
        await finish(desk);
        await finish(phone);
      },
    );
  });
}
