import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addFiles, writeApp } from "../../support/apps.ts";
import { GaleraCluster } from "../../support/galera.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { shopFiles } from "../../support/shop.ts";
import { addPeople, openAccounts, PASSWORD } from "../authlib/accounts.ts";

const fw = join(import.meta.dirname, "../../../generators/bin/fw.js");
const json = { accept: "application/json", "content-type": "application/json" };
const posts = "/admin/blogging/posts";
const withoutGalera = await reasonToSkip("galera");

type Served = Awaited<ReturnType<typeof serveApp>>;
interface Run {
  code: number | null;
  output: string;
}

const migrate = (root: string, url: string) => runFw(root, url, "db:migrate");

function runFw(root: string, url: string, ...words: string[]): { child: ChildProcess; run: Promise<Run> } {
  const env = {
    ...process.env,
    NODE_ENV: "test",
    SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
    DATABASE_URL: url,
  };
  const child = spawn(process.execPath, [fw, ...words], { cwd: root, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return { child, run: exitOf(child).then((code) => ({ code, output })) };
}

/** People that write, read and sign in as long as they are let, and remember what they were answered. */
class Load {
  readonly created = new Map<string, string>();
  #counts = new Map<string, number>();
  /** Of each process's reads and writes: the last answer, and the longest time between two, in milliseconds. */
  readonly #last = new Map<string, number>();
  #longest = { read: 0, write: 0 };
  #isOver = false;
  #number = 0;
  readonly #running: Promise<unknown>[];
  readonly rows: string[] = [];

  constructor(shops: readonly Served[], accounts: Served) {
    const kinds = ["create", "create", "edit", "list", "list", "signIn"] as const;
    this.#running = shops.flatMap(({ url }, process) =>
      kinds.map((kind) => this.#person(process, kind, kind === "signIn" ? accounts.url : url)),
    );
  }
  async #person(process: number, kind: "create" | "edit" | "list" | "signIn", url: string): Promise<void> {
    while (!this.#isOver) {
      const status = await this[kind](url).catch((error: Error) => error.name);
      this.#counts.set(`${status}`, (this.#counts.get(`${status}`) ?? 0) + 1);
      if (kind !== "signIn" && Number(status) < 400) this.#served(`${process}`, kind === "list" ? "read" : "write");
      await sleep(status === 503 ? 50 : 10);
    }
  }
  #served(process: string, what: "read" | "write"): void {
    const now = performance.now();
    const last = this.#last.get(process + what) ?? now;
    this.#longest[what] = Math.max(this.#longest[what], Math.round(now - last));
    this.#last.set(process + what, now);
  }
  async create(url: string): Promise<number> {
    const title = `post ${++this.#number}`;
    const body = JSON.stringify({ blogging_post: { title, body: "" } });
    const answer = await fetch(url + posts, { method: "POST", headers: json, body });
    const text = await answer.text();
    if (answer.status === 201) this.created.set(title, String(/"id":\s*"?(\d+)/.exec(text)?.[1]));
    else if (answer.status >= 500 && answer.status !== 503) console.log(text.slice(0, 300));
    return answer.status;
  }
  async edit(url: string): Promise<number> {
    const ids = [...this.created.values()];
    const id = ids[Math.floor(Math.random() * ids.length)] ?? "1";
    const body = `edit ${++this.#number}`;
    const change = { method: "PATCH", headers: json, body: JSON.stringify({ blogging_post: { body } }) };
    const answer = await fetch(`${url}${posts}/${id}`, change);
    const text = await answer.text();
    if (answer.status >= 500 && answer.status !== 503) console.log(text.slice(0, 300));
    return answer.status === 404 ? 200 : answer.status; // another node may not have the newest row yet
  }
  async list(url: string): Promise<number> {
    const answer = await fetch(url + posts, { headers: json });
    await answer.arrayBuffer();
    return answer.status;
  }
  async signIn(url: string): Promise<number> {
    const body = JSON.stringify({ login: "ann@example.test", password: PASSWORD });
    const answer = await fetch(`${url}/users/login`, { method: "POST", headers: json, body });
    await answer.arrayBuffer();
    return answer.status;
  }

  /** Ends a part of the run, and gives the longest times in milliseconds that a process served no read, or no write. */
  part(name: string): { longest: { read: number; write: number }; counts: Map<string, number> } {
    for (const process of ["0", "1"]) for (const what of ["read", "write"] as const) this.#served(process, what);
    const [longest, counts] = [this.#longest, this.#counts];
    const answers = [...counts].sort().map(([status, count]) => `${count} × ${status}`);
    this.rows.push(`| ${name} | ${longest.read} | ${longest.write} | ${answers.join(", ")} |`);
    this.#longest = { read: 0, write: 0 };
    this.#counts = new Map();
    return { longest, counts };
  }
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }
}

const slow = {
  "db/migrate/20990101000000_slow.ts": `export async function up(db) {
      await db.createTable("slow", (t) => { t.id(); t.string("who"); });
      await new Promise((resolve) => setTimeout(resolve, 2500));
      await db.knex("slow").insert({ who: "x" });
    }
    export async function down() {}`,
};
const stuck = {
  "db/migrate/20990102000000_stuck.ts": `import { existsSync } from "node:fs";
    export async function up() { if (!existsSync("go")) { console.log("stuck"); await new Promise((resolve) => setTimeout(resolve, 60_000)); } }
    export async function down() {}`,
};

describe("A database cluster of three nodes", (it) => {
  it.unless(
    withoutGalera,
    "Three nodes migrate at once and one does, and a killed one is followed after its lease",
    async () => {
      const cluster = await GaleraCluster.start(3);
      try {
        const root = writeApp({ ...shopFiles });
        addFiles(root, slow);
        const roots = [root, writeApp({ ...shopFiles, ...slow }), writeApp({ ...shopFiles, ...slow })]; // a machine each
        const runs = await Promise.all(cluster.urls.map((url, index) => migrate(roots[index]!, url).run));
        for (const { code, output } of runs) assert.is(code, 0, output);
        for (const node of [0, 1, 2])
          assert.is((await cluster.query(node, "select * from test.slow")).length, 1, `node ${node}`);
        const { output } = await runFw(root, cluster.urls[1]!, "doctor").run;
        assert.match(output, /ok.*database server: takes \d+ processes/);
        assert.match(output, /ok.*database cluster: 3 nodes; a read may not have yet/);
        addFiles(root, stuck);
        const { child, run } = migrate(root, cluster.urls[0]!);
        while ((await cluster.query(1, "select holder from test.framewright_migration_lock"))[0]!.holder === null)
          await sleep(100);
        await sleep(500);
        child.kill("SIGKILL");
        await run;
        addFiles(root, { go: "" });
        const start = performance.now();
        const after = await migrate(root, cluster.urls[2]!).run;
        assert.is(after.code, 0, after.output);
        const seconds = (performance.now() - start) / 1000;
        assert.ok(seconds > 10 && seconds < 40, `${seconds} s`);
        console.log(`the lock of a killed process was taken over after ${seconds.toFixed(1)} s`);
      } finally {
        await cluster.stop();
      }
    },
  );

  it.unless(
    withoutGalera,
    "A node that is killed costs two processes less than 2 s, one that stops less than 3 s, nothing that was answered is lost, and nothing is answered 500",
    async () => {
      const cluster = await GaleraCluster.start(3);
      const served: Served[] = [];
      try {
        await cluster.query(0, "create database accounts character set utf8mb4");
        const root = writeApp({ ...shopFiles });
        assert.is((await migrate(root, cluster.url()).run).code, 0);
        const values = { DATABASE_URL: cluster.url().replace(/test$/, "accounts"), LOG_LEVEL: "error" };
        const accounts = await openAccounts(
          { user: { features: "login(), logout(), lockout()" } },
          { values, authlib: "{ limits: false }" },
        );
        await addPeople(accounts, "user", "ann@example.test");
        await accounts.close();
        for (const order of [
          [0, 1, 2],
          [1, 2, 0],
        ])
          served.push(await serveApp(root, { DATABASE_URL: cluster.url(...order), LOG_LEVEL: "error" }));
        served.push(await serveApp(accounts.root, values));
        await story(cluster, served);
      } finally {
        for (const { child } of served) {
          child.kill("SIGTERM");
          await exitOf(child);
        }
        await cluster.stop();
      }
    },
  );
});

/** Milliseconds that the other nodes wait for one that is silent, before they commit again. */
const SUSPICION_MS = 4000;

async function story(cluster: GaleraCluster, served: readonly Served[]): Promise<void> {
  const ready = async () => (await fetch(`${served[0]!.url}/readyz`)).status;
  const load = new Load(served.slice(0, 2), served[2]!);
  const bad = (counts: Map<string, number>) =>
    [...counts.keys()].filter((status) => !/^(?:200|201|303|503)$/.test(status));
  const during = async (name: string, seconds: number, limits: { read?: number; write?: number } = {}) => {
    await sleep(seconds * 1000);
    const { longest, counts } = load.part(name);
    assert.equal(bad(counts), [], name);
    for (const what of ["read", "write"] as const)
      assert.ok(
        longest[what] < (limits[what] ?? Number.POSITIVE_INFINITY),
        `${name}: ${longest[what]} ms without a ${what}`,
      );
  };
  try {
    await during("all nodes", 3, { read: 1500, write: 1500 });
    await cluster.kill(0);
    await during("a node is killed", 6, { read: 2000, write: 2000 + SUSPICION_MS });
    await cluster.restart(0);
    await during("it is back", 8);
    cluster.freeze(0);
    await during("a node is frozen", 12, { read: 3000, write: 3000 + SUSPICION_MS });
    cluster.resume(0);
    await during("it goes on", 10);
    cluster.freeze(1);
    cluster.freeze(2);
    await sleep(9000);
    assert.is(await ready(), 503);
    await during("no quorum", 0);
    cluster.resume(1);
    cluster.resume(2);
    await sleep(8000); // the nodes find each other first, which takes longer where the machine has other work
    for (let tries = 0; tries < 60 && (await ready()) !== 200; tries++) await sleep(500);
    assert.is(await ready(), 200);
    await during("quorum again", 0);
    await during("afterwards", 3, { read: 2000, write: 2000 });
  } finally {
    await load.stop();
    for (const { output } of process.env.FW_TEST_VERBOSE ? served : []) console.log(output().slice(0, 6000));
    console.log(
      ["| | longest without a read, ms | without a write | answers |", "|---|---|---|---|", ...load.rows].join("\n"),
    );
  }
  for (const node of [0, 1, 2]) await complete(cluster, load, node);
}

/** What was answered is there, once, on every node. */
async function complete(cluster: GaleraCluster, load: Load, node: number): Promise<void> {
  const stored = await cluster.query(node, "select id, title, body from test.blogging_posts");
  const titles = stored.map(({ title }) => String(title));
  assert.equal(
    [...load.created.keys()].filter((title) => !titles.includes(title)),
    [],
    `node ${node} lacks`,
  );
  assert.is(new Set(titles).size, titles.length, `node ${node} has one twice`);
  console.log(`node ${node + 1}: ${load.created.size} answered creates, ${titles.length} rows`);
}
