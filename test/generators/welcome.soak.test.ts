import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { Product } from "./product.ts";
import { ensureBuilt, fwOk, newApp, runFw, snapshot, typeCheck, useDatabase } from "./support.ts";

const setup = ["fw:saas:setup", "--user=Customer", "--entity=Organization", "--no_invites"];
const welcome = ["fw:saas:welcome", "--user_model=Customer", "--portal=dashboard_portal", "--profile"];

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A welcome page that asks for the profile first, on ${database.name}`, (it, { after }) => {
    let app = "";
    let values: Record<string, string> = {};
    after(() => database.clean());
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body, 120_000);

    can("The page of a product gets the step, and keeps it when its generators run again", async () => {
      await ensureBuilt();
      values = await database.values();
      app = await newApp();
      if (values.DATABASE_URL) useDatabase(app, values.DATABASE_URL);
      const words = [...setup, "--profile_attributes=name:string,city:string,about:text"];
      await fwOk(app, "g", ...words);
      await fwOk(app, "g", ...welcome);
      await fwOk(app, "db:migrate");
      const before = snapshot(app);
      assert.match(before["app/controllers/welcome_controller.ts"]!, 'profile: ["name", "city"]');
      for (const again of [welcome, words]) await fwOk(app, "g", ...again);
      assert.equal(snapshot(app), before);
      const checked = await typeCheck(app);
      assert.is(checked.code, 0, checked.out);
    });

    can("Where sign-up is closed, tenants are not created by whoever asks, with a reason", async () => {
      await fwOk(app, "g", "fw:saas:entity", "Team", "--allow_signup=false");
      const closed = snapshot(app)["app/policies/team_policy.ts"]!;
      assert.match(
        closed,
        /Sign-up is closed.*canCreate\(\) \{\s+return false;.*canUpdate\(\) \{\s+return this\.user !== undefined;/s,
      );
      const policy = join(app, "app/policies/organization_policy.ts");
      const open = readFileSync(policy, "utf8");
      writeFileSync(policy, open.replace(/(canCreate\(\) \{\s+return )[^;]+;/, "$1false;"));
      const { child, url } = await serveApp(app, { ...values, NODE_ENV: "development" });
      try {
        const product = new Product(url);
        const eve = await product.signUp("eve@example.test");
        await eve.submit("/welcome", { "profile[name]": "Eve", "profile[city]": "Ulm" });
        const page = await eve.page("/welcome");
        assert.not.match(page, 'name="tenant[name]"');
        assert.match(page, "You can&#39;t create a new organization here.");
        const { body: account } = await eve.json("/customers/account.json");
        const headers = {
          "content-type": "application/json",
          "x-csrf-token": String(account.csrf_token),
          accept: "application/json",
        };
        const refused = await eve.request("/welcome", { method: "POST", headers, body: '{"tenant":{"name":"Mine"}}' });
        assert.is(refused.status, 403);
        assert.match(((await refused.json()) as { detail: string }).detail, "can't create a new organization");
      } finally {
        child.kill("SIGTERM");
        await exitOf(child);
        writeFileSync(policy, open);
      }
    });

    can("A person fills in what the profile lacks before anything else, once", async () => {
      const { child, url } = await serveApp(app, { ...values, NODE_ENV: "development" });
      try {
        const product = new Product(url);
        const ann = await product.signUp("ann@example.test");
        const first = await ann.page("/welcome");
        for (const part of ['name="profile[name]"', 'name="profile[city]"', "your organization"])
          assert.match(first, part);
        for (const part of ["profile[about]", "tenant[name]"]) assert.not.match(first, part);
        const { body: account } = await ann.json("/customers/account.json");
        const headers = { "content-type": "application/json", "x-csrf-token": String(account.csrf_token) };
        const early = (accept: string) =>
          ann.request("/welcome", {
            method: "POST",
            headers: { ...headers, accept },
            body: '{"tenant":{"name":"Alder"}}',
          });
        assert.is((await early("text/html")).headers.get("location"), "/welcome");
        const refused = await early("application/json");
        assert.equal(
          [refused.status, ((await refused.json()) as { code: string }).code],
          [422, "FW_WELCOME_INCOMPLETE"],
        );
        const half = await ann.submit("/welcome", { "profile[name]": "Ann <Archer>", "profile[city]": " " });
        assert.is(half.status, 422);
        assert.match(await half.text(), 'value="Ann &lt;Archer&gt;"');
        const values = { "profile[name]": "Ann Archer", "profile[city]": "Aix", "profile[customer_id]": "2" };
        assert.is((await ann.submit("/welcome", values)).headers.get("location"), "/welcome");
        assert.match(await ann.page("/welcome"), 'name="tenant[name]"');
        const created = await ann.submit("/welcome", { "tenant[name]": "Alder" });
        assert.is(created.headers.get("location"), "/dashboard/1", await created.text());
        const { body } = await ann.json("/dashboard/1/profile");
        const { name, city } = (body as { data: { name: string; city: string } }).data;
        assert.equal([name, city], ["Ann Archer", "Aix"]);
      } finally {
        child.kill("SIGTERM");
        await exitOf(child);
      }
    });
  });
}

describe("The generator of welcome pages, given no profile to ask for", (it) => {
  it("It refuses accounts without a profile, and a profile without a text, by name, and writes nothing", async () => {
    const app = await newApp();
    await fwOk(app, "g", ...setup, "--no_profile");
    const refused = async (...says: string[]) => {
      const before = snapshot(app);
      const ran = await runFw(app, "g", ...welcome);
      assert.is(ran.code, 2, ran.out + ran.err);
      for (const part of says) assert.match(ran.err, part);
      assert.equal(snapshot(app), before);
    };
    await refused("FW_WELCOME_PROFILE_MISSING", "Customer", "fw:profile:setup --user_model=Customer");
    await fwOk(app, "g", "fw:profile:install", "--user_model=Customer", "born:date");
    await refused("--profile", "CustomerProfile");
  });
});
