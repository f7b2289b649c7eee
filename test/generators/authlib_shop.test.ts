import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { ensureBuilt, fw, fwOk, newApp, type Ran, runCommand, runFw } from "./support.ts";

// From an empty folder to accounts, by commands alone: type-checked, migrated, served from source and as built. MariaDB
// gets the like in accounts_flow.test.ts.

for (const database of (await databases()).filter(({ name }) => name === "sqlite")) {
  describe(`accounts made by commands, on ${database.name}`, (it, { after }) => {
    let app = "";
    let values: Record<string, string> = {};
    after(() => database.clean());
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can("are generated, migrated and connected, and type-check", async () => {
      await ensureBuilt();
      values = await database.values();
      app = await newApp("shop", `--database=${database.name}`);
      if (values.DATABASE_URL) useDatabase(app, values.DATABASE_URL);
      const g = (...words: string[]) => fwOk(app, "g", ...words);
      await g("fw:authlib:install");
      await g("fw:authlib:account", "user");
      await g("fw:authlib:account", "api_user", "--api_only", "--jwt", "--jwt_refresh");
      await g("fw:authlib:admin");
      await g("fw:pkg:portal", "admin", "--auth=admin");
      await g("fw:pkg:portal", "partner", "--byo");
      await fwOk(app, "db:migrate");
      await g("fw:res:conn", "User", "Admin", "--dest=admin_portal");
      await g("fw:res:conn", "User", "--dest=partner_portal");
      await fwOk(app, "types");
      assert.is((await check(app)).out, "");
    });

    can("type the user of a portal's policies", async () => {
      const write = (body: string) =>
        writeFileSync(
          join(app, "app/typed.ts"),
          `import Admins from "#packages/admin_portal/app/policies/admin_portal/user_policy.ts";
import Partners from "#packages/partner_portal/app/policies/partner_portal/user_policy.ts";
export class OfAdmins extends Admins { override canCreate() { return ${body}; } }
export class OfPartners extends Partners { override canCreate() { return this.user?.name === "Partner Portal"; } }
`,
        );
      write('this.user.role === "super_admin"');
      assert.is((await check(app)).out, "");
      write('this.user.role === "queen"');
      assert.match((await check(app)).out, "no overlap");
      writeFileSync(join(app, "app/typed.ts"), "export {};\n");
    });

    can("make the first administrator the most privileged, and others what invited people are", async () => {
      const create = (...words: string[]) => fwOk(app, "authlib:admin:create", ...words);
      const first = await create("ada@x.test");
      assert.match(first.out, "created the admin ada@x.test (super_admin)");
      assert.match(first.out, /https?:\/\/\S+\/admins\/reset-password\?key=\S{20,}/);
      assert.match((await create("eve@x.test")).out, "(admin)");
      assert.match((await create("joe@x.test", "--role=super_admin")).out, "(super_admin)");
      const bob = await piped(app, "correct horse battery staple\n", "bob@x.test", "--password-stdin");
      assert.is(bob.code, 0, bob.err);
      assert.not.match(bob.out + bob.err, /correct|http/);
      const robot = await piped(app, "correct horse battery", "robot@x.test", "--password-stdin", "--account=api_user");
      assert.is(robot.code, 0, robot.err);
    });

    for (const [words, wanted, exit] of [
      [["x@x.test", "--role=amdin"], 'Did you mean "admin"?', 2],
      [["x@x.test", "--account=amdin"], 'Did you mean "admin"?', 2],
      [["x@x.test", "--password-stdin"], "stdin is empty", 2],
      [["ada@x.test"], "taken", 1],
      [["nobody"], "email", 1],
      [[], "<email>", 2],
    ] as const) {
      if (database.name === "mysql") break; // the same on both
      can(`refuse "authlib:admin:create ${words.join(" ")}" and say ${wanted}`, async () => {
        const { code, err } = await runFw(app, "authlib:admin:create", ...words);
        assert.is(code, exit, err);
        assert.match(err, wanted);
      });
    }

    can("are served: pages, portals behind them, tokens", async () => {
      const { child, url } = await serveApp(app, { ...values, NODE_ENV: "development" });
      try {
        await tour(url);
      } finally {
        child.kill("SIGTERM");
        assert.is(await exitOf(child), 0);
      }
    });

    can("are served the same when they were built", async () => {
      const production = { ...values, NODE_ENV: "production", HOST: "127.0.0.1", APP_URL: "http://127.0.0.1" };
      for (const words of [
        ["build"],
        ["db:migrate"],
        ["authlib:admin:create", "robot@x.test", "--account=api_user", "--password-stdin"],
      ]) {
        if (words.includes("--password-stdin") && values.DATABASE_URL) continue; // one database: it is there
        const ran = await withInput(app, "correct horse battery", words, production);
        assert.is(ran.code, 0, ran.out + ran.err);
      }
      const { child, url } = await serveApp(app, production, "start");
      try {
        await tour(url);
      } finally {
        child.kill("SIGTERM");
        assert.is(await exitOf(child), 0);
      }
    });
  });
}

for (const database of await databases()) {
  describe(`people who were there before their accounts, on ${database.name} (Show 7)`, (it, { after }) => {
    after(() => database.clean());

    it.unless(database.skip, "are all kept, and get in by setting a password through a mail", async () => {
      const values = await database.values();
      const app = await newApp("shop", `--database=${database.name}`);
      if (values.DATABASE_URL) useDatabase(app, values.DATABASE_URL);
      await fwOk(app, "g", "fw:res:scaffold", "User", "name", "email:string:uniq");
      await fwOk(app, "db:migrate");
      writeFileSync(join(app, "db/seeds.ts"), seeds);
      await fwOk(app, "db:seed");
      await fwOk(app, "g", "fw:authlib:account", "user");
      await fwOk(app, "db:migrate");
      const { child, url } = await serveApp(app, { ...values, NODE_ENV: "development" });
      try {
        await comeBack(new Client(url));
      } finally {
        child.kill("SIGTERM");
        assert.is(await exitOf(child), 0);
      }
    });
  });
}

const seeds = `import type { Application } from "framewright";
export default async function seed(app: Application) {
  const at = { created_at: new Date(), updated_at: new Date() };
  const people = ["Ada", "Eve", "Bob"].map((name) => ({ name, email: \`\${name}@X.test\`, ...at }));
  for (const person of people) await app.kernel.service("database").knex("users").insert(person);
}
`;

async function comeBack(client: Client): Promise<void> {
  const asked = await client.submit("/users/reset-password-request", { login: "ada@x.test" });
  assert.ok(asked.status < 400, await asked.text());
  const link = await mailedLink(client);
  const password = "correct horse battery staple";
  const chosen = await client.submit(link, { password, password_confirmation: password });
  assert.is(chosen.status, 303, await chosen.text());
  const entered = await client.submit("/users/login", { login: "ada@x.test", password });
  assert.is(entered.status, 303, await entered.text());
  assert.is((await client.request("/users/account")).status, 200);
}

/** The path that the last mail leads to; it is made beside the request, so it may take a moment. */
async function mailedLink(client: Client): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const mail = /href="(\/_fw\/mails\/\d+)"/.exec(await client.page("/_fw/mails"))?.[1];
    const link = mail && /\/users\/reset-password\?key=[\w-]+/.exec(await client.page(`${mail}/html`))?.[0];
    if (link) return link;
    await sleep(50);
  }
  throw new Error("no mail came");
}

function useDatabase(app: string, url: string): void {
  for (const env of ["development", "test", "production"]) {
    const file = join(app, `.env.${env}`);
    const others = readFileSync(file, "utf8").replace(/^DATABASE_URL=.*\n?/m, "");
    writeFileSync(file, `${others.trimEnd()}\nDATABASE_URL=${url}\n`);
  }
}

const check = (app: string): Promise<Ran> =>
  runCommand(process.execPath, [join(app, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.json"], app);

const piped = (app: string, input: string, ...words: string[]): Promise<Ran> =>
  withInput(app, input, ["authlib:admin:create", ...words]);

function withInput(
  app: string,
  input: string,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const { NODE_ENV: _, FW_SOURCE: __, NODE_OPTIONS: ___, ...clean } = process.env;
  const child = spawn(process.execPath, [fw, ...words], { cwd: app, env: { ...clean, ...env } });
  const ran: Ran = { code: null, out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (ran.out += chunk));
  child.stderr.on("data", (chunk: Buffer) => (ran.err += chunk));
  child.stdin.on("error", () => undefined); // who does not read may end first
  child.stdin.end(input);
  return new Promise((resolve) => child.once("close", (code) => resolve({ ...ran, code })));
}

async function tour(url: string): Promise<void> {
  const client = new Client(url);
  for (const page of ["/users/login", "/users/create-account", "/users/reset-password-request", "/admins/login"])
    assert.is((await client.request(page)).status, 200, page);
  assert.is((await client.request("/api_users/login")).status, 405);
  for (const path of ["/admin", "/admin/users", "/admin/admins"]) {
    const refused = await client.request(path);
    assert.is(refused.status, 303, path);
    assert.is(refused.headers.get("location"), "/admins/login");
  }
  const sent = { login: "robot@x.test", password: "correct horse battery" };
  const request = (body: object) =>
    fetch(`${url}/api_users/login`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
    });
  const wrong = await request({ ...sent, password: "wrong" });
  assert.is(wrong.status, 401);
  const right = await request(sent);
  assert.is(right.status, 200);
  const tokens = (await right.json()) as Record<string, unknown>;
  assert.equal([typeof tokens.access_token, typeof tokens.refresh_token], ["string", "string"]);
}
