import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Samples, samples } from "./exact_app.ts";

// Values that a double would round, written by another program and by people.

const BIG = "9007199254740993";
const DOCUMENT = '{"n": 12345678901234567890, "list": [1.50, 0.12345678901234567890], "text": "12345678901234567890"}';

for (const database of await databases({ withPostgres: true })) {
  describe(`Values to the digit, on ${database.name}`, (it, { before, after }) => {
    let all: Samples;
    const isPostgres = database.name === "postgres" || database.name === "pglite";
    const knex = () => databaseOf(all.app.application).knex;
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("samples").delete();
        await story();
      });
    if (database.skip === undefined) {
      before(async () => {
        all = await Samples.open(await database.values());
      });
      after(async () => {
        await all?.close();
        await database.clean();
      });
    }
    const put = async (values: Record<string, unknown>, id = 1) => {
      const at = "2026-01-01 00:00:00.000";
      const own = { id, label: `s${id}`, organization_id: 1, created_at: at, updated_at: at };
      await knex()("samples").insert({ ...own, ...values });
      return `${samples}/${id}`;
    };

    can(
      "A large whole number that another program wrote is shown, filtered, sorted, added up and exported as it is",
      async () => {
        const path = await put({ big: BIG, small: 7 });
        await put({ big: "9007199254740992" }, 2);
        await put({ big: "-9223372036854775808" }, 3);
        assert.is((await all.read(path)).big, BIG);
        assert.is((await all.form(`${path}/edit`)).big, BIG);
        const list = await all.page(samples);
        assert.match(list, "9,007,199,254,740,993");
        assert.match(list, "9,007,199,254,740,992");
        assert.match(list, "-9,205,357,638,345,293,823", "the total");
        const found = async (query: string) => {
          const { data } = (await all.json(`${samples}?${query}`)) as unknown as { data: { id: number }[] };
          return data.map(({ id }) => id);
        };
        assert.equal(await found(`filter[big]=${BIG}`), [1]);
        assert.equal(await found("filter[big][from]=9007199254740993"), [1]);
        assert.equal(await found("sort=big"), [3, 2, 1]);
        const csv = await (await all.get(`${samples}/export.csv`)).text();
        assert.match(csv, BIG);
      },
    );

    can("A form that leaves a large number and a document alone does not write them", async () => {
      const path = await put({ big: BIG, document: DOCUMENT, small: 1 });
      const sent = await all.byForm(path, { small: "2" });
      assert.equal(sent, { path });
      const row = await knex()("samples").where({ id: 1 }).first();
      assert.is(String(row.big), BIG);
      assert.is(row.small, 2);
      assert.is(row.document, DOCUMENT);
      assert.match((await all.form(`${path}/edit`)).document!, '"n": 12345678901234567890');
    });

    can(
      "A document that is changed has the digits that were typed; a parsed number that lost some is refused",
      async () => {
        const path = await put({ document: DOCUMENT });
        const text = '{"n": 98765432109876543210, "m": 1}';
        assert.equal(await all.byForm(path, { document: text }), { path });
        assert.match((await all.form(`${path}/edit`)).document!, '"n": 98765432109876543210');
        assert.match((await knex()("samples").where({ id: 1 }).first()).document, "98765432109876543210");
        const answer = await all.app.request(path, {
          method: "PATCH",
          headers: { "content-type": "application/json", accept: "application/json", "x-user": "1" },
          body: `{"sample": {"document": {"n": 98765432109876543210}}}`,
        });
        assert.is(answer.status, 422);
        assert.equal(Object.keys(((await answer.json()) as { errors: object }).errors), ["document"]);
      },
    );

    can("A number of JSON that may have lost digits is refused by its name", async () => {
      const path = await put({});
      for (const [name, text] of [
        ["big", "9007199254740993"],
        ["exact", "123456789.12345678901"],
        ["small", "9007199254740993"],
      ]) {
        const answer = await all.app.request(path, {
          method: "PATCH",
          headers: { "content-type": "application/json", accept: "application/json", "x-user": "1" },
          body: `{"sample": {"${name}": ${text}}}`,
        });
        assert.is(answer.status, 422, name);
        assert.equal(Object.keys(((await answer.json()) as { errors: object }).errors), [name]);
      }
    });

    can("A decimal is stored to the digit, or refused by its name", async () => {
      const path = await put({});
      for (const value of [
        "123456789012.123",
        "99999.9999999999",
        "12345678901234567890.1234567891",
        "-0.0000000001",
      ]) {
        const written = await all.byJson(path, { wide: value });
        const digits = value.replace(/^-?0*\.?0*/, "").replace(".", "").length;
        if (database.name === "sqlite" && digits > 15) assert.equal(written, { refused: ["wide"] }, value);
        else {
          assert.equal(written, { path }, value);
          const [, whole, fraction] = /^(-?\d+)\.(\d+)$/.exec(value)!;
          assert.is((await all.read(path)).wide, `${whole}.${fraction!.padEnd(10, "0")}`);
        }
      }
      for (const value of ["1234567890123456789", "-9223372036854775807"]) {
        assert.equal(await all.byJson(path, { whole: value }), { path });
        assert.is((await all.read(path)).whole, value);
      }
    });

    can("A double of before is shown in its shortest form, and its own form can be saved", async () => {
      if (database.name !== "sqlite") return;
      const path = await put({});
      await knex().raw("update samples set wide = 123456789123456.12345, small = 1");
      assert.is((await all.read(path)).wide, "123456789123456.1200000000");
      assert.equal(await all.byForm(path, { small: "2" }), { path });
      assert.is((await knex()("samples").first()).wide, 123456789123456.12);
      const findings = await databaseOf(all.app.application).examine();
      const wide = findings.find(({ what }) => what === "decimals of samples.wide");
      assert.is(wide?.ok, false);
      assert.match(wide!.detail, "1 row has a value that was rounded");
      await knex().raw("update samples set wide = 99999999999999999999.99999");
      assert.is((await all.read(path)).wide, "100000000000000000000.0000000000");
      assert.equal(await all.byForm(path, { small: "3" }), { path });
    });

    can("Decimals are added up without the residue of doubles", async () => {
      for (let id = 1; id <= 10; id++)
        await put({ exact: "0.1", wide: "12345.0000000001", whole: "999999999999999999" }, id);
      const list = await all.page(samples);
      assert.match(list, /data-total="exact">.*?<span class="fw-number">1\.000<\/span>/);
      assert.match(list, "123,450.0000000010");
      assert.match(list, "9,999,999,999,999,999,990");
    });

    can(
      "A color and a boolean that are empty stay so with every edit of their record, and in new ones, and can be chosen",
      async () => {
        const path = await put({});
        await all.byForm(path, { line: "x" });
        assert.equal([(await all.read(path)).tint, (await all.read(path)).flag], [null, null]);
        const made = (await all.byNewForm("", { line: "new" })) as { path: string };
        const fresh = await all.read(made.path);
        assert.equal([fresh.tint, fresh.flag], [null, null]);
        for (const [flag, expected] of [
          ["1", true],
          ["0", false],
          ["", null],
        ]) {
          await all.byForm(path, { flag: String(flag), tint: "#aabbcc" });
          assert.equal([(await all.read(path)).tint, (await all.read(path)).flag], ["#aabbcc", expected as never]);
        }
        const form = await all.page(`${path}/edit`);
        assert.match(form, /<input type="text" value="#aabbcc"[^>]*pattern="#\[0-9A-Fa-f\]\{6\}"/);
        assert.match(form, /<input type="color"[^>]*value="#aabbcc" data-picks="sample_tint"[^>]*hidden>/);
        assert.equal(await all.byForm(path, { tint: "" }), { path });
        assert.is((await all.read(path)).tint, null);
        assert.equal(await all.byForm(path, { tint: "red" }), { path }, "its rules are those of the model");
      },
    );

    can("A value that is none of its filter's type is refused, also where the filter compares by itself", async () => {
      const status = async (query: string) => (await all.json(`${samples}?${query}`)).status;
      for (const query of [
        "own_date]=nonsense",
        "own_date]=2026-02-30",
        "own_boolean]=perhaps",
        "between][from]=x",
        "day]=x",
        "big]=x",
      ])
        assert.is(await status(`filter[${query}`), 422, query);
      for (const query of [
        "own_date]=2026-02-28",
        "own_boolean]=1",
        "own_text]=x",
        "own_select]=a",
        "between][from]=2026-01-01",
      ])
        assert.is(await status(`filter[${query}`), 200, query);
    });

    can("What is unique is so for wide letters, invisible characters and cases alike on every database", async () => {
      const add = async (label: string) => {
        const made = await all.create({ label });
        return "path" in made ? "made" : made.refused.join();
      };
      for (const label of ["Straße", "Ωραίος", "さくら", "cafe\u0301", "می\u200cخواهم", "❤\ufe0f", "👩\u200d🚀"])
        assert.is(await add(label), "made", label);
      const alike = isPostgres ? [] : ["ΩΡΑΊΟΣ", "サクラ"]; // its citext folds letters one by one
      for (const label of ["strAße", "CAFÉ", ...alike]) assert.is(await add(label), "label", `${label} is there`);
      for (const label of ["Ｓtraße", "plain\u200b", "a\u00adb", "ﬁn", "a\u202eb", "①", "a\u200db", "\ufeffx"])
        assert.is(await add(label), "label", JSON.stringify(label));
      const { errors } = await all.json(samples, { sample: { label: "Ａ" } });
      assert.equal(errors, { label: ["has Ａ: write A"] });
    });

    can("What a form leaves as it is, is not written, and no version passes", async () => {
      const path = await put({ line: "a\nb", area: "x\r\ny", exact: "1.5", at: "2026-01-01 10:00:00.123", tint: null });
      assert.equal(await all.byForm(path, { line: "ab" }), { path });
      const row = await knex()("samples").first();
      assert.equal([row.line, row.area, row.lock_version, row.tint, row.flag], ["a\nb", "x\r\ny", 0, null, null]);
    });
  });
}
