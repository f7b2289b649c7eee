import type { Page } from "playwright-core";
import { addPeople, databaseOf, PASSWORD } from "../../plugins/authlib/accounts.ts";
import { arrive } from "../looks.ts";
import { codeOf, fill, secretOn, send, sendRefused, signInAs } from "./hands.ts";
import { seeing } from "./outside.ts";
import type { Look, Tour } from "./tour.ts";

const wrong = { password: "wrong" };

export const settings: Tour = async ({ app, mailed, visit }, look) => {
  const me = "in@example.test";
  await addPeople(app, "user", me);
  const visitor = await visit();
  const { page } = visitor;
  const see = seeing(page, look);
  const seeRefused = async (path: string, fields: Record<string, string>) => {
    await see(`/users/${path}`, path);
    await sendRefused(page, fields);
    await look(page, `${path}-refused`);
  };
  await signInAs(page, me);
  await see("/users/account", "account");
  const short = { new_password: "x", password_confirmation: "x" };
  await seeRefused("change-password", { ...short, password: PASSWORD });
  await seeRefused("change-login", { ...wrong, login: "in2@example.test" });
  await fill(page, { login: "in2@example.test", password: PASSWORD });
  await send(page);
  await arrive(page, /account$/);
  await see(await mailed("in2@example.test", "Confirm your new address"), "verify-login-change");
  await seeRefused("close-account", wrong);
  await seeRefused("invite", { login: me });
  for (const path of ["sessions", "logout", "held-form", "recovery-codes", "webauthn-setup"])
    await see(`/users/${path}`, `${path}-none`);
  return [visitor];
};

export const secondFactor: Tour = async ({ app, visit }, look) => {
  const me = "two@example.test";
  await addPeople(app, "user", me);
  const visitor = await visit();
  const { page } = visitor;
  await signInAs(page, me);
  await seeing(page, look)("/users/otp-setup", "otp-setup");
  const secret = await secretOn(page);
  await sendRefused(page, { otp_code: "000000" });
  await look(page, "otp-setup-refused");
  await fill(page, { otp_code: codeOf(secret) });
  await send(page);
  await arrive(page, /recovery-codes$/);
  await look(page, "recovery-codes");
  await send(page);
  await page.locator(".fw-authlib-codes").waitFor();
  await look(page, "recovery-codes-shown");
  await seeing(page, look)("/users/otp-setup", "otp-disable");
  await page.goto("/users/logout");
  await send(page);
  await arrive(page, /login$/);
  await signInAs(page, me);
  await askedForIt(page, look);
  return [visitor];
};

async function askedForIt(page: Page, look: Look): Promise<void> {
  await look(page, "otp-auth");
  await sendRefused(page, { otp_code: "000000" });
  await look(page, "otp-auth-refused");
  await page.getByRole("link", { name: "Use a recovery code" }).click();
  await arrive(page, /recovery-codes$/);
  await look(page, "recovery-auth");
  await sendRefused(page, { recovery_code: "nothing" });
  await look(page, "recovery-auth-refused");
}

/** A form that was sent from another page than its own, so that it waits under the account. */
export const heldForm: Tour = async ({ app, visit }, look) => {
  const me = "waits@example.test";
  const [id] = await addPeople(app, "user", me);
  const visitor = await visit();
  const { page } = visitor;
  await signInAs(page, me);
  await page.evaluate(
    'fetch("/user/form").then((answer) => answer.text()).then((text) => { document.body.innerHTML = text; })',
  );
  await page.locator("[name=text]").fill("what I typed");
  await databaseOf(app.application).knex("user_active_session_keys").where({ account_id: id }).delete();
  await page.locator("[name=text]").press("Enter");
  await arrive(page, /login$/);
  await signInAs(page, me);
  await page.goto("/users/account");
  await page.getByRole("link", { name: "Unsent form" }).click();
  await arrive(page, /held-form$/);
  await look(page, "held-form");
  return [visitor];
};
