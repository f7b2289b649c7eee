import type { Page } from "playwright-core";
import { addPeople, signIn } from "../../plugins/authlib/accounts.ts";
import { arrive } from "../looks.ts";
import { fill, GOOD, send, sendRefused } from "./hands.ts";
import type { Look, Tour } from "./tour.ts";

const long = "a.rather.long.address.for.a.person.with.many.names@department.of.measurements.example.test";

/** Opens pages and looks at them. */
export const seeing = (page: Page, look: Look) => async (path: string, name: string) => {
  await page.goto(path);
  await look(page, name);
};

export const signingIn: Tour = async (world, look) => {
  const visitor = await world.visit();
  const { page } = visitor;
  const see = seeing(page, look);
  await see("/users/account", "login");
  await sendRefused(page, { login: long, password: "wrong" }, "Sign in");
  await look(page, "login-refused");
  await see("/users/webauthn-auth", "webauthn-auth");
  await see(`${world.app.url}/users/webauthn-auth`, "webauthn-auth-address");
  await see("/admins/login", "login-first-phase");
  await fill(page, { login: long });
  await send(page, "Continue");
  await page.locator("[name=password]").waitFor();
  await look(page, "login-second-phase");
  await sendRefused(page, { password: "wrong" }, "Sign in");
  await look(page, "login-second-phase-refused");
  return [visitor];
};

export const signingUp: Tour = async ({ visit, mailed }, look) => {
  const [visitor, elsewhere] = [await visit(), await visit()];
  const { page } = visitor;
  const see = seeing(page, look);
  await see("/users/create-account", "create-account");
  await page.evaluate("document.querySelector('main form').noValidate = true");
  await sendRefused(page, { login: "nonsense@", password: "short", password_confirmation: "other" });
  await look(page, "create-account-refused");
  await fill(page, { login: "tour@example.test", password: GOOD, password_confirmation: GOOD });
  await send(page);
  await arrive(page, /mailed\?again=verify-account$/);
  await look(page, "mailed");
  await see("/users/verify-account", "verify-account-resend");
  const link = await mailed("tour@example.test", "Verify your address");
  await see(link, "verify-account");
  await seeing(elsewhere.page, look)(link, "verify-account-elsewhere");
  const common = { password: "password123", password_confirmation: "password123" };
  await sendRefused(elsewhere.page, common, "Verify and sign in");
  await look(elsewhere.page, "verify-account-elsewhere-refused");
  return [visitor, elsewhere];
};

export const behindMails: Tour = async ({ app, mailed, visit }, look) => {
  await addPeople(app, "user", long, "lock@example.test");
  const visitor = await visit();
  const { page } = visitor;
  const see = seeing(page, look);
  const ask = async (path: string, name: string) => {
    await see(`/users/${path}`, name);
    await fill(page, { login: long });
    await send(page);
    await arrive(page, /mailed/);
  };
  await ask("reset-password-request", "reset-password-request");
  await look(page, "mailed-long");
  await see(await mailed(long, "Set a new password"), "reset-password");
  await sendRefused(page, { password: "qwerty12345", password_confirmation: "qwerty12345" });
  await look(page, "reset-password-refused");
  await ask("email-auth", "email-auth-request");
  await see(await mailed(long, "link to sign in"), "email-auth");
  await see("/users/unlock-account", "unlock-request");
  for (let index = 0; index < 5; index++)
    await app.client().submit("/users/login", { login: "lock@example.test", password: "wrong" });
  await see(await mailed("lock@example.test", "Unlock"), "unlock");
  const client = await signIn(app, "user", long);
  await client.submit("/users/sessions", { all: "others" });
  await see(await mailed(long, "Sessions of your account"), "report-compromise");
  await client.submit("/users/invite", { login: "guest@example.test" });
  await see(await mailed("guest@example.test", "You are invited"), "accept-invitation");
  await sendRefused(page, { password: "short", password_confirmation: "short" });
  await look(page, "accept-invitation-refused");
  await see("/users/verify-account?key=none", "dead-link");
  return [visitor];
};
