import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parse } from "yaml";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { fwOk, newApp, runCommand, runFw, snapshot, temporaryFolder } from "./support.ts";

const noSystemd = await reasonToSkip("systemd");
const SECRET = /SECRET_KEY_BASE=(.+)/;

describe("fw g fw:deploy", (it, { before }) => {
  let app: string;
  let first: string;
  const read = (path: string) => readFileSync(join(app, path), "utf8");
  before(async () => {
    app = await newApp();
    const { out } = await fwOk(app, "g", "fw:deploy", "--domain=shop.test");
    first = out;
  });

  it("It writes what a server needs, and a second run changes nothing", async () => {
    const files = [
      "systemd/shop.service",
      "systemd/shop-migrate.service",
      "systemd/shop-backup.service",
      "systemd/shop-backup.timer",
      "nginx/shop.conf",
      "app.env.example",
    ].map((path) => `deploy/${path}`);
    for (const path of [...files, "Dockerfile", ".dockerignore", "compose.yaml"]) assert.match(first, path);
    const written = snapshot(app);
    const { out } = await fwOk(app, "g", "fw:deploy", "--domain=shop.test");
    assert.equal(snapshot(app), written);
    assert.not.match(out, /\b(?:create|edit|overwrite)\b/);
    assert.match(out, "identical");
  });
  it("A file that was edited is kept and named, and a dry run writes nothing", async () => {
    const conf = read("deploy/nginx/shop.conf");
    writeFileSync(join(app, "deploy/nginx/shop.conf"), `${conf}# ours\n`);
    const before = snapshot(app);
    const { out } = await fwOk(app, "g", "fw:deploy", "--domain=shop.test");
    assert.match(out, /kept +deploy\/nginx\/shop\.conf/);
    assert.equal(snapshot(app), before);
    const dry = await fwOk(app, "g", "fw:deploy", "--domain=other.test", "--dry-run", "--force");
    assert.match(dry.out, "+APP_URL=https://other.test");
    assert.equal(snapshot(app), before);
    writeFileSync(join(app, "deploy/nginx/shop.conf"), conf);
  });
  it("No secret of the application is in what is written, and filled-in settings are never committed", () => {
    const secrets = [".env", ".env.development", ".env.test", ".env.production"].flatMap((path) => {
      try {
        return SECRET.exec(read(path))?.[1] ?? [];
      } catch {
        return [];
      }
    });
    assert.ok(secrets.length > 0);
    const written = Object.entries(snapshot(app)).filter(([path]) => !path.startsWith(".env"));
    for (const [path, text] of written) for (const secret of secrets) assert.not.match(text, secret, path);
    assert.match(read("deploy/app.env.example"), /^SECRET_KEY_BASE=$/m);
    assert.match(read("deploy/app.env.example"), /^# SMTP_PASSWORD=$/m);
    assert.match(read(".gitignore"), /^deploy\/\*\.env$/m);
    assert.match(read(".dockerignore"), /^\.env\*$/m);
  });
  it("nginx closes an idle connection before the application does, so that no POST is sent on one that just closed", () => {
    const seconds = Number(/^ *keepalive_timeout (\d+)s;$/m.exec(read("deploy/nginx/shop.conf"))?.[1]);
    const { keepAliveTimeout } = createServer();
    assert.ok(seconds * 1000 + 1000 <= keepAliveTimeout, `${seconds} s, and ${keepAliveTimeout} ms`);
  });
  it("Every setting of the reference is explained, and the file is read as systemd and compose read it", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/reference/settings.md"), "utf8");
    const table = page.slice(0, page.indexOf("## `settings` in code"));
    const names = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(
      ([, cell = ""]) => cell.match(/[A-Z][A-Z0-9_]+/g) ?? [],
    );
    assert.ok(names.length > 25);
    const text = read("deploy/app.env.example");
    for (const name of names.filter((one) => one !== "NODE_ENV" && one !== "FW_ENV"))
      assert.match(text, new RegExp(`^(?:# )?${name}=`, "m"), name);
    for (const line of text.split("\n")) assert.match(line, /^(?:#.*|[A-Z_]+=[^"'\s]*|)$/);
    assert.not.match(text, "](");
  });
  it("The compose file is read by a reader of YAML, and needs the password of the database from outside", () => {
    const { services, volumes } = parse(read("compose.yaml"), { merge: true });
    assert.equal(Object.keys(services), ["migrate", "app", "database"]);
    assert.equal(Object.keys(volumes), ["files", "rows"]);
    assert.equal(services.app.ports, ["127.0.0.1:3000:3000"]);
    assert.match(
      services.app.environment.DATABASE_URL,
      /^mysql:\/\/shop:\$\{MARIADB_PASSWORD:\?[^}]+\}@database\/shop$/,
    );
    assert.is(services.app.depends_on.migrate.condition, "service_completed_successfully");
    assert.equal(services.migrate.command.slice(1), ["db:migrate", "--env=production"]);
  });
  it("The unit and the Dockerfile give Node the same options, and it takes them", async () => {
    const options = /NODE_OPTIONS=(\S+)/;
    const [unit, image] = ["deploy/systemd/shop.service", "Dockerfile"].map((path) => options.exec(read(path))![1]!);
    assert.is(unit, image);
    const env = { ...process.env, NODE_OPTIONS: unit };
    assert.is(execFileSync(process.execPath, ["-p", "1 + 1"], { env, encoding: "utf8" }).trim(), "2");
    const wrong = spawnSync(process.execPath, ["-e", "0"], {
      env: { ...env, NODE_OPTIONS: `${unit} --no-such-option` },
    });
    assert.is(wrong.status, 9, "what it does not take ends it");
  });
  it("Where jobs run apart and Redis is used, both have services", async () => {
    const other = await newApp("two-parts");
    const config = join(other, "plugins.config.ts");
    writeFileSync(config, `${readFileSync(config, "utf8")}\n// jobs({ run: false }) and redis()\n`);
    await fwOk(other, "g", "fw:deploy", "--port=4000");
    const kinds = ["-backup.service", "-backup.timer", "-jobs.service", "-migrate.service", ".service"];
    assert.equal(
      readdirSync(join(other, "deploy/systemd")).sort(),
      kinds.map((kind) => `two-parts${kind}`),
    );
    const { services } = parse(readFileSync(join(other, "compose.yaml"), "utf8"), { merge: true });
    assert.equal(Object.keys(services), ["migrate", "app", "jobs", "database", "redis"]);
    assert.is(services.jobs.environment.REDIS_URL, "redis://redis:6379");
    assert.match(services.app.environment.DATABASE_URL, "@database/two_parts");
    assert.match(readFileSync(join(other, "deploy/nginx/two-parts.conf"), "utf8"), "server 127.0.0.1:4000 ");
  });
  it("The command for the first account is of a type that the application has", async () => {
    const unit = (root: string) => readFileSync(join(root, "deploy/systemd/staffed.service"), "utf8");
    const other = await newApp("staffed");
    await fwOk(other, "g", "fw:deploy");
    assert.match(unit(other), /authlib:admin:create ann@staffed\.example$/m);
    mkdirSync(join(other, "app/authlib"), { recursive: true });
    writeFileSync(join(other, "app/authlib/api_user_authlib_plugin.ts"), "readonly apiOnly = true;");
    for (const type of ["employee", "partner"]) writeFileSync(join(other, `app/authlib/${type}_authlib_plugin.ts`), "");
    await fwOk(other, "g", "fw:deploy", "--force");
    assert.match(unit(other), /authlib:admin:create ann@staffed\.example --account=employee$/m);
  });
  it("A framewright outside of the folder is named: the image can't be built with it", async () => {
    const other = await newApp("packed");
    const path = join(other, "package.json");
    const manifest = JSON.parse(readFileSync(path, "utf8")) as { dependencies: Record<string, string> };
    const noted = async (version: string) => {
      writeFileSync(
        path,
        JSON.stringify({ ...manifest, dependencies: { ...manifest.dependencies, framewright: version } }),
      );
      return (await fwOk(other, "g", "fw:deploy")).out.includes("is outside of this folder");
    };
    for (const outside of ["file:../framewright.tgz", "file:/srv/framewright.tgz"])
      assert.is(await noted(outside), true);
    for (const found of ["file:vendor/framewright.tgz", "file:./vendor", "0.1.0"])
      assert.is(await noted(found), false, found);
  });
  it("An application on PostgreSQL has it in compose, and its programs at its backups", async () => {
    const other = await newApp("on-postgres", "--database=postgres");
    await fwOk(other, "g", "fw:deploy");
    const text = readFileSync(join(other, "compose.yaml"), "utf8");
    assert.not.match(text, /mariadb|mysql/i);
    const { services, volumes } = parse(text, { merge: true });
    assert.equal(Object.keys(services), ["migrate", "app", "database"]);
    assert.equal(Object.keys(volumes), ["files", "rows"]);
    assert.match(
      services.migrate.environment.DATABASE_URL,
      /^postgres:\/\/on-postgres:\$\{POSTGRES_PASSWORD:\?[^}]+\}@database\/on_postgres$/,
    );
    assert.match(services.database.image, /^postgres:/);
    assert.is(services.database.environment.POSTGRES_DB, "on_postgres");
    const unit = readFileSync(join(other, "deploy/systemd/on-postgres-backup.service"), "utf8");
    assert.match(unit, "apt-get install postgresql-client");
    assert.not.match(unit, "mariadb");
  });
  it("What would end up in a configuration as something else is refused", async () => {
    for (const wrong of [
      "--domain=a;b.test",
      "--domain=shop",
      "--directory=srv/shop",
      "--directory=/srv/a b",
      "--user=Root;",
      "--port=0",
      "--port=70000",
      "--upload-limit=26m",
    ]) {
      const { code, err } = await runFw(app, "g", "fw:deploy", wrong);
      assert.is(code, 2, wrong);
      assert.match(err, wrong.split("=")[0]!);
    }
  });
  it.unless(noSystemd, "systemd finds nothing wrong with the units", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "units"));
    const units = ["shop.service", "shop-migrate.service", "shop-backup.service", "shop-backup.timer"];
    for (const name of units) {
      const unit = read(`deploy/systemd/${name}`)
        .replaceAll(/^(ExecStart\w*)=\S+/gm, "$1=/bin/true")
        .replace(/^User=.*$/m, "User=root");
      writeFileSync(join(folder, "units", name), unit);
    }
    const paths = units.map((name) => join(folder, "units", name));
    const { code, out, err } = await runCommand("systemd-analyze", ["verify", ...paths], folder);
    assert.not.match(out + err, /shop[\w-]*\.(?:service|timer):/);
    assert.is(code, 0, out + err);
  });
});
