import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AccountEvent } from "framewright/plugins/authlib";
import type { TestApp } from "../../../support/apps.ts";
import { assert, describe } from "../../../support/index.ts";
import { openAccounts } from "../accounts.ts";
import { FIRST, SECOND, storied, stories, World } from "./stories.ts";
import { quickWithTokens } from "./support.ts";

const source = readFileSync(join(import.meta.dirname, "../../../../plugins/authlib/events.ts"), "utf8");
const all = [...source.matchAll(/^ {2}\| "(\w+)"/gm)].map(([, name]) => name!);
/** Those of authlib itself: the others are emitted, and tested, by `impersonation()`, `personalData()`, `apiKeys()`, `oidcLogin()` and `tenantSso()`. */
const names = all.filter(
  (name) => !/^(?:(?:impersonation|data|api_key|company_sign_in)_|identity_(?:connected|removed)$)/.test(name),
);

/** Writes down what is told, with what another connection to the database sees at that moment. */
const listener = `definePlugin({ name: "listener", requires: ["auth", "database"], apply({ hooks, services }) {
  hooks.auth.account.tapPromise("listener", async (event) => {
    const { database } = services;
    const status = event.accountId === undefined ? undefined : (await database.rows(database.knex("users").where({ id: event.accountId })))[0]?.account_status;
    const logged = (await database.rows(database.knex("user_authentication_audit_logs").where({ event: event.name }))).length;
    ((globalThis as any).told ??= []).push({ event, status, logged });
  });
} }),`;
interface Told {
  event: AccountEvent;
  status: unknown;
  logged: number;
}
const room = globalThis as { told?: Told[] };

describe("Account events", (it, { before, after }) => {
  let app: TestApp;
  let world: World;
  const heard: Told[] = [];
  before(async () => {
    const { imports, list } = quickWithTokens;
    const plugins = { imports, list: `${list} ${listener}` };
    app = await openAccounts({ user: storied }, { authlib: "{ limits: false }", plugins });
    world = new World(app.url);
  });
  after(() => app.close());

  it("Every account event has a story in these tests, and every story an event", () => {
    assert.ok(names.length > 15);
    assert.equal(Object.keys(stories).sort(), [...names].sort());
  });
  for (const name of names) {
    it(`The event ${name} is emitted once, after it was stored, with its account type, account and address`, async () => {
      const given = stories[name]!;
      room.told = [];
      const last = await given(world);
      if (typeof last === "function") {
        room.told = [];
        await last();
      }
      const found = () => room.told!.filter(({ event }) => event.name === name);
      for (let attempt = 0; attempt < 200 && found().length === 0; attempt++) await sleep(20); // some are told by a job
      const told = found();
      assert.is(told.length, 1, room.told.map(({ event }) => event.name).join(", "));
      const [{ event, status, logged }] = told as [Told];
      assert.is(event.type, "user");
      assert.ok(event.at instanceof Date);
      assert.equal(Object.keys(event).sort(), ["accountId", "address", "at", "details", "name", "type"]);
      assert.is(typeof event.accountId, ["login_failed", "locked"].includes(name) ? "undefined" : "number");
      assert.type(event.address, "string");
      assert.ok(logged > 0, "written down before it is told");
      if (event.accountId !== undefined)
        assert.is(
          status,
          name === "closed" ? "closed" : /^(?:created|invited)$/.test(name) ? "unverified" : "verified",
        );
      heard.push(...room.told);
    });
  }
  it("No account event contains a secret or a login", () => {
    const text = JSON.stringify(heard);
    assert.ok(world.secrets.length > 30, `${world.secrets.length} secrets`);
    for (const value of [FIRST, SECOND, ...world.secrets.map((secret) => secret.value)])
      assert.not(text.includes(value), value);
    assert.not.match(text, "@example.test");
  });
});
