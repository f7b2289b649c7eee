import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";
import { PASSWORD, Product } from "./product.ts";
import { ensureBuilt, fwOk, newApp, runFw, snapshot, typeCheck, useDatabase } from "./support.ts";

/** Customers of organizations and of teams, and partners of organizations, who have an account type of another name. */
const flows = [
  ["fw:saas:setup", "--user=Customer", "--entity=Organization", "--no_profile"],
  ["fw:saas:setup", "--user=Customer", "--entity=Team", "--portal_name=team", "--no_profile"],
  ["fw:saas:user", "Partner"],
  ["fw:authlib:account", "agent", "--model=Partner"],
  ["fw:saas:membership", "--user=Partner", "--roles=member"],
  ["fw:saas:portal", "--user_model=Partner", "--portal_name=agent", "--auth=agent"],
  ["fw:invites:install", "--user_model=Partner", "--invite_model=Guest", "--auth=agent", "--portal=agent_portal"],
  ["fw:saas:welcome", "--user_model=Partner", "--portal=agent_portal"],
];

/** One flow: where its people sign up, found a tenant, invite and accept. */
interface Flow {
  accounts: string;
  welcome: string;
  portal: string;
  invites: string;
  links: string;
  members: string;
}
const organizations: Flow = {
  accounts: "/customers",
  welcome: "/welcome",
  portal: "/dashboard",
  invites: "organization_customer_invites",
  links: "/organization-customer-invites",
  members: "organization_customers",
};
const teams: Flow = {
  accounts: "/customers",
  welcome: "/customer-welcome",
  portal: "/team",
  invites: "team_customer_invites",
  links: "/team-customer-invites",
  members: "team_customers",
};
const partners: Flow = {
  accounts: "/agents",
  welcome: "/agent-welcome",
  portal: "/agent",
  invites: "guests",
  links: "/guests",
  members: "organization_partners",
};
const chosen = { password: PASSWORD, password_confirmation: PASSWORD };

/** A product with several flows of invitations. */
class Flows extends Product {
  /** An owner with a tenant of a flow; its address. */
  async found({ accounts, welcome, portal }: Flow, owner: Client, login: string, name: string): Promise<string> {
    await owner.submit(`${accounts}/create-account`, { login, ...chosen });
    await owner.submit(await this.mailed(login, "Verify your address"), chosen);
    return this.open({ welcome, portal }, owner, name);
  }
  async open({ welcome, portal }: Pick<Flow, "welcome" | "portal">, owner: Client, name: string): Promise<string> {
    const created = await owner.submit(welcome, { "tenant[name]": name });
    const location = created.headers.get("location") ?? "";
    assert.match(location, `${portal}/`, await created.text());
    return location;
  }
  /** Invites an address as a member; the link of the mail. */
  async invite(flow: Flow, owner: Client, tenant: string, email: string, name: string): Promise<string> {
    const values = { "interaction[email]": email, "interaction[role]": "member" };
    const sent = await owner.submit(`${tenant}/${flow.invites}/actions/invite`, values);
    assert.is(sent.status, 303, await sent.text());
    return this.mailed(email, `You are invited to ${name}`);
  }
  /** Signs up by the link, and joins. */
  async accept({ accounts, links }: Flow, link: string, tenant: string): Promise<Client> {
    assert.is(link.split("?")[0], links);
    const guest = new Client(this.url);
    assert.match(await guest.page(link), `${accounts}/create-account`);
    await guest.submit(`${accounts}/create-account`, chosen);
    assert.is((await guest.submit(link, {})).headers.get("location"), tenant);
    return guest;
  }
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Several flows of invitations in one product, on ${database.name}`, (it, { after }) => {
    let app = "";
    let values: Record<string, string> = {};
    after(() => database.clean());
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body, 240_000);

    can("Each flow has its model, its path and its URL helper, and a second run changes nothing", async () => {
      await ensureBuilt();
      values = await database.values();
      app = await newApp();
      if (values.DATABASE_URL) useDatabase(app, values.DATABASE_URL);
      for (const words of flows) await fwOk(app, "g", ...words);
      await fwOk(app, "db:migrate");
      const before = snapshot(app);
      for (const words of flows) await fwOk(app, "g", ...words);
      assert.equal(snapshot(app), before);
      const checked = await typeCheck(app);
      assert.is(checked.code, 0, checked.out);
      const { out } = await fwOk(app, "routes", "--json");
      const drawn = JSON.parse(out) as { verb: string; path: string; name?: string }[];
      for (const [links, name] of [
        ["/organization-customer-invites", "organization_customer_invite_links"],
        ["/team-customer-invites", "team_customer_invite_links"],
        ["/guests", "guest_links"],
      ])
        assert.is(drawn.find(({ verb, path }) => verb === "GET" && path === links)?.name, name);
    });

    can("People invite and accept in each flow, by its own accounts, and a link opens in its flow alone", async () => {
      const { child, url } = await serveApp(app, { ...values, NODE_ENV: "development" });
      try {
        const product = new Flows(url);
        const [ann, pat] = [new Client(url), new Client(url)];
        const alder = await product.found(organizations, ann, "ann@example.test", "Alder");
        const birch = await product.open(teams, ann, "Birch");
        const cedar = await product.found(partners, pat, "pat@example.test", "Cedar");
        const [toAlder, toBirch, toCedar] = [
          await product.invite(organizations, ann, alder, "bob@example.test", "Alder"),
          await product.invite(teams, ann, birch, "bea@example.test", "Birch"),
          await product.invite(partners, pat, cedar, "bo@example.test", "Cedar"),
        ];
        const bob = await product.accept(organizations, toAlder, alder);
        const bea = await product.accept(teams, toBirch, birch);
        const bo = await product.accept(partners, toCedar, cedar);
        for (const [person, flow, tenant] of [
          [bob, organizations, alder],
          [bea, teams, birch],
          [bo, partners, cedar],
        ] as const)
          assert.is((await person.request(`${tenant}/${flow.members}`)).status, 200);
        const key = toAlder.split("?")[1];
        assert.is((await new Client(url).request(`${teams.links}?${key}`)).status, 404);
        assert.is((await bea.request(alder)).status, 404);
        assert.is((await bo.request(alder)).headers.get("location"), "/customers/login");
      } finally {
        child.kill("SIGTERM");
        await exitOf(child);
      }
    });

    can(
      "An account type of other accounts than those of the members invites nobody, and the error names both",
      async () => {
        const path = join(app, "app/models/guest.ts");
        writeFileSync(path, readFileSync(path, "utf8").replace('account = "agent"', 'account = "customer"'));
        const { child, url, output } = await serveApp(app, { ...values, NODE_ENV: "development" });
        try {
          const pat = new Client(url);
          await pat.submit("/agents/login", { login: "pat@example.test", password: PASSWORD });
          const tenant = (await pat.request("/agent")).headers.get("location")!;
          const refused = await pat.submit(`${tenant}/guests/actions/invite`, {
            "interaction[email]": "x@example.test",
          });
          assert.is(refused.status, 500);
          assert.match(output() + (await refused.text()), "FW_INVITATION_ACCOUNT");
        } finally {
          child.kill("SIGTERM");
          await exitOf(child);
        }
      },
    );
  });
}

describe("The generator of invitations, given what makes no flow", (it) => {
  it("It refuses account types, models and portals of another flow by name, and writes nothing", async () => {
    const app = await newApp();
    for (const words of flows.slice(0, 4)) await fwOk(app, "g", ...words);
    const before = snapshot(app);
    const customer = ["--user_model=Customer", "--portal=dashboard_portal"];
    const refusals = [
      [[...customer, "--auth=agent"], "--auth", "customer"],
      [[...customer, "--auth=agnet"], "FW_ACCOUNT_UNKNOWN", '"agent"'],
      [[...customer, "--invite_model=TeamCustomerInvite"], "--invite_model", "TeamCustomerInvite"],
      [[...customer, "--invite_model=Customer"], "--invite_model", "Customer"],
      [["--user_model=Customer", "--portal=team_portal"], "--entity_model", "team_portal"],
    ] as const;
    for (const [words, ...says] of refusals) {
      const ran = await runFw(app, "g", "fw:invites:install", ...words);
      assert.is(ran.code, 2, `${words.join(" ")}\n${ran.out}${ran.err}`);
      for (const part of says) assert.match(ran.err, part);
    }
    assert.equal(snapshot(app), before);
  });
});
