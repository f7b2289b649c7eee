import { codeOf } from "../../generators/accounts_flow/hands.ts";
import { addDevice } from "../../support/authenticator.ts";
import type { Visitor } from "../../support/browser.ts";
import { assert } from "../../support/index.ts";
import { fill, send, sendRefused } from "../../system/accounts/hands.ts";
import { arrive } from "../../system/looks.ts";
import {
  addPasskey,
  enter,
  isIn,
  look,
  lookAtMail,
  makeCodes,
  places,
  setAppUp,
  signOut,
  signUp,
  textOf,
} from "./people.ts";
import type { Story } from "./thief.ts";
import type { MailedWorld } from "./world.ts";

const PASSWORD = "seven quiet lanterns";
const NEW = "harbour under winter rain";
export const ADMIN = "root@example.test";
const ADMIN_PASSWORD = "orchard behind the mill";

/** Removes the second factors of a person, in whichever of the places where that can be done. */
type Help = (world: MailedWorld, login: string) => Promise<void>;

/** Somebody had the authenticator app, the passkey and the recovery codes on the phone that is gone. */
export function tellLostPhone(can: Story, { login, how, help }: { login: string; how: string; help: Help }): void {
  let phone: Visitor;
  let desk: Visitor;
  let secret = "";
  let codes: string[] = [];

  can(
    `A user sets up an authenticator app, recovery codes and a passkey on the phone (${how})`,
    async ({ inbox, visit }) => {
      phone = await visit(places.phone);
      const { page } = phone;
      await signUp(page, login, PASSWORD, async () => (await inbox.expect([login, "Verify your address"]))[0]!.link);
      await arrive(page, /otp-setup$/);
      assert.match(await textOf(page), "This site requires a second factor");
      secret = await setAppUp(page, PASSWORD);
      await page.waitForURL((url) => !url.pathname.endsWith("/otp-setup"));
      await page.goto("/users/recovery-codes");
      codes = await makeCodes(page);
      const device = await addDevice(phone);
      await addPasskey(page, "My phone");
      await look(page, "webauthn-setup");
      await device.answer(false);
      await inbox.expect(
        [login, "An authenticator app was added"],
        [login, "New recovery codes"],
        [login, "A passkey was added"],
      );
      await page.goto("/users/account");
      await look(page, "account");
    },
  );

  can(
    `A password, a mailed link and a reset password do not sign in without the second factor (${how})`,
    async ({ inbox, visit }) => {
      desk = await visit(places.office);
      const { page } = desk;
      await addDevice(desk); // it has no passkey
      await enter(page, login, PASSWORD);
      await arrive(page, /otp-auth$/);
      await sendRefused(page, { otp_code: "000000" });
      await signOut(page);
      await page.goto("/users/email-auth");
      await fill(page, { login });
      await send(page);
      const [link] = await inbox.expect([login, "Your link to sign in"]);
      await page.goto(link!.link);
      await send(page);
      await arrive(page, /otp-auth$/);
      assert.not(await isIn(desk));
      await page.goto("/users/webauthn-auth");
      await send(page, "Use a passkey");
      await page.locator("[data-webauthn-error]:visible").waitFor();
      await signOut(page);
      await page.goto("/users/reset-password-request");
      await fill(page, { login });
      await send(page);
      const [reset] = await inbox.expect([login, "Set a new password"]);
      await page.goto(reset!.link);
      await fill(page, { password: NEW, password_confirmation: NEW });
      await send(page);
      await arrive(page, /login$/);
      await inbox.expect([login, "Your password at Shop was reset"]);
      await enter(page, login, NEW);
      await arrive(page, /otp-auth$/);
      await inbox.expect();
    },
  );

  can(`An administrator removes the second factors ${how}, and the user is mailed what was removed`, async (world) => {
    await help(world, login);
    const mails = await world.inbox.expect(
      [login, "An administrator removed your authenticator app"],
      [login, "An administrator removed your passkeys"],
      [login, "An administrator removed your recovery codes"],
    );
    for (const { text } of mails) assert.not.match(text, ADMIN);
    await lookAtMail(desk, mails[1]!, "passkeys-removed");
    await desk.page.goto("/users/otp-auth");
    await arrive(desk.page, /login$/);
  });

  can(
    `The user signs in with the password and sets up a new app, and the old factors are refused (${how})`,
    async ({ inbox }) => {
      const { page } = desk;
      await enter(page, login, NEW);
      await arrive(page, /otp-setup$/);
      await look(page, "otp-setup-required");
      assert.not(await isIn(desk));
      await page.goto("/users/otp-setup");
      const next = await setAppUp(page);
      await arrive(page, /\/customer$/);
      await page.goto("/users/recovery-codes");
      const others = await makeCodes(page);
      await inbox.expect(
        [login, "An authenticator app was added"],
        [login, "A new device signed in"],
        [login, "New recovery codes"],
      );
      await signOut(page);
      await enter(page, login, NEW);
      await arrive(page, /otp-auth$/);
      await sendRefused(page, { otp_code: await codeOf(secret) });
      await page.goto("/users/recovery-codes");
      await sendRefused(page, { recovery_code: codes[0]! });
      await page.goto("/users/otp-auth");
      await fill(page, { otp_code: await codeOf(next) });
      await send(page);
      await arrive(page, /\/customer$/);
      assert.not(await isIn(phone), "who has the phone is out");
      await inbox.expect();
      for (const { text, html } of inbox.all)
        for (const one of [PASSWORD, NEW, ADMIN_PASSWORD, secret, next, ...codes, ...others])
          assert.not.match(`${text}${html}`, one);
      await desk.context.close();
      await phone.context.close();
    },
  );
}

export const byCommand: Help = async ({ run }, login) => {
  const { out, err } = await run(["authlib:user:remove-factors", login]);
  assert.match(out + err, /otp|authenticator/);
};

/** On the page of the person's account, which the administrators' portal has; they show who they are once more. */
export const byPage: Help = async (world, login) => {
  const made = ["authlib:admin:create", ADMIN, "--role=super_admin", "--password-stdin"];
  await world.run(made, ADMIN_PASSWORD);
  const admin = await world.visit(places.home);
  const { page } = admin;
  await enterAsAdmin(admin);
  await world.inbox.expect([ADMIN, "An authenticator app was added"]);
  const { id } = await world.knex("users").where({ email: login }).first("id");
  await world.knex("admin_active_session_keys").update({ created_at: new Date(Date.now() - 3_600_000) }); // an hour ago
  await page.goto(`/admin/users/${id}`);
  await look(page, "admin-record");
  const remove = page.getByRole("link", { name: "Remove second factors" });
  if (!(await remove.isVisible())) await page.locator("summary[aria-label='More actions']").click();
  await remove.click();
  await arrive(page, /confirm-identity$/);
  await look(page, "confirm-identity");
  await fill(page, { password: ADMIN_PASSWORD });
  await send(page);
  await arrive(page, /remove_factors$/);
  await look(page, "admin-remove-factors");
  assert.match(await textOf(page), "After that, the password alone is enough to sign in");
  await send(page, "Remove second factors");
  await arrive(page, /\/users\/\d+$/);
  await page.getByText("The second factors are removed").waitFor();
  await look(page, "admin-record-removed");
  await admin.context.close();
};

/** Signs in for the first time, by two pages and an app that has to be set up. */
async function enterAsAdmin({ page }: Visitor): Promise<void> {
  await page.goto("/admins/login");
  await fill(page, { login: ADMIN });
  await send(page, "Continue");
  await page.locator("[name=password]").waitFor();
  await fill(page, { password: ADMIN_PASSWORD });
  await send(page, "Sign in");
  await arrive(page, /otp-setup$/);
  await setAppUp(page);
  await arrive(page, /\/admin$/);
}
