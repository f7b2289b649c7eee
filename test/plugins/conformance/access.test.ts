import type { AuthMode } from "framewright/host";
import { definePlugin } from "framewright/kernel";
import type { Database } from "framewright/plugins/database";
import { scoping, type TenantStrategy } from "framewright/plugins/scoping";
import { type AuthModeSubject, authModeConformance } from "../../conformance/auth_modes.ts";
import { type StrategySubject, scopingStrategyConformance } from "../../conformance/scoping_strategies.ts";
import { describe } from "../../support/index.ts";
import { pagePlugins, portalPlugins, refuses } from "./suites.ts";

const SECRET = "the gate's own secret, which is long";
const people = new Map([
  ["ann", { id: 1, name: "Ann" }],
  ["bob", { id: 2, name: "Bob" }],
]);
const named = (name: string) => ({ "x-gate-secret": SECRET, "x-gate-name": name });

/** A mode by the headers that a gate sets. */
const gate: AuthMode = {
  find(request) {
    if (request.singleHeader("x-gate-secret") !== SECRET) return null;
    return people.get(request.singleHeader("x-gate-name") ?? "");
  },
  challenge: "Gate",
};
const mode = (changes: AuthMode): AuthModeSubject => ({
  plugins: [
    ...pagePlugins(),
    definePlugin({
      name: "gate",
      requires: ["host"],
      apply: ({ services }) => services.host.authModes.add("gate", { ...gate, ...changes }),
    }),
  ],
  mode: "gate",
  people: [...people].map(([name, account]) => ({ credentials: named(name), account })),
  wrong: {
    "a guessed secret": { ...named("ann"), "x-gate-secret": "guessed" },
    "an unknown name": named("eve"),
  },
});

describe("The suite of modes of authentication", (it) => {
  for (const { sentence, check } of authModeConformance) it(`A mode by headers: ${sentence}`, () => check(mode({})));
  it("A mode that leads to a sign-in passes", () =>
    refuses(authModeConformance, mode({ signIn: () => "https://sso.example/" }), {}));

  it("It refuses a mode that takes a wrong credential for anybody", () =>
    refuses(
      authModeConformance,
      mode({
        find(request) {
          const name = request.singleHeader("x-gate-name");
          return name === undefined ? null : (people.get(name) ?? { id: 0, name: "somebody" });
        },
      }),
      {
        "proves nothing gets 401": /answered 200/,
        "Where guests are admitted": /"account":\{/,
        "A header that comes twice": /answered 200/,
      },
    ));
  it("It refuses a mode that admits guests by itself, and reads the first of two headers", () =>
    refuses(
      authModeConformance,
      mode({
        guests: "admit",
        find: ({ raw: { rawHeaders } }) => {
          const first = (name: string) => rawHeaders[rawHeaders.findIndex((one) => one.toLowerCase() === name) + 1];
          return first("x-gate-secret") === SECRET ? people.get(first("x-gate-name") ?? "") : null;
        },
      }),
      { "A controller that does not say so": /answered 200/, "A header that comes twice": /twice: answered 200/ },
    ));
  it("It refuses a mode that fails on a credential of another length, and one that remembers who came last", async () => {
    await refuses(
      authModeConformance,
      mode({
        find(request) {
          const given = request.singleHeader("x-gate-secret") ?? "";
          if (given.length !== SECRET.length) throw new RangeError("Input buffers must have the same byte length");
          return gate.find!(request, request.authentication!);
        },
      }),
      {
        "proves nothing gets 401": /answered 500/,
        "A controller that does not say so": /answered 500/,
        "Where guests are admitted": /500/,
        "A browser that asks": /500/,
        "A header that comes twice": /answered 500/,
        "Nothing is remembered": /answered 500/,
      },
    );
    let last: object | null | undefined;
    const forgetful = mode({
      async find(request, authentication) {
        last = (await gate.find!(request, authentication)) ?? last;
        return last;
      },
    });
    await refuses(authModeConformance, forgetful, {
      "proves nothing gets 401": /answered 200/,
      "A controller that does not say so": /answered 200/,
      "Where guests are admitted": /"account":\{/,
      "A browser that asks": /200/,
      "A header that comes twice": /answered 200/,
      "Nothing is remembered": /answered 200/,
    });
  });
});

/** Strategies of a plugin, which finds tenants by what a gateway says. */
const gateway = (strategy: (database: Database) => TenantStrategy): StrategySubject => ({
  plugins: [
    ...portalPlugins(),
    scoping(),
    definePlugin({
      name: "gateway",
      requires: ["database", "scoping"],
      apply: ({ services: { database, scoping } }) => scoping.strategies.add("gateway", strategy(database)),
    }),
  ],
  strategy: "gateway",
  address: (tenant): Record<string, string> => (tenant ? { "x-gateway": tenant.slug } : {}),
});
const bySlug =
  (database: Database): TenantStrategy["find"] =>
  async (request, { entity }) =>
    database.query(entity.class).findOne("slug", request.singleHeader("x-gateway") ?? "");

const domain = "shop.example";
const subdomain: StrategySubject = {
  plugins: [...portalPlugins(), scoping()],
  env: { APP_URL: `https://${domain}`, ALLOWED_HOSTS: `${domain},*.${domain}` },
  strategy: "subdomain",
  address: (tenant) => ({ host: tenant ? `${tenant.slug}.${domain}` : domain }),
};

describe("The suite of strategies for tenants", (it) => {
  for (const { sentence, check } of scopingStrategyConformance)
    it(`The strategy "subdomain": ${sentence}`, () => check(subdomain));
  it("A strategy by a gateway's header passes", () =>
    refuses(
      scopingStrategyConformance,
      gateway((database) => ({ find: bySlug(database) })),
      {},
    ));

  it("It refuses a strategy that answers a tenant where none or an unknown one is named", () =>
    refuses(
      scopingStrategyConformance,
      gateway((database) => ({
        find: async (request, rule) =>
          (await bySlug(database)(request, rule)) ?? database.query(rule.entity.class).orderBy("id").first(),
      })),
      {
        "one and the same 404": /./,
        "A query, a path or a body": /without a tenant/,
        "Headers that a client sets": /without a tenant/,
        "run at once": /nobody/,
      },
    ));
  it("It refuses a strategy that lets a query choose, keeps the tenant of another request and gives the address of another tenant", () =>
    refuses(
      scopingStrategyConformance,
      {
        ...gateway((database) => {
          let current: string | undefined;
          return {
            async find({ raw, hostname }, { entity }) {
              current = new URL(raw.url ?? "", "http://x").searchParams.get("tenant") ?? hostname.split(".")[0]!;
              await new Promise((done) => setTimeout(done, 5));
              return database.query(entity.class).findOne("slug", current);
            },
            url: (_tenant, { origin }) => origin(`alpine.${domain}`),
          };
        }),
        env: subdomain.env!,
        address: subdomain.address,
      },
      {
        "A query, a path or a body": /tenant=baltic/,
        "run at once": /./,
        "each is an origin that leads": /./,
      },
    ));
});
