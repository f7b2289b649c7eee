import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PASSWORD, Product } from "../generators/product.ts";
import { ensureBuilt, fwOk, newApp, rowsOf, runCommand, runFw, snapshot, useDatabase } from "../generators/support.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { Served, serveApp } from "../support/processes.ts";
import { Client } from "../testing/client.ts";

const setup = ["fw:saas:setup", "--user=Customer", "--entity=Organization", "--no_profile"];
const clients = [
  "fw:saas:api_client",
  "ApiClient",
  "--entity=Organization",
  "--roles=read_only,write,admin",
  "--extra_attributes=note:text?,rank:integer?",
  "--portal=dashboard_portal",
];
const invitable = [
  "fw:invites:invitable",
  "Desk",
  "--role=member",
  "--user_model=Customer",
  "--membership_model=OrganizationCustomer",
  "--dest=dashboard_portal",
];
/** What a desk does when an invitation for it is accepted: it leaves another desk. */
const told =
  'const name = this.name + " for " + user.toLabel(); await Desk.query(transaction).insert({ name, organization_id: this.organization_id });';
const KEY = /<code>(fwk_[\w-]{49})<\/code>/;

/** A product whose programs have keys. */
class Programs extends Product {
  readonly output: () => string;
  constructor(url: string, output: () => string) {
    super(url);
    this.output = output;
  }

  /** An owner with an organization and a desk in it. */
  async owner(login: string, name: string): Promise<void> {
    const client = await this.signUp(login);
    const location = (await client.submit("/welcome", { "tenant[name]": name })).headers.get("location");
    const desk = await client.submit(`${location}/desks/new`, { "desk[name]": `${name}'s desk` });
    assert.is(desk.status, 303, await desk.text());
  }
  /** Adds an API client; the page with its key. */
  async add(owner: Client, organization: number, name: string, role: string): Promise<Response> {
    const values = { "interaction[name]": name, "interaction[role]": role, "interaction[note]": "by hand" };
    return owner.submit(`/dashboard/${organization}/api_clients/actions/add`, values);
  }
  async addKey(owner: Client, organization: number, name: string, role: string): Promise<string> {
    return keyIn(await this.add(owner, organization, name, role));
  }
  async act(owner: Client, organization: number, id: number, action: string): Promise<Response> {
    return owner.submit(`/dashboard/${organization}/api_clients/${id}/actions/${action}`, {});
  }
  /** A program's request. */
  async call(key: string | undefined, path: string, body?: object): Promise<{ status: number; text: string }> {
    const headers = {
      accept: "application/json",
      "content-type": "application/json",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    };
    const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(`${this.url}/api_client${path}`, init);
    return { status: answer.status, text: await answer.text() };
  }
}

async function keyIn(answer: Response): Promise<string> {
  const text = await answer.text();
  const key = KEY.exec(text)?.[1];
  assert.ok(key, `${answer.status} ${text}`);
  return key!;
}

for (const database of await databases()) {
  describe(`API clients and invitable records of a generated product, on ${database.name}`, (it, { after }) => {
    let app = "";
    let values: Record<string, string> = {};
    const served = new Served(() => serveApp(app, { ...values, NODE_ENV: "development" }));
    after(async () => {
      await served.stop();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body, 120_000);
    const serving = async (story: (product: Programs) => Promise<void>) => {
      const { url, output } = await served.running;
      await story(new Programs(url, output));
    };

    can(
      "A product with API clients and invitable records type-checks and passes the doctor, and a second run changes nothing",
      async () => {
        await ensureBuilt();
        values = await database.values();
        app = await newApp();
        if (values.DATABASE_URL) useDatabase(app, values.DATABASE_URL);
        await fwOk(app, "g", ...setup);
        await fwOk(app, "g", "fw:res:scaffold", "Desk", "name:string", "organization:belongs_to");
        await fwOk(app, "g", ...clients);
        await fwOk(app, "db:migrate");
        await fwOk(app, "g", "fw:res:conn", "Desk", "--dest=dashboard_portal");
        await fwOk(app, "g", "fw:res:conn", "Desk", "--dest=api_client_portal");
        await fwOk(app, "g", ...invitable);
        await fwOk(app, "db:migrate");
        writeFileSync(
          join(app, "app/models/desk.ts"),
          readFileSync(join(app, "app/models/desk.ts"), "utf8").replace(
            "(_user: Customer, _transaction: Transaction): Promise<void> {}",
            `(user: Customer, transaction: Transaction): Promise<void> { ${told} }`,
          ),
        );
        const before = snapshot(app);
        await fwOk(app, "g", ...clients);
        await fwOk(app, "g", ...invitable);
        await fwOk(app, "g", "fw:saas:api_client", "ApiClient", "--portal=dashboard_portal");
        assert.equal(snapshot(app), before);
        const tsc = join(app, "node_modules/typescript/bin/tsc");
        const checked = await runCommand(process.execPath, [tsc, "-p", "tsconfig.json"], app);
        assert.is(checked.code, 0, checked.out);
        assert.not.match((await runFw(app, "doctor")).out, "FIX");
      },
    );

    can("A manager adds a client, and its key is shown once, stored as a digest and never logged", () =>
      serving(async (product) => {
        await product.owner("ann@example.test", "Alder");
        await product.owner("bob@example.test", "Birch");
        const ann = await product.signIn("ann@example.test"); // a new key asks who is there
        const added = await product.add(ann, 1, "Importer", "write");
        assert.is(added.status, 201);
        assert.is(added.headers.get("cache-control"), "no-store");
        const key = await keyIn(added);
        const page = await ann.page("/dashboard/1/api_clients/1");
        assert.match(page, key.slice(-4));
        for (const shown of [page, await ann.page("/dashboard/1/api_clients"), product.output()])
          assert.not.match(shown, key);
        assert.is((await product.add(ann, 1, "Importer", "write")).status, 422);
        const stored = await rowsOf(app, values, "api_clients");
        assert.not.match(stored, key);
        assert.match(stored, createHash("sha256").update(key).digest("base64url"));
        assert.match(stored, "by hand");
      }),
    );

    can("A key reaches the records of its tenant only, as far as its role, and its last use is kept", () =>
      serving(async (product) => {
        const ann = await product.signIn("ann@example.test");
        const [reader, writer] = [
          await product.addKey(ann, 1, "Reader", "read_only"),
          await product.addKey(ann, 1, "Writer", "write"),
        ];
        const listed = await product.call(reader, "/desks.json");
        assert.is(listed.status, 200, listed.text);
        assert.match(listed.text, "Alder's desk");
        assert.not.match(listed.text, "Birch");
        for (const key of [reader, writer]) assert.is((await product.call(key, "/desks/2.json")).status, 404);
        const desk = { desk: { name: "New desk", organization: 2 } };
        assert.is((await product.call(reader, "/desks.json", desk)).status, 403);
        assert.is((await product.call(writer, "/desks.json", desk)).status, 201);
        assert.match((await product.call(reader, "/desks.json")).text, "New desk");
        const used = async () => (await client(ann, "Reader")).last_used_at;
        const first = await used();
        assert.ok(first);
        await product.call(reader, "/desks.json");
        assert.is(await used(), first);
      }),
    );

    can("Without a key, with an unknown one and with those of rotated and disabled clients a program gets 401", () =>
      serving(async (product) => {
        const ann = await product.signIn("ann@example.test");
        const status = async (key: string | undefined) => (await product.call(key, "/desks.json")).status;
        const key = await product.addKey(ann, 1, "Robot", "admin");
        const { id } = await client(ann, "Robot");
        assert.equal([await status(undefined), await status("x".repeat(43)), await status(key)], [401, 401, 200]);
        const next = await keyIn(await product.act(ann, 1, id, "rotate"));
        assert.equal([await status(key), await status(next)], [401, 200]);
        assert.is((await product.act(ann, 1, id, "disable")).status, 303);
        assert.is(await status(next), 401);
        const [refused, unknown] = [await product.call(next, "/desks.json"), await product.call(key, "/desks.json")];
        const plain = ({ text }: { text: string }) => text.replace(/"[\w-]*(id|instance)":"[^"]*"/g, "");
        assert.is(plain(refused), plain(unknown));
        assert.is((await product.act(ann, 1, id, "enable")).status, 303);
        assert.is(await status(next), 200);
        assert.is((await ann.request("/api_client/desks.json")).status, 401);
      }),
    );

    can("Who is no manager neither sees clients nor makes any, and those of another tenant are 404", () =>
      serving(async (product) => {
        const [ann, bob] = [await product.signIn("ann@example.test"), await product.signIn("bob@example.test")];
        assert.is((await bob.request("/dashboard/1/api_clients")).status, 404);
        assert.is((await bob.request("/dashboard/2/api_clients/1")).status, 404);
        assert.is(await forge(bob, "/dashboard/2/api_clients/1/actions/rotate", {}), 404);
        await ann.submit("/dashboard/1/organization_customer_invites/actions/invite", {
          "interaction[email]": "bob@example.test",
          "interaction[role]": "member",
        });
        await bob.submit(await product.mailed("bob@example.test", "You are invited to Alder"), {});
        assert.is((await bob.request("/dashboard/1/desks")).status, 200);
        assert.is((await bob.request("/dashboard/1/api_clients")).status, 403);
        const values = { interaction: { name: "Mine", role: "admin" } };
        assert.is(await forge(bob, "/dashboard/1/api_clients/actions/add", values), 403);
        for (const action of ["rotate", "disable"])
          assert.is(await forge(bob, `/dashboard/1/api_clients/1/actions/${action}`, {}), 403);
      }),
    );

    can(
      "A person invited for a record becomes a member, and the record is told once, however often it is accepted",
      () =>
        serving(async (product) => {
          const ann = await product.signIn("ann@example.test");
          const desk = (id: number) => `/dashboard/1/desks/${id}/actions/invite`;
          assert.is((await ann.request(desk(2))).status, 404);
          assert.is(await forge(ann, desk(2), { interaction: { email: "eve@example.test" } }), 404);
          const invited = await ann.submit(desk(1), { "interaction[email]": "eve@example.test" });
          assert.is(invited.status, 303, await invited.text());
          assert.match(await product.mail("eve@example.test", "You are invited to Alder"), "Alder's desk");
          const link = await product.mailed("eve@example.test", "You are invited to Alder");
          const eve = new Client(product.url);
          await eve.page(link);
          const chosen = { password: PASSWORD, password_confirmation: PASSWORD };
          await eve.submit("/customers/create-account", { login: "eve@example.test", ...chosen });
          const page = await eve.page(link);
          const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]+)"/g)];
          const body = new URLSearchParams(hidden.map(([, name, value]) => [name!, value!] as [string, string]));
          const accept = () => eve.request(link.split("?")[0]!, { method: "POST", body });
          const answers = await Promise.all(Array.from({ length: 30 }, accept));
          assert.equal([...new Set(answers.map(({ headers }) => headers.get("location")))], ["/dashboard/1"]);
          const { body: desks } = await eve.json("/dashboard/1/desks.json");
          const names = (desks as { data: { name: string }[] }).data.map(({ name }) => name);
          assert.is(names.filter((name) => name === "Alder's desk for eve@example.test").length, 1, names.join());
          assert.is(await forge(eve, desk(1), { interaction: { email: "fay@example.test" } }), 403);
        }),
    );

    can("A later invitation without a record does not tell the record of an earlier one", () =>
      serving(async (product) => {
        const ann = await product.signIn("ann@example.test");
        const invites = "/dashboard/1/organization_customer_invites";
        await ann.submit("/dashboard/1/desks/1/actions/invite", { "interaction[email]": "fay@example.test" });
        const { body } = await ann.json(`${invites}.json?sort=-id`);
        const { id } = (body as { data: { id: number; email: string }[] }).data.find(
          ({ email }) => email === "fay@example.test",
        )!;
        const stored = async () => (await rowsOf(app, values, "organization_customer_invites")).split("fay@")[1]!;
        assert.match(await stored(), '"invitable_type":"Desk"');
        assert.is((await ann.submit(`${invites}/${id}/actions/revoke`, {})).status, 303);
        const fay = { "interaction[email]": "fay@example.test", "interaction[role]": "member" };
        assert.is((await ann.submit(`${invites}/actions/invite`, fay)).status, 303);
        assert.match(await stored(), '"invitable_type":null');
      }),
    );
  });
}

/** A program's request with a person's session, to what no page offers. */
async function forge(person: Client, path: string, body: object): Promise<number> {
  const token = String((await person.json("/customers/account.json")).body.csrf_token);
  const headers = { "content-type": "application/json", accept: "application/json", "x-csrf-token": token };
  return (await person.request(path, { method: "POST", headers, body: JSON.stringify(body) })).status;
}

/** A client as its portal shows it. */
async function client(owner: Client, name: string): Promise<{ id: number; last_used_at: string | null }> {
  const { body } = await owner.json("/dashboard/1/api_clients.json");
  return (body as { data: { id: number; name: string; last_used_at: string | null }[] }).data.find(
    (one) => one.name === name,
  )!;
}

describe("The generators of API clients and invitable records, given what it can't use", (it) => {
  it("The generator of API clients refuses roles, tenants, portals, models and columns by name, and writes nothing", async () => {
    const app = await newApp();
    await fwOk(app, "g", "fw:saas:setup", "--user=Customer", "--entity=Organization", "--no_profile", "--no_invites");
    await fwOk(app, "g", "fw:pkg:portal", "admin", "--auth=customer");
    const before = snapshot(app);
    const [name, portal] = ["ApiClient", "--portal=dashboard_portal"];
    const refusals = [
      [[name, portal, "--roles=read_only"], "--roles"],
      [[name, portal, "--roles=read_only,Write"], '"Write"'],
      [[name, portal, "--roles=write,write"], "different names"],
      [[name, portal, "--entity=Nobody"], "FW_RESOURCE_UNKNOWN"],
      [[name, portal, "--entity=Customer"], "--entity"],
      [[name, "--portal=admin_portal"], "--portal"],
      [[name, "--portal=shop_portal"], "FW_PORTAL_UNKNOWN"],
      [["Organization", portal], '"Organization"'],
      [["Admin", portal], "admin_portal"],
      [["9lives", portal], "9lives"],
      [[name, portal, "--extra_attributes=owner:belongs_to{class:Customer}"], "--extra_attributes"],
      [[name, portal, "--extra_attributes=name:string"], "FW_FIELD_DUPLICATE"],
    ] as const;
    for (const [words, says] of refusals) {
      const ran = await runFw(app, "g", "fw:saas:api_client", ...words);
      assert.is(ran.code, 2, `${words.join(" ")}\n${ran.out}${ran.err}`);
      assert.match(ran.err, says);
    }
    assert.equal(snapshot(app), before);
  });

  it("The generator of invitable records refuses models, roles and portals by name, and writes nothing", async () => {
    const app = await newApp();
    await fwOk(app, "g", "fw:saas:setup", "--user=Customer", "--entity=Organization", "--no_profile");
    await fwOk(app, "g", "fw:res:scaffold", "Desk", "name:string", "organization:belongs_to");
    const before = snapshot(app);
    const [user, dest] = ["--user_model=Customer", "--dest=dashboard_portal"];
    const refusals = [
      [["Nothing", user, dest], "FW_RESOURCE_UNKNOWN"],
      [["Customer", user, dest], '"Customer"'],
      [["Desk", user, dest], "fw:res:conn Desk"],
      [["Desk", user, dest, "--invite_model=Desk"], '"Desk"'],
      [["Desk", user, dest, "--membership_model=Organization"], "--dest"],
      [["Desk", user, "--dest=shop_portal"], "FW_PORTAL_UNKNOWN"],
      [["OrganizationCustomer", user, dest, "--role=boss"], '"OrganizationCustomer"'],
    ] as const;
    for (const [words, says] of refusals) {
      const ran = await runFw(app, "g", "fw:invites:invitable", ...words);
      assert.is(ran.code, 2, `${words.join(" ")}\n${ran.out}${ran.err}`);
      assert.match(ran.err, says);
    }
    assert.equal(snapshot(app), before);
  });
});
