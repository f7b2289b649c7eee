import { setTimeout as sleep } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";
import { assert } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import type { World } from "./world.ts";

export const PASSWORD = "correct horse battery";
export const NEW = "meadow under winter rain";

/** Fails with the page where the answer is not the one that is meant. */
export async function expect(answer: Response, status: number, location?: string): Promise<Response> {
  if (answer.status !== status) assert.is(answer.status, status, `${answer.url}: ${words(await answer.text())}`);
  if (location !== undefined) assert.is(answer.headers.get("location"), location, answer.url);
  return answer;
}
const words = (html: string): string =>
  html
    .replaceAll(/<(script|style|svg)\b.*?<\/\1>/gs, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .slice(0, 600);

/** Signs up and opens the mailed link: a user who is signed in. */
export async function signUp(world: World, login: string, client = world.client()): Promise<Client> {
  const fields = { login, password: PASSWORD, password_confirmation: PASSWORD };
  await expect(await client.submit("/users/create-account", fields), 303, "/users/mailed?again=verify-account");
  await expect(await client.submit(await world.mailed(login, "Verify your address"), {}), 303);
  return client;
}

export async function signIn(client: Client, login: string, password = PASSWORD, more: Record<string, string> = {}) {
  return client.submit("/users/login", { login, password, ...more });
}

export async function signOut(client: Client, type = "users"): Promise<void> {
  await expect(await client.submit(`/${type}/logout`, {}), 303, `/${type}/login`);
}

/** What an authenticator app shows; it waits where the code would change on the way. `step` 1 is the next one, which is taken too. */
export async function codeOf(secret: string, step = 0): Promise<string> {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 4000) await sleep(left + 50);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + step * 30_000 });
}

/** Sets an authenticator app up by the page that asks for it, with the code of half a minute ago. */
export async function setAppUp(client: Client, type: string): Promise<{ secret: string; answer: Response }> {
  const page = await client.page(`/${type}/otp-setup`);
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(page)![1]!.replaceAll(" ", "");
  const otp_secret = /name="otp_secret" value="([^"]+)"/.exec(page)![1]!;
  const otp_code = await codeOf(secret, -1);
  return { secret, answer: await client.submit(`/${type}/otp-setup`, { otp_secret, otp_code }) };
}

/** The two phases of an administrator's login. */
export async function enterAsAdmin(client: Client, login: string, password: string): Promise<Response> {
  await expect(await client.submit("/admins/login", { login }), 303, "/admins/login");
  return client.submit("/admins/login", { password });
}
