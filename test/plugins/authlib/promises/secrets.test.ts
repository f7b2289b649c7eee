import { openApp, type TestApp } from "../../../support/apps.ts";
import { assert, describe } from "../../../support/index.ts";
import { exitOf, serveApp } from "../../../support/processes.ts";
import { databaseOf, openAccounts } from "../accounts.ts";
import { FIRST, SECOND, storied, stories, World } from "./stories.ts";
import { tokenImports } from "./support.ts";

/** Every answer of the run: whose it was, its headers and its body. */
interface Seen {
  request: string;
  headers: Headers;
  text: string;
}
/** Writes down every answer that the work is given. */
async function recording(work: () => Promise<unknown>): Promise<Seen[]> {
  const seen: Promise<Seen>[] = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const request = `${init?.method ?? "GET"} ${String(input).replace(/^http:\/\/[^/]+/, "")}`;
    const { headers } = answer;
    seen.push(
      answer
        .clone()
        .text()
        .then((text) => ({ request, headers, text })),
    );
    return answer;
  };
  try {
    await work();
  } finally {
    globalThis.fetch = fetch;
  }
  return Promise.all(seen);
}

describe("Secrets of accounts", (it, { before, after }) => {
  let world: World;
  let output = "";
  let seen: Seen[] = [];
  let rows: string[] = [];
  let secrets: World["secrets"] = [];
  before(async () => {
    const plugins = {
      imports: `import { jwtTokens } from "framewright/plugins/jwt"; ${tokenImports}`,
      list: `...(standard.some(({ name }) => name === "jwt") ? [] : [jwtTokens()]),`,
    };
    const written: TestApp = await openAccounts({ user: storied }, { authlib: "{ limits: false }", plugins });
    await written.close();
    const served = await serveApp(written.root, { LOG_LEVEL: "trace" });
    world = new World(served.url);
    try {
      seen = await recording(async () => {
        for (const story of Object.values(stories)) {
          const last = await story(world);
          if (typeof last === "function") await last();
        }
      });
    } finally {
      served.child.kill("SIGTERM");
      await exitOf(served.child);
      output = served.output();
    }
    const app = await openApp(written.root);
    const database = databaseOf(app.application);
    for (const table of await database.tables())
      for (const row of await database.rows(database.knex(table))) rows.push(`${table} ${JSON.stringify(row)}`);
    await app.close();
    const sids = world.secrets
      .filter(({ name }) => name === "access_token")
      .map(({ value }) => JSON.parse(Buffer.from(value.split(".")[1]!, "base64url").toString()).sid as string);
    const nowhere = /^$/;
    secrets = [
      ...world.secrets,
      ...[FIRST, SECOND].map((value) => ({ name: "password", value, shownAt: nowhere })),
      ...sids.map((value) => ({ name: "key of a session", value, shownAt: nowhere })),
    ];
  });
  after(() => {
    rows = [];
  });

  it("The run of these tests has secrets of every kind", () => {
    const kinds = new Set(secrets.map(({ name }) => name.replace(/^link .*/, "link")));
    const expected = [
      "access_token",
      "device",
      "key of a session",
      "link",
      "otp secret",
      "password",
      "pending_token",
      "recovery code",
      "refresh_token",
    ];
    assert.equal([...kinds].sort(), expected);
    assert.ok(rows.length > 100 && seen.length > 120, `${rows.length} rows, ${seen.length} answers`);
  });
  it("No secret is printed, however much is logged", () => {
    assert.match(output, "/users/login");
    for (const { name, value } of secrets) assert.not(output.includes(value), `${name} was printed`);
  });
  it("No secret is stored as it is", () => {
    for (const { name, value } of secrets) {
      const found = rows.find((row) => row.includes(value));
      assert.is(found, undefined, `${name} in ${found}`);
    }
  });
  it("A secret appears in the answer that must carry it, and in no other", () => {
    for (const { request, headers, text } of seen) {
      const lines = [...headers].map(([name, value]) => [`${request}: ${name}`, value] as const);
      for (const [where, content] of [[request, text] as const, ...lines]) {
        const found = secrets.filter(({ value, shownAt }) => content.includes(value) && !shownAt.test(where));
        assert.equal(
          found.map(({ name }) => name),
          [],
          where,
        );
      }
    }
  });
  it("Answers of account pages are sent with no-store", () => {
    const cached = seen
      .filter(({ request }) => / \/users?\b/.test(request))
      .filter(({ headers }) => !headers.get("cache-control")?.includes("no-store"))
      .map(({ request, headers }) => `${request}: ${headers.get("cache-control")}`);
    assert.equal([...new Set(cached)], []);
  });
});
