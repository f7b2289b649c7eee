import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { runIn } from "./production.ts";
import { ensureBuilt, fwOk, type Ran, spawnFw, temporaryFolder, typeCheck } from "./support.ts";

const clone = join(import.meta.dirname, "../..");
const fixtures = join(clone, "test/fixtures/upgraded");
const PERSON = { login: "ann@shop.test", password: "meadow under rain" };

/** A text of a file that a person writes, as the command names both. */
const prescribed = /^left for you: (\S+):\d+: .*\bwrite (\{% render "[^"]+" %\})\.$/gm;

/** Applications as earlier releases generated them, with how many steps are left for a person. */
const applications = [
  { name: "recorded", what: "An application with records of its generated files", byHand: 0 },
  { name: "unrecorded", what: "An application without records, with a copy of the shell", byHand: 1 },
];

for (const { name, what, byHand } of applications)
  describe(`${what}, from before 0.1.0`, (it, { before }) => {
    const app = join(temporaryFolder(), "shop");
    before(async () => {
      await ensureBuilt();
      cpSync(join(fixtures, name), app, { recursive: true });
      linkPackages(app);
      mkdirSync(join(app, "storage"));
      for (const env of ["development", "test"])
        writeFileSync(join(app, `.env.${env}`), `SECRET_KEY_BASE=${randomBytes(64).toString("hex")}\n`);
    });
    const upgrade = (): Promise<Ran> => spawnFw(app, "upgrade", "--all");

    it(`fw upgrade --all upgrades it, with ${byHand || "no"} step by hand, and has nothing left to do after that`, async () => {
      let ran = await upgrade();
      const steps = [...ran.err.matchAll(prescribed)];
      assert.is(steps.length, byHand, ran.out + ran.err);
      for (const [, file, text] of steps) writeFileSync(join(app, file!), `${text}\n`);
      if (byHand > 0) {
        assert.is(ran.code, 1);
        ran = await upgrade();
      }
      assert.is(ran.code, 0, ran.out + ran.err);
      assert.not.match(ran.out + ran.err, /left for you|could not run again|^FIX/m);
      const { out } = await fwOk(app, "upgrade");
      assert.match(out, "There is nothing to rewrite.");
    });
    it("It compiles, and its own tests pass", async () => {
      const types = await typeCheck(app);
      assert.is(types.code, 0, types.out);
      const tests = await fwOk(app, "test");
      assert.match(tests.out, /^# pass [1-9]/m);
    });
    it("It boots: guests read the first page, and who signs in reads a list", async () => {
      const env = { NODE_ENV: "development" };
      const words = ["authlib:admin:create", PERSON.login, "--account=user", "--password-stdin"];
      await runIn(app, { ...process.env, ...env }, words, PERSON.password);
      const served = await serveApp(app, env);
      try {
        const client = new Client(served.url);
        assert.is((await client.request("/")).status, 200);
        assert.is((await client.request("/admin/authors")).status, 303);
        assert.is((await client.submit("/users/login", PERSON)).status, 303);
        assert.match(await client.page("/admin/authors"), "/admin/authors/new");
      } finally {
        served.child.kill("SIGTERM");
        assert.is(await exitOf(served.child), 0);
      }
    });
  });

/** As `fw new` of a clone links them. */
function linkPackages(app: string): void {
  mkdirSync(join(app, "node_modules/@types"), { recursive: true });
  symlinkSync(clone, join(app, "node_modules/framewright"));
  for (const name of ["typescript", "@types/node"])
    symlinkSync(join(clone, "node_modules", name), join(app, "node_modules", name));
}
