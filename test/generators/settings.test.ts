import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { fwOk, newApp, runFw } from "./support.ts";

const NAME = "PASSWORD_PEPPER";
const PASSWORD = "meadow under rain";
const valueIn = (app: string, name: string, file = ".env.development") =>
  new RegExp(`^${name}=(.*)$`, "m").exec(readFileSync(join(app, file), "utf8"))?.[1] ?? "";
const without = (text: string) => text.replace(new RegExp(`^${NAME}=.*\n`, "m"), "");

/** Somebody who is made by a command sets a password by the link, and signs in. */
async function signIn(app: string): Promise<void> {
  const { out } = await fwOk(app, "authlib:admin:create", "ann@example.test", "--account=user");
  const key = /key=(\S+)/.exec(out)![1]!;
  const served = await serveApp(app, { NODE_ENV: "development", SECRET_KEY_BASE: valueIn(app, "SECRET_KEY_BASE") });
  try {
    const client = new Client(served.url);
    const chosen = { password: PASSWORD, password_confirmation: PASSWORD };
    assert.is((await client.submit(`/users/reset-password?key=${key}`, chosen)).status, 303);
    const typed = { login: "ann@example.test", password: PASSWORD };
    const answer = await new Client(served.url).submit("/users/login", typed);
    assert.is(answer.status, 303, await answer.text());
  } finally {
    served.child.kill("SIGTERM");
    await exitOf(served.child);
  }
}

describe("The secret setting of an account type", (it) => {
  let app = "";
  it("The generator writes a new PASSWORD_PEPPER for development and for test, and an empty one for production", async () => {
    app = await newApp("shop");
    const { out } = await fwOk(app, "g", "fw:authlib:account", "user", "--kitchen_sink");
    const values = [".env.development", ".env.test"].map((file) => valueIn(app, NAME, file));
    for (const value of values) assert.match(value, /^[0-9a-f]{64}$/);
    assert.is.not(values[0], values[1]);
    assert.match(readFileSync(join(app, ".env.production"), "utf8"), new RegExp(`^# ${NAME}=$`, "m"));
    assert.match(
      out,
      /PASSWORD_PEPPER is needed to hash passwords with: a new value is in \.env\.development and \.env\.test/,
    );
    assert.match(out, "randomBytes(32)");
  });
  it("A user sets a password and signs in with a generated PASSWORD_PEPPER", async () => {
    await fwOk(app, "db:migrate");
    await signIn(app);
  });
  it("The generator keeps a PASSWORD_PEPPER that exists", async () => {
    const before = readFileSync(join(app, ".env.development"), "utf8");
    await fwOk(app, "g", "fw:authlib:account", "customer", "--password_pepper");
    assert.is(readFileSync(join(app, ".env.development"), "utf8"), before);
  });
  it("The generator creates .env.test where it is missing, and no .env.production", async () => {
    const other = await newApp("other");
    for (const file of [".env.test", ".env.production"]) rmSync(join(other, file));
    await fwOk(other, "g", "fw:authlib:account", "user", "--password_pepper");
    assert.ok(valueIn(other, NAME, ".env.test"));
    assert.is(existsSync(join(other, ".env.production")), false);
  });
  it("Boot and fw doctor fail without PASSWORD_PEPPER and print how to make one", async () => {
    const path = join(app, ".env.development");
    writeFileSync(path, without(readFileSync(path, "utf8")));
    const wanted =
      /PASSWORD_PEPPER is missing or under 32 bytes: the feature "password_pepper" of the account type "\w+" needs it to hash passwords with\. .*make a value with: node -e/;
    const booted = await runFw(app, "routes");
    assert.is.not(booted.code, 0);
    assert.match(booted.out + booted.err, wanted);
    const doctor = await runFw(app, "doctor");
    assert.is(doctor.code, 1);
    assert.match(doctor.out, wanted);
  });
  it("A PASSWORD_PEPPER under 32 bytes is an error at boot", async () => {
    const path = join(app, ".env.development");
    writeFileSync(path, `${readFileSync(path, "utf8")}${NAME}=short\n`);
    assert.match((await runFw(app, "routes")).err, "under 32 bytes");
  });
});
