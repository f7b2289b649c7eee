import { setTimeout as sleep } from "node:timers/promises";
import { encodeDate } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { shipments } from "../resources/wide_app.ts";
import { openTenants } from "../scoping/tenants.ts";
import { CLOSED_AFTER_MS, form, list, presenceFiles } from "./presence_app.ts";

const as = (id: number) => ({ "x-user": String(id) });
const [ann, bob, cat] = [as(1), as(2), as(3)];

for (const database of await databases()) {
  describe(`Who has the form of a record open, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(presenceFiles(), await database.values());
        const { knex } = databaseOf(app.application);
        await knex("shipments").insert([...shipments(1, "ALP"), ...shipments(2, "BAL")]);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const rows = () => databaseOf(app.application).knex("framewright_presence");
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await rows().delete();
        await body();
      });
    const page = async (headers: Record<string, string>, path = form) =>
      (await app.request(path, { headers: { ...headers } })).text();
    const lineOf = (html: string) => /<p class="fw-presence[^>]*>([^<]*)<\/p>/.exec(html)?.[1];
    const report = (headers: Record<string, string>, body: object = {}, path = `${list}/1001/presence`) =>
      app.request(path, {
        method: "POST",
        headers: { ...headers, accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const textFor = async (headers: Record<string, string>) =>
      ((await (await report(headers)).json()) as { text: string }).text;

    can("A form says who opened it before, also without scripts, and nobody is others to themselves", async () => {
      assert.is(lineOf(await page(ann)), "");
      assert.is(lineOf(await page(ann)), "", "in a second tab");
      assert.is(lineOf(await page(cat)), "Ann Alpine has just opened this form too.");
      assert.is(lineOf(await page(ann)), "Cat has just opened this form too.");
      assert.is((await rows()).length, 2, "a row for each person");
      assert.is(lineOf(await page(cat, `${list}/1002/edit`)), "", "of another record");
      assert.not.match(await page(cat, `${list}/new`), "fw-presence");
      assert.not.match(await page(cat, `${list}/1001`), "fw-presence");
    });

    can("It says for how long, and counts a form that nobody reports as closed", async () => {
      await page(ann);
      assert.is(await textFor(cat), "Ann Alpine has just opened this form too.");
      const { knex } = databaseOf(app.application);
      const opened_at = encodeDate(new Date(Date.now() - 2 * 60_000 - 5000));
      await knex("framewright_presence").where({ owner_id: "1" }).update({ opened_at });
      assert.is(await textFor(cat), "Ann Alpine has been editing this for 2 minutes.");
      await sleep(CLOSED_AFTER_MS + 100);
      assert.is(await textFor(cat), "");
      await textFor(ann);
      assert.is(await textFor(cat), "Ann Alpine has just opened this form too.", "opened anew");
    });

    can("It is closed by leaving, by saving and by deleting, and read ahead it was never open", async () => {
      await app.request(form, { headers: { ...ann, "sec-purpose": "prefetch" } });
      assert.equal(await rows(), []);
      await page(ann);
      assert.equal(await (await report(ann, { left: "1" })).json(), { text: "" });
      assert.equal(await rows(), []);
      await page(ann);
      const saved = await app.request(`${list}/1001`, {
        method: "PATCH",
        headers: { ...ann, accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({ shipment: { carrier: "Swift" } }),
      });
      assert.is(saved.status, 200, await saved.text());
      assert.equal(await rows(), []);
    });

    can("Who may not open the form gets no answer of it, and no row", async () => {
      await page(ann);
      const before = await rows();
      assert.is((await report(bob)).status, 404, "of another tenant");
      assert.ok([401, 403, 404].includes((await report({})).status), "a guest");
      assert.is((await report(ann, {}, `${list}/999999/presence`)).status, 404);
      assert.is(
        (await report(ann, {}, "/customer/1/shipments/2001/presence")).status,
        404,
        "of another tenant's record",
      );
      assert.equal(await rows(), before);
    });

    can("Names are shown within the portal and the tenant, and several people are in one line", async () => {
      await page(ann);
      const [row] = (await rows()) as [Record<string, unknown>];
      const { id: _, ...other } = row;
      const elsewhere = { ...other, portal: "OtherPortal", tenant: null, owner_id: "77", name: "Hidden Name" };
      await rows().insert({ ...elsewhere, place: "a".repeat(64) });
      assert.is(await textFor(cat), "Ann Alpine and Somebody have this form open too.");
      await rows().where({ owner_id: "1" }).delete();
      assert.is(await textFor(cat), "Somebody has just opened this form too.");
    });

    can("Reports at once leave one row", async () => {
      const answers = await Promise.all(Array.from({ length: 12 }, () => report(ann)));
      assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
      assert.is((await rows()).length, 1);
    });
  });
}

describe("Forms that do not say who has them open", (it) => {
  it("A definition turns it off by this.presence(false)", async () => {
    const app = await openTenants(presenceFiles("this.presence(false);"), {});
    try {
      const { knex } = databaseOf(app.application);
      await knex("shipments").insert(shipments(1, "ALP"));
      assert.not.match(await (await app.request(form, { headers: ann })).text(), "fw-presence");
      assert.equal(await knex("framewright_presence"), []);
    } finally {
      await app.close();
    }
  });
});
