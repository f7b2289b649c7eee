import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { addConditions } from "../../generators/bin/conditions.js";
import { unifiedDiff } from "../../generators/support/diff.ts";
import { ensureBuilt, fw, runCommand, temporaryFolder, typeCheck } from "../generators/support.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { type Client, type HostedInit, openTestApplication, type TestApplication } from "../testing/index.ts";

// The product of test/examples/permits: its commands write an application, its files are laid over it, and people use it.

const folder = join(import.meta.dirname, "permits");
/** Lines that no generator wrote, and of these the lines of its tests and of its catalogues. A change may lower them. */
const OWN_LINES = { all: 522, tests: 135, texts: 129 };
const PARALLEL = 12;

const commands = /```sh\n([\s\S]*?)```/
  .exec(readFileSync(join(folder, "README.md"), "utf8"))![1]!
  .trim()
  .split("\n");
const ownFiles = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== "README.md")
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
const addedLines = (path: string, before: string | undefined, after: string): string[] =>
  unifiedDiff(path, before, after)
    .split("\n")
    .filter((line) => line.startsWith("+") && !line.startsWith("+++ ") && line.trim() !== "+");

const databasesOfStory = await databases();

describe("A product of building permits, by the documents alone", (it, { before }) => {
  const root = join(temporaryFolder(), "permits");
  const own = new Map<string, string[]>();
  const run = async (line: string, cwd = root, env = {}) => {
    const { code, out, err } = await runCommand("sh", ["-c", line.replace(/^fw/, `node ${fw}`)], cwd, env);
    assert.is(code, 0, `${line}\n${out}${err}`);
    return out;
  };
  before(async () => {
    await ensureBuilt();
    for (const line of commands) await run(line, line.startsWith("fw new") ? dirname(root) : root);
    for (const path of ownFiles) {
      own.set(path, addedLines(path, read(join(root, path)), read(join(folder, path))!));
      mkdirSync(dirname(join(root, path)), { recursive: true });
      cpSync(join(folder, path), join(root, path));
    }
    await run("fw types");
  });
  const linesOf = (isCounted: (path: string) => boolean) =>
    [...own].filter(([path]) => isCounted(path)).reduce((sum, [, lines]) => sum + lines.length, 0);

  it("It has few lines of its own, and no cast", () => {
    const counts = {
      all: linesOf(() => true),
      tests: linesOf((path) => path.startsWith("test/")),
      texts: linesOf((path) => path.startsWith("config/locales/")),
    };
    for (const [what, most] of Object.entries(OWN_LINES))
      assert.ok(counts[what as keyof typeof counts] <= most, `${what}: ${JSON.stringify(counts)}`);
    const casts = [...own].flatMap(([path, lines]) =>
      path.endsWith(".ts") ? lines.filter((line) => /\bas (?!const\b)[A-Za-z{(]|\bany\b|@ts-/.test(line)) : [],
    );
    assert.equal(casts, []);
  });
  it("It is type-checked", async () => {
    const { code, out } = await typeCheck(root);
    assert.is(code, 0, out);
  });
  it("It is built for production, where a doctor finds nothing that fails", async () => {
    await run("fw build");
    await run("fw doctor");
  });

  before(() => addConditions()); // so that `#app/…` leads to the sources
  for (const database of databasesOfStory) {
    let app: TestApplication;
    let clerk: Client;
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, `${sentence}, on ${database.name}`, body, 600_000);

    can("Its own tests pass", async () => {
      await run("fw test", root, await database.values());
    });
    can("Twelve guests send their applications at once, and each has a number of its own", async () => {
      app = await openTestApplication({ root, env: await database.values() });
      clerk = await settle(app);
      const guests = Array.from({ length: PARALLEL }, (_, index) => `guest${index}@example.com`);
      const ready: (() => Promise<Response>)[] = [];
      for (const email of guests) ready.push(await fillIn(app, email));
      const answers = await Promise.all(ready.map((finish) => finish()));
      assert.equal(new Set(answers.map(({ status }) => status)), new Set([303]));
      const { body } = await clerk.json<{ data: { number: string }[] }>("/city/alder/permits?per_page=50&sort=number");
      const year = new Date().getUTCFullYear();
      assert.equal(
        body.data.map(({ number }) => number),
        guests.map((_, index) => `${year}-${String(index + 1).padStart(4, "0")}`),
      );
    });
    can("An export is imported again, and nothing changes; parcels come by the number of their permit", async () => {
      const exported = await (await clerk.request("/city/alder/permits/export.csv")).text();
      const again = await sendFile(app, clerk, "/city/alder/permits/import.json?rows=update:number", exported);
      assert.equal([again.state, again.failed], ["done", 0], JSON.stringify(again));
      const parcels = "District,Plot,Permit\nSouth,1/1,2026-0001\nSouth,1/2,nobody\n".replaceAll(
        "2026",
        String(new Date().getUTCFullYear()),
      );
      const { state, failed } = await sendFile(app, clerk, "/city/alder/parcels/import.json", parcels);
      assert.equal([state, failed], ["done", 1]);
    });
    can("Programs come in by a password or a key, and a stale write is refused", async () => {
      const { body, status } = await sendJson(app, "/surveyors/login", {
        login: "gis@example.com",
        password: PASSWORD,
      });
      assert.is(status, 200, JSON.stringify(body));
      const { knex } = app.application.kernel.service("database");
      const [permit] = await knex("permits").limit(1);
      const headers = { authorization: `Bearer ${body.access_token}` };
      const made = await sendJson(
        app,
        "/api/alder/inspections.json",
        { inspection: { at: "2027-03-04T09:00:00Z", permit: permit.id } },
        { headers },
      );
      assert.is(made.status, 201, JSON.stringify(made.body));
      const path = `/api/alder/inspections/${made.body.data!.id}.json`;
      const seen = { ...headers, "if-match": made.headers.get("etag")! };
      const change = (result: string) =>
        sendJson(app, path, { inspection: { result } }, { method: "PATCH", headers: seen });
      assert.equal([(await change("passed")).status, (await change("failed")).status], [200, 409]);
      assert.is((await sendJson(app, "/api/birch/inspections.json", {}, { headers })).status, 404);
      const fresh = await sendJson(app, "/surveyors/jwt-refresh", { refresh_token: body.refresh_token });
      assert.is(fresh.status, 200);
      const owner = await app.signIn("staff", "owner@example.com");
      const added = await owner.submit("/city/alder/partners/actions/add", {
        "interaction[name]": "Bank",
        "interaction[role]": "read_only",
      });
      const key = /value="([^"]{20,})"[^>]*readonly|<code[^>]*>([^<]{20,})</.exec(await added.text())!;
      const partner = { authorization: `Bearer ${key[1] ?? key[2]}` };
      assert.is((await app.request("/partner/permits.json", { headers: partner })).status, 200);
      assert.is((await sendJson(app, "/partner/permits.json", { permit: {} }, { headers: partner })).status, 403);
    });
    can("Each town has its subdomain, and an owner invites staff by mail", async () => {
      const at = { host: "alder.localhost" };
      const there = await app.signIn("staff", "owner@example.com", at);
      assert.is((await there.request("/town")).status, 200);
      const owner = await app.signIn("staff", "owner@example.com");
      const invited = { "interaction[email]": "new@example.com", "interaction[role]": "inspector" };
      assert.is((await owner.submit("/city/alder/municipality_staff_invites/actions/invite", invited)).status, 303);
      assert.match((await app.mails()).at(-1)!.subject, /Alder/);
      await app.close();
      await database.clean();
    });
  }
});

const PASSWORD = "seven quiet lanterns";

/** Two towns, an owner, a clerk who is signed in, and a surveyor's program. */
async function settle(app: TestApplication): Promise<Client> {
  const { kernel } = app.application;
  const { knex } = kernel.service("database");
  const stamps = { created_at: new Date(), updated_at: new Date() };
  const auth = kernel.service("auth");
  for (const name of ["Alder", "Birch"])
    await knex("municipalities").insert({ name, slug: name.toLowerCase(), ...stamps });
  const [town] = await knex("municipalities").where({ slug: "alder" });
  for (const role of ["owner", "clerk"]) {
    const { id } = await auth.createAccount("staff", { email: `${role}@example.com` });
    await knex("municipality_staff").insert({ staff_id: id, municipality_id: town.id, role, ...stamps });
  }
  const { id } = await auth.createAccount("surveyor", { email: "gis@example.com" }, { password: PASSWORD });
  await knex("surveyors").where({ id }).update({ municipality_id: town.id });
  return app.signIn("staff", "clerk@example.com");
}

/** A guest answers all steps; what is returned sends the last one. */
async function fillIn(app: TestApplication, email: string): Promise<() => Promise<Response>> {
  const guest = app.client();
  let page = (await guest.request("/apply")).headers.get("location")!;
  const step = async (fields: Record<string, string>) => {
    const answer = await guest.submit(page, fields);
    assert.is(answer.status, 303, await answer.text());
    page = answer.headers.get("location")!;
  };
  await step({ "wizard[municipality]": "1" });
  await step({ "wizard[kind]": "demolition" });
  await step({ "wizard[list][0][district]": "North", "wizard[list][0][plot]": "1" });
  await step({});
  await step({ "wizard[applicant]": "Guest", "wizard[email]": email });
  const code = /\b\d{6}\b/.exec((await app.mails()).findLast(({ to }) => to === email)!.text)![0];
  await step({ "wizard[applicant]": "Guest", "wizard[email]": email, "wizard[_code_email]": code });
  return () => guest.submit(page, {});
}

/** What a program reads of what it is answered. */
interface Answer {
  access_token?: string;
  refresh_token?: string;
  data?: { id: number; state: string; failed: number };
}
async function sendJson(app: TestApplication, path: string, body: object, init: HostedInit = {}) {
  const headers = { accept: "application/json", "content-type": "application/json", ...init.headers };
  const answer = await app.request(path, { method: "POST", body: JSON.stringify(body), ...init, headers });
  const text = await answer.text();
  const read: Answer = text === "" ? {} : JSON.parse(text);
  return { status: answer.status, headers: answer.headers, body: read };
}

/** What becomes of an import that a person's program sends. */
async function sendFile(app: TestApplication, client: Client, path: string, csv: string) {
  const token = /name="csrf-token" content="([^"]+)"/.exec(await client.page("/city/alder"))![1]!;
  const body = new FormData();
  body.append("file", new File([csv], "rows.csv", { type: "text/csv" }));
  const headers = { accept: "application/json", "x-csrf-token": token };
  const answer = await client.request(path, { method: "POST", headers, body });
  assert.is(answer.status, 202, await answer.clone().text());
  await app.runJobs();
  const { body: run } = await client.json<Answer>(answer.headers.get("location")!);
  return run.data!;
}
