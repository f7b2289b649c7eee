import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { globalAgent } from "node:https";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Inbox } from "../cluster/inbox.ts";
import { ensureBuilt, runCommand, temporaryFolder } from "../generators/support.ts";
import { mysqlStatement } from "../support/databases.ts";
import { assert, describe, requireOrSkip } from "../support/index.ts";
import { packFolder } from "../support/packing.ts";
import { exitOf, freePort } from "../support/processes.ts";
import { nginxPath } from "../support/requirements.ts";
import { Client } from "../testing/client.ts";

const reason = await requireOrSkip("registry", "mysql", "nginx");
const clone = join(import.meta.dirname, "../..");
const server = process.env.FW_TEST_MYSQL_URL ?? "";
const DEADLINE_MS = 900_000;
const LOGIN = "ann@example.test";
const passwords = { password: "meadow under rain", password_confirmation: "meadow under rain" };
/** The user that the unit names: one without rights, where this process may choose. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** The settings of a unit, by their names. */
const settingsOf = (unit: string, name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, value]) => value!);
/** The assignments among lines of an environment file or a unit. */
const pairs = (lines: readonly string[]): [string, string][] =>
  lines.flatMap((line): [string, string][] => {
    const found = /^([A-Z_]+)=(.*)$/.exec(line);
    return found ? [[found[1]!, found[2]!]] : [];
  });

describe("What is published, from npm create to a record created behind nginx", (it, { after }) => {
  const folder = temporaryFolder();
  const app = join(folder, "shop");
  const name = `fw_shipped_${process.pid}`;
  const running: ChildProcess[] = [];
  let inbox: Inbox | undefined;
  let began = performance.now();
  /** Prints the seconds since the step before. */
  const step = (text: string): void => {
    console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${text}`);
    began = performance.now();
  };
  const run = async (command: string, args: readonly string[], cwd = app) => {
    const ran = await runCommand(command, args, cwd);
    assert.is(ran.code, 0, `${command} ${args.join(" ")}\n${ran.out}${ran.err}`);
    return ran;
  };
  const fw = (...args: string[]) => run(join(app, "node_modules/.bin/fw"), args);

  after(async () => {
    for (const child of running.toReversed()) {
      child.kill("SIGTERM");
      await exitOf(child);
    }
    await inbox?.stop();
    if (reason === undefined)
      for (const kind of ["development", "test", "production"])
        await mysqlStatement(server, `drop database if exists ${name}_${kind}`);
  });

  it.unless(
    reason,
    "An application of the packed framework is created, deployed as fw:deploy writes it, and used by a person",
    async () => {
      for (const one of [dirname(folder), folder]) chmodSync(one, statSync(one).mode | 0o055); // for the user of the unit
      const port = await freePort();
      await createApplication();
      await fw("generate", "fw:deploy", "--domain=shop.test", `--directory=${app}`, `--port=${port}`);
      inbox = await Inbox.start();
      writeSettings(inbox.settings);
      await run("npx", ["fw", "build"]);
      await run("npm", ["prune", "--omit=dev", "--no-audit", "--no-fund"]);
      step("fw:deploy, fw build, npm prune");

      mkdirSync(join(app, "storage"), { recursive: true });
      if (nobody.uid !== undefined) chownSync(join(app, "storage"), nobody.uid, nobody.gid);
      for (const exec of ["ExecStartPre", "ExecStart"]) await exitedWell(startUnit("shop-migrate", exec));
      assert.not.match(log.join(""), /EACCES|was not written/);
      step("db:check and db:migrate by the unit");
      running.push(startUnit("shop", "ExecStart"));
      const { url, certificate } = await startNginx(port);
      globalAgent.options.ca = readFileSync(certificate);
      const person = new Client(url, { host: "shop.test" });
      await untilReady(person);
      step("the server by its unit, and nginx: /readyz is 200");

      await use(person, inbox);
    },
    DEADLINE_MS,
  );

  async function createApplication(): Promise<void> {
    await ensureBuilt();
    const framework = process.env.FW_TEST_PACKED ?? packFolder(clone, folder).archive;
    const create = process.env.FW_TEST_PACKED_CREATE ?? packFolder(join(clone, "generators/create"), folder).archive;
    step("npm pack of both packages");
    const from = [framework, create].map((archive) => `--package=${archive}`);
    const words = ["create-framewright", "shop", "--database=mysql"];
    await run("npm", ["exec", "--yes", "--prefer-offline", ...from, "--", ...words], folder);
    step("create-framewright");
    await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline"]);
    step("npm install");
    for (const kind of ["development", "test", "production"])
      await mysqlStatement(server, `create database ${name}_${kind} character set utf8mb4`);
    const env = join(app, ".env.development");
    writeFileSync(
      env,
      `${readFileSync(env, "utf8").replace(/^DATABASE_URL=.*\n?/m, "")}\nDATABASE_URL=${databaseOf("development")}\n`,
    );
    await fw("generate", "fw:authlib:account", "user");
    await fw("generate", "fw:res:scaffold", "Author", "name:string");
    await fw("generate", "fw:pkg:portal", "admin", "--auth=user");
    await fw("db:migrate");
    await fw("generate", "fw:res:conn", "Author", "--dest=admin_portal");
    await run("npm", ["run", "check"]);
    step("accounts, a resource and a portal, in development on MariaDB; npm run check");
  }

  function databaseOf(kind: string): string {
    const url = new URL(server);
    url.pathname = `/${name}_${kind}`;
    return url.href;
  }

  /** Fills the written example in, as only root and the service manager read it. */
  function writeSettings(mails: Readonly<Record<string, string>>): void {
    const example = readFileSync(join(app, "deploy/app.env.example"), "utf8");
    const values = { SECRET_KEY_BASE: "5e".repeat(8) + crypto.randomUUID().replaceAll("-", ""), ...mails };
    const filled = { ...values, DATABASE_URL: databaseOf("production") };
    const text = Object.entries(filled).reduce((before, [key, value]) => {
      assert.match(before, new RegExp(`^(?:# )?${key}=$`, "m"));
      return before.replace(new RegExp(`^(?:# )?${key}=$`, "m"), () => `${key}=${value}`);
    }, example);
    writeFileSync(join(folder, "shop.env"), text, { mode: 0o600 });
  }

  /** Starts a program of a unit as systemd does: with the unit's environment and user alone. */
  function startUnit(unit: string, exec: string): ChildProcess {
    const text = readFileSync(join(app, `deploy/systemd/${unit}.service`), "utf8");
    assert.equal(settingsOf(text, "EnvironmentFile"), ["/etc/shop.env"]);
    const own = Object.fromEntries(
      pairs(settingsOf(text, "Environment").flatMap((line) => line.split(/ (?=[A-Z_]+=)/))),
    );
    const cache = join(folder, "cache");
    if (!existsSync(cache)) mkdirSync(cache, { mode: 0o777 });
    if (nobody.uid !== undefined) chownSync(cache, nobody.uid, nobody.gid);
    const env = {
      ...own,
      ...Object.fromEntries(pairs(readFileSync(join(folder, "shop.env"), "utf8").split("\n"))),
      ...(own.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: cache }),
      PATH: `${dirname(process.execPath)}:${own.PATH}`,
    };
    const [program, ...words] = settingsOf(text, exec)[0]!.split(" ");
    const [cwd] = settingsOf(text, "WorkingDirectory");
    const child = spawn(program!, words, { cwd, env, ...nobody, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => log.push(String(chunk)));
    return child;
  }
  const log: string[] = [];
  const exitedWell = async (child: ChildProcess) => assert.is(await exitOf(child), 0, log.join(""));

  /** The written configuration, on other ports and with a certificate of its own. */
  async function startNginx(port: number): Promise<{ url: string; certificate: string }> {
    const [tls, plain] = [await freePort(), await freePort()];
    const own = join(folder, "nginx");
    mkdirSync(own);
    const certificate = join(own, "fullchain.pem");
    const key = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    const names = ["-subj", "/CN=shop.test", "-addext", "subjectAltName=DNS:shop.test"];
    await run("openssl", [...key, "-keyout", join(own, "privkey.pem"), "-out", certificate, ...names], own);
    const written = readFileSync(join(app, "deploy/nginx/shop.conf"), "utf8");
    assert.match(written, `server 127.0.0.1:${port} `);
    const conf = written
      .replace(/^ *listen \[::\].*\n/gm, "")
      .replace("listen 80;", `listen 127.0.0.1:${plain};`)
      .replace("listen 443 ssl http2;", `listen 127.0.0.1:${tls} ssl http2;`)
      .replaceAll("/etc/letsencrypt/live/shop.test", own)
      .replace("/var/cache/nginx", own);
    writeFileSync(join(own, "shop.conf"), conf);
    const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const temporary = kinds.map((kind) => `  ${kind}_temp_path ${own}/${kind};\n`).join("");
    const user = nobody.uid === undefined ? "" : "user root;\n";
    writeFileSync(
      join(own, "nginx.conf"),
      `${user}daemon off;\npid ${own}/nginx.pid;\nerror_log ${own}/error.log;\nevents {}\nhttp {\n  access_log off;\n${temporary}  include ${own}/shop.conf;\n}\n`,
    );
    running.push(spawn(nginxPath, ["-c", join(own, "nginx.conf"), "-p", own], { stdio: "ignore" }));
    return { url: `https://127.0.0.1:${tls}`, certificate };
  }

  async function untilReady(person: Client): Promise<void> {
    const isReady = () =>
      person.request("/readyz").then(
        ({ status }) => status === 200,
        () => false,
      );
    for (const until = Date.now() + 60_000; Date.now() < until; await sleep(100)) if (await isReady()) return;
    throw new Error(`/readyz is not 200\n${log.join("")}`);
  }

  async function use(person: Client, mails: Inbox): Promise<void> {
    const sent = await person.submit("/users/create-account", { login: LOGIN, ...passwords });
    assert.is(sent.status, 303, await sent.text());
    const link = await mails.linkTo(LOGIN);
    assert.ok(link, `no mail\n${log.join("")}`);
    const verified = await person.submit(link, passwords);
    assert.is(verified.status, 303, await verified.text());
    step("sign-up, its mail and its link, behind nginx");
    const visitor = new Client(person.url, person);
    assert.is((await visitor.request("/admin/authors")).status, 303);
    const signedIn = await visitor.submit("/users/login", { login: LOGIN, password: passwords.password });
    assert.is(signedIn.status, 303, await signedIn.text());
    const created = await visitor.submit("/admin/authors/new", { "author[name]": "Ada Lovelace" });
    assert.is(created.status, 303, await created.text());
    assert.match(await visitor.page("/admin/authors"), "Ada Lovelace");
    step("sign-in and a record created, behind nginx");
    const rows = await mysqlStatement(databaseOf("production"), `select name from ${name}_production.authors`);
    assert.is((rows as { name: string }[])[0]?.name, "Ada Lovelace");
  }
});
