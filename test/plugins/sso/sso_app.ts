import type { TestApp } from "../../support/apps.ts";
import { assert } from "../../support/index.ts";
import { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD } from "../authlib/accounts.ts";
import { quick } from "../authlib/promises/support.ts";
import { memberFiles } from "../memberships/members_app.ts";
import { HostileProvider, type Lie } from "../oidc/hostile_provider.ts";
import { DnsServer } from "./dns_server.ts";

const SECRET = "secret-of-the-tenant-at-its-provider";
export const features =
  "login(), logout(), remember(), createAccount(), verifyAccount(), resetPassword(), changePassword(), changeLogin(), closeAccount(), activeSessions(), emailAuth(), otp(), securityMails(), oidcLogin({ providers: {} }), tenantSso(options), auditLogging()";

export interface SsoAppOptions {
  values?: Record<string, string>;
  /** The options of `tenantSso()` and of `sso()`, as code. */
  options?: string;
  plugin?: string;
  list?: string;
  imports?: string;
  types?: string;
}
const base = {
  "packages/user_portal/app/controllers/user_portal/resource_controller.ts": `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { Members } from "framewright/plugins/memberships"; import Member from "#app/models/member.ts"; import { PortalController } from "framewright/plugins/portals"; import { ResourceController } from "framewright/plugins/resources";
    export default class UserPortalResourceController extends (concern(ResourceController, PortalController, Authlib("user" as never), Members(Member)) as typeof ResourceController) {}`,
};
interface Provider {
  issuer: string;
  client_id?: string;
  [field: string]: string | undefined;
}

/** Organizations whose people sign in by providers of their own: acme (1) of ann, and bolt (2) of bob. */
export class SsoApp {
  readonly app: TestApp;
  readonly dns: DnsServer;
  readonly idp: HostileProvider;

  private constructor(app: TestApp, dns: DnsServer, idp: HostileProvider) {
    this.app = app;
    this.dns = dns;
    this.idp = idp;
  }
  static async open({
    values = {},
    options = "",
    plugin = "",
    list = "",
    imports = "",
    types,
  }: SsoAppOptions = {}): Promise<SsoApp> {
    const [dns, idp] = [await DnsServer.open(), await HostileProvider.open()];
    const user = {
      features: types ?? features,
      imports: `import { oidcLogin } from "framewright/plugins/oidc"; import { tenantSso } from "framewright/plugins/sso"; ${imports} const options = { ${options} };`,
    };
    const app = await openAccounts(
      { user, admin: { features: "login(), logout()" } },
      {
        values,
        authlib: "{ limits: false }",
        plugins: {
          imports: `${quick.imports} import { oidc } from "framewright/plugins/oidc"; import { sso } from "framewright/plugins/sso"; ${imports}`,
          list: `${quick.list} ${list} oidc(), sso({ dnsServers: ["${dns.address}"], dnsTimeoutSeconds: 1, allowAddresses: ["127.0.0.0/8"], allowHttp: true, ${plugin} }),`,
        },
        files: { ...memberFiles, ...base },
      },
    ).catch(async (error: unknown) => {
      await Promise.all([dns.close(), idp.close()]);
      throw error;
    });
    const made = new SsoApp(app, dns, idp);
    const { knex } = made;
    await addPeople(app, "user", "ann@acme.test", "bob@bolt.test", "meg@acme.test", "max@acme.test", "guest@home.test");
    await knex("organizations").insert([{ name: "Acme" }, { name: "Bolt" }]);
    const now = new Date();
    const stamps = { created_at: now, updated_at: now };
    const member = (organization_id: number, user_id: number, role: string) => ({
      organization_id,
      user_id,
      role,
      ...stamps,
    });
    await knex("members").insert([
      ...[member(1, 1, "owner"), member(2, 2, "owner"), member(1, 3, "admin"), member(1, 4, "member")],
      member(1, 5, "member"),
    ]);
    return made;
  }
  async close(): Promise<void> {
    await this.app.close();
    await this.dns.close();
    await this.idp.close();
  }

  get knex() {
    return databaseOf(this.app.application).knex;
  }
  browser(): Client {
    return new Client(this.app.url);
  }
  async signIn(login: string): Promise<Client> {
    const client = this.browser();
    const answer = await client.submit("/users/login", { login, password: PASSWORD });
    assert.is(answer.status, 303, login);
    return client;
  }
  /** Sends a form of a tenant's page, by its address below it. */
  send(client: Client, path: string, fields: Record<string, string> = {}, tenant = 1): Promise<Response> {
    return client.submit(`/user/${tenant}/_sso`, fields, new RegExp(`action="/user/${tenant}/_sso${path}"`));
  }
  /** Adds a domain on the page of a tenant and publishes its record. */
  async addDomain(client: Client, domain: string, tenant = 1): Promise<number> {
    await this.send(client, "/domains", { domain }, tenant);
    const row = await this.knex("user_sso_domains").where({ tenant_id: tenant, domain }).first();
    assert.ok(row, domain);
    this.publish(row);
    return Number(row.id);
  }
  publish(row: { domain: string; token: string }): void {
    this.dns.zones.set(`_framewright-challenge.${row.domain}`, [[`framewright-verification=${row.token}`]]);
  }
  verify(client: Client, id: number, tenant = 1): Promise<Response> {
    return this.send(client, `/domains/${id}/verify`, {}, tenant);
  }
  async prove(client: Client, domain: string, tenant = 1): Promise<void> {
    assert.is((await this.verify(client, await this.addDomain(client, domain, tenant), tenant)).status, 303);
    const row = await this.knex("user_sso_domains").where({ tenant_id: tenant, domain }).first();
    assert.is(row.proven_domain, domain, "the domain is proven");
  }
  /** Stores the provider of a tenant. */
  saveProvider(client: Client, fields: Partial<Provider> = {}, tenant = 1): Promise<Response> {
    const form = {
      ...{ issuer: this.idp.issuer, client_id: "shop", client_secret: SECRET, default_role: "member", provisions: "1" },
      ...fields,
    };
    return client.submit(`/user/${tenant}/_sso/provider`, form as Record<string, string>, /_sso\/provider"/);
  }
  /** A tenant with a proven domain and a provider. */
  async setUp(owner: Client, domain: string, tenant = 1, fields: Partial<Provider> = {}): Promise<void> {
    await this.prove(owner, domain, tenant);
    const saved = await this.saveProvider(owner, fields, tenant);
    assert.is(saved.status, 303, await saved.text());
  }
  /** The address of the provider that a browser is sent to. */
  async begin(client: Client, tenant = 1): Promise<string> {
    const answer = await client.request(`/users/oidc/tenant-${tenant}`);
    assert.is(answer.status, 303, await answer.text());
    return String(answer.headers.get("location"));
  }
  /** What an answer of the provider leads to. */
  async follow(client: Client, back: string): Promise<string> {
    const { pathname, search } = new URL(back);
    const answer = await client.request(pathname + search);
    assert.is(answer.status, 303, await answer.text());
    return String(answer.headers.get("location"));
  }
  /** Signs somebody in by a tenant's provider; returns where it leads. */
  async arrive(
    client: Client,
    person: Record<string, unknown>,
    { tenant = 1, idp = this.idp, lie = {} as Lie } = {},
  ): Promise<string> {
    const back = idp.allow(await this.begin(client, tenant));
    idp.person = person;
    idp.lie = lie;
    try {
      return await this.follow(client, back);
    } finally {
      idp.lie = {};
    }
  }
  async opens(client: Client, path = "/user/1/members"): Promise<boolean> {
    return (await client.request(path)).status === 200;
  }
  async roleOf(email: string, organization_id = 1): Promise<string | undefined> {
    const row = await this.knex("members")
      .join("users", "users.id", "members.user_id")
      .where({ "users.email": email, organization_id })
      .first("members.role");
    return row?.role;
  }
}
export { SECRET };
