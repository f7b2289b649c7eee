import type { Page } from "playwright-core";
import { addPeople, databaseOf, PASSWORD } from "../../plugins/authlib/accounts.ts";
import type { Visitor } from "../../support/browser.ts";
import { arrive } from "../looks.ts";
import { codeOf, fill, secretOn, send, sendRefused, signInAs } from "./hands.ts";
import type { Look } from "./tour.ts";
import type { AccountsWorld } from "./world.ts";

const me = "in@example.test";
const wrong = { password: "wrong" };

/** Every page of an account, and those of its second factor. */
export async function tourInside(world: AccountsWorld, look: Look): Promise<Visitor[]> {
  await addPeople(world.app, "user", me);
  const held = await heldForm(world, look);
  const [visitor, elsewhere] = [await world.visit(), await world.visit()];
  await signInAs(elsewhere.page, me);
  await signInAs(visitor.page, me);
  await settings(world, visitor.page, look);
  await secondFactor(visitor.page, look);
  await askedForIt(elsewhere.page, look);
  return [visitor, elsewhere, held];
}

/** A form that was sent from another page than its own, so that it waits under the account. */
async function heldForm(world: AccountsWorld, look: Look): Promise<Visitor> {
  const visitor = await world.visit();
  const { page } = visitor;
  await signInAs(page, me);
  await page.evaluate(
    'fetch("/user/form").then((answer) => answer.text()).then((text) => { document.body.innerHTML = text; })',
  );
  await page.locator("[name=text]").fill("what I typed");
  await databaseOf(world.app.application).knex("user_active_session_keys").delete();
  await page.locator("[name=text]").press("Enter");
  await arrive(page, /login$/);
  await signInAs(page, me);
  await page.goto("/users/account");
  await page.getByRole("link", { name: "An unsent form" }).click();
  await arrive(page, /held-form$/);
  await look(page, "held-form");
  return visitor;
}

async function settings({ mailed }: AccountsWorld, page: Page, look: Look): Promise<void> {
  const see = async (path: string, name: string) => {
    await page.goto(path);
    await look(page, name);
  };
  const seeRefused = async (path: string, name: string, fields: Record<string, string>) => {
    await see(path, name);
    await sendRefused(page, fields);
    await look(page, `${name}-refused`);
  };
  await see("/users/account", "account");
  const short = { new_password: "x", password_confirmation: "x" };
  await seeRefused("/users/change-password", "change-password", { ...short, password: PASSWORD });
  await seeRefused("/users/change-login", "change-login", { ...wrong, login: "in2@example.test" });
  await fill(page, { login: "in2@example.test", password: PASSWORD });
  await send(page);
  await arrive(page, /account$/);
  await look(page, "account-told");
  await see(await mailed("in2@example.test", "Confirm your new address"), "verify-login-change");
  await seeRefused("/users/close-account", "close-account", wrong);
  await see("/users/sessions", "sessions");
  await seeRefused("/users/invite", "invite", { login: me });
  await see("/users/logout", "logout");
  await see("/users/held-form", "held-form-none");
  await see("/users/recovery-codes", "recovery-codes-none");
  await see("/users/webauthn-setup", "webauthn-setup-none");
}

async function secondFactor(page: Page, look: Look): Promise<void> {
  await page.goto("/users/otp-setup");
  await look(page, "otp-setup");
  const secret = await secretOn(page);
  await sendRefused(page, { otp_code: "000000" });
  await look(page, "otp-setup-refused");
  await fill(page, { otp_code: codeOf(secret, -1) });
  await send(page);
  await arrive(page, /recovery-codes$/);
  await look(page, "recovery-codes");
  await send(page);
  await page.locator(".fw-authlib-codes").waitFor();
  await look(page, "recovery-codes-shown");
  await page.goto("/users/otp-setup");
  await look(page, "otp-disable");
}

async function askedForIt(page: Page, look: Look): Promise<void> {
  await page.goto("/users/logout");
  await send(page);
  await arrive(page, /login$/);
  await look(page, "signed-out");
  await signInAs(page, me);
  await look(page, "otp-auth");
  await sendRefused(page, { otp_code: "000000" });
  await look(page, "otp-auth-refused");
  await page.getByRole("link", { name: "Use a recovery code" }).click();
  await arrive(page, /recovery-codes$/);
  await look(page, "recovery-auth");
  await sendRefused(page, { recovery_code: "nothing" });
  await look(page, "recovery-auth-refused");
}
