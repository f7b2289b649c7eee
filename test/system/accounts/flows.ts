import type { Page } from "playwright-core";
import { addPeople, databaseOf, PASSWORD } from "../../plugins/authlib/accounts.ts";
import { assert, describe } from "../../support/index.ts";
import { arrive, assertNarrow, words } from "../looks.ts";
import { finish } from "../stories/pages.ts";
import { codeOf, fill, GOOD, secretOn, send, signInAs } from "./hands.ts";
import type { AccountsWorld } from "./world.ts";

export function tellFlows(world: () => AccountsWorld, reason: string | undefined): void {
  describe("The flows of accounts in Chromium", (it) => {
    for (const script of [true, false]) {
      const how = script ? "with JavaScript" : "without JavaScript";
      const name = (login: string) => `${login}-${script ? "script" : "plain"}@example.test`;

      it.unless(
        reason,
        `A user signs up, verifies, changes the password, signs out and signs in again ${how}`,
        async () => {
          const visitor = await world().visit({ script, width: "narrow" });
          await signUp(world(), visitor.page, name("new"));
          await changePassword(visitor.page, name("new"));
          await finish(visitor);
        },
      );

      it.unless(reason, `A user sets a forgotten password by a mailed link ${how}`, async () => {
        await addPeople(world().app, "user", name("forgot"));
        const visitor = await world().visit({ script });
        const { page } = visitor;
        await page.goto("/users/login");
        await fill(page, { login: name("forgot"), password: "wrong" });
        await send(page, "Sign in");
        await page.locator("main [role=alert]").waitFor();
        await page.getByRole("link", { name: "Forgot your password?" }).click();
        await arrive(page, /reset-password-request$/);
        assert.is(await page.locator("[name=login]").inputValue(), name("forgot"), "it was typed already");
        await send(page);
        await arrive(page, /mailed/);
        await page.reload();
        assert.match(await words(page.locator("main")), name("forgot"));
        await page.goto(await world().mailed(name("forgot"), "Set a new password"));
        await fill(page, { password: GOOD, password_confirmation: GOOD });
        await send(page);
        await arrive(page, /login$/);
        await signInAs(page, name("forgot"), "users", GOOD);
        await finish(visitor);
      });

      it.unless(
        reason,
        `A form that is sent after the session ended comes back filled in after the sign-in ${how}`,
        async () => {
          const [id] = await addPeople(world().app, "user", name("held"));
          const visitor = await world().visit({ script });
          const { page } = visitor;
          await signInAs(page, name("held"));
          await page.goto("/user/form");
          await page.locator("[name=text]").fill("what I typed");
          await databaseOf(world().app.application).knex("user_active_session_keys").where({ account_id: id }).delete();
          await page.locator("[name=text]").press("Enter");
          await arrive(page, /login$/);
          await fill(page, { login: name("held"), password: PASSWORD });
          await send(page, "Sign in");
          await arrive(page, /user\/form$/);
          assert.is(await page.locator("[name=text]").inputValue(), "what I typed");
          await finish(visitor);
        },
      );

      it.unless(
        reason,
        `An administrator must set up an authenticator app, and enters its code after the password ${how}`,
        async () => {
          await addPeople(world().app, "admin", name("otp"));
          const visitor = await world().visit({ script, width: "narrow" });
          await setAppUp(visitor.page, name("otp"));
          await finish(visitor);
        },
      );
    }

    it.unless(reason, "The pages of accounts fit a narrow screen without JavaScript", async () => {
      await addPeople(world().app, "user", "narrow@example.test");
      const visitor = await world().visit({ script: false, width: "narrow", theme: "dark" });
      const see = async (paths: readonly string[]) => {
        for (const path of paths) {
          await visitor.page.goto(`/users/${path}`);
          await assertNarrow(visitor.page, `accounts-plain-${path}`);
        }
      };
      await see(["login", "create-account", "mailed", "reset-password-request", "webauthn-auth", "email-auth"]);
      await signInAs(visitor.page, "narrow@example.test");
      await see(["account", "change-password", "change-login", "sessions", "otp-setup", "recovery-codes", "invite"]);
      await see(["webauthn-setup", "close-account", "logout"]);
      await finish(visitor);
    });

    it.unless(reason, "A user signs in and reveals the password with the keyboard alone", async () => {
      await addPeople(world().app, "user", "keys@example.test");
      const visitor = await world().visit();
      const { page } = visitor;
      await page.goto("/users/login");
      await page.locator("input:focus").waitFor();
      await page.keyboard.type("keys@example.test");
      await page.keyboard.press("Tab");
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      assert.is(await page.locator("[name=password]").getAttribute("type"), "text");
      await page.keyboard.press("Shift+Tab");
      await page.keyboard.press("Enter");
      await arrive(page, /\/user$/);
      await finish(visitor);
    });
  });
}

async function signUp({ mailed }: AccountsWorld, page: Page, login: string): Promise<void> {
  await page.goto("/users/login");
  await page.getByRole("link", { name: "Create an account" }).click();
  await arrive(page, /create-account$/);
  await fill(page, { login, password: GOOD, password_confirmation: GOOD });
  await send(page);
  await arrive(page, /mailed/);
  assert.match(await words(page.locator("main")), login);
  await assertNarrow(page, `accounts-mailed-${login}`);
  await page.goto(await mailed(login, "Verify your address"));
  await send(page, "Verify and sign in");
  await arrive(page, /\/user$/);
}

async function changePassword(page: Page, login: string): Promise<void> {
  await page.goto("/users/account");
  await page.getByRole("link", { name: "Change: Password" }).click();
  await arrive(page, /change-password$/);
  await fill(page, { password: GOOD, new_password: `${GOOD} again`, password_confirmation: `${GOOD} again` });
  await send(page);
  await arrive(page, /account$/);
  assert.match(await words(page.locator(".fw-flash")), "Your password is changed.");
  await send(page, "Sign out");
  await arrive(page, /login$/);
  await signInAs(page, login, "users", `${GOOD} again`);
}

async function setAppUp(page: Page, login: string): Promise<void> {
  const enter = async () => {
    await page.goto("/admins/login");
    await fill(page, { login });
    await send(page, "Continue");
    await page.locator("[name=password]").waitFor();
    await fill(page, { password: PASSWORD });
    await send(page, "Sign in");
  };
  await enter();
  await arrive(page, /otp-setup$/);
  const secret = await secretOn(page);
  await fill(page, { otp_code: codeOf(secret) });
  await send(page, "Turn on");
  await arrive(page, /\/admin$/);
  await page.goto("/admins/logout");
  await send(page);
  await arrive(page, /login$/);
  await enter();
  await arrive(page, /otp-auth$/);
  await page.locator("[name=otp_code]").fill(codeOf(secret, 1));
  await send(page, "Continue");
  await arrive(page, /\/admin$/);
}
