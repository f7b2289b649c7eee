import { countBy, countByColumn, countIn, sumBy, sumIn } from "../../../plugins/dashboards/index.ts";
import { bucketsOf, dayKey, periodOf } from "../../../plugins/dashboards/period.ts";
import { type BaseModel, confine, type Query } from "../../../plugins/database/index.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openDashboards } from "./dashboards_app.ts";

const day = (text: string) => new Date(`${text}T00:00:00Z`);

describe("The periods of dashboards", (it) => {
  it("A period ends today, and the one before it is as long", () => {
    const period = periodOf("30d", new Date("2026-11-23T23:59:00Z"));
    assert.equal([dayKey(period.from), dayKey(period.to)], ["2026-10-25", "2026-11-24"]);
    assert.equal([dayKey(period.before.from), dayKey(period.before.to)], ["2026-09-25", "2026-10-25"]);
    assert.equal(
      ["7d", "90d", "12w", "12m", "24m"].map((key) => periodOf(key).unit),
      ["day", "week", "week", "month", "month"],
    );
  });
  it("Months are calendar months, also at their ends", () => {
    const period = periodOf("1m", new Date("2026-03-30T10:00:00Z"));
    assert.equal([dayKey(period.from), dayKey(period.to)], ["2026-02-28", "2026-03-31"]);
    assert.is(dayKey(periodOf("12m", new Date("2028-02-28T10:00:00Z")).from), "2027-02-28");
  });
  it("Units that began before the period are left out, and weeks begin on Monday", () => {
    assert.equal(bucketsOf("week", { from: day("2026-11-10"), to: day("2026-11-24") }), ["2026-11-16", "2026-11-23"]);
    assert.equal(bucketsOf("month", { from: day("2026-10-01"), to: day("2026-11-24") }), ["2026-10-01", "2026-11-01"]);
    assert.is(bucketsOf("day", periodOf("7d")).length, 7);
    assert.equal(bucketsOf("day", { from: day("2026-11-10"), to: day("2026-11-10") }), []);
  });
});

for (const database of await databases()) {
  describe(`Counting on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const posts = () => {
      const service = databaseOf(app.application);
      return service.query(service.model("Post").class as unknown as { new (): BaseModel });
    };
    before(async () => {
      if (database.skip) return;
      app = await openDashboards({}, await database.values());
      const { knex } = databaseOf(app.application);
      await knex("posts").delete();
      const rows = [
        ["2026-01-04 23:59:59.999", "draft", 1, "2026-02-01"], // a Sunday
        ["2026-01-05 00:00:00.000", "live", 2, "2026-02-01"], // the Monday after it
        ["2026-01-11 12:00:00.000", "live", 3, null],
        ["2026-03-01 00:00:00.000", "draft", 4, "2026-02-03"],
        ["2026-03-01 01:00:00.000", "live", null, "2026-02-28"],
      ] as const;
      for (const [created_at, status, words, due_on] of rows)
        await knex("posts").insert({ title: "x", status, words, due_on, created_at, updated_at: created_at });
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const filled = ({ points }: { points: readonly { day: string; value: number }[] }) =>
      points.filter(({ value }) => value > 0).map((point) => `${point.day} ${point.value}`);

    can("countBy counts by day, week and month, with a zero where there is nothing", async () => {
      const weeks = await countBy(posts(), "created_at", "week");
      assert.equal(filled(weeks), ["2025-12-29 1", "2026-01-05 2", "2026-02-23 2"]);
      assert.is(weeks.points.length, 9);
      assert.equal(filled(await countBy(posts(), "created_at", "month")), ["2026-01-01 3", "2026-03-01 2"]);
      const days = await countBy(posts(), "created_at", "day", { from: day("2026-01-05"), to: day("2026-01-12") });
      assert.equal(
        days.points.map(({ value }) => value),
        [1, 0, 0, 0, 0, 0, 1],
      );
      assert.equal((await countBy(posts().where("status", "none"), "created_at", "day")).points, []);
    });

    can("A column of dates is counted as one of moments, and rows without a value are not", async () => {
      const found = await countBy(posts(), "due_on", "day", { from: day("2026-02-01"), to: day("2026-02-04") });
      assert.equal(
        found.points.map(({ value }) => value),
        [2, 0, 1],
      );
      assert.equal(filled(await countBy(posts(), "due_on", "month")), ["2026-02-01 4"]);
    });

    can("sumBy sums, whatever the query selects, sorts and joins", async () => {
      const query = posts().select("posts.title").orderBy("title").where("posts.status", "live");
      const joined = query.leftJoin("users", "users.id", "posts.user_id") as Query<BaseModel>;
      assert.equal(filled(await sumBy(joined, "words", "created_at", "month")), ["2026-01-01 5"]);
    });

    can("countIn and sumIn measure a period, the one before, and the way between", async () => {
      const march = periodOf("55d", new Date("2026-03-01T12:00:00Z"));
      const counted = await countIn(posts(), "created_at", march);
      assert.equal([counted.value, counted.before], [3, 2]);
      assert.is(
        counted.points?.reduce((sum, value) => sum + value, 0),
        2,
        "the first week is not whole",
      );
      assert.equal((await sumIn(posts(), "words", "created_at", march)).value, 7);
    });

    can("countByColumn counts by value, an enum in its own order", async () => {
      const { points, column, model } = await countByColumn(posts(), "status");
      assert.equal([model, column], ["Post", "status"]);
      assert.equal(
        points.map(({ key, value }) => [key, value]),
        [
          ["draft", 2],
          ["live", 3],
        ],
      );
    });

    can("A query that is confined stays so, also with an orWhere", async () => {
      const own = () =>
        confine(posts(), {
          narrow: (group, _model, table) => void group.where(`${table}.status`, "draft"),
          write: async () => undefined,
        });
      const wide = own().where("words", 1).orWhereNotNull("posts.id") as Query<BaseModel>;
      assert.is((await countByColumn(wide, "status")).points.length, 1);
      assert.equal(filled(await countBy(wide, "created_at", "month")), ["2026-01-01 1", "2026-03-01 1"]);
    });
  });
}
