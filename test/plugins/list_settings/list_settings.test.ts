import type { Finding } from "framewright/host";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { shipments } from "../resources/wide_app.ts";
import { accountFiles, openTenants, signedIn } from "../scoping/tenants.ts";
import { as, files, list, settings } from "./settings_app.ts";

const [ann, bob, cat] = [as(1), as(2), as(3)];
const packed = "?filter%5Bstatus%5D=packed";

for (const database of await databases()) {
  describe(`Settings of a list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        await knex()("shipments").insert([...shipments(1, "ALP"), ...shipments(2, "BAL")]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        for (const table of ["list_settings", "saved_views", "default_views"])
          await knex()(`framewright_${table}`).delete();
        await knex()("users").where({ id: 1 }).update({ name: "Ann Alpine" });
        await body();
      });
    const open = (query = "", headers: Record<string, string> = ann, at = list) =>
      app.request(at + query, { headers, redirect: "manual" });
    const page = async (query = "", headers = ann, at = list) => (await open(query, headers, at)).text();
    const leadsTo = async (headers: Record<string, string> = ann, at = list) => {
      const answer = await open("", headers, at);
      return answer.status === 200 ? "the list" : answer.headers.get("location")?.replace(at, "");
    };
    const session = async (headers: Record<string, string>, at: string) => {
      const opened = await open("?view=none", headers, at);
      const token = /name="csrf-token" content="([^"]*)"/.exec(await opened.text())?.[1] ?? "";
      const cookie = opened.headers.getSetCookie().map((line) => line.split(";")[0]);
      return { ...headers, cookie: cookie.join("; "), "x-csrf-token": token };
    };
    const post = async (values: [string, string][], headers = ann, at = list) =>
      app.request(`${at}/list/settings`, {
        method: "POST",
        body: new URLSearchParams(values),
        headers: await session(headers, at),
        redirect: "manual",
      });
    const rows = () => knex()("framewright_list_settings").orderBy("id");
    const headerOf = (html: string, name: string) =>
      new RegExp(`<th scope="col"[^>]*data-column="${name}"[^>]*>`).exec(html)?.[0] ?? "";
    const metaOf = (html: string) =>
      /<meta name="framewright-list"[^>]*>/.exec(html)?.[0].replaceAll("&amp;", "&") ?? "";

    can("A width is drawn by the server from then on, and is automatic again where it is taken away", async () => {
      assert.match(headerOf(await page(), "carrier"), 'data-resize="Width of Carrier"');
      assert.not.match(headerOf(await page(), "carrier"), "fw-sized");
      const sent: [string, string][] = [
        ["widths[carrier]", "190"],
        ["widths[weight]", "80"],
      ];
      assert.is((await post(sent)).status, 303);
      const html = await page();
      assert.match(headerOf(html, "carrier"), 'class="fw-sized fw-w19" data-width="190"');
      assert.match(headerOf(html, "weight"), 'class="fw-numeric fw-sized fw-w8"');
      assert.not.match(headerOf(html, "reference"), "fw-sized");
      assert.not.match(html, /style="/);
      const form = await page("/list/options?show=display");
      assert.match(form, /name="widths\[carrier\]" value="190"/);
      assert.match(form, /name="widths\[reference\]" value=""/);
      await post([["widths[carrier]", ""]]);
      const after = await page();
      assert.not.match(headerOf(after, "carrier"), "fw-sized");
      assert.match(headerOf(after, "weight"), "fw-w8");
    });

    can("A width that is none, and a column that the person does not read, are refused", async () => {
      for (const width of ["49", "801", "185", "1e2", "wide", "-100"])
        assert.is((await post([["widths[carrier]", width]])).status, 422, width);
      for (const name of ["secret_token", "note"])
        assert.is((await post([[`widths[${name}]`, "100"]])).status, 422, name);
      for (const sent of [
        ["widths", "100"],
        ["density", "low"],
        ["query", "sort=reference"],
      ] as [string, string][])
        assert.is((await post([sent])).status, 422, sent.join("="));
      assert.is((await post([["query", "?sort=secret_token"]])).status, 422);
      assert.is((await post([["query", `?q=${"x".repeat(2000)}`]])).status, 422);
      for (const sent of [
        ["widths[__proto__]", "100"],
        ["other", "1"],
      ] as [string, string][])
        await post([sent]);
      assert.equal(await rows(), []);
    });

    can("A list is opened as the person left it, and an address that requests something stays what it is", async () => {
      assert.match(metaOf(await page(packed)), `content="${settings}" data-query="${packed}" data-stored=""`);
      assert.equal(await rows(), [], "reading a list stores nothing");
      await post([["query", `${packed}&sort=-reference&columns=status,reference&page=3&unknown=1`]]);
      assert.is(await leadsTo(), `${packed}&sort=-reference&columns=status%2Creference`);
      assert.is((await open("?sort=reference")).status, 200);
      assert.is((await app.request(list, { headers: { ...ann, accept: "application/json" } })).status, 200);
      const html = await page(packed);
      assert.match(html, `href="${list}?view=none"`, "links to the list as it is defined do not lead to the last view");
      assert.match(metaOf(await page("?view=none")), 'data-query=""');
      await post([["query", ""]]);
      assert.is(await leadsTo(), "the list");
      assert.is((await rows()).length, 1);
    });

    can("The last view comes before the default view, and the list as it is defined may be the last one", async () => {
      const whose = { owner_type: "byo users", owner_id: "1", shared: false, created_at: "2026-01-01 00:00:00.000" };
      const place = { resource: "Shipment", portal: "CustomerPortal", tenant: "organizations/1" };
      await knex()("framewright_saved_views").insert({ ...whose, ...place, name: "Mine", query: "?sort=carrier" });
      const [{ id }] = await knex()("framewright_saved_views");
      const { owner_type, owner_id } = whose;
      await knex()("framewright_default_views").insert({ ...place, owner_type, owner_id, view_id: id });
      assert.is(await leadsTo(), "?sort=carrier");
      await post([["query", packed]]);
      assert.is(await leadsTo(), packed);
      assert.match(metaOf(await page("?view=none")), 'data-query="?view=none"');
      await post([["query", "?view=none"]]);
      assert.is(await leadsTo(), "?view=none");
      const reset = await post([["reset", "1"]]);
      assert.is(reset.headers.get("location"), list);
      assert.equal(await rows(), []);
      assert.is(await leadsTo(), "?sort=carrier");
    });

    can("What the person may no longer read is dropped from what is stored, without a notice", async () => {
      await post([
        ["query", "?q=A&filter[status]=packed&sort=carrier,-reference&columns=status,reference,weight"],
        ["widths[carrier]", "190"],
        ["widths[reference]", "300"],
      ]);
      await knex()("users").where({ id: 1 }).update({ name: "Cat" });
      assert.is(await leadsTo(), "?q=A&sort=-reference");
      const html = await page("?q=A&sort=-reference");
      assert.is(/.{80}(?:fw-flash-warning|no longer|left out|Carrier|packed).{80}/.exec(html)?.[0], undefined);
      assert.match(headerOf(html, "reference"), "fw-w30");
      await post([["widths[reference]", "310"]]);
      assert.is((await rows())[0].widths, '{"reference":310}');
    });

    can("Low rows are of the list where they are chosen", async () => {
      const form = await page("/list/options?show=display");
      assert.match(form, new RegExp(`class="fw-density" method="post" action="${settings}"`));
      const chosen = await post([
        ["density", "compact"],
        ["return_to", `${list}?sort=reference`],
      ]);
      assert.is(chosen.headers.get("location"), `${list}?sort=reference`);
      assert.match(await page(), "fw-table fw-compact");
      assert.match(await page("/list/options?show=display"), 'value="compact" aria-pressed="true"');
      assert.not.match(await page("", ann, "/customer/1/posts"), "fw-compact");
      assert.not.match(await page("", cat), "fw-compact");
    });

    can("Settings are those of the person, of the tenant and of the list; guests have none", async () => {
      await post([
        ["query", "?sort=-reference"],
        ["widths[reference]", "300"],
      ]);
      await post([["query", "?sort=reference"]], cat, "/customer/2/shipments");
      assert.is(await leadsTo(cat), "the list");
      assert.is(await leadsTo(bob, "/customer/2/shipments"), "the list");
      assert.is(await leadsTo(ann, "/customer/1/posts"), "the list");
      assert.is(await leadsTo(cat, "/customer/2/shipments"), "?sort=reference");
      assert.not.match(await page("", cat), "fw-sized");
      assert.is((await post([["query", packed]], {})).status, 401);
      const foreign = await session(bob, "/customer/2/shipments");
      const sent = { method: "POST", body: new URLSearchParams([["query", packed]]), headers: foreign };
      assert.is((await app.request(settings, sent)).status, 404);
      assert.equal(
        (await rows()).map(({ owner_id, tenant }: Record<string, string>) => [owner_id, tenant]),
        [
          ["1", "organizations/1"],
          ["3", "organizations/2"],
        ],
      );
    });

    can("A request without a token changes nothing, and many at once make one row", async () => {
      const body = new URLSearchParams([["query", packed]]);
      const forged = await app.request(settings, { method: "POST", body, headers: ann });
      assert.is(forged.status, 403);
      const headers = await session(ann, list);
      const widths = ["reference", "carrier", "status", "weight"];
      const answers = await Promise.all(
        widths.map((name) =>
          app.request(settings, {
            method: "POST",
            body: new URLSearchParams([[`widths[${name}]`, "120"]]),
            headers: { ...headers, accept: "application/json" },
          }),
        ),
      );
      assert.equal(
        answers.map(({ status }) => status),
        [200, 200, 200, 200],
      );
      const stored = (await rows()) as { widths: string }[];
      assert.is(stored.length, 1);
      assert.equal(Object.keys(JSON.parse(stored[0]!.widths)).sort(), [...widths].sort());
    });

    can("The rows of a deleted person are deleted, and those of a record with the same id are not", async () => {
      await post([["query", packed]]);
      await post([["query", "?sort=-reference"]], cat);
      const service = app.application.kernel.service("list_settings");
      const model = (name: string) => app.application.kernel.service("database").model(name).class;
      const made = (name: string, id: number) => Object.assign(new (model(name) as new () => object)(), { id });
      await service.forget(made("Organization", 1));
      assert.is((await rows()).length, 2);
      await service.forget(made("User", 1));
      assert.equal(
        (await rows()).map(({ owner_id }: Record<string, string>) => owner_id),
        ["3"],
      );
    });

    can("A person whose record is deleted on a page leaves no row", async () => {
      await post([["query", packed]]);
      await knex()("shipments").insert({ ...shipments(1, "ALP")[0], id: 1090 });
      await knex()("framewright_list_settings").update({ owner_type: "byo shipments", owner_id: "1090" });
      const answer = await app.request(`${list}/1090`, {
        method: "DELETE",
        headers: { ...(await session(ann, list)), accept: "application/json" },
      });
      assert.is(answer.status, 204);
      assert.equal(await rows(), []);
    });

    can("A list reads its settings once, and writes none", async () => {
      await post([["query", packed]]);
      const statements: string[] = [];
      const note = ({ sql }: { sql: string }) => void statements.push(sql);
      await open(packed);
      knex().on("query", note);
      try {
        await page(packed);
      } finally {
        knex().removeListener("query", note);
      }
      assert.is(statements.filter((sql) => sql.includes("framewright_list_settings")).length, 1);
    });
  });

  describe(`Settings of lists of people with accounts, on ${database.name}`, (it, { after }) => {
    after(async () => database.clean());
    it.unless(database.skip, "A closed account leaves no row", async () => {
      const config = edited(
        accountFiles,
        "plugins.config.ts",
        ["import standard", 'import { listSettings } from "framewright/plugins/list_settings"; import standard'],
        ["...standard,", "...standard, listSettings(),"],
      );
      const app = await openTenants(
        { ...files, ...accountFiles, "plugins.config.ts": config },
        await database.values(),
      );
      try {
        const { knex } = databaseOf(app.application);
        const { ann: headers, cat: other } = await signedIn(app);
        for (const one of [headers, other]) {
          const body = new URLSearchParams([["query", "?sort=reference"]]);
          assert.is(
            (await app.request(settings, { method: "POST", body, headers: { ...one, accept: "application/json" } }))
              .status,
            200,
          );
        }
        assert.is((await knex("framewright_list_settings")).length, 2);
        await app.application.kernel.service("auth").accounts("user").close("ann@example.test");
        const left = (await knex("framewright_list_settings")) as Record<string, string>[];
        assert.equal(
          left.map(({ owner_type, owner_id }) => [owner_type, owner_id]),
          [["authlib user", "3"]],
        );
      } finally {
        await app.close();
      }
    });
  });

  describe(`Settings of a list without their table, on ${database.name}`, (it, { after }) => {
    after(async () => database.clean());
    it.unless(database.skip, "Doctor names what is missing", async () => {
      const migration = "db/migrate/20260401000001_create_framewright_list_settings.ts";
      const app = await openTenants(
        { ...files, [migration]: "export async function up() {}\nexport async function down() {}\n" },
        await database.values(),
      );
      try {
        const findings: Finding[] = [];
        await app.application.hooks.examine.promise(findings);
        const found = findings.find(({ what }) => what === "list settings");
        assert.match(found?.detail ?? "", "fw generate fw:install list_settings");
        assert.is((await app.request(list)).status, 401);
      } finally {
        await app.close();
      }
    });
  });
}
