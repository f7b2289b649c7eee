import { zoneOf } from "framewright/host";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { jobsMigration } from "../jobs/support.ts";
import { openTenants } from "../scoping/tenants.ts";
import { germanFiles, volumes } from "./german_app.ts";
import { momentOf, sheetOf } from "./read_sheet.ts";
import { shipments } from "./wide_app.ts";

// Moments around the days on which clocks are changed, as three people in three zones and two languages read and type them.

const list = "/customer/1/shipments";
const FORM = "application/x-www-form-urlencoded";
const people = {
  ann: { id: 1, zone: "Europe/Berlin", locale: "de", city: "Berlin" },
  cat: { id: 3, zone: "America/New_York", locale: "en", city: "New York" },
  dan: { id: 4, zone: "Asia/Kolkata", locale: "en", city: "Kolkata" },
} as const;
type Who = keyof typeof people;
const everybody = Object.keys(people) as Who[];

interface Moment {
  utc: string;
  /** What the clocks of each show, and what these are ahead of UTC. */
  shown: Record<Who, readonly [text: string, input: string, offset: string]>;
}
const moments: Readonly<Record<string, Moment>> = {
  "the last minute before Berlin skips an hour": {
    utc: "2026-03-29T00:59:00.000Z",
    shown: {
      ann: ["29. März 2026, 01:59", "2026-03-29T01:59", "UTC+1"],
      cat: ["28 Mar 2026, 20:59", "2026-03-28T20:59", "UTC-4"],
      dan: ["29 Mar 2026, 06:29", "2026-03-29T06:29", "UTC+5:30"],
    },
  },
  "the first minute after that": {
    utc: "2026-03-29T01:00:00.000Z",
    shown: {
      ann: ["29. März 2026, 03:00", "2026-03-29T03:00", "UTC+2"],
      cat: ["28 Mar 2026, 21:00", "2026-03-28T21:00", "UTC-4"],
      dan: ["29 Mar 2026, 06:30", "2026-03-29T06:30", "UTC+5:30"],
    },
  },
  "half past two in Berlin, for the first time": {
    utc: "2026-10-25T00:30:00.000Z",
    shown: {
      ann: ["25. Okt. 2026, 02:30", "2026-10-25T02:30", "UTC+2"],
      cat: ["24 Oct 2026, 20:30", "2026-10-24T20:30", "UTC-4"],
      dan: ["25 Oct 2026, 06:00", "2026-10-25T06:00", "UTC+5:30"],
    },
  },
  "half past two in Berlin, for the second time": {
    utc: "2026-10-25T01:30:00.000Z",
    shown: {
      ann: ["25. Okt. 2026, 02:30", "2026-10-25T02:30", "UTC+1"],
      cat: ["24 Oct 2026, 21:30", "2026-10-24T21:30", "UTC-4"],
      dan: ["25 Oct 2026, 07:00", "2026-10-25T07:00", "UTC+5:30"],
    },
  },
  "half past one in New York, for the second time": {
    utc: "2026-11-01T06:30:00.000Z",
    shown: {
      ann: ["1. Nov. 2026, 07:30", "2026-11-01T07:30", "UTC+1"],
      cat: ["1 Nov 2026, 01:30", "2026-11-01T01:30", "UTC-5"],
      dan: ["1 Nov 2026, 12:00", "2026-11-01T12:00", "UTC+5:30"],
    },
  },
  "the first minute after New York skips an hour": {
    utc: "2026-03-08T07:00:00.000Z",
    shown: {
      ann: ["8. März 2026, 08:00", "2026-03-08T08:00", "UTC+1"],
      cat: ["8 Mar 2026, 03:00", "2026-03-08T03:00", "UTC-4"],
      dan: ["8 Mar 2026, 12:30", "2026-03-08T12:30", "UTC+5:30"],
    },
  },
};
const all = Object.entries(moments).map(([name, moment], at) => ({ name, id: 1001 + at, ...moment }));

const config = "plugins.config.ts";
const files = {
  ...germanFiles,
  [config]: edited(
    germanFiles,
    config,
    [
      "import { layout }",
      'import { jobs } from "framewright/plugins/jobs"; import { mailer } from "framewright/plugins/mailer"; import { layout }',
    ],
    ["widening,\n", "widening,\n  jobs({ run: false }),\n  mailer(),\n"],
  ),
  "app/policies/shipment_policy.ts": edited(germanFiles, "app/policies/shipment_policy.ts", [
    "override canCreate()",
    "override canUpdate() { return true; } override canCreate()",
  ]),
  "app/views/mails/sent.liquid": "<p>{{ at | time }}</p><p>{{ at | time_text }}</p>",
  "app/views/mails/sent_text.liquid": "{{ at | time_text }}",
  "db/migrate/20260402000000_create_framewright_jobs.ts": jobsMigration,
  "db/migrate/20260403000000_add_time_zones.ts": `export async function up(db) {
  await db.addColumns("users", (t) => { t.string("time_zone"); });
}
export async function down(db) { await db.removeColumns("users", ["time_zone"]); }
`,
};

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The same moment for three people, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const as = (who: Who) => ({ "x-user": String(people[who].id) });
    const page = async (path: string, who: Who) => (await app.request(list + path, { headers: as(who) })).text();
    const stored = async (id: number) => {
      const answer = await app.request(`${list}/${id}.json`, { headers: as("ann") });
      return ((await answer.json()) as { data: { sent_at: string } }).data.sent_at;
    };
    /** The day on which the moment is for a person, or the one before or after it. */
    const day = (input: string, later = 0) =>
      new Date(Date.parse(`${input.slice(0, 10)}T00:00:00Z`) + later * 86_400_000).toISOString().slice(0, 10);
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        await knex()("memberships").insert([{ user_id: 4, organization_id: 1 }]);
        for (const { id, zone, locale } of Object.values(people))
          await knex()("users").where({ id }).update({ time_zone: zone, locale });
        const [row] = volumes(shipments(1, "ALP"));
        await knex()("shipments").insert(
          all.map(({ id, utc }) => ({
            ...row!,
            id,
            reference: `ALP-${id}`,
            sent_at: utc.replace("T", " ").replace("Z", ""),
          })),
        );
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can("A list and a record show it as each one's clocks and language do", async () => {
      for (const who of everybody) {
        const table = await page("?columns=reference,sent_at", who);
        for (const { name, id, utc, shown } of all) {
          const [text, , offset] = shown[who];
          const tag = `<time datetime="${utc}" title="${offset}">${text}</time>`;
          assert.match(table, tag, `${who}, ${name}: list`);
          assert.match(await page(`/${id}`, who), tag, `${who}, ${name}: record`);
        }
      }
    });

    can("A form has it in the input, with whose time that is, and keeps it when it is saved untouched", async () => {
      for (const who of everybody)
        for (const { name, id, utc, shown } of all) {
          const [, input, offset] = shown[who];
          const form = await page(`/${id}/edit`, who);
          const own = /<input[^>]*name="shipment\[sent_at\]"[^>]*>/.exec(form)![0];
          assert.match(own, `value="${input}"`, `${who}, ${name}`);
          const said = who === "ann" ? `Ortszeit Berlin (${offset})` : `${people[who].city} time (${offset})`;
          assert.match(form, said, `${who}, ${name}`);
          assert.is((await save(id, { "shipment[carrier]": who }, who)).status, 303);
          assert.is(await stored(id), utc, `${who}, ${name}`);
        }
    });

    can("A filter of a day finds it on the day of each one's calendar, and not on those beside it", async () => {
      for (const who of everybody)
        for (const { name, id, shown } of all) {
          const found = async (on: string) => {
            const query = `filter[sent_at][from]=${on}&filter[sent_at][to]=${on}`;
            const answer = await app.request(`${list}.json?${query}`, { headers: as(who) });
            return ((await answer.json()) as { data: { id: number }[] }).data.map((one) => Number(one.id)).includes(id);
          };
          const [, input] = shown[who];
          assert.ok(await found(day(input)), `${who}, ${name}`);
          for (const beside of [-1, 1]) assert.not(await found(day(input, beside)), `${who}, ${name}`);
        }
    });

    can("A CSV file has it in UTC for all, and a spreadsheet in each one's zone; the headers name these", async () => {
      const asked = "?columns=reference,sent_at&sort=reference";
      for (const who of everybody) {
        const label = who === "ann" ? "Versendet am" : "Sent at";
        const csv = await page(`/export.csv${asked}`, who);
        const [head, ...lines] = csv.replace("\ufeff", "").trim().split(/\r?\n/);
        assert.match(head!, `${label} (UTC)`);
        assert.equal(
          lines.map((line) => new Date(line.split(/[,;]/).at(-1)!.replaceAll('"', "")).toISOString()),
          all.map(({ utc }) => utc),
        );
        const answer = await app.request(`${list}/export.xlsx${asked}`, { headers: as(who) });
        const [first, ...rows] = sheetOf(Buffer.from(await answer.arrayBuffer()));
        assert.equal(first!.at(-1), { text: `${label} (${zoneOf(people[who].zone)!.name})` });
        assert.equal(
          rows.map((row) => {
            const cell = row.at(-1) as { number: number } | { text: string };
            return "text" in cell ? new Date(cell.text).toISOString() : momentOf(cell.number).slice(0, 16);
          }),
          // a moment that clocks show twice is a text with its offset
          all.map(({ utc, shown }, at) => ("text" in rows[at]!.at(-1)! ? utc : shown[who][1])),
        );
      }
    });

    can("A mail has it in the zone and the language of whom it is for, and names what it is ahead of UTC", async () => {
      const { kernel } = app.application;
      for (const who of everybody) {
        const { zone, locale } = people[who];
        for (const { name, utc, shown } of all) {
          await kernel.service("mailer").deliver({
            ...{ to: `${who}@example.test`, names: ["mails/sent"], subject: name, locale, timeZone: zoneOf(zone) },
            locals: { at: new Date(utc) },
          });
          await kernel.service("jobs").drain();
          const { text, html } = kernel.service("mailer").kept.at(-1)!;
          const [said, , offset] = shown[who];
          assert.is(text.trim(), `${said} (${offset})`, `${who}, ${name}`);
          assert.match(html!, `<time datetime="${utc}" title="${offset}">${said}</time>`);
          assert.match(html!, `<p>${said} (${offset})</p>`);
        }
      }
    });

    can("What one types, the others read: an hour that is skipped, one that comes twice", async () => {
      const typed = [
        ["ann", "2026-03-29T02:30", "2026-03-29T01:30:00.000Z", "28 Mar 2026, 21:30", "29 Mar 2026, 07:00"],
        ["ann", "2026-10-25T02:30", "2026-10-25T00:30:00.000Z", "24 Oct 2026, 20:30", "25 Oct 2026, 06:00"],
        ["cat", "2026-03-08T02:30", "2026-03-08T07:30:00.000Z", "8 Mar 2026, 03:30", "8 Mar 2026, 13:00"],
        ["cat", "2026-11-01T01:30", "2026-11-01T05:30:00.000Z", "1 Nov 2026, 01:30", "1 Nov 2026, 11:00"],
        ["dan", "2026-10-25T06:30", "2026-10-25T01:00:00.000Z", "24 Oct 2026, 21:00", "25 Oct 2026, 06:30"],
      ] as const;
      for (const [who, input, utc, inYork, inKolkata] of typed) {
        await knex()("shipments").where({ id: 1001 }).update({ sent_at: "2026-01-01 00:00:00.000" });
        assert.is((await save(1001, { "shipment[sent_at]": input }, who)).status, 303);
        assert.is(await stored(1001), utc, `${who} types ${input}`);
        assert.match(await page("/1001", "cat"), `>${inYork}</time>`);
        assert.match(await page("/1001", "dan"), `>${inKolkata}</time>`);
      }
      assert.match(await page("/1001", "ann"), ">25. Okt. 2026, 02:00</time>");
    });

    /** Sends the form of a record as it was drawn, with these values. */
    async function save(id: number, sent: Record<string, string>, who: Who): Promise<Response> {
      const opened = await app.request(`${list}/${id}/edit`, { headers: as(who) });
      const form = /<form class="fw-form.*?<\/form>/s.exec(await opened.text())![0];
      const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const at = /<input[^>]*name="shipment\[sent_at\]"[^>]*>/.exec(form)![0].match(/value="([^"]*)"/)![1]!;
      const body = { ...Object.fromEntries(hidden.map(([, name, value]) => [name!, value!])), "shipment[sent_at]": at };
      const cookie = opened.headers.getSetCookie().map((line) => line.split(";")[0]);
      return app.request(`${list}/${id}`, {
        method: "POST",
        body: new URLSearchParams({ ...body, ...sent }),
        headers: { ...as(who), cookie: cookie.join("; "), "content-type": FORM },
        redirect: "manual",
      });
    }
  });
}
