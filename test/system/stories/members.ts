import type { Page } from "playwright-core";
import { assert, describe } from "../../support/index.ts";
import { arrive, words } from "../looks.ts";
import type { World } from "../world.ts";
import { finish } from "./pages.ts";
import { flash, look, onStep, openMail, visitAs } from "./wizards/hands.ts";

const [owner, unknown] = ["user@demo.test", "lena@demo.test"];
const members = "/customer/1/organization_users";
const inviteButton = (page: Page) => page.locator("main").getByRole("link", { name: "Invite" });
const choose = (page: Page, role: string) => page.locator('select[name="interaction[role]"]').selectOption(role);
const send = (page: Page) => page.locator('form:has([name="interaction[role]"]) .btn-primary').click();

/** The owner invites an address from the list of the members. */
async function invite(page: Page): Promise<void> {
  await page.goto(members);
  await inviteButton(page).click();
  await page.getByLabel("Email").fill(unknown);
  await choose(page, "member");
  await look(page, "invite");
  await send(page);
  await page.locator(".fw-flash-success").waitFor();
  assert.is(await flash(page), `An invitation was sent to ${unknown}.`);
  await page.goto("/customer/1/organization_user_invites");
  assert.match(await words(page.locator("main tbody tr", { hasText: unknown })), /Member.*Pending.*Maya Lindqvist/);
}

/** Who has no account signs up by the mailed link, whose address is the account's, and joins. */
async function accept(page: Page): Promise<void> {
  await openMail(page, unknown);
  await page.getByRole("heading", { name: "Join Fernhill Coffee Roasters" }).waitFor();
  await look(page, "invitation-guest");
  await page.getByRole("link", { name: "Create an account to accept it" }).click();
  await page.locator("[name=name]").fill("Lena Fischer");
  for (const name of ["password", "password_confirmation"])
    await page.locator(`[name=${name}]`).fill("meadow under winter rain");
  await page.locator("main button.btn:not([type=button])").last().click();
  await page.getByText("invites you to Fernhill Coffee Roasters as member.").waitFor();
  await page.getByRole("button", { name: "Join" }).click();
  await onStep(page, "About you");
  assert.match(page.url(), /\/customer\/1\/onboarding/);
}

async function promote(page: Page): Promise<void> {
  await page.goto(members);
  await page.getByRole("link", { name: "Lena Fischer", exact: true }).click();
  await arrive(page, /organization_users\/\d+(\?|$)/);
  await page.locator("main").getByText("Change role", { exact: true }).click();
  await choose(page, "admin");
  await send(page);
  await page.locator(".fw-flash-success").waitFor();
  assert.is(await flash(page), "The role is now Admin.");
}

export function tellMembers(world: () => World, reason: string | undefined): void {
  describe("The members of the demo's organizations", (it) => {
    it.unless(reason, "An owner invites an address, its person signs up and joins, and gets another role", async () => {
      const [maya, lena] = [await visitAs(world(), owner), await world().visit({ stranger: true })];
      await invite(maya.page);
      await accept(lena.page);
      await lena.page.goto(members);
      assert.match(await words(lena.page.locator("main tbody tr", { hasText: "Lena Fischer" })), "Member");
      assert.is(await inviteButton(lena.page).count(), 0);
      await promote(maya.page);
      await lena.page.reload();
      await inviteButton(lena.page).waitFor();
      await finish(maya);
      await finish(lena);
    });

    it.unless(reason, "A person without an organization meets the welcome page, and joins from there", async () => {
      const noor = await visitAs(world(), "invited@demo.test");
      const { page } = noor;
      await page.goto("/customer");
      await arrive(page, /\/welcome$/);
      await look(page, "welcome");
      assert.match(
        await words(page.locator("main")),
        /Fernhill Coffee Roasters as member *Join.*Create your organization/,
      );
      await page.getByRole("button", { name: "Join" }).click();
      await onStep(page, "About you");
      await page.goto(members);
      assert.match(await words(page.locator("main tbody")), "Noor Haddad");
      await finish(noor);
    });

    for (const script of [true, false])
      it.unless(
        reason,
        `The switch leads to the same page of the other organization ${script ? "with" : "without"} JavaScript`,
        async () => {
          const priya = await world().visit({ script });
          const { page } = priya;
          await page.goto(members);
          assert.is(await inviteButton(page).count(), 1, "an admin here");
          await page.locator(".fw-brand-choose:visible").click();
          await page.getByRole("link", { name: "Alder & Pine Outfitters" }).click();
          await arrive(page, /\/customer\/2\/organization_users$/);
          assert.match(await words(page.locator("main tbody")), "Grace Okafor");
          assert.is(await inviteButton(page).count(), 0, "a member there");
          await finish(priya);
        },
      );

    it.unless(reason, "Administrators see an organization's members under that name, and may add one", async () => {
      const admin = await world().visit();
      const { page } = admin;
      await page.goto("/admin/organizations/1");
      const panel = page.locator("section", { has: page.getByRole("heading", { name: "Members" }) });
      assert.match(await words(panel), /Priya Raman *Admin.*Maya Lindqvist *Owner/);
      await panel.getByRole("link", { name: "New member" }).click();
      await arrive(page, /nested_organization_users\/new$/);
      await finish(admin);
    });
  });
}
