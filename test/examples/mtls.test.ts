import { join } from "node:path";
import type { Plugin } from "framewright/kernel";
import { authModeConformance } from "../conformance/auth_modes.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD } from "../plugins/authlib/accounts.ts";
import { pagePlugins, refuses } from "../plugins/conformance/suites.ts";
import { openApp, type TestApp, writeApp } from "../support/apps.ts";
import { copyFixture } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";

/** A mode of authentication of one's own: a proxy checks client certificates, and says in a header whose it was. */
const machines = copyFixture("mtls");
const mtls = machines["lib/mtls.ts"]!;

/** Takes the hashing of passwords over: scrypt for new ones, while the old hashes still open. */
const scrypt = copyFixture("foreign_plugins")["lib/scrypt.ts"]!;

const linesOf = (code: string) =>
  code
    .trim()
    .split("\n")
    .filter((line) => line.trim() !== "").length;

describe("A third-party plugin for client certificates", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openApp(writeApp(machines));
  });
  after(() => app.close());
  const proxy = { "x-proxy-secret": "the proxy's own secret", "x-client-verify": "SUCCESS" };
  const ask = async (headers: Record<string, string>) => {
    const answer = await app.request("/machines", { headers: { accept: "application/json", ...headers } });
    return { status: answer.status, body: (await answer.json()) as { name?: string } };
  };

  it("A plugin that authenticates by client certificates takes under 60 lines", () =>
    assert.ok(linesOf(mtls) < 60, `${linesOf(mtls)} lines`));
  it("A client certificate that the proxy verified identifies the machine, and the route lists the mode mtls", async () => {
    const { status, body } = await ask({ ...proxy, "x-client-subject": "CN=press-7,O=Shop" });
    assert.is(status, 200);
    assert.is(body.name, "press-7");
    assert.equal(
      app.application.routes().map(({ account }) => account),
      ["mtls"],
    );
  });
  it("A request without the proxy's secret, a verified certificate or a common name is 401", async () => {
    const subject = { "x-client-subject": "CN=press-7,O=Shop" };
    for (const headers of [
      {},
      subject,
      { ...subject, "x-client-verify": "SUCCESS" },
      { ...proxy, ...subject, "x-proxy-secret": "guessed" },
      { ...proxy, ...subject, "x-client-verify": "FAILED" },
      { ...proxy, "x-client-subject": "O=Shop" },
    ])
      assert.is((await ask(headers as Record<string, string>)).status, 401, JSON.stringify(headers));
  });
});

describe("A third-party plugin for client certificates, by the suite of modes", (it) => {
  it("The mode does what is asked of every mode of authentication", async () => {
    const module = (await import(join(writeApp(machines), "lib/mtls.ts"))) as {
      mtls(options: { secret: string }): Plugin;
    };
    const proxy = { "x-proxy-secret": "the proxy's own secret", "x-client-verify": "SUCCESS" };
    const machine = (name: string) => ({
      credentials: { ...proxy, "x-client-subject": `CN=${name},O=Shop` },
      account: { id: name, name },
    });
    const subject = {
      plugins: [...pagePlugins(), module.mtls({ secret: proxy["x-proxy-secret"] })],
      mode: "mtls",
      people: [machine("press-7"), machine("press-8")],
      wrong: { "a certificate without a name": { ...proxy, "x-client-subject": "O=Shop" } },
      damaged: Object.keys(proxy), // whatever name the proxy has checked is a machine's
    };
    await refuses(authModeConformance, subject, {});
  });
});

describe("A third-party plugin for password hashes", (it) => {
  it("A password hasher of under 40 lines makes new hashes, accepts old ones and replaces them at the next sign-in", async () => {
    assert.ok(linesOf(scrypt) < 40, `${linesOf(scrypt)} lines`);
    const features = "login(), logout()";
    const standard = await openAccounts({ user: { features } });
    await addPeople(standard, "user", "ann@example.test");
    const { password_hash } = await databaseOf(standard.application).knex("user_password_hashes").first();
    await standard.close();
    const app = await openAccounts(
      { user: { features } },
      {
        files: { "lib/scrypt.ts": scrypt },
        plugins: { imports: `import { scrypt } from "./lib/scrypt.ts";`, list: "scrypt()," },
      },
    );
    try {
      await addPeople(app, "user", "ann@example.test", "bob@example.test");
      const { knex } = databaseOf(app.application);
      await knex("user_password_hashes").where({ account_id: 1 }).update({ password_hash });
      const hashes = async () =>
        (await knex("user_password_hashes").orderBy("id")).map((row) => String(row.password_hash).slice(0, 8));
      assert.equal(await hashes(), ["$argon2i", "$scrypt$"]);
      const signIn = async (login: string, password: string) => {
        const headers = { "content-type": "application/json", accept: "application/json" };
        return (
          await app.request("/users/login", { method: "POST", headers, body: JSON.stringify({ login, password }) })
        ).status;
      };
      for (const login of ["ann@example.test", "bob@example.test"]) {
        assert.is(await signIn(login, "not it, not at all"), 401);
        assert.is(await signIn(login, PASSWORD), 200);
      }
      assert.equal(await hashes(), ["$scrypt$", "$scrypt$"]);
      assert.is(await signIn("ann@example.test", PASSWORD), 200);
      assert.is(await signIn("ann@example.test", "not it, not at all"), 401);
    } finally {
      await app.close();
    }
  });
});
