// What must not grow: memory with requests, a page with its table, dispatch with routes, boot with resources; and the
// suites of pages and records without the fast paths. Ends in `N passed, N failed`. FW_SOAK_SCALE=0.1 tries it with a tenth of rows and requests.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isBuilt } from "../generators/bin/built.js";
import { tablesOf, writeSoakApp } from "./soak/app.ts";
import { writeMysql, writeSqlite } from "./soak/data.ts";
import { SoakServer } from "./soak/server.ts";
import { load, medianOf } from "./soak/works.ts";
import { startPostgres, withoutPostgresServer } from "./support/postgres_server.ts";
import { reasonToSkip } from "./support/requirements.ts";

const SCALE = Number(process.env.FW_SOAK_SCALE ?? 1);
const [FEW, MANY] = [10_000, Math.max(20_000, 1_000_000 * SCALE)];
const [WARM, LONG] = [10_000 * SCALE, 100_000 * SCALE];
const MB = 1_048_576;
const BOOTS = 5;
const ROUNDS = 40;

let [passed, failed] = [0, 0];
function hold(sentence: string, value: number, limit: number, unit: string): void {
  const ok = value <= limit;
  if (ok) passed++;
  else failed++;
  console.log(`${ok ? "ok  " : "FAIL"} ${sentence}: ${value.toFixed(value < 10 ? 2 : 0)} ${unit}, at most ${limit}`);
}
/** A part that breaks is one failure, and the rest goes on. `npm run soak -- boot growth` runs those that are named so. */
async function part(name: string, story: () => Promise<void>): Promise<void> {
  const asked = process.argv.slice(2);
  if (asked.length > 0 && !asked.some((word) => name.includes(word))) return;
  const start = performance.now();
  try {
    await story();
  } catch (error) {
    failed++;
    console.log(`FAIL ${name}: ${error instanceof Error ? error.message : error}`);
  }
  console.log(`     ${name} took ${((performance.now() - start) / 1000).toFixed(0)} s`);
}
const withServer = async (root: string, env: Record<string, string>, story: (server: SoakServer) => Promise<void>) => {
  const server = await SoakServer.start(root, env);
  try {
    await story(server);
  } finally {
    await server.stop();
  }
};

async function boots(resources: number, limit: number): Promise<void> {
  const root = writeSoakApp(resources);
  const address = writeSqlite(join(root, "soak.sqlite3"), tablesOf(resources), 100);
  const times: number[] = [];
  for (let turn = 0; turn < BOOTS; turn++) {
    await withServer(root, { DATABASE_URL: address }, async ({ boot }) => void times.push(boot));
  }
  times.sort((a, b) => a - b);
  hold(
    `boot with ${resources} resources (median of ${times.map((time) => time.toFixed(0)).join(", ")})`,
    times[Math.floor(BOOTS / 2)]!,
    limit,
    "ms",
  );
}

async function memory(): Promise<void> {
  const root = writeSoakApp(3);
  const address = writeSqlite(join(root, "soak.sqlite3"), tablesOf(3), FEW);
  await withServer(root, { DATABASE_URL: address }, async (server) => {
    await load(server.url, WARM, FEW);
    const early = await server.memory();
    await load(server.url, LONG - WARM, FEW, WARM);
    const late = await server.memory();
    console.log(
      `     held after ${WARM} requests ${(early.held / MB).toFixed(1)} MB, after ${LONG} ${(late.held / MB).toFixed(1)} MB`,
    );
    hold(`memory held, grown from ${WARM} to ${LONG} requests`, (late.held - early.held) / MB, 5, "MB");
    hold("memory at its peak", late.peak / MB, 200, "MB");
  });
}

/** The same page over few rows and over many, by turns. */
async function pages(name: string, few: string, many: string): Promise<void> {
  const root = writeSoakApp(2);
  await withServer(root, { DATABASE_URL: few }, (small) =>
    withServer(root, { DATABASE_URL: many }, async (large) => {
      for (const path of ["/admin/posts", "/admin/posts.json"]) {
        for (const { url } of [small, large]) await medianOf(url, path, ROUNDS);
        const [one, other] = [await medianOf(small.url, path, ROUNDS), await medianOf(large.url, path, ROUNDS)];
        console.log(`     ${path} on ${name}: ${one.toFixed(1)} ms of ${FEW} rows, ${other.toFixed(1)} ms of ${MANY}`);
        hold(`page 1 of ${MANY} rows on ${name}, ${path}`, other / one, 2, "times that of 10,000");
      }
    }),
  );
}

async function onSqlite(): Promise<void> {
  const root = writeSoakApp(2);
  await pages(
    "sqlite",
    writeSqlite(join(root, "few.sqlite3"), ["posts"], FEW),
    writeSqlite(join(root, "many.sqlite3"), ["posts"], MANY),
  );
}
async function onMysql(server: string): Promise<void> {
  const [few, many] = [await writeMysql(server, FEW), await writeMysql(server, MANY)];
  try {
    await pages("mysql", few.address, many.address);
  } finally {
    await Promise.all([few.drop(), many.drop()]);
  }
}

/** One application with ten routes and one with ten thousand: a request to the last of them costs the same. */
async function dispatch(): Promise<void> {
  const root = writeSoakApp(2);
  const address = writeSqlite(join(root, "soak.sqlite3"), ["posts"], 100);
  await withServer(root, { DATABASE_URL: address, SOAK_ROUTES: "10" }, (small) =>
    withServer(root, { DATABASE_URL: address, SOAK_ROUTES: "10000" }, async (large) => {
      const times = async ({ url }: SoakServer, last: number) => medianOf(url, `/place${last}/7/view`, 2000);
      for (const [server, last] of [
        [small, 9],
        [large, 9999],
      ] as const)
        await times(server, last);
      const [few, many] = [await times(small, 9), await times(large, 9999)];
      hold(
        `dispatch among 10,000 routes (${(many * 1000).toFixed(0)} µs)`,
        many / few,
        1.25,
        `times that among 10 (${(few * 1000).toFixed(0)} µs)`,
      );
    }),
  );
}

/** The test files, named from test/ on, that have a turn in the soak alone: their stories, or MariaDB's turn of them. */
function leftOutOfCi(): { stories: string[]; onMysql: string[] } {
  const all = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const files = all.filter((file) => file.endsWith(".test.ts") && !/node_modules|^soak\//.test(file));
  const has = (file: string, words: string) => readFileSync(join(import.meta.dirname, file), "utf8").includes(words);
  const isStory = (file: string) => file.endsWith(".soak.test.ts") || has(file, "FW_TEST_SOAK");
  const stories = files.filter(isStory);
  return { stories, onMysql: files.filter((file) => !isStory(file) && has(file, "mysqlInSoak: true")) };
}

/** Runs test files, and holds that none of their tests fails. */
function suite(what: string, args: readonly string[], env: Record<string, string>): void {
  const { stdout } = spawnSync("npm", ["run", "-s", "test:only", "--", ...args], {
    cwd: join(import.meta.dirname, ".."),
    env: { FW_TEST_FILE_DEADLINE: "900000", FW_TEST_DEADLINE: "240000", ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 64 * MB,
  });
  for (const line of stdout.split("\n")) if (line !== "" && !line.startsWith("ok")) console.log(`     ${line}`);
  const [, good = "0", bad = "1"] = /^(\d+) passed, (\d+) failed/m.exec(stdout) ?? [];
  const run = Number(good) + Number(bad);
  hold(`failures among ${run} tests ${what}`, run === 0 ? 1 : Number(bad), 0, "failed");
}

/** Builds the package; returns the files of it. */
function build(): Set<string> {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, "../generators/bin/build.js")], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(1);
  return new Set(readdirSync(join(import.meta.dirname, "../dist"), { recursive: true, encoding: "utf8" }));
}
if (!isBuilt()) build();
await part("a second build", async () => {
  const [first, second] = [build(), build()];
  hold("files that the same sources name otherwise", [...second].filter((name) => !first.has(name)).length, 0, "files");
});
await part("boot", async () => {
  await boots(10, 500);
  await boots(200, 1500);
});
await part("dispatch", dispatch);
await part("memory", memory);
await part("growth on sqlite", onSqlite);
const reason = await reasonToSkip("mysql");
if (reason === undefined) await part("growth on mysql", () => onMysql(process.env.FW_TEST_MYSQL_URL!));
else console.log(`skipped growth on mysql (${reason})`);
await part("stories of accounts", async () =>
  suite("of a thief's and an owner's stories", ["soak/lost", "soak/take"], {}),
);
await part("a product", async () => suite("of a product that people sign up to", ["soak/product"], {}));
await part("what CI leaves out", async () => {
  const { stories, onMysql } = leftOutOfCi();
  suite("of long stories", stories, { FW_TEST_SOAK: "1" });
  const turn = { FW_TEST_SOAK: "1", FW_TEST_DATABASES: "mysql" };
  if (reason === undefined) suite("that CI runs on SQLite, on MariaDB", onMysql, turn);
});
await part("clients of tenants", async () => suite("of tenants' clients and invitables", ["soak/saas_clients"], {}));
await part("audit of tenants", async () => suite("of what audits of tenants find", ["soak/audit"], {}));
await part("background", async () => {
  suite("of a killed background run over 10,000 records", ["background_kill"], {
    FW_TEST_SOAK: "1",
    FW_TEST_BACKGROUND_RECORDS: "10000",
  });
});
await part("package managers", async () => suite("of pnpm and yarn", ["soak/package"], {}));
// PostgreSQL: the suites of the database, of resources and of the framework's own tables, on a server.
const onPostgres = [
  ...[
    "plugins/database",
    "plugins/postgres",
    "plugins/resources/",
    "plugins/scoping",
    "plugins/wizards",
    "plugins/jobs",
  ],
  ...["plugins/authlib", "plugins/limits", "plugins/dashboards", "plugins/memberships", "plugins/notifications"],
  ...[
    "plugins/attachments",
    "plugins/batches",
    "plugins/extra_fields",
    "plugins/nested_records",
    "plugins/numbers",
    "plugins/states",
  ],
];
const { FW_TEST_POSTGRES_URL: given } = process.env;
const withoutServer = given === undefined ? withoutPostgresServer() : await reasonToSkip("postgres");
if (withoutServer === undefined)
  await part("postgres", async () => {
    const own = given === undefined ? await startPostgres() : undefined;
    const env = { FW_TEST_DATABASES: "postgres", FW_TEST_POSTGRES_URL: given ?? own!.url, FW_TEST_DEADLINE: "120000" };
    try {
      suite("on PostgreSQL", onPostgres, env);
    } finally {
      await own?.stop();
    }
  });
else console.log(`skipped postgres (${withoutServer})`);
// Templates rendered by liquidjs, and rows read and written by knex and objection: the suites whose pages and records differ by it.
const slow = { FW_VIEWS_COMPILE: "off", FW_DATABASE_FAST: "off", FW_TEST_TEMPLATES: "6000" };
const drawn = [
  ...["assets", "authlib", "dashboards", "i18n", "inspector", "layout", "memberships", "notifications"],
  ...["portals", "resources", "scoping", "sessions", "storage", "views", "wizards"],
  ...[
    "articles",
    "attachments",
    "batches",
    "extra_fields",
    "grouping",
    "live",
    "nested_records",
    "numbers",
    "printing",
    "states",
    "tree",
    "boards",
    "calendar",
    "cards",
  ],
].map((name) => `plugins/${name}/`);
await part("the suite without the fast paths", async () => {
  suite("of the database without the fast paths", ["plugins/database/"], slow);
  suite("without the fast paths", drawn, { ...slow, FW_TEST_DATABASES: "sqlite" }); // others differ in statements alone
});
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
