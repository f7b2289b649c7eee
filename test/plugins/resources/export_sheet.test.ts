import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop } from "../../support/shop.ts";
import { exportFiles } from "./export_app.ts";
import { momentOf, type ReadCell, sheetOf } from "./read_sheet.ts";

const posts = "/admin/blogging/posts";
const times = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
const stamps = { ...times, published: 0 };
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const files = {
  ...exportFiles,
  [definition]: edited(exportFiles, definition, [
    "super.configure();",
    'super.configure(); this.input("status", { choices: [{ value: "draft", label: "Being written" }, { value: "live", label: "=Live" }] });',
  ]),
};

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Exports as spreadsheets, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("blogging_posts").delete();
        await story();
      });
    const ask = (query = "", headers: Record<string, string> = {}) =>
      app.request(`${posts}/export.xlsx${query}`, { headers: { "x-name": "Somebody", ...headers } });
    const sheet = async (query = "", headers: Record<string, string> = {}): Promise<ReadCell[][]> => {
      const answer = await ask(query, headers);
      assert.is(answer.status, 200);
      return sheetOf(Buffer.from(await answer.arrayBuffer()));
    };
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(files, { ...(await database.values()), TIME_ZONE: "America/New_York" });
        await knex()("authors").insert({ name: "=Ada", ...times });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }

    can("Numbers, days, times and booleans are such, times in the person's zone, which the header names", async () => {
      const paper = JSON.stringify({ key: "ab/cdef", filename: "a, b.pdf", type: "application/pdf", size: 3 });
      await knex()("blogging_posts").insert([
        {
          ...{ ...stamps, title: "One", author_id: 1, price_cents: -1250, published: 1, position: 12, status: "live" },
          ...{ published_at: "2026-07-01 22:30:15.000", due_on: "2026-02-03", secret_token: "do-not-tell" },
          ...{ paper, details: '{"a":[1]}' },
        },
        { ...stamps, title: "Two", price_cents: 0, status: "draft" },
      ]);
      const headers = { cookie: "fw_zone=Europe%2FBerlin", "x-name": "Boss" };
      const [head, one, two] = await sheet("?sort=title", headers);
      const names = ["Title", "Author", "Price", "Status", "Published", "Published at (Europe/Berlin)", "Due on"];
      assert.equal(
        head!.map((cell) => (cell as { text: string }).text),
        [...names, "Rank", "Secret token", "Paper", "Details"],
      );
      const [title, author, price, status, published, at, due, rank, secret, file, details] = one!;
      assert.equal([title, author], [{ text: "One" }, { text: "=Ada" }]);
      assert.equal(
        [price, rank],
        [
          { number: -12.5, format: "0.00" },
          { number: 12, format: "General" },
        ],
      );
      assert.equal([status, published], [{ text: "=Live" }, { boolean: true }]);
      const [moment, day] = [at, due] as { number: number; format: string }[];
      assert.equal([momentOf(moment!.number), moment!.format], ["2026-07-02T00:30:15", "yyyy-mm-dd hh:mm:ss"]);
      assert.equal([momentOf(day!.number), day!.format], ["2026-02-03T00:00:00", "yyyy-mm-dd"]);
      assert.equal([secret, file, details], [null, { text: "a, b.pdf" }, { text: '{"a":[1]}' }]);
      assert.equal(two!.slice(0, 6), [
        { text: "Two" },
        null,
        { number: 0, format: "0.00" },
        { text: "Being written" },
        { boolean: false },
      ]);
      const [assumed] = await sheet();
      assert.ok(assumed!.some((cell) => cell && "text" in cell && cell.text === "Published at (America/New_York)"));
    });

    can("A text is a text whatever it begins with, and what no spreadsheet takes does not break the file", async () => {
      const long = "x".repeat(40_000);
      const titles = ["=1+1", "+49 30", "-1+1", "@SUM(A1)", "'=1", "-5", "12", "constructor", "__proto__", "toString"];
      const odd = ["a\u0001b", "<b>&amp;\"'", "  spaces  ", "two\nlines", "\u{1F600}", "]]>"];
      const all = [...titles, ...odd];
      await knex()("blogging_posts").insert(
        all.map((title, position) => ({ ...stamps, title, position, status: "draft", body: "x" })),
      );
      const rows = await sheet("?sort=id&columns=title");
      assert.equal(
        rows.slice(1).map(([cell]) => (cell as { text: string }).text),
        all.map((title) => title.replace("\u0001", "_x0001_")),
      );
      await knex()("blogging_posts").delete();
      await knex()("blogging_posts").insert({ ...stamps, title: "Long", details: JSON.stringify(long) });
      const [, [cell]] = (await sheet("?columns=details")) as [ReadCell[], ReadCell[]];
      assert.is((cell as { text: string }).text.length, 32_767);
    });

    can("Texts of more characters than its thread can hold are refused, with what to do", async () => {
      const details = JSON.stringify("y".repeat(100_000));
      for (let at = 0; at < 310; at += 10)
        await knex()("blogging_posts").insert(
          Array.from({ length: 10 }, () => ({ ...stamps, title: "Long", details })),
        );
      for (const accept of ["text/html", "application/json"]) {
        const answer = await app.request("/admin/blogging/posts/export.xlsx?columns=details", { headers: { accept } });
        assert.is(answer.status, 422);
        assert.match(await answer.text(), "has at most 30,000,000 characters, and the list has more. Export it as CSV");
      }
      await knex()("blogging_posts").delete();
    });

    can("It has the order, the narrowing and the columns of the list, and those of the person alone", async () => {
      const row = (at: number) => ({ ...stamps, title: `T ${at}`, status: at % 2 ? "live" : "draft", position: at });
      await knex()("blogging_posts").insert(Array.from({ length: 1100 }, (_, at) => row(at)).slice(0, 30));
      const rows = await sheet("?filter[status]=live&sort=-title&columns=title,status&page=2");
      assert.is(rows.length, 16);
      assert.equal(rows[1], [{ text: "T 9" }, { text: "=Live" }]);
      assert.not.match(JSON.stringify(await sheet()), "Rank");
      assert.is((await ask("?columns=nope")).status, 422);
      for (const name of ["Nobody", "Stranger"]) assert.is((await ask("", { "x-name": name })).status, 403);
      assert.is((await app.request("/admin/authors/export.xlsx")).status, 403);
    });

    can("More rows than a file may have are said so, with a link to CSV; a program is answered 422", async () => {
      const columns = Object.keys({ ...stamps, title: "", status: "" }).join(", ");
      await knex()("blogging_posts").insert(
        Array.from({ length: 50 }, () => ({ ...stamps, title: "T", status: "live" })),
      );
      for (let count = 50; count <= 50_000; ) {
        const more = Math.min(count, 50_001 - count) || 1;
        await knex().raw(`insert into blogging_posts (${columns}) select ${columns} from blogging_posts limit ${more}`);
        count += more;
      }
      const answer = await ask("?filter[status]=live", { accept: "text/html" });
      assert.is(answer.status, 422);
      const page = await answer.text();
      assert.match(page, "An XLSX file has at most 50,000 rows");
      assert.match(
        page,
        /<a class="btn btn-primary" href="[^"]*export\.csv\?filter[^"]*" data-turbo="false">Export as CSV/,
      );
      const refused = await ask("", { accept: "application/json" });
      assert.is(refused.status, 422);
      assert.match(await refused.text(), "50,000 rows");
      assert.is((await sheet("?filter[status]=draft")).length, 1);
    });
  });
}
