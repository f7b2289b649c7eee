import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { bootWith, openWizards } from "../wizards/mounts_support.ts";
import { combinedFiles, combinedRows, definition } from "./combined_app.ts";

// Lists are sorted and filtered by what several columns are in one cell. Ann (1) may read it; Bob (2) may read titles, 7 may read one column of each, and 8 reads all on pages and titles in lists.

for (const database of await databases({ withPostgres: true })) {
  describe(`Lists by several columns in one field, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openWizards(combinedFiles, await database.values());
        const { knex } = databaseOf(app.application);
        await knex("users").insert([7, 8].map((id) => ({ id, name: `Reader ${id}` })));
        await knex("comments").delete();
        await knex("posts").whereIn("id", [1, 2]).delete();
        await knex("posts").insert(combinedRows);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const ask = (query: string, { user = 1, path = "/posts.json", locale = "en" } = {}) =>
      app.request(`/admin${path}?${query}`, { headers: { "x-user": String(user), "accept-language": locale } });
    const page = async (query: string, more = {}) => (await ask(query, { path: "/posts", ...more })).text();
    /** The titles of what is found, in its order; sorted where the order is not asked for. */
    const found = async (query: string) => {
      const answer = await ask(query);
      assert.is(answer.status, 200, `${query}: ${await answer.clone().text()}`);
      const { data } = (await answer.json()) as { data: { title: string }[] };
      const titles = data.map(({ title }) => title);
      return (query.includes("sort=") ? titles : titles.sort()).join("");
    };
    const finds = async (cases: Readonly<Record<string, string>>) => {
      for (const [query, titles] of Object.entries(cases)) assert.is(await found(query), titles, query);
    };

    can("They are sorted by its parts in their order, or by the part that is named", async () => {
      await finds({
        "sort=stay": "DCEAB",
        "sort=-stay": "BAECD",
        "sort=fee": "DBEAC",
        "sort=-fee,title": "CAEBD",
        "sort=home,title": "DECAB",
        "sort=-home,-title": "BACED",
      });
      assert.match(await page("sort=stay"), /<a[^>]*href="[^"]*sort=-stay/);
      assert.match(await page(""), /<a[^>]*href="[^"]*sort=home/);
    });
    can("The pages of such an order, and its export, go on where the one before ended", async () => {
      let [titles, after] = ["", ""];
      for (let left = 5; left > 0; left--) {
        const answer = await ask(`sort=stay&per_page=1${after}`);
        const { data, meta } = (await answer.json()) as { data: { title: string }[]; meta: { next?: string } };
        titles += data[0]!.title;
        after = meta.next ? `&after=${encodeURIComponent(meta.next)}` : `&page=${7 - left}`;
      }
      assert.is(titles, "DCEAB");
      const lines = (await (await ask("sort=-stay", { path: "/posts/export.csv" })).text()).trim().split("\n").slice(1);
      assert.is(lines.map((line) => line[0]).join(""), "BAECD");
    });
    can("A period is found by a day in it, and by days that it overlaps", async () => {
      await finds({
        "filter[stay]=2026-07-04": "AB",
        "filter[stay][is]=2026-07-03": "AE",
        "filter[stay][is]=2020-01-01": "C",
        "filter[stay][from]=2026-07-05&filter[stay][to]=2026-07-10": "AB",
        "filter[stay][from]=2026-07-06": "B",
        "filter[stay][to]=2026-06-30": "C",
        "filter[stay][to]=2026-07-01": "ACE",
        "filter[stay][empty]=1": "D",
        "filter[stay][empty]=0": "ABCE",
        "match=none&filter[stay][is]=2026-07-04": "CDE",
        "match=any&filter[stay][is]=2026-07-04&filter[title][is]=D": "ABD",
        "filter[any][1][stay][is]=2026-07-03&filter[any][1][stay][empty]=1": "ADE",
        "filter[stay][in]=today": "B",
      });
    });
    can("An amount is found by its number and its currency", async () => {
      await finds({
        "filter[fee]=12.50": "AE",
        "filter[fee][from]=10": "ACE",
        "filter[fee][from]=10&filter[fee][to]=100": "AE",
        "filter[fee][from]=10&filter[fee][currency]=EUR": "AC",
        "filter[fee][currency][]=JPY&filter[fee][currency][]=CHF": "BDE",
        "filter[fee][not]=7": "ACDE",
        "filter[fee][empty]=1": "D",
        "filter[fee][empty]=0": "ABCE",
        "match=any&filter[fee][currency]=JPY&filter[fee][from]=100": "BC",
        "match=none&filter[fee][currency]=EUR": "BDE",
      });
    });
    can("An address is found by its texts and its country", async () => {
      await finds({
        "filter[home]=neu": "AB",
        "filter[home][contains]=MARKT": "A",
        "filter[home][contains]=neustadt 01234": "A",
        "filter[home][contains]=50%25": "C",
        "filter[home][begins]=00": "B",
        "filter[home][ends]=t": "AC",
        "filter[home][is]=rome": "B",
        "filter[home][not]=Rome": "ACDE",
        "filter[home][any][]=Rome&filter[home][any][]=9000": "BC",
        "filter[home][country]=IT": "B",
        "filter[home][country][]=IT&filter[home][country][]=BE": "BC",
        "filter[home][country]=DE&filter[home][contains]=via": "",
        "filter[home][empty]=1": "DE",
        "filter[home][empty]=0": "ABC",
      });
    });
    can("What does not fit is refused, and what there is not", async () => {
      for (const query of [
        "filter[stay]=soon",
        "filter[stay][from]=2026-02-30",
        "filter[stay][contains]=2026",
        "filter[stay][in]=some_day",
        "filter[stay][currency]=EUR",
        "filter[fee]=much",
        "filter[fee][country]=DE",
        "filter[fee][currency][a]=EUR",
        "filter[home][currency]=EUR",
      ])
        assert.is((await ask(query)).status, 422, query);
    });
    can("Who may not read it neither sorts nor filters by it, as by what does not exist", async () => {
      const plain = await (await ask("filter[never]=1", { user: 2 })).text();
      const plainSort = await (await ask("sort=never", { user: 2 })).text();
      for (const name of ["stay", "fee", "home", "starts_on", "fee_amount", "street"]) {
        for (const user of [2, 7]) {
          for (const value of ["=1", "[is]=1", "[empty]=1", "[from]=2026-01-01", "[currency]=EUR", "[contains]=a"]) {
            const refused = await ask(`filter[${name}]${value}`, { user });
            assert.equal([refused.status, await refused.text()], [422, plain], `${name}${value}`);
          }
          const refused = await ask(`sort=${name}`, { user });
          assert.equal([refused.status, await refused.text()], [422, plainSort], name);
        }
      }
      assert.is((await ask("sort=ends_on&filter[city]=Rome", { user: 7 })).status, 200);
      assert.is(await found("q=rome"), "B", "whoever reads the address may search its columns");
      assert.is((await ask("q=rome", { user: 2 })).status, 422);
      for (const query of ["sort=stay", "filter[stay]=2026-07-01", "filter[stay][empty]=1"])
        assert.is((await ask(query, { user: 8 })).status, 422, "on its page alone");
      assert.is((await ask("filter[starts_on]=2026-07-01")).status, 422, "the columns are no fields of the list");
      const names = async (user: number) =>
        [...(await page("show=add", { user, path: "/posts/list/options" })).matchAll(/field=(\w+)/g)].map(
          ([, name]) => name,
        );
      assert.equal(await names(1), ["title", "stay", "home", "fee"]);
      assert.equal(await names(2), ["title"]);
      assert.not.match(await page("", { user: 2 }), /sort=stay/);
    });
    can("Filters are chips, which are opened and removed, in the person's language", async () => {
      const set = async (query: string) => {
        const answer = await ask(`show=set&${query}`, { path: "/posts/list/options" });
        return decodeURIComponent(answer.headers.get("location") ?? String(answer.status)).replace("/admin/posts", "");
      };
      assert.is(await set("field=stay&operator=is&value=2026-07-04"), "?filter[stay][is]=2026-07-04");
      assert.is(
        await set("field=stay&operator=between&value=2026-07-04&until=2026-07-05"),
        "?filter[stay][from]=2026-07-04&filter[stay][to]=2026-07-05",
      );
      assert.is(await set("field=fee&operator=currency&chosen=EUR"), "?filter[fee][currency]=EUR");
      assert.is(await set("field=fee&operator=currency&chosen="), "422");
      assert.is(await set("field=home&operator=country&chosen=IT"), "?filter[home][country]=IT");
      assert.is(await set("field=home&operator=currency&chosen=EUR"), "422");
      const form = await page("show=set&field=fee", { path: "/posts/list/options" });
      assert.match(form, /<option value="currency"[^>]*>Currency</);
      assert.match(form, '<option value="EUR">Euro</option>');
      assert.match(form, '<option value="empty">');
      const again = await page("filter[fee][currency]=EUR&show=set&field=fee&was=currency", {
        path: "/posts/list/options",
      });
      assert.match(again, '<option value="EUR" selected>Euro</option>');
      const chips = async (query: string, locale = "en") =>
        [
          ...(await page(query, { locale })).matchAll(/<li class="fw-chip"><a[^>]*><span>(.*?)<\/span> (.*?)<\/a>/g),
        ].map(([, field, text]) => `${field} ${text}`);
      assert.equal(await chips("filter[fee][from]=10&filter[fee][currency]=EUR"), [
        "Fee Currency: Euro",
        "Fee from 10",
      ]);
      assert.equal(await chips("filter[home][country][]=IT&filter[home][country][]=DE", "de"), [
        "Home Land: Italien, Deutschland",
      ]);
      assert.equal(await chips("filter[stay][is]=2026-07-04"), ["Stay 2026-07-04"]);
    });
  });
}

describe("What a definition says of sorting and filtering by several columns", (it) => {
  const open = (text: string) => openWizards({ ...combinedFiles, "app/definitions/post_definition.ts": text });
  it("It takes them away, declares them for guests and the bar, and has its own", async () => {
    const app = await open(
      definition(
        ", sort: false",
        `this.filter("stay" as never, false); this.filter("home" as never);
         this.sort("fee" as never, { columns: ["fee_currency", "fee_amount"] as never });`,
      ),
    );
    try {
      const ask = (query: string, path = ".json") =>
        app.request(`/admin/posts${path}?${query}`, { headers: { "x-user": "1" } });
      for (const query of ["sort=home", "filter[stay]=2026-07-01"]) assert.is((await ask(query)).status, 422, query);
      for (const query of ["sort=stay", "sort=-fee", "filter[home]=x"])
        assert.is((await ask(query)).status, 200, query);
      assert.match(await (await ask("", "")).text(), 'name="filter[home]"');
    } finally {
      await app.close();
    }
  });
  it("A part that is encrypted is neither sorted nor filtered by", async () => {
    const app = await openWizards({
      ...combinedFiles,
      "app/models/post.ts": `import { hasMany, Model } from "framewright/plugins/database";
        export default class Post extends Model("posts") {
          static override associations = { comments: hasMany() };
          static override encrypts = { street: {}, fee_amount: {} };
        }`,
      "db/migrate/20260101000003_encrypt.ts": `import type { Schema } from "framewright/plugins/database";
        export async function up(db: Schema) {
          await db.removeColumns("posts", ["street", "fee_amount"]);
          await db.addColumns("posts", (t) => { t.text("street"); t.text("fee_amount"); });
        }
        export async function down(): Promise<void> {}`,
      "app/definitions/post_definition.ts": definition(),
    });
    try {
      const ask = (query: string) => app.request(`/admin/posts.json?${query}`, { headers: { "x-user": "1" } });
      assert.is((await ask("filter[fee]=1")).status, 422);
      for (const query of ["sort=home", "sort=fee", "filter[home]=rome"])
        assert.is((await ask(query)).status, 200, query);
      await databaseOf(app.application)
        .model("Post")
        .class.query()
        .findById(1)
        .patch({ street: "Rome", city: "Ghent" } as never);
      assert.equal(((await (await ask("filter[home]=rome")).json()) as { data: unknown[] }).data, []);
    } finally {
      await app.close();
    }
  });
  it("A part that there is not can't be sorted by", async () => {
    const text = definition(', sort: "land" as never');
    const error = await throwsCode("FW_COMBINED", () =>
      bootWith({ ...combinedFiles, "app/definitions/post_definition.ts": text }),
    );
    assert.match(error.message, 'sort: "land"');
  });
});
