import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { fieldsOf } from "../../support/form_fields.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as } from "../wizards/mounts_support.ts";
import { asAnn, openPermits } from "./permits_app.ts";

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows in a json column, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip === undefined) app = await openPermits(await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const json = (...given: Parameters<ReturnType<typeof asAnn>["json"]>) => asAnn(app).json(...given);
    const page = (path: string) => asAnn(app).page(path);
    const patch = (permit: object, id = 1) => json(`/permits/${id}.json`, { permit }, "PATCH");
    const submit = (path: string, fields: Record<string, string>) =>
      as(app.client(), 1).submit(`/admin${path}`, fields);
    const stored = async (id: number, name: string) => {
      const value = (await databaseOf(app.application).knex("permits").where({ id }).first())[name];
      return typeof value === "string" ? JSON.parse(value) : value;
    };

    can("Pages, lists and JSON show them", async () => {
      const { body } = await json("/permits/1.json");
      assert.equal(body.data.lines, [{ text: "dig", kind: "work", hours: 3, amount: "10.00" }]);
      assert.equal([body.data.settings, body.data.place], [{ colour: "red" }, { city: "Bern", floor: null }]);
      const html = await page("/permits/1");
      assert.match(html, /fw-rows-table.*dig.*Work/s);
      assert.match(html, /<dt>City<\/dt><dd>Bern<\/dd>/);
      assert.match(await page("/permits"), "dig");
    });

    const cases: [string, object, string][] = [
      ["a missing text", { lines: [{ text: "", amount: "1" }] }, "lines.0.text"],
      ["an amount that is none", { lines: [{ text: "a" }, { text: "b", amount: "x" }] }, "lines.1.amount"],
      ["a value that is no choice", { lines: [{ text: "a", kind: "gift" }] }, "lines.0.kind"],
      ["a field that its row requires", { lines: [{ text: "a", kind: "work" }] }, "lines.0.hours"],
      ["more rows than there may be", { lines: [1, 2, 3, 4].map((one) => ({ text: `t${one}` })) }, "lines"],
      ["far too many rows", { lines: Array.from({ length: 400 }, () => ({ text: "x", amount: "1" })) }, "lines"],
      ["no list", { lines: "no list" }, "lines"],
      ["a group without what it needs", { place: { floor: "2" } }, "place.city"],
      [
        "a name that is there twice",
        {
          settings: [
            { key: "a", value: "1" },
            { key: "a", value: "2" },
          ],
        },
        "settings.1.key",
      ],
    ];
    for (const [what, permit, path] of cases)
      can(`JSON is refused with the path of ${what}`, async () => {
        const { status, errors } = await patch(permit);
        assert.equal([status, Object.keys(errors ?? {})], [422, [path]]);
      });

    can("JSON writes rows, groups, and names with their values", async () => {
      const permit = {
        lines: [{ text: "lift", kind: "material", hours: 9 }],
        settings: { size: "L" },
        place: { city: "Ulm", floor: 2 },
      };
      const { status, body } = await patch(permit, 2);
      assert.is(status, 200);
      assert.equal(body.data.lines, [{ text: "lift", kind: "material", hours: null, amount: null, parcel: null }]);
      assert.equal([await stored(2, "settings"), await stored(2, "place")], [{ size: "L" }, { city: "Ulm", floor: 2 }]);
    });

    can("A row refers to a record that the person may see, which is searched for while typing", async () => {
      const chosen = await patch({ lines: [{ text: "with", parcel: 3 }] }, 2);
      assert.equal([chosen.status, chosen.body.data.lines[0].parcel], [200, 3]);
      await databaseOf(app.application).knex("parcels").insert({ id: 40, area: "unseen", permit_id: 1 });
      const refused = await patch({ lines: [{ text: "with", parcel: 40 }] }, 2);
      assert.equal([refused.status, Object.keys(refused.errors)], [422, ["lines.0.parcel"]]);
      const html = await page("/permits/2/edit");
      const [, url] = /id="permit_lines-0-parcel"[^>]* data-search-url="([^"]*)"/.exec(html)!;
      assert.is(url, "/admin/permits/row_choices/lines-parcel");
      const { body } = await json(url!.replace("/admin", ""));
      const labels = body.data.map(({ label }: { label: string }) => label);
      assert.equal(labels.sort(), ["north", "other", "south"]);
      assert.match(await page("/permits/2"), /fw-rows-table.*<td>other<\/td>/s);
      await databaseOf(app.application)
        .knex("permits")
        .where({ id: 2 })
        .update({ lines: JSON.stringify([{ text: "hidden", parcel: 40 }]) });
      assert.match(await page("/permits/2"), "Not visible to you");
      assert.not.match(await page("/permits/2"), "unseen");
      const kept = await submit("/permits/2/edit", { "permit[lines][0][text]": "still" });
      assert.is(kept.status, 303, (await kept.text()).slice(0, 20));
      assert.equal(
        (await stored(2, "lines")).map((one: { text: string; parcel: number }) => [one.text, one.parcel]),
        [["still", 40]],
      );
      for (const path of ["lines-text", "lines", "title", "lines-none", "place-city"])
        assert.is((await json(`/permits/row_choices/${path}`)).status, 404, path);
    });

    can("A form without JavaScript adds, moves, removes and puts back rows by its buttons", async () => {
      const added = await (await submit("/permits/1/edit", { _add: "lines" })).text();
      assert.match(added, /name="permit\[lines\]\[1\]\[text\]"/);
      const removed = await (await submit("/permits/1/edit", { _remove: "lines.0" })).text();
      assert.match(removed, /fw-entry-removed" id="permit_lines-0"/);
      assert.equal((await stored(1, "lines")).length, 1);
      const saved = await submit("/permits/1/edit", {
        "permit[lines][1][text]": "paint",
        "permit[lines][1][amount]": "2.50",
        "permit[settings][1][key]": "width",
        "permit[settings][1][value]": "7",
      });
      assert.is(saved.status, 303);
      assert.equal(
        (await stored(1, "lines")).map((one: { text: string; amount: string }) => [one.text, one.amount]),
        [
          ["dig", "10.00"],
          ["paint", "2.50"],
        ],
      );
      assert.equal(await stored(1, "settings"), { colour: "red", width: "7" });
    });

    can("An error stands at its cell and in the list above, and what was typed is kept", async () => {
      const answer = await submit("/permits/1/edit", { "permit[lines][0][amount]": "much" });
      assert.is(answer.status, 422);
      const html = await answer.text();
      assert.match(html, /<a href="#permit_lines-0-amount">Line 1, Amount/);
      assert.match(html, /value="much"[^>]* id="permit_lines-0-amount"/);
    });

    can("Rows that nobody touched are not written, whatever others made of them", async () => {
      const client = as(app.client(), 1);
      const form = await client.page("/admin/permits/1/edit");
      const fields = fieldsOf(form);
      await patch({ lines: [{ text: "theirs" }] });
      const saved = await client.request("/admin/permits/1", {
        method: "POST",
        body: new URLSearchParams({ ...fields, "permit[title]": "Mine", lock_version: "" }),
      });
      assert.is(saved.status, 303);
      assert.equal((await stored(1, "lines"))[0].text, "theirs");
    });

    can("Rows that others changed too are a conflict that is told, and saved once it was seen", async () => {
      const client = as(app.client(), 1);
      const fields = fieldsOf(await client.page("/admin/permits/1/edit"));
      await patch({ lines: [{ text: "theirs again" }] });
      const mine = { ...fields, "permit[lines][0][text]": "mine", lock_version: "" };
      const send = (body: Record<string, string>) =>
        client.request("/admin/permits/1", { method: "POST", body: new URLSearchParams(body) });
      const told = await send(mine);
      assert.is(told.status, 422);
      const html = await told.text();
      assert.match(html, "was changed by others");
      assert.equal((await stored(1, "lines"))[0].text, "theirs again");
      assert.is((await send({ ...fieldsOf(html), lock_version: "" })).status, 303);
      assert.equal((await stored(1, "lines"))[0].text, "mine");
    });

    can("An input without a column is checked, given to its save, and not written", async () => {
      assert.match(await page("/permits/1/edit"), 'name="permit[note]"');
      const long = await patch({ note: "x".repeat(30) });
      assert.equal([long.status, Object.keys(long.errors)], [422, ["note"]]);
      assert.is((await patch({ note: "by hand" })).status, 200);
      const rows = await databaseOf(app.application).knex("notes");
      assert.equal(
        rows.map(({ text, permit_id }) => [text, Number(permit_id)]),
        [["by hand", 1]],
      );
    });

    can("A duplicate begins with the rows of its pattern", async () => {
      const html = await page("/permits/1/duplicate");
      assert.match(html, /value="mine"[^>]* name="permit\[lines\]\[0\]\[text\]"/);
      assert.match(html, /value="colour"[^>]* name="permit\[settings\]\[\d\]\[key\]"/);
    });
  });
}
