import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../../../testing/client.ts";
import type { TestType } from "../accounts.ts";
import { asJson, codeOf, everything, tokenImports } from "./support.ts";

export const FIRST = "marker-password-one";
export const SECOND = "marker-password-two";
/** An account type with everything that a story needs. */
export const storied: TestType = {
  features: `${everything}, otpUnlock({ codes: 1 }), accountExpiration(), securityMails(), jwt(), jwtRefresh()`,
  imports: tokenImports,
  // what an application's own code does to an account, and an administrator, asked for over HTTP as all of the stories are
  body: `async beforeLogout() {
    if (this.param("story") === "password_change_required") await this.requirePasswordChange(this.account!);
    if (this.param("story") === "expiration_ended") await this.reopenExpired(this.account!);
  }
  override async submitUnlockAccount() {
    const deed = this.param("deed");
    if (deed === undefined) return super.submitUnlockAccount();
    const accounts = this.request.kernel.service("auth").accounts("user");
    return this.controller.json({ done: (await accounts[deed](this.param("login"))) ?? null });
  }`,
};
const byHand = (world: World, deed: string, login: string) => world.post("/users/unlock-account", { deed, login });

type Fields = Record<string, string>;
type Body = Record<string, unknown>;

/** An application from outside: visitors, mails, and the secrets that were handed out on the way. */
export class World {
  readonly url: string;
  /** What was handed out, with the pages that may show it. */
  readonly secrets: { name: string; value: string; shownAt: RegExp }[] = [];
  #count = 0;

  constructor(url: string) {
    this.url = url;
  }
  secret(name: string, value: string, shownAt: RegExp): string {
    this.secrets.push({ name, value, shownAt });
    return value;
  }
  login(): string {
    return `p${++this.#count}@example.test`;
  }
  client(): Client {
    return new Client(this.url);
  }
  async post(path: string, body: unknown, headers: Fields = {}): Promise<{ status: number; body: Body }> {
    const init = { method: "POST", headers: { ...asJson, ...headers }, body: JSON.stringify(body) };
    const answer = await fetch(this.url + path, init);
    const found = { status: answer.status, body: (await answer.json()) as Body };
    for (const kind of ["access_token", "refresh_token", "pending_token"])
      if (typeof found.body[kind] === "string") this.secret(kind, found.body[kind], /^POST \/users\//);
    return found;
  }
  /** The path of the link in the mail to somebody whose subject says this, once it has come. */
  async link(to: string, subject: string): Promise<string> {
    for (let attempt = 0; attempt < 200; attempt++) {
      const answer = await fetch(`${this.url}/_fw/mails`, { headers: { accept: "application/json" } });
      const mails = (await answer.json()) as { to: string; subject: string; text: string }[];
      const mail = mails.find((one) => one.to === to && one.subject.includes(subject));
      const path = mail && /https?:\/\/[^/\s]+(\/\S+)/.exec(mail.text)?.[1];
      if (path) {
        const page = path.replace(/\?.*/, "");
        this.secret(`link ${subject}`, path.slice(page.length + 5), new RegExp(`^\\w+ (?:/_fw/mails|${page})`));
        return path;
      }
      await sleep(50);
    }
    throw new Error(`no mail to ${to} says "${subject}"`);
  }
  /** Somebody who signed up and showed that the address is theirs. */
  async person(): Promise<string> {
    const login = this.login();
    await this.post("/users/create-account", { login, password: SECOND, password_confirmation: SECOND });
    const path = await this.link(login, "Verify your address");
    const key = path.slice(path.indexOf("=") + 1);
    await this.post("/users/verify-account", { key, password: FIRST, password_confirmation: FIRST });
    return login;
  }
  async signIn(login: string, fields: Fields = {}): Promise<Client> {
    const client = this.client();
    const answer = await client.submit("/users/login", { login, password: FIRST, ...fields });
    if (answer.status !== 303) throw new Error(`${login} could not sign in: ${answer.status}`);
    const device = client.cookie("fw_user_remember");
    if (device) this.secret("device", device, /^POST \/users\/login: set-cookie/);
    return client;
  }
  /** Somebody with an app that shows codes. */
  async withCodes(): Promise<{ login: string; client: Client; secret: string }> {
    const login = await this.person();
    const client = await this.signIn(login);
    return { login, client, secret: await this.setUp(client) };
  }
  async setUp(client: Client, tries = 2): Promise<string> {
    const page = await client.page("/users/otp-setup");
    const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(page)![1]!;
    const bare = secret.replaceAll(" ", "");
    for (const value of [secret, bare]) this.secret("otp secret", value, /^(?:GET|POST) \/users\/otp-setup/);
    const otp_secret = /name="otp_secret" value="([^"]+)"/.exec(page)![1]!;
    const { status } = await client.submit("/users/otp-setup", { otp_secret, otp_code: codeOf(bare, -1) });
    return status === 422 && tries > 1 ? this.setUp(client, tries - 1) : bare; // half a minute ended meanwhile
  }
  async halfIn(login: string): Promise<Client> {
    const client = this.client();
    await client.submit("/users/login", { login, password: FIRST });
    return client;
  }
  async recoveryCodes(client: Client): Promise<string[]> {
    await client.submit("/users/recovery-codes", {});
    const page = await client.page("/users/recovery-codes");
    const codes = [...page.matchAll(/[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}/g)].map(([code]) => code);
    for (const code of codes) this.secret("recovery code", code, /^GET \/users\/recovery-codes/);
    return codes;
  }
}

/** For each event that an account can have, how it comes about: once, and whatever else happens on the way. */
export const stories: Record<string, (world: World) => Promise<unknown>> = {
  created: (world) =>
    world.post("/users/create-account", { login: world.login(), password: FIRST, password_confirmation: FIRST }),
  verified: (world) => world.person(),
  first_factor_passed: async (world) => {
    const { login } = await world.withCodes();
    return () => world.halfIn(login);
  },
  login: async (world) => {
    const login = await world.person();
    return () => world.signIn(login, { remember: "1" });
  },
  login_failed: async (world) => () => world.post("/users/login", { login: world.login(), password: FIRST }),
  logout: async (world) => {
    const client = await world.signIn(await world.person());
    return () => client.submit("/users/logout", {});
  },
  password_change_required: async (world) => {
    const client = await world.signIn(await world.person());
    return () => client.submit("/users/logout", { story: "password_change_required" });
  },
  expiration_ended: async (world) => {
    const client = await world.signIn(await world.person());
    return () => client.submit("/users/logout", { story: "expiration_ended" });
  },
  identity_confirmed: async (world) => {
    const client = await world.signIn(await world.person());
    return () => client.submit("/users/confirm-identity", { password: FIRST });
  },
  password_reset_requested: async (world) => {
    const login = await world.person();
    return async () => {
      await world.post("/users/reset-password-request", { login });
      await world.link(login, "Set a new password");
    };
  },
  password_changed: async (world) => {
    const login = await world.person();
    await world.post("/users/reset-password-request", { login });
    const path = await world.link(login, "Set a new password");
    const client = await world.signIn(login);
    const fields = { password: SECOND, password_confirmation: SECOND };
    await client.submit(path, fields);
    const own = world.client();
    await own.submit("/users/login", { login, password: SECOND });
    return () =>
      own.submit("/users/change-password", { password: SECOND, new_password: FIRST, password_confirmation: FIRST });
  },
  login_change_requested: async (world) => {
    const client = await world.signIn(await world.person());
    return () => client.submit("/users/change-login", { login: world.login(), password: FIRST });
  },
  login_changed: async (world) => {
    const client = await world.signIn(await world.person());
    const login = world.login();
    await client.submit("/users/change-login", { login, password: FIRST });
    const path = await world.link(login, "Confirm your new address");
    return () => client.submit(path, {});
  },
  closed: async (world) => {
    const client = await world.signIn(await world.person());
    return () => client.submit("/users/close-account", { password: FIRST });
  },
  reopened: async (world) => {
    const login = await world.person();
    await byHand(world, "close", login);
    return () => byHand(world, "reopen", login);
  },
  password_link_made: async (world) => {
    const login = await world.person();
    return async () => {
      const { body } = await byHand(world, "issueLink", login);
      world.secret("link by hand", String(body.done).split("key=")[1]!, /^POST \/users\/unlock-account/);
    };
  },
  locked: async (world) => () => lock(world, world.login()),
  unlocked: async (world) => {
    const login = await world.person();
    await lock(world, login);
    const path = await world.link(login, "Unlock your account");
    return () => world.client().submit(path, {});
  },
  second_factor_added: (world) => world.withCodes(),
  second_factor_failed: async (world) => {
    const { login } = await world.withCodes();
    const client = await world.halfIn(login);
    return () => client.submit("/users/otp-auth", { otp_code: "000000" });
  },
  otp_locked: async (world) => {
    const { login } = await world.withCodes();
    const client = await world.halfIn(login);
    await guessCodes(client, 4);
    return () => guessCodes(client, 1);
  },
  otp_unlocked: async (world) => {
    const { login, secret } = await world.withCodes();
    const client = await world.halfIn(login);
    await guessCodes(client, 5);
    return () => client.submit("/users/otp-unlock", { otp_code: codeOf(secret) });
  },
  otp_unlock_failed: async (world) => {
    const { login } = await world.withCodes();
    const client = await world.halfIn(login);
    await guessCodes(client, 5);
    return () => client.submit("/users/otp-unlock", { otp_code: "000000" });
  },
  second_factor_removed: async (world) => {
    const { client } = await world.withCodes();
    return () => client.submit("/users/otp-setup", { password: FIRST });
  },
  recovery_codes_made: async (world) => {
    const { client } = await world.withCodes();
    return () => world.recoveryCodes(client);
  },
  recovery_code_used: async (world) => {
    const { login, client } = await world.withCodes();
    const [code] = await world.recoveryCodes(client);
    const { body } = await world.post("/users/login", { login, password: FIRST });
    const bearer = { authorization: `Bearer ${body.pending_token}` };
    return () => world.post("/users/recovery-codes", { recovery_code: code }, bearer);
  },
  sessions_revoked: async (world) => {
    const client = await world.signIn(await world.person());
    return () => client.submit("/users/sessions", { all: "others" });
  },
  email_link_requested: async (world) => {
    const login = await world.person();
    return async () => {
      await world.post("/users/email-auth", { login });
      await world.link(login, "Your link to sign in");
    };
  },
  invited: async (world) => {
    const client = await world.signIn(await world.person());
    const login = world.login();
    return async () => {
      await client.submit("/users/invite", { login });
      await world.link(login, "You are invited");
    };
  },
  compromise_reported: async (world) => {
    const { login } = await world.withCodes();
    const path = await world.link(login, "An authenticator app was added");
    return () => world.client().submit(path, {});
  },
  refreshed: async (world) => {
    const { refresh_token } = await tokens(world);
    return () => world.post("/users/jwt-refresh", { refresh_token });
  },
  refresh_reused: async (world) => {
    const { refresh_token } = await tokens(world);
    for (let time = 0; time < 2; time++) await world.post("/users/jwt-refresh", { refresh_token });
    return () => world.post("/users/jwt-refresh", { refresh_token });
  },
};

async function lock(world: World, login: string): Promise<void> {
  for (let time = 0; time < 5; time++) await world.post("/users/login", { login, password: SECOND });
}
async function guessCodes(client: Client, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await client.submit("/users/otp-auth", { otp_code: "000000" });
}
async function tokens(world: World): Promise<Body> {
  return (await world.post("/users/login", { login: await world.person(), password: FIRST })).body;
}
