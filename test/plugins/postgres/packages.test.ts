import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKernel, type Settings } from "framewright/kernel";
import { database } from "framewright/plugins/database";
import { postgres } from "framewright/plugins/postgres";
import { runCommand } from "../../generators/support.ts";
import { createPglite } from "../../support/databases.ts";
import { assert, describe, reasonToSkip, throwsCode } from "../../support/index.ts";

const withoutPglite = await reasonToSkip("pglite");
const START_MS = 120_000;
const settingsOf = (databaseUrl: string) => ({ root: tmpdir(), env: "test", databaseUrl }) as unknown as Settings;
const open = async (url: string) => {
  const kernel = await openKernel([database(), postgres()], { settings: settingsOf(url) });
  return { kernel, ask: () => kernel.service("database").knex.raw("select 1 as one") };
};

describe("The folder of PGlite", (it) => {
  it.unless(
    withoutPglite,
    "FW_PGLITE_IN_USE names the folder and the process that has it open, until it ends",
    async () => {
      const { url, drop } = await createPglite();
      const folder = url.slice("pglite:".length);
      const first = await open(url);
      const second = await open(url); // another plugin's value: as another process
      try {
        await first.ask();
        const { message } = await throwsCode("FW_PGLITE_IN_USE", second.ask);
        for (const part of [folder, String(process.pid), "one process", "postgres://", `${folder}.pid`])
          assert.match(message, part);
        await first.kernel.close();
        assert.equal((await second.ask()).rows, [{ one: 1 }]);
        await second.kernel.close();
        const dead = { pid: process.pid, startedAt: 0 };
        writeFileSync(`${folder}.pid`, JSON.stringify(dead)); // of a process with this number that was killed
        const third = await open(url);
        await third.ask();
        await third.kernel.close();
      } finally {
        await drop();
      }
    },
    START_MS,
  );
});

describe("The packages of PostgreSQL", (it) => {
  it("FW_POSTGRES_PACKAGE names the package that is missing, and the command that installs it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fw-packages-"));
    try {
      const stack = `import { openKernel } from "framewright/kernel"; import { database } from "framewright/plugins/database"; import { postgres } from "framewright/plugins/postgres";
        for (const databaseUrl of ["postgres://a@127.0.0.1:1/a", "pglite::memory:"]) {
          const kernel = await openKernel([database(), postgres()], { settings: { root: ".", env: "test", databaseUrl } });
          await kernel.service("database").knex.raw("select 1").catch((error) => console.log(error.message));
          await kernel.close();
        }`;
      const hook = `export const resolve = (name, context, next) => /^(pg|@electric-sql)(\\/|$)/.test(name) ? Promise.reject(Object.assign(new Error("none"), { code: "ERR_MODULE_NOT_FOUND" })) : next(name, context);`;
      writeFileSync(join(folder, "hook.mjs"), hook);
      writeFileSync(
        join(folder, "without.mjs"),
        `import { register } from "node:module"; register("./hook.mjs", import.meta.url);`,
      );
      const script = join(import.meta.dirname, "../../..");
      const flags = process.execArgv.filter((flag) => flag.startsWith("--conditions"));
      const loader = join(script, "test/support/loader.js");
      const args = [
        ...flags,
        "--import",
        loader,
        "--import",
        join(folder, "without.mjs"),
        "--input-type=module",
        "-e",
        stack,
      ];
      const { out, err } = await runCommand(process.execPath, args, script);
      assert.match(out, 'needs the package "pg", and it is not installed. Run: npm install pg\n', err);
      assert.match(out, "Run: npm install --save-dev @electric-sql/pglite\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
