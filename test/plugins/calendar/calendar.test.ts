import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { hiddenFields, task, visitor } from "../resources/tasks_app.ts";
import { openCalendar } from "./calendar_app.ts";

const ann = { "x-user": "1" };
const cat = { "x-user": "3" };
const tasks = "/customer/1/tasks";
const march = `${tasks}?shape=calendar.month.2026-03-04`;

/** The titles of a calendar's page, by day. */
function daysIn(html: string): Record<string, string[]> {
  const days: Record<string, string[]> = {};
  for (const [, day, body] of html.matchAll(/<ul class="fw-day-entries" data-day="([^"]*)">(.*?)<\/ul>/gs)) {
    const titles = [
      ...body!.matchAll(/<(?:a|span) class="fw-event-title"[^>]*>(.*?)<\/(?:a|span)>(?=<details|<\/li>)/g),
    ];
    if (titles.length > 0) days[day!] = titles.map(([, title]) => title!.replace(/<[^>]*>/g, ""));
  }
  return days;
}

for (const database of await databases({ withPostgres: true })) {
  describe(`A list as a calendar of days, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openCalendar('this.calendar({ on: "due_on" });', await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const knex = () => databaseOf(app.application).knex;
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("tasks").delete();
        await knex()("tasks").insert([
          task(1, { due_on: "2026-03-01" }),
          task(2, { due_on: "2026-03-31" }),
          task(3, { due_on: "2026-02-23" }),
          task(4, { due_on: "2026-02-22" }),
          task(5, { due_on: "2026-03-04", title: "Locked" }),
          task(6, { due_on: "2026-03-04", title: "Hidden" }),
          task(7, { due_on: null }),
          task(90, { due_on: "2026-03-04", title: "Task of Baltic" }, 2),
        ]);
        await story();
      });
    const page = async (path: string, headers: Record<string, string> = ann) =>
      (await app.request(path, { headers })).text();
    const send = async (id: number, body: object, headers: Record<string, string> = ann) => {
      const answer = await app.request(`${tasks}/${id}/calendar`, {
        method: "POST",
        headers: { ...headers, accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return { status: answer.status, text: await answer.text() };
    };
    const dayOf = async (id: number) =>
      (JSON.parse(await page(`${tasks}/${id}.json`)) as { data: { due_on: string } }).data.due_on;

    can("A month has its weeks from Monday on, with what the person may see of it", async () => {
      const html = await page(march);
      assert.equal(daysIn(html), {
        "2026-02-23": ["Task 3"],
        "2026-03-01": ["Task 1"],
        "2026-03-04": ["Locked"],
        "2026-03-31": ["Task 2"],
      });
      assert.is([...html.matchAll(/data-day="/g)].length, 42);
      assert.match(html, "<h2>Mar 2026</h2>");
      assert.match(html, "4 tasks");
      assert.not.match(html, /Baltic|Hidden|fw-pager/);
    });
    can("Links lead to other periods, which filters and views keep; an empty one is a calendar too", async () => {
      const html = await page(`${march}&filter%5Bhours%5D=4`);
      const to = (shape: string) => `href="/customer/1/tasks?filter[hours]=4&amp;shape=${shape}"`;
      const decoded = html.replaceAll("%5B", "[").replaceAll("%5D", "]");
      for (const shape of [
        "calendar.month.2026-02-01",
        "calendar.month.2026-04-01",
        "calendar.month",
        "calendar.week.2026-03-04",
        "calendar.agenda.2026-03-04",
      ])
        assert.match(decoded, to(shape));
      assert.match(html, '<input type="hidden" name="shape" value="calendar.month.2026-03-04">');
      assert.match(await page(`${tasks}?shape=calendar.week.2020-01-01`), /30 Dec – 5 Jan 2020/);
      assert.equal(daysIn(await page(`${tasks}?shape=calendar.week.2026-03-04`)), { "2026-03-04": ["Locked"] });
      assert.equal(daysIn(await page(`${tasks}?shape=calendar.agenda.2026-03-02`)), {
        "2026-03-04": ["Locked"],
        "2026-03-31": ["Task 2"],
      });
      assert.match(await page(`${tasks}?shape=calendar.agenda.2020-01-01`), "Nothing in these days.");
      assert.match(await page(`${tasks}?shape=calendar`), "fw-day-today");
    });
    can("A period that is none, and guests and JSON, are answered as lists are", async () => {
      for (const shape of [
        "calendar.year",
        "calendar.month.2026-02-30",
        "calendar.month.9999-12-31",
        "calendar.week.2026-03-04.x",
      ]) {
        const led = await app.request(`${tasks}?shape=${shape}&sort=title`, { headers: ann, redirect: "manual" });
        assert.equal([led.status, led.headers.get("location")], [303, `${tasks}?sort=title`], shape);
      }
      const json = async (path: string) =>
        (await app.request(path, { headers: { ...ann, accept: "application/json" } })).json() as Promise<{
          data: unknown;
        }>;
      assert.equal((await json(march)).data, (await json(tasks)).data);
      const guest = await page("/guest/1/tasks?shape=calendar.month.2026-03-04", {});
      assert.equal(daysIn(guest)["2026-03-01"], ["Task 1"]);
      assert.not.match(guest, "fw-event-menu");
      assert.is((await app.request("/customer/2/tasks?shape=calendar", { headers: ann })).status, 404);
    });
    can("A move writes the day alone, by the policy and what was shown", async () => {
      const moved = await send(1, { task: { due_on: "2026-03-09", title: "Smuggled" } });
      assert.is(moved.status, 200, moved.text);
      assert.is(await dayOf(1), "2026-03-09");
      assert.is((await send(5, { task: { due_on: "2026-03-09" } })).status, 403);
      assert.is((await send(90, { task: { due_on: "2026-03-09" } })).status, 404);
      assert.is((await send(1, { task: { due_on: "soon" } })).status, 422);
      assert.is((await send(1, { task: { due_on: "2026-03-10" }, lock_version: "outdated" })).status, 409);
      assert.is(await dayOf(1), "2026-03-09");
      assert.match(await page(march, cat), "fw-event-menu");
    });
    can("Without JavaScript the form of an entry moves it, and a refusal has its reason on the calendar", async () => {
      const visit = visitor(app, ann);
      const formOf = async (id: number) => {
        const html = await (await visit(march)).text();
        const entry = new RegExp(`data-entry="${id}".*?</li>`, "s").exec(html)![0];
        return hiddenFields(entry.replace('class="fw-dropdown-panel"', 'class="form"'), "form");
      };
      const post = async (id: number, body: URLSearchParams) => {
        const answer = await visit(`${tasks}/${id}/calendar`, { method: "POST", body, redirect: "manual" });
        return [answer.status, answer.headers.get("location")];
      };
      const fields = await formOf(1);
      fields.set("task[due_on]", "2026-03-12");
      assert.equal(await post(1, fields), [303, march]);
      assert.is(await dayOf(1), "2026-03-12");
      const stale = await formOf(2);
      stale.set("task[due_on]", "2026-03-13");
      await knex()("tasks").where({ id: 2 }).update({ due_on: "2026-03-30" });
      assert.equal(await post(2, stale), [303, march]);
      assert.match(await (await visit(march)).text(), "Somebody else moved or changed this entry meanwhile");
      assert.is(await dayOf(2), "2026-03-30");
    });
  });

  describe(`A list as a calendar of times, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openCalendar('this.calendar({ on: "starts_at" });', await database.values());
        await databaseOf(app.application)
          .knex("tasks")
          .insert([
            task(1, { starts_at: "2026-03-04 23:30:00.000" }),
            task(2, { starts_at: "2026-03-05 08:00:00.000" }),
            task(3, { starts_at: "2026-03-01 22:59:00.000" }),
          ]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const berlin = { ...ann, cookie: "fw_zone=Europe/Berlin" };
    it.unless(database.skip, "Days are those of the person's zone, and a move keeps the time of day", async () => {
      const week = `${tasks}?shape=calendar.week.2026-03-05`;
      const page = async (headers: Record<string, string>) => (await app.request(week, { headers })).text();
      assert.equal(daysIn(await page({ ...ann, cookie: "fw_zone=UTC" })), {
        "2026-03-04": ["23:30 Task 1"],
        "2026-03-05": ["08:00 Task 2"],
      });
      assert.equal(daysIn(await page(berlin)), { "2026-03-05": ["00:30 Task 1", "09:00 Task 2"] });
      const shown = await app.request(week, { headers: berlin });
      const entry = /data-entry="1".*?<\/li>/s.exec(await shown.text())![0];
      assert.match(entry, 'type="datetime-local" name="task[starts_at]" value="2026-03-05T00:30"');
      const body = hiddenFields(entry.replace('class="fw-dropdown-panel"', 'class="form"'), "form");
      body.set("task[starts_at]", "2026-03-07T00:30");
      const cookie = [berlin.cookie, ...shown.headers.getSetCookie().map((line) => line.split(";")[0])].join("; ");
      const answer = await app.request(`${tasks}/1/calendar`, {
        method: "POST",
        body,
        headers: { ...ann, cookie },
        redirect: "manual",
      });
      assert.equal([answer.status, answer.headers.get("location")], [303, week]);
      assert.equal(daysIn(await page(berlin))["2026-03-07"], ["00:30 Task 1"]);
    });
  });
}

for (const database of await databases({ withPostgres: true })) {
  describe(`Records of several days in a calendar, on ${database.name}`, (it) => {
    const inCalendar = async (line: string, rows: object[], story: (app: TestApp) => Promise<void>) => {
      const app = await openCalendar(line, await database.values());
      try {
        await databaseOf(app.application).knex("tasks").insert(rows);
        await story(app);
      } finally {
        await app.close();
        await database.clean();
      }
    };
    const page = async (app: TestApp, shape: string, headers: Record<string, string> = ann) =>
      (await app.request(`${tasks}?shape=${shape}`, { headers })).text();
    const span = (starts_at: string, due_on: string | null) => ({ starts_at: `2026-${starts_at}:00.000`, due_on });

    it.unless(database.skip, "They are on each day up to the last, also before and after the period", () =>
      inCalendar(
        'this.calendar({ on: "starts_at", to: "due_on" });',
        [
          task(1, span("03-03 10:00", "2026-03-05")),
          task(2, span("03-01 10:00", "2026-03-03")),
          task(3, span("03-07 10:00", "2027-01-01")),
          task(4, span("03-04 10:00", null)),
          task(5, span("03-04 11:00", "2026-03-01")),
          task(6, span("02-20 10:00", "2026-03-01")),
          task(7, span("03-09 10:00", "2026-03-12")),
          task(8, { ...span("03-02 10:00", "2026-03-04"), title: "Hidden" }),
        ],
        async (app) => {
          const html = await page(app, "calendar.week.2026-03-04", { ...ann, cookie: "fw_zone=UTC" });
          assert.equal(daysIn(html), {
            "2026-03-02": ["Task 2"],
            "2026-03-03": ["Task 2", "10:00 Task 1"],
            "2026-03-04": ["Task 1", "10:00 Task 4", "11:00 Task 5"],
            "2026-03-05": ["Task 1"],
            "2026-03-07": ["10:00 Task 3"],
            "2026-03-08": ["Task 3"],
          });
          const movable = [...html.matchAll(/fw-event-movable" data-entry="(\d+)"/g)].map(([, id]) => id);
          assert.equal(movable, ["4", "5"], "an end of its own would stay");
        },
      ),
    );
    it.unless(database.skip, "A time at the end is in the person's zone, and midnight ends the day before", () =>
      inCalendar(
        'this.calendar({ on: "due_on", to: "starts_at" });',
        [
          task(1, span("03-04 23:00", "2026-03-03")),
          task(2, span("03-04 22:59", "2026-03-03")),
          task(3, span("03-01 23:00", "2026-03-01")),
        ],
        async (app) => {
          const shape = "calendar.week.2026-03-04";
          assert.equal(daysIn(await page(app, shape, { ...ann, cookie: "fw_zone=Europe/Berlin" })), {
            "2026-03-03": ["Task 1", "Task 2"],
            "2026-03-04": ["Task 1", "Task 2"],
          });
        },
      ),
    );
  });
}

describe("Calendars that a definition declares", (it) => {
  const refusal = async (line: string): Promise<string> => {
    try {
      await (await openCalendar(line)).close();
    } catch (error) {
      return String((error as Error).message);
    }
    return "";
  };
  it("What the model does not have is refused at boot, by its name", async () => {
    assert.match(await refusal('this.calendar({ on: "title" });'), 'is by "title", which is no day and no time');
    assert.match(await refusal('this.calendar({ on: "due_on", to: "title" });'), 'is by "title"');
    assert.match(await refusal("this.calendar();"), /names no column in on\. Name one of: due_on, starts_at/);
    assert.match(await refusal("this.calendar({ by: 1 });"), 'has the option "by"');
  });
});
