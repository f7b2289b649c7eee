import { setTimeout as sleep } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";
import type { TestApp } from "../../../support/apps.ts";
import type { Client } from "../../../testing/client.ts";
import { type AccountsOptions, databaseOf } from "../accounts.ts";

/** Every feature of people with pages, passkeys excepted: they need a browser. */
export const everything =
  "login(), logout(), remember(), createAccount(), verifyAccount(), resetPassword(), invitation(), changePassword(), changeLogin(), closeAccount(), lockout(), activeSessions(), emailAuth(), otp(), recoveryCodes(), auditLogging()";

/** Hashes in no time, and counts how often a password is looked at: for tests that are not about hashing. */
export const quick: NonNullable<AccountsOptions["plugins"]> = {
  imports: `import { createHash } from "node:crypto"; import { definePlugin } from "framewright/kernel";
    const quick = (password: string) => "quick " + createHash("sha256").update(password).digest("hex");`,
  list: `definePlugin({ name: "quick", provides: "passwordHasher", replaces: true, apply: () => ({
    hash: async (password) => quick(password),
    verify: async (password, hash) => { (globalThis as any).tried = ((globalThis as any).tried ?? 0) + 1; return hash === quick(password); },
    needsRehash: () => false }) }),`,
};
const counter = globalThis as { tried?: number };
/** How many passwords are looked at while something is done. */
export async function triedWhile(work: () => Promise<unknown>): Promise<number> {
  counter.tried = 0;
  await work();
  return counter.tried;
}

/** `quick`, and the plugin of tokens. */
export const quickWithTokens: NonNullable<AccountsOptions["plugins"]> = {
  imports: `${quick.imports} import { jwtTokens } from "framewright/plugins/jwt";`,
  list: `...(standard.some(({ name }) => name === "jwt") ? [] : [jwtTokens()]), ${quick.list}`,
};
export const tokenImports = `import { jwt, jwtRefresh } from "framewright/plugins/jwt";`;

export const asJson = { accept: "application/json", "content-type": "application/json" };
export const post = (app: TestApp, path: string, body: unknown, headers: Record<string, string> = {}) =>
  app.request(path, { method: "POST", headers: { ...asJson, ...headers }, body: JSON.stringify(body) });

/** Whether the account's portal opens to this visitor. */
export const opens = async (client: Client, path = "/user"): Promise<boolean> =>
  (await client.request(path)).status === 200;

/** Everything that is stored about accounts, as text; when somebody was last seen, and what is to be mailed, excepted. */
export async function stored(app: TestApp): Promise<string> {
  const database = databaseOf(app.application);
  const left = (await database.tables()).filter(
    (table) => !/^(?:knex_|framewright_(?:jobs|limits|migration|schema))/.test(table),
  );
  const lines: string[] = [];
  for (const table of left.sort()) {
    for (const row of await database.rows(database.knex(table)))
      lines.push(`${table} ${JSON.stringify({ ...row, last_use: undefined })}`);
  }
  return lines.join("\n");
}

/** An answer without what differs from one to the next: the date, the masks of tokens, the login that was typed. */
export async function neutral(answer: Response, login: string) {
  const mask = (text: string) => text.replaceAll(login, "LOGIN").replaceAll(/(?<![\w-])[\w-]{86}(?![\w-])/g, "TOKEN");
  const headers = [...answer.headers].filter(([name]) => name !== "date" && name !== "set-cookie");
  const cookies = answer.headers
    .getSetCookie()
    .map((line) => line.replace(/=([^;]*)/, (_, value) => `=${value.length}`));
  return { status: answer.status, headers, cookies, body: mask(await answer.text()) };
}

/** Lets nobody pass before so many have come. */
export function barrier(count: number): () => Promise<void> {
  let open = () => {};
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  let here = 0;
  return () => {
    if (++here === count) open();
    return all;
  };
}

/** The first row of a table, as it is stored. */
export async function rowOf(app: TestApp, table: string, where: object): Promise<Record<string, unknown>> {
  return (await databaseOf(app.application).knex(table).where(where).first()) as Record<string, unknown>;
}

/** The code that an authenticator app shows now, or some half minutes from now. */
export const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

/** Waits where the half minute of a code is about to end. */
export async function waitForFreshCode(): Promise<void> {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 3000) await sleep(left + 50);
}

/** Sets an authenticator app up for who is signed in; returns its secret. The code of now is still good afterwards. */
export async function setUpCodes(client: Client, plural = "users", tries = 2): Promise<string> {
  const page = await client.page(`/${plural}/otp-setup`);
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(page)![1]!.replaceAll(" ", "");
  const otp_secret = /name="otp_secret" value="([^"]+)"/.exec(page)![1]!;
  const answer = await client.submit(`/${plural}/otp-setup`, { otp_secret, otp_code: codeOf(secret, -1) });
  if (answer.status === 422 && tries > 1) return setUpCodes(client, plural, tries - 1); // half a minute ended meanwhile
  if (answer.status !== 303) throw new Error(`no code could be set up: ${answer.status}`);
  return secret;
}
