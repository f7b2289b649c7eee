import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const files = {
  ...wideFiles,
  "db/migrate/20260401000000_add_time_zones.ts": `export async function up(db) {
  await db.addColumns("users", (t) => { t.string("time_zone"); });
}
export async function down(db) { await db.removeColumns("users", ["time_zone"]); }
`,
};
const list = "/customer/1/shipments";
const ann = { "x-user": "1" };
const inZone = (zone: string) => ({ ...ann, cookie: `fw_zone=${zone}` });
const people = {
  berlin: inZone("Europe/Berlin"),
  york: inZone("America/New_York"),
  kathmandu: inZone("Asia/Kathmandu"),
};
const FORM = "application/x-www-form-urlencoded";

for (const database of await databases({ withPostgres: true })) {
  describe(`The time zone of the person, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const page = async (path: string, headers: Record<string, string>) => (await app.request(path, { headers })).text();
    /** The moment that is stored, set to this one first where it is given. */
    const stored = async (id: number, moment?: string) => {
      const { knex } = databaseOf(app.application);
      if (moment !== undefined)
        await knex("shipments")
          .where({ id })
          .update({ sent_at: moment.replace("T", " ").replace("Z", "") });
      const answer = await app.request(`${list}/${id}.json`, { headers: ann });
      return ((await answer.json()) as { data: { sent_at: string } }).data.sent_at;
    };
    /** What the input of a form has, and what is said and sent beside it. */
    const inputOf = (html: string) => ({
      value: /name="shipment\[sent_at\]"[^>]*?>|value="[^"]*"[^>]*name="shipment\[sent_at\]"/
        .exec(html)?.[0]
        .match(/value="([^"]*)"/)?.[1],
      said: /<small class="form-hint" id="shipment_sent_at_zone">([^<]*)/.exec(html)?.[1],
      zone: /name="_zone_shipment\[sent_at\]" value="([^"]*)"/.exec(html)?.[1],
    });
    const save = async (id: number, sent: Record<string, string>, headers: Record<string, string>) => {
      const opened = await app.request(`${list}/${id}/edit`, { headers });
      const form = await opened.text();
      const session = opened.headers.getSetCookie().map((line) => line.split(";")[0]);
      const cookie = [headers.cookie ?? "", ...session].filter(Boolean).join("; ");
      const hidden = (name: string) =>
        new RegExp(`name="${name}" value="([^"]*)"`).exec(
          /<form class="fw-form.*?<\/form>/s.exec(form)?.[0] ?? "",
        )?.[1] ?? "";
      const body = new URLSearchParams({
        authenticity_token: hidden("authenticity_token"),
        _method: "patch",
        "shipment[lock_version]": hidden("shipment\\[lock_version\\]"),
        ...sent,
      });
      return app.request(`${list}/${id}`, {
        method: "POST",
        body,
        headers: { ...headers, cookie, "content-type": FORM },
        redirect: "manual",
      });
    };

    can("Three people read one moment in list, record and form, each as their clocks show it", async () => {
      await stored(1001, "2026-07-01T12:00:00.000Z");
      const expected = {
        berlin: ["1 Jul 2026, 14:00", "UTC+2", "2026-07-01T14:00", "Berlin time (UTC+2)"],
        york: ["1 Jul 2026, 08:00", "UTC-4", "2026-07-01T08:00", "New York time (UTC-4)"],
        kathmandu: ["1 Jul 2026, 17:45", "UTC+5:45", "2026-07-01T17:45", "Kathmandu time (UTC+5:45)"],
      };
      for (const [who, [text, offset, value, said]] of Object.entries(expected)) {
        const headers = people[who as keyof typeof people];
        const shown = `<time datetime="2026-07-01T12:00:00.000Z" title="${offset}">${text}</time>`;
        assert.match(await page(`${list}/1001`, headers), shown, who);
        const input = inputOf(await page(`${list}/1001/edit`, headers));
        assert.is(input.value, value);
        assert.is(input.said, said);
        assert.match(input.zone ?? "", "2026-07-01T12:00:00.000Z");
        const created = /<td><time datetime="([^"]+)" title="([^"]+)">([^<]+)/;
        assert.match(await page(list, headers), created);
      }
    });

    can("Without a zone that is known, all of it is in UTC, and the browser is asked to show its own", async () => {
      await stored(1001, "2026-07-01T12:00:00.000Z");
      for (const headers of [ann, inZone("Mars/Olympus"), inZone(`${"A".repeat(80)}/B`)]) {
        const shown = '<time datetime="2026-07-01T12:00:00.000Z" data-local>1 Jul 2026, 12:00 UTC</time>';
        assert.match(await page(`${list}/1001`, headers), shown);
        const input = inputOf(await page(`${list}/1001/edit`, headers));
        assert.is(input.value, "2026-07-01T12:00");
        assert.is(input.said, "Times are in UTC.");
        assert.is(input.zone, undefined);
      }
      assert.is((await save(1001, { "shipment[sent_at]": "2026-07-02T09:30" }, ann)).status, 303);
      assert.is(await stored(1001), "2026-07-02T09:30:00.000Z");
    });

    can("What is typed is read in the zone of the form, even when the person's is another one by now", async () => {
      const sent = { "shipment[sent_at]": "2026-12-24T09:00", "_zone_shipment[sent_at]": "Europe/Berlin" };
      assert.is((await save(1001, sent, people.york)).status, 303);
      assert.is(await stored(1001), "2026-12-24T08:00:00.000Z");
      const summer = { ...sent, "shipment[sent_at]": "2026-07-24T09:00" };
      assert.is((await save(1001, summer, people.berlin)).status, 303);
      assert.is(await stored(1001), "2026-07-24T07:00:00.000Z");
      const wrong = { ...sent, "_zone_shipment[sent_at]": "Mars/Olympus" };
      assert.is((await save(1001, wrong, people.berlin)).status, 400);
      assert.is(await stored(1001), "2026-07-24T07:00:00.000Z");
    });

    can("A moment that nobody touches stays, in the hour that clocks show twice and to the millisecond", async () => {
      for (const moment of ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z", "2026-03-29T01:00:00.250Z"]) {
        await stored(1001, moment);
        const { value, zone } = inputOf(await page(`${list}/1001/edit`, people.berlin));
        const sent = { "shipment[sent_at]": value!, "_zone_shipment[sent_at]": zone!, "shipment[carrier]": moment };
        assert.is((await save(1001, sent, people.berlin)).status, 303, moment);
        assert.is(await stored(1001), moment);
      }
      await stored(1001, "2026-10-25T01:30:00.000Z");
      const { zone } = inputOf(await page(`${list}/1001/edit`, people.berlin));
      const changed = { "shipment[sent_at]": "2026-10-25T02:45", "_zone_shipment[sent_at]": zone! };
      assert.is((await save(1001, changed, people.berlin)).status, 303);
      assert.is(await stored(1001), "2026-10-25T00:45:00.000Z");
    });

    can("A form that comes back has what was typed, and what is no time is refused and kept", async () => {
      const zone = { "_zone_shipment[sent_at]": "Europe/Berlin" };
      const sent = { ...zone, "shipment[sent_at]": "2026-12-24T09:00", "shipment[weight]": "heavy" };
      const again = await save(1001, sent, people.berlin);
      assert.is(again.status, 422);
      assert.is(inputOf(await again.text()).value, "2026-12-24T09:00");
      const odd = await save(1001, { ...zone, "shipment[sent_at]": "2026-02-31T09:00" }, people.berlin);
      assert.is(odd.status, 422);
      assert.match(await odd.text(), "is not a time");
    });

    can("Days of a filter begin and end in the person's zone", async () => {
      await stored(1001, "2026-06-30T22:30:00.000Z");
      await stored(1002, "2026-07-01T21:59:59.999Z");
      await stored(1003, "2026-07-01T22:00:00.000Z");
      const found = async (query: string, headers: Record<string, string>) => {
        const answer = await app.request(`${list}?${query}&sort=id`, {
          headers: { ...headers, accept: "application/json" },
        });
        return ((await answer.json()) as { data: { id: number }[] }).data.map(({ id }) => Number(id));
      };
      const first = "filter[sent_at][from]=2026-07-01&filter[sent_at][to]=2026-07-01";
      assert.equal(await found(first, people.berlin), [1001, 1002]);
      assert.equal(await found(first, ann), [1002, 1003]);
      assert.equal(await found(first, people.kathmandu), [1001]);
      await stored(1001, new Date().toISOString());
      for (const headers of Object.values(people))
        assert.equal(await found("filter[sent_at][in]=today", headers), [1001]);
    });

    can("The zone of the account wins over the browser's", async () => {
      const { knex } = databaseOf(app.application);
      await stored(1001, "2026-07-01T12:00:00.000Z");
      await knex("users").where({ id: 1 }).update({ time_zone: "Asia/Tokyo" });
      assert.match(await page(`${list}/1001`, people.berlin), 'title="UTC+9">1 Jul 2026, 21:00</time>');
      await knex("users").where({ id: 1 }).update({ time_zone: "Nowhere" });
      assert.match(await page(`${list}/1001`, people.berlin), 'title="UTC+2">1 Jul 2026, 14:00</time>');
      await knex("users").where({ id: 1 }).update({ time_zone: null });
    });
  });
}
