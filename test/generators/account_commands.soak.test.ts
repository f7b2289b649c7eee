import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { cleanEnv, runPiped } from "./production.ts";
import { fwOk, newApp, type Ran, runFw } from "./support.ts";

const ANN = "ann@shop.test";
const PASSWORD = "correct horse battery staple";
const NEW = "meadow under summer rain";

const piped = (cwd: string, input: string, ...words: string[]): Promise<Ran> => runPiped(cwd, cleanEnv(), words, input);

describe("Commands that restore access to accounts", (it, { before, after }) => {
  let app = "";
  let served: Awaited<ReturnType<typeof serveApp>>;
  before(async () => {
    app = await newApp("shop");
    await fwOk(app, "g", "fw:authlib:account", "user", "--otp", "--recovery_codes", "--audit_logging");
    await fwOk(app, "db:migrate");
    const made = await piped(app, PASSWORD, "authlib:admin:create", ANN, "--account=user", "--password-stdin");
    assert.is(made.code, 0, made.err);
    const secret = /^SECRET_KEY_BASE=(.*)$/m.exec(readFileSync(join(app, ".env.development"), "utf8"))![1]!;
    served = await serveApp(app, { NODE_ENV: "development", SECRET_KEY_BASE: secret });
  });
  after(async () => {
    served.child.kill("SIGTERM");
    await exitOf(served.child);
  });
  const user = (verb: string, ...words: string[]) => fwOk(app, `authlib:user:${verb}`, ...words).then(({ out }) => out);
  const refused = async (code: number, wanted: string | RegExp, verb: string, ...words: string[]) => {
    const ran = await runFw(app, `authlib:user:${verb}`, ...words);
    assert.is(ran.code, code, ran.out + ran.err);
    assert.match(ran.err, wanted);
  };
  const tries = async (password: string, login = ANN) => {
    const client = new Client(served.url);
    return { client, answer: await client.submit("/users/login", { login, password }) };
  };
  const isIn = async (client: Client) => (await client.request("/users/account")).status === 200;
  const half = async (password: string) => (await tries(password)).answer.headers.get("location");

  it("authlib:user:show prints the login, state, password, last sign-in and sessions of an account", async () => {
    const out = await user("show", ANN);
    for (const line of [/^login +ann@shop\.test$/m, /^state +open$/m, /^password +yes$/m, /^last sign-in +never$/m])
      assert.match(out, line);
    const status = JSON.parse(await user("show", "1", "--json"));
    assert.equal([status.id, status.login, status.sessions], [1, ANN, 0]);
  });
  it("authlib:user:remove-factors ends the sessions and lets a user sign in without the lost app and recovery codes", async () => {
    const { client } = await tries(PASSWORD);
    const page = await client.page("/users/otp-setup");
    const secret = Secret.fromBase32(/<code>([A-Z2-7 ]+)<\/code>/.exec(page)![1]!.replaceAll(" ", ""));
    const otp_secret = /name="otp_secret" value="([^"]+)"/.exec(page)![1]!;
    const otp_code = new TOTP({ secret }).generate();
    assert.is((await client.submit("/users/otp-setup", { otp_secret, otp_code })).status, 303);
    await client.submit("/users/recovery-codes", {});
    assert.is(await half(PASSWORD), "/users/otp-auth");
    assert.match(await user("show", ANN), /^otp +1, since 2/m);
    assert.match(await user("remove-factors", ANN), /otp \(1\)/);
    assert.is(await isIn(client), false, "the thief of the phone is out");
    assert.ok(await isIn((await tries(PASSWORD)).client));
    assert.match(await user("remove-factors", ANN, "--kind=otp"), "no such factors");
    await refused(1, /no factors of the kind "sms".* It has: otp, recovery_codes/, "remove-factors", ANN, "--kind=sms");
  });
  it("authlib:user:lock refuses the right password until authlib:user:unlock", async () => {
    assert.match(await user("lock", ANN, "--minutes=5"), /no password is accepted until \d{4}-/);
    assert.is((await tries(PASSWORD)).answer.status, 422);
    assert.match(await user("unlock", ANN), `unlocked ${ANN}`);
    assert.is((await tries(PASSWORD)).answer.status, 303);
    assert.match(await user("unlock", ANN), "was not locked");
    await refused(2, "--minutes", "lock", ANN, "--minutes=soon");
  });
  it("authlib:user:set-password reads only stdin, ends the sessions, and prints neither the password nor a link", async () => {
    await refused(2, "--password-stdin", "set-password", ANN);
    const short = await piped(app, "short", "authlib:user:set-password", ANN, "--password-stdin");
    assert.is(short.code, 1);
    assert.match(short.err, "must have at least");
    const { client } = await tries(PASSWORD);
    const ran = await piped(app, `${NEW}\n`, "authlib:user:set-password", ANN, "--password-stdin");
    assert.is(ran.code, 0, ran.err);
    assert.not.match(ran.out + ran.err, /meadow|http/);
    assert.is(await isIn(client), false);
    assert.ok(await isIn((await tries(NEW)).client));
  });
  it("authlib:user:end-sessions signs an account out", async () => {
    const { client } = await tries(NEW);
    assert.match(await user("end-sessions", ANN), /ended \d+ sign-ins? of/);
    assert.is(await isIn(client), false);
  });
  it("A closed account is reopened, and its owner sets a password by the printed link", async () => {
    assert.match(await user("close", ANN), `closed ${ANN}`);
    assert.is((await tries(NEW)).answer.status, 422);
    await refused(1, /close does not apply .*closed.*authlib:user:reopen/, "close", ANN);
    assert.match(await user("reopen", ANN), `reopened ${ANN}`);
    assert.match(await user("mail-reset", ANN), "mailed a link");
    await refused(1, 'needs "invitation"', "resend-invitation", ANN);
    const out = await user("link", ANN);
    const link = new URL(/https?:\/\/\S+/.exec(out)![0]);
    const chosen = { password: PASSWORD, password_confirmation: PASSWORD };
    assert.is((await new Client(served.url).submit(link.pathname + link.search, chosen)).status, 303);
    assert.ok(await isIn((await tries(PASSWORD)).client));
  });
  it("authlib:user:verify opens an account that was not verified by mail, without a password", async () => {
    const fields = { login: "bob@shop.test", password: NEW, password_confirmation: NEW };
    await new Client(served.url).submit("/users/create-account", fields);
    assert.match(await user("verify", "bob@shop.test"), "It has no password");
    assert.match(await user("show", "bob@shop.test"), /^password +none$/m);
    await refused(1, "There is nothing to do", "verify", "bob@shop.test");
  });
  it("authlib:user:change-login moves an account to a new login and refuses one that is taken", async () => {
    await user("change-login", ANN, "anna@shop.test");
    assert.ok(await isIn((await tries(PASSWORD, "anna@shop.test")).client));
    await refused(1, `"${ANN}"`, "show", ANN);
    await refused(1, "has the login", "change-login", "1", "bob@shop.test");
    await refused(2, "<new-login>", "change-login", "1");
    assert.match(await user("change-login", "1", ANN), ANN);
  });
  it("The owner of an account is mailed what an administrator changed, and no mail job fails", async () => {
    const page = await new Client(served.url).page("/_fw/mails");
    for (const subject of ["An administrator removed your authenticator app", "An administrator set your password"])
      assert.match(page, subject);
    const events = await fwOk(app, "jobs", "--state=failed");
    assert.match(events.out, "no jobs");
  });
  it("An unknown account type, login or environment is refused with what to do", async () => {
    await refused(2, "fw:authlib:account customer", "show", ANN, "--account=customer");
    await refused(1, /there is no user account "nobody@shop\.test"\. Give the login/, "show", "nobody@shop.test");
    await refused(2, "--env", "show", ANN, "--env=prod");
  });
  it("The commands create an account in production and print its link under APP_URL", async () => {
    process.env.APP_URL = "https://shop.example";
    try {
      await fwOk(app, "db:migrate", "--env=production");
      const words = ["authlib:admin:create", "eve@shop.test", "--account=user", "--env=production"];
      await fwOk(app, ...words);
      assert.match(await user("show", "eve@shop.test", "--env=production"), /^password +none$/m);
      assert.match(
        await user("link", "eve@shop.test", "--env=production"),
        "https://shop.example/users/reset-password?key=",
      );
    } finally {
      delete process.env.APP_URL;
    }
  });
});
