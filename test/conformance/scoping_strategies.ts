// What every strategy for tenants must do (`services.scoping.strategies.add`). Uses node:assert alone, so that it runs under any test
// runner: for (const { sentence, check } of scopingStrategyConformance) test(sentence, () => check({ plugins: [...standard, gateway()], strategy: "gateway", address })).
import assert from "node:assert/strict";
import { definePlugin } from "framewright/kernel";
import type { Database } from "framewright/plugins/database";
import type {} from "framewright/plugins/scoping";
import type { TestApplication } from "framewright/testing";
import { type Answer, type Asked, ask, type Subject, within } from "./support/application.ts";
import { tenantFiles, tenants, tenantTables } from "./support/tenants.ts";

/** A tenant of the suite. */
export interface ConformanceTenant {
  readonly id: number;
  /** Letters alone: "alpine". It is the `paramKey`. */
  readonly slug: string;
}
/** Headers by which a request names a tenant, the host name among them: `{ host: "alpine.shop.example" }`. */
export type TenantAddress = Readonly<Record<string, string>>;

/** An application that has the strategy and the slots `database`, `sessions`, `views`, `portals`, `resources` and `scoping`. */
export interface StrategySubject extends Subject {
  /** The strategy's name, as in "gateway". */
  strategy: string;
  /** How a request names this tenant; undefined where it names none. The tenants are 1 "alpine" and 2 "baltic"; others do not exist. */
  address(tenant: ConformanceTenant | undefined): TenantAddress;
  /** Stores what the strategy looks tenants up by, before the application starts; the migrations have run. */
  prepare?(database: Database): Promise<void>;
}
export interface StrategyCheck {
  sentence: string;
  check(subject: StrategySubject): Promise<void>;
}

/** The tables have rows before anything is read in `hooks.kernel.ready`. */
const seeding = ({ prepare }: StrategySubject) =>
  definePlugin({
    name: "conformance",
    requires: ["database", "scoping"],
    apply({ services: { database }, hooks }) {
      hooks.kernel.configure.tapPromise({ name: "conformance", stage: 1000 }, async () => {
        for (const [table, rows] of Object.entries(tenantTables)) await database.knex(table).insert(rows);
        await prepare?.(database);
      });
    },
  });

const withTenants = (subject: StrategySubject, work: (desk: Desk) => Promise<void>): Promise<void> =>
  within({ ...subject, files: { ...tenantFiles(subject.strategy), ...subject.files } }, [seeding(subject)], (app) =>
    work(new Desk(app, subject)),
  );

/** The portal of the tenants, as people see it. Ann belongs to alpine, Bob to baltic, Cat to both and Dan to neither. */
class Desk {
  readonly app: TestApplication;
  readonly subject: StrategySubject;

  constructor(app: TestApplication, subject: StrategySubject) {
    this.app = app;
    this.subject = subject;
  }
  /** A request of a person, or of a guest, that names a tenant. */
  ask(person: number | undefined, address: TenantAddress, path = "/desk/posts", more: Asked = {}): Promise<Answer> {
    const who: Record<string, string> = person === undefined ? {} : { "x-conformance-person": String(person) };
    return ask(this.app, path, {
      ...more,
      headers: { accept: "application/json", ...who, ...address, ...more.headers },
    });
  }
  at(tenant: ConformanceTenant | undefined): TenantAddress {
    return this.subject.address(tenant);
  }
}

/** What could tell two replies apart. */
const seen = ({ status, headers: { date: _, "x-request-id": __, ...headers }, text }: Answer): unknown => ({
  status,
  headers,
  text,
});
const { alpine, baltic, nobody } = tenants;

export const scopingStrategyConformance: readonly StrategyCheck[] = [
  {
    sentence: "A member who names a tenant gets its records and no others",
    check: (subject) =>
      withTenants(subject, async (desk) => {
        for (const [person, tenant, own, foreign] of [
          [1, alpine, "Alpine", "Baltic"],
          [2, baltic, "Baltic", "Alpine"],
          [3, alpine, "Alpine", "Baltic"],
          [3, baltic, "Baltic", "Alpine"],
        ] as const) {
          const { status, text } = await desk.ask(person, desk.at(tenant));
          assert.equal(status, 200, `${tenant.slug}: ${text}`);
          assert.ok(text.includes(`Post ${own}`) && !text.includes(`Post ${foreign}`), `${tenant.slug}: ${text}`);
        }
        assert.equal((await desk.ask(3, desk.at(alpine), "/desk/posts/2")).status, 404);
        assert.equal((await desk.ask(3, desk.at(baltic), "/desk/posts/2")).status, 200);
      }),
  },
  {
    sentence: "A foreign tenant, one that does not exist and none at all get one and the same 404",
    check: (subject) =>
      withTenants(subject, async (desk) => {
        const missing = await desk.ask(1, desk.at(nobody));
        assert.ok([400, 404].includes(missing.status), `${missing.status}: a tenant that does not exist`);
        assert.ok(!/Alpine|Baltic/.test(missing.text), missing.text);
        for (const person of [1, 4]) {
          const foreign = await desk.ask(person, desk.at(baltic));
          assert.equal(foreign.status, 404, "a foreign tenant");
          if (missing.status === 404) assert.deepEqual(seen(foreign), seen(missing));
        }
        const none = await desk.ask(3, desk.at(undefined));
        assert.ok(
          [400, 404].includes(none.status),
          `${none.status}: no tenant is named, and the answer is ${none.text}`,
        );
        assert.ok(!/Post (?:Alpine|Baltic)/.test(none.text));
      }),
  },
  {
    sentence: "A query, a path or a body that names another tenant changes nothing",
    check: (subject) =>
      withTenants(subject, async (desk) => {
        const names = ["organization_id", "organization", "tenant", "tenant_id", "entity", "slug", subject.strategy];
        for (const value of ["2", "baltic"])
          for (const name of names) {
            const { status, text } = await desk.ask(3, desk.at(alpine), `/desk/posts?${name}=${value}`);
            assert.ok(!text.includes("Post Baltic"), `${name}=${value}`);
            assert.ok(status === 200 || (status >= 400 && status < 500), `${name}=${value}: ${status}`);
            const none = await desk.ask(3, desk.at(undefined), `/desk/posts?${name}=${value}`);
            assert.ok(!/Post (?:Alpine|Baltic)/.test(none.text), `without a tenant, ${name}=${value}: ${none.text}`);
          }
        const body = JSON.stringify({ post: { title: "Written", organization_id: 2 }, organization_id: 2 });
        const sent = { method: "POST", body, headers: { "content-type": "application/json" } };
        await desk.ask(3, desk.at(alpine), "/desk/posts", sent);
        assert.ok(
          !(await desk.ask(3, desk.at(baltic))).text.includes("Written"),
          "a record is written to another tenant",
        );
      }),
  },
  {
    sentence: "Headers that a client sets besides those of its address name no tenant",
    check: (subject) =>
      withTenants(subject, async (desk) => {
        const { host } = desk.at(baltic);
        const forged = {
          "x-tenant": "baltic",
          "x-tenant-id": "2",
          "x-organization": "2",
          cookie: "tenant=2; organization_id=2",
          referer: `https://${host ?? "baltic"}/desk`,
          origin: "null",
        };
        const proxy = host === undefined ? {} : { "x-forwarded-host": host, forwarded: `host=${host}`, "x-host": host };
        for (const [name, value] of Object.entries({ ...forged, ...proxy })) {
          if (name in desk.at(baltic)) continue; // the strategy's own: what a gateway sets
          const { text } = await desk.ask(3, { [name]: value, ...desk.at(alpine) });
          assert.ok(!text.includes("Post Baltic"), `${name}: ${value}`);
          const none = await desk.ask(3, { [name]: value, ...desk.at(undefined) });
          assert.ok(!/Post (?:Alpine|Baltic)/.test(none.text), `without a tenant, ${name}: ${value}`);
        }
      }),
  },
  {
    sentence:
      "A guest is refused at every address, and a tenant's reply is the same as that of one that does not exist",
    check: (subject) =>
      withTenants(subject, async (desk) => {
        const replies = await Promise.all([alpine, baltic].map((tenant) => desk.ask(undefined, desk.at(tenant))));
        for (const { status, text } of replies) {
          assert.equal(status, 401);
          assert.ok(!/Alpine|Baltic/.test(text));
        }
        assert.deepEqual(seen(replies[0]!), seen(replies[1]!));
        assert.ok((await desk.ask(undefined, desk.at(nobody))).status >= 400);
      }),
  },
  {
    sentence: "Requests to several tenants that run at once each have their own",
    check: (subject) =>
      withTenants(subject, async (desk) => {
        const asked = Array.from({ length: 24 }, async (_, index) => {
          const [tenant, mark] = [
            [alpine, "Post Alpine"] as const,
            [baltic, "Post Baltic"] as const,
            [nobody, undefined] as const,
          ][index % 3]!;
          const { text } = await desk.ask(3, desk.at(tenant));
          const found = /Post (?:Alpine|Baltic)/.exec(text)?.[0];
          assert.equal(found, mark, tenant.slug);
        });
        await Promise.all(asked);
      }),
  },
  {
    sentence: "Where the strategy has addresses of tenants, each is an origin that leads to that tenant",
    check: (subject) =>
      withTenants(subject, async (desk) => {
        const { kernel } = desk.app.application;
        const rule = kernel.service("scoping").ruleOf("DeskPortal");
        assert.equal(rule?.strategy, subject.strategy);
        assert.ok(rule.registered, `no plugin has added the strategy "${subject.strategy}"`);
        if (!rule.registered.url) return;
        const post = await kernel.service("database").query(kernel.service("database").model("Post").class).findById(2);
        const organization = await kernel.service("database").query(rule.entity.class).findById(2);
        assert.ok(post && organization);
        const url = new URL(kernel.service("resources").urlFor(post, { portal: "DeskPortal", entity: organization }));
        const { status, text } = await desk.ask(2, { host: url.host }, url.pathname);
        assert.deepEqual([status, text.includes("Post Baltic")], [200, true], url.href);
        assert.equal((await desk.ask(1, { host: url.host }, url.pathname)).status, 404);
      }),
  },
];
