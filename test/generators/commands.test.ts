import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { fw, fwOk, newApp, runFw } from "./support.ts";

const read = (app: string, path: string) => readFileSync(join(app, path), "utf8");

describe("The database commands", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
    await fwOk(app, "g", "fw:res:scaffold", "Post", "title", "body:text?");
  });

  it("db:migrate, db:status and db:rollback report migrations and keep db/types.d.ts up to date", async () => {
    assert.match((await fwOk(app, "db:status")).out, /pending +\d+_create_posts/);
    assert.match((await fwOk(app, "db:migrate")).out, /migrated \d+_create_posts/);
    assert.match(read(app, "db/types.d.ts"), /posts: \{[\s\S]*title: string;[\s\S]*body: string \| null;/);
    const marked = read(app, "storage/.migrated");
    assert.match((await fwOk(app, "db:migrate")).out, "nothing to migrate");
    assert.is(read(app, "storage/.migrated"), marked, "fw dev restarts, though no table changed");
    const status = JSON.parse((await fwOk(app, "db:status", "--json")).out) as { applied: boolean }[];
    assert.equal(
      status.map(({ applied }) => applied),
      [true],
    );
    assert.match((await fwOk(app, "db:rollback")).out, "rolled back");
    assert.is.not(read(app, "storage/.migrated"), marked);
    assert.not.match(read(app, "db/types.d.ts"), "posts");
  });

  it("db:seed and db:reset run the seeds, FW_RESET_PRODUCTION refuses production, and invalid flags exit 2", async () => {
    writeFileSync(
      join(app, "db/seeds.ts"),
      'export default async (app: { settings: { env: string } }) => console.log("seeds of " + app.settings.env);\n',
    );
    assert.match((await fwOk(app, "db:seed", "--env=test")).out, "seeds of test");
    assert.match((await fwOk(app, "db:reset")).out, /migrated \d+_create_posts[\s\S]*seeds of development/);
    const { code, err } = await runFw(app, "db:reset", "--env=production");
    assert.is(code, 1);
    assert.match(err, "FW_RESET_PRODUCTION");
    assert.is((await runFw(app, "db:migrate", "--env=prod")).code, 2);
    assert.is((await runFw(app, "db:rollback", "--steps=0")).code, 2);
  });

  it("db:encrypt encrypts existing rows once, and with --check counts them; the name of another model exits 1", async () => {
    const model = read(app, "app/models/post.ts");
    writeFileSync(
      join(app, "db/seeds.ts"),
      'export default (app: any) => app.kernel.service("database").knex("posts").insert({ title: "One", body: "plain", created_at: new Date(), updated_at: new Date() });\n',
    );
    await fwOk(app, "db:seed");
    assert.match((await fwOk(app, "db:encrypt")).out, "no model has encrypted columns");
    writeFileSync(
      join(app, "app/models/post.ts"),
      model.replace(/\{\n/, "{\n  static override encrypts = { body: {} };\n"),
    );
    const left = await runFw(app, "db:encrypt", "--check");
    assert.equal([left.code, /Post: 1 to encrypt/.test(left.out)], [1, true], left.out);
    assert.match((await fwOk(app, "db:encrypt", "Post")).out, "Post: 1 encrypted, 0 open under no configured secret");
    assert.equal(JSON.parse((await fwOk(app, "db:encrypt", "--json")).out), [
      { model: "Post", table: "posts", encrypted: 0, plain: 0, lost: 0, long: 0, taken: 0 },
    ]);
    await fwOk(app, "db:encrypt", "--check");
    const wrong = await runFw(app, "db:encrypt", "Pots");
    assert.is(wrong.code, 1);
    assert.match(wrong.err, /FW_ENCRYPTED_MODEL.*Did you mean "Post"/);
  });

  it("A command finds the application from a folder inside it", async () => {
    assert.match((await fwOk(join(app, "app/models"), "routes")).out, "HomeController#index");
  });
});

describe("The command fw doctor", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
  });
  const doctor = () => runFw(app, "doctor");

  it("fw doctor reports nothing to fix in a new application", async () => {
    const { code, out } = await doctor();
    assert.is(code, 0, out);
    assert.not.match(out, "FIX  ");
    const weight = /weight of a page: \d+ kB compressed: (.*)/.exec(out)?.[1] ?? "";
    const own = [...weight.matchAll(/(?:pages|theme)\.(?:css|js) ([\d.]+)/g)].map(([, kilobytes]) => Number(kilobytes));
    assert.is(own.length, 3, out);
    assert.ok(own.reduce((sum, one) => sum + one, 0) < 95, weight);
  });

  it("fw doctor checks another environment with --env, and refuses an unknown one", async () => {
    assert.match((await runFw(app, "doctor", "--env=test")).out, "settings: test, sqlite");
    const { code, err } = await runFw(app, "doctor", "--env=prod");
    assert.is(code, 2);
    assert.match(err, "development, test, production");
  });

  it("fw doctor exits 1 and names a pending migration", async () => {
    await fwOk(app, "g", "fw:res:scaffold", "Tag", "name");
    const { code, out } = await doctor();
    assert.is(code, 1);
    assert.match(out, /FIX .*create_tags.*fw db:migrate/);
    await fwOk(app, "db:migrate");
  });

  it("fw doctor exits 1 and names a secret that is too short", async () => {
    const settings = read(app, ".env.development");
    writeFileSync(join(app, ".env.development"), "SECRET_KEY_BASE=short\n");
    const { code, out } = await doctor();
    assert.is(code, 1);
    assert.match(out, /FIX {2}settings: FW_SETTING_INVALID: .*SECRET_KEY_BASE/);
    writeFileSync(join(app, ".env.development"), settings);
  });

  it("fw doctor names rows that are not encrypted, columns that can't be, and a missing secret", async () => {
    await fwOk(app, "g", "fw:model", "Patient", "ssn", "code:string{40}");
    await fwOk(app, "db:migrate");
    const model = read(app, "app/models/patient.ts");
    const encrypts = (columns: string) =>
      writeFileSync(
        join(app, "app/models/patient.ts"),
        model.replace(/\{\n/, `{\n  static override encrypts = { ${columns} };\n`),
      );
    writeFileSync(
      join(app, "db/seeds.ts"),
      'export default (app: any) => app.kernel.service("database").knex("patients").insert({ ssn: "078-05-1120", code: "a", created_at: new Date(), updated_at: new Date() });\n',
    );
    await fwOk(app, "db:seed");
    encrypts("ssn: {}");
    const plain = await doctor();
    assert.is(plain.code, 1);
    assert.match(
      plain.out,
      /FIX {2}encrypted attributes of Patient: 1 row .* not encrypted: run fw db:encrypt Patient/,
    );
    await fwOk(app, "db:encrypt", "Patient");
    assert.match((await doctor()).out, "ok   encrypted attributes of Patient: ssn: all rows by the current secret");
    encrypts("code: {}");
    assert.match((await doctor()).out, /FIX .*FW_ENCRYPTED_COLUMN: .*"code", which holds 40 characters/);
    encrypts("ssn: {}");
    const settings = read(app, ".env.development");
    writeFileSync(join(app, ".env.development"), settings.replace(/^SECRET_KEY_BASE=.*\n/m, ""));
    const { code, out } = await doctor();
    assert.equal([code, /FIX .*SECRET_KEY_BASE/.test(out)], [1, true], out);
    writeFileSync(join(app, ".env.development"), settings);
    writeFileSync(join(app, "app/models/patient.ts"), model);
  });

  it("fw doctor exits 1 and names a missing package", async () => {
    rmSync(join(app, "node_modules/typescript"));
    const { code, out } = await doctor();
    assert.is(code, 1);
    assert.match(out, /FIX {2}packages: typescript missing; run npm install/);
  });
});

describe("The commands that serve", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await newApp();
  });

  it("fw dev serves the application, reloads it when a file changes or is replaced, and exits 0 on SIGTERM", async () => {
    const port = await freePort();
    const server = run(app, "dev", `--port=${port}`);
    await answers(port, "Framewright runs");
    appendFileSync(join(app, "config/routes.ts"), "\n");
    writeFileSync(
      join(app, "app/controllers/home_controller.ts"),
      'import BaseController from "./base_controller.ts";\nexport default class HomeController extends BaseController { static override guests = "admit" as const;\n  index() {\n    return this.json({ changed: true });\n  }\n}\n',
    );
    await answers(port, "changed");
    for (const text of ["replaced once", "replaced twice", "replaced three times"]) {
      const path = join(app, "app/controllers/home_controller.ts");
      writeFileSync(
        `${path}.new`,
        `import BaseController from "./base_controller.ts";\nexport default class HomeController extends BaseController {\n  static override guests = "admit" as const;\n  index() {\n    return this.json({ changed: ${JSON.stringify(text)} });\n  }\n}\n`,
      );
      renameSync(`${path}.new`, path); // as editors save
      await answers(port, text);
    }
    assert.is(await stopped(server), 0);
  });

  it("The servers of an fw dev that was killed end with it", async () => {
    const port = await freePort();
    const server = run(app, "dev", `--port=${port}`);
    await answers(port, "replaced");
    server.kill("SIGKILL");
    await freed(port);
  });

  it("fw start asks for fw build first, then serves the build and exits 0 on SIGTERM", async () => {
    const missing = await runFw(app, "start");
    assert.is(missing.code, 1);
    assert.match(missing.err, "fw build");
    const compiler = join(app, "node_modules/typescript");
    renameSync(compiler, `${compiler}.away`);
    const withoutCompiler = await runFw(app, "build");
    renameSync(`${compiler}.away`, compiler);
    assert.is(withoutCompiler.code, 1);
    assert.match(withoutCompiler.err, "FW_COMPILER_MISSING");
    assert.match(withoutCompiler.err, "npm install --save-dev typescript");
    await fwOk(app, "build");
    const port = await freePort();
    const server = run(app, "start", `--port=${port}`);
    await answers(port, "changed");
    assert.is(await stopped(server), 0);
  });

  it("fw dev uses a table that was migrated while it served", async () => {
    await fwOk(app, "g", "fw:res:scaffold", "Note", "title");
    writeFileSync(
      join(app, "app/controllers/home_controller.ts"),
      `import BaseController from "./base_controller.ts";\nimport Note from "#app/models/note.ts";\nexport default class HomeController extends BaseController {\n  static override guests = "admit" as const;\n  async index() {\n    const database = this.request.kernel.service("database");\n    const note = await database.query(Note).insertAndFetch({ title: "first" });\n    return this.json({ note: note.title });\n  }\n}\n`,
    );
    const port = await freePort();
    const server = run(app, "dev", `--port=${port}`);
    await answers(port, "notes"); // the error names the table
    await fwOk(app, "db:migrate");
    await answers(port, '"note":"first"');
    assert.is(await stopped(server), 0);
  });
});

const children: ChildProcess[] = [];
process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

function run(app: string, ...words: string[]): ChildProcess {
  const { NODE_ENV: _, FW_SOURCE: __, ...env } = process.env;
  const child = spawn(process.execPath, [fw, ...words], { cwd: app, env, stdio: "ignore" });
  child.unref(); // a test that fails must not wait for it
  children.push(child);
  return child;
}

async function answers(port: number, wanted: string): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    const text = await fetch(`http://127.0.0.1:${port}/`).then(
      (response) => response.text(),
      () => "",
    );
    if (text.includes(wanted)) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`port ${port} never answered with "${wanted}"`);
}

async function freed(port: number): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    const isServed = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (!isServed) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`port ${port} is served still`);
}

function stopped(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  return ended;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
