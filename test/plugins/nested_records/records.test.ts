import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { fieldsOf } from "../../support/form_fields.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { as } from "../wizards/mounts_support.ts";
import { asAnn, openPermits } from "./permits_app.ts";

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows that are records, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let client: Client | undefined;
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
    const knex = () => databaseOf(app.application).knex;
    const parcels = async (permit: number) => {
      const rows = await knex()("parcels").where({ permit_id: permit }).orderBy("position").orderBy("id");
      return rows.map((row) => `${row.area}${row.purpose ? `/${row.purpose}` : ""}`);
    };
    const fresh = async (...areas: string[]) => {
      const rows = areas.map((area) => ({ area }));
      const { body, status } = await json("/permits.json", { permit: { title: "New", parcels: rows } });
      assert.is(status, 201, JSON.stringify(body));
      return body.data as { id: number; parcels: { id: number; area: string }[] };
    };
    const ann = () => (client ??= as(app.client(), 1));
    const form = async (id: number) => fieldsOf(await ann().page(`/admin/permits/${id}/edit`));
    const send = (id: number, fields: Record<string, string>) =>
      ann().request(`/admin/permits/${id}`, { method: "POST", body: new URLSearchParams(fields) });

    can("Pages and JSON show the rows that the person may see, and what their policy lets them read", async () => {
      const { body } = await json("/permits/1.json");
      assert.equal(body.data.parcels[0], { id: 1, area: "north", purpose: "field", owners: [{ id: 1, name: "Ada" }] });
      assert.equal(body.data.site, { id: 1, street: "Main" });
      const html = await page("/permits/1");
      assert.match(html, /fw-rows-table.*north.*wood/s);
      assert.not.match(html + JSON.stringify(body), "MARK");
      assert.not.match(await page("/permits"), "north", "a list has no rows that nobody declared for it");
    });

    can("JSON creates, changes and removes rows in one request; rows that are left out stay", async () => {
      const made = await fresh("a", "b", "c");
      const [a, b] = made.parcels;
      const { status, body } = await patch(
        { title: "Renamed", parcels: [{ id: a!.id, purpose: "road" }, { id: b!.id, _destroy: true }, { area: "d" }] },
        made.id,
      );
      assert.is(status, 200, JSON.stringify(body));
      assert.equal(await parcels(made.id), ["a/road", "c", "d"]);
      assert.equal(
        body.data.parcels.map(({ area }: { area: string }) => area),
        ["a", "c", "d"],
      );
    });

    can("Rows have rows of their own", async () => {
      const made = await fresh("deep");
      const id = made.parcels[0]!.id;
      const first = await patch({ parcels: [{ id, owners: [{ name: "Bo" }, { name: "Cy" }] }] }, made.id);
      assert.equal(
        first.body.data.parcels[0].owners.map(({ name }: { name: string }) => name),
        ["Bo", "Cy"],
      );
      const wrong = await patch({ parcels: [{ id, owners: [{ name: "Di" }, { name: "" }] }] }, made.id);
      assert.equal([wrong.status, Object.keys(wrong.errors)], [422, ["parcels.0.owners.1.name"]]);
      assert.equal((await knex()("owners").where({ parcel_id: id })).length, 2);
      const html = await page(`/permits/${made.id}/edit`);
      assert.match(
        html,
        /value="Bo"[^>]* id="permit_parcels-0-owners-0-name" name="permit\[parcels\]\[0\]\[owners\]\[0\]\[name\]"/,
      );
    });

    const refused: [string, object, string][] = [
      ["a row without what it needs", { parcels: [{ area: "ok" }, { purpose: "x" }] }, "parcels.1.area"],
      ["a row that its rules refuse", { parcels: [{ area: "ok", purpose: "x".repeat(20) }] }, "parcels.0.purpose"],
      ["a row of another parent", { parcels: [{ id: 3, area: "mine" }] }, "parcels.0.id"],
      ["a row that is not there", { parcels: [{ id: 999, area: "mine" }] }, "parcels.0.id"],
      [
        "a row that is there twice",
        {
          parcels: [
            { id: 1, purpose: "x" },
            { id: 1, purpose: "y" },
          ],
        },
        "parcels.1.id",
      ],
      ["an id that is a list", { parcels: [{ id: [1], area: "mine" }] }, "parcels.0.id"],
      ["far too many rows", { parcels: Array.from({ length: 3000 }, () => ({ area: "x" })) }, "parcels"],
      ["an id that is none", { parcels: [{ id: "1abc", area: "mine" }] }, "parcels.0.id"],
      ["a row that may not be changed", { parcels: [{ id: 20, purpose: "x" }] }, "parcels.0.base"],
      ["a row that may not be removed", { parcels: [{ id: 20, _destroy: true }] }, "parcels.0.base"],
      ["a row that the person may not see", { parcels: [{ id: 21, purpose: "x" }] }, "parcels.0.id"],
      ["more rows than there may be", { parcels: [1, 2, 3, 4, 5].map((one) => ({ area: `p${one}` })) }, "parcels"],
      ["no rows", { parcels: "none" }, "parcels"],
      ["the row of a has-one that is another's", { site: { id: 99, street: "x" } }, "site.id"],
    ];
    for (const [what, permit, path] of refused)
      can(`${what} is refused at its path, and nothing is written`, async () => {
        if ((await knex()("parcels").where({ id: 20 })).length === 0)
          await knex()("parcels").insert([
            { id: 20, area: "locked", permit_id: 1, position: 3 },
            { id: 21, area: "unseen", permit_id: 1, position: 4 },
          ]);
        const before = await knex()("parcels").orderBy("id");
        const { status, errors } = await patch({ title: "Never", ...permit });
        assert.equal([status, Object.keys(errors ?? {})], [422, [path]], JSON.stringify(errors));
        assert.equal(await knex()("parcels").orderBy("id"), before);
        assert.is((await knex()("permits").where({ id: 1 }).first()).title, "Bridge");
      });

    can("A person without the right to create rows creates none, and has no button for it", async () => {
      const { status, errors } = await asAnn(app, "2").json(
        "/permits/1.json",
        { permit: { parcels: [{ area: "new" }] } },
        "PATCH",
      );
      assert.equal([status, Object.keys(errors)], [422, ["parcels.0.base"]]);
      assert.not.match(await asAnn(app, "2").page("/permits/1/edit"), 'name="_add" value="parcels"');
      assert.match(await page("/permits/1/edit"), 'name="_add" value="parcels"');
    });

    can("A row without the right to change it is shown as it is", async () => {
      const html = await page("/permits/1/edit");
      assert.match(html, /id="permit_parcels-2".*<dd>locked/s);
      assert.not.match(html, 'name="permit[parcels][2][area]"');
      assert.not.match(html, 'name="_remove" value="parcels.2"');
      assert.not.match(html, "unseen");
    });

    can("A form writes, orders, adds and removes rows, without JavaScript", async () => {
      const made = await fresh("a", "b");
      const fields = await form(made.id);
      assert.is(fields["permit[parcels][0][area]"], "a");
      const { "permit[parcels][0][id]": first, "permit[parcels][1][id]": second } = fields;
      const saved = await send(made.id, {
        ...fields,
        "permit[parcels][0][id]": second!,
        "permit[parcels][0][area]": "b",
        "permit[parcels][0][_version]": fields["permit[parcels][1][_version]"]!,
        "permit[parcels][0][_originals]": fields["permit[parcels][1][_originals]"]!,
        "permit[parcels][1][id]": first!,
        "permit[parcels][1][area]": "a2",
        "permit[parcels][1][_version]": fields["permit[parcels][0][_version]"]!,
        "permit[parcels][1][_originals]": fields["permit[parcels][0][_originals]"]!,
        "permit[parcels][2][area]": "third",
        "permit[parcels][3][area]": "",
      });
      assert.is(saved.status, 303);
      assert.equal(await parcels(made.id), ["b", "a2", "third"]);
      const next = await form(made.id);
      const removed = await send(made.id, { ...next, "permit[parcels][1][_destroy]": "1" });
      assert.is(removed.status, 303);
      assert.equal(await parcels(made.id), ["b", "third"]);
    });

    can("A refused form shows its rows again, with errors at their cells and removed rows struck out", async () => {
      const made = await fresh("a", "b");
      const fields = await form(made.id);
      const answer = await send(made.id, {
        ...fields,
        "permit[parcels][0][area]": "",
        "permit[parcels][1][_destroy]": "1",
      });
      assert.is(answer.status, 422);
      const html = await answer.text();
      assert.match(html, /<a href="#permit_parcels-0-area">Parcel 1, Area/);
      assert.match(html, /fw-entry-removed" id="permit_parcels-1"/);
      assert.equal(await parcels(made.id), ["a", "b"]);
      const back = await send(made.id, {
        ...fieldsOf(html),
        "permit[parcels][0][area]": "a",
        "permit[parcels][1][_destroy]": "",
      });
      assert.is(back.status, 303);
      assert.equal(await parcels(made.id), ["a", "b"]);
    });

    can("Two people at once: rows that only one touched are kept, and one that both touched is told", async () => {
      const made = await fresh("a", "b");
      const [a, b] = made.parcels;
      const fields = await form(made.id);
      await json(`/parcels/${a!.id}.json`, { parcel: { purpose: "theirs" } }, "PATCH");
      const saved = await send(made.id, { ...fields, "permit[parcels][1][purpose]": "mine" });
      assert.is(saved.status, 303);
      assert.equal(await parcels(made.id), ["a/theirs", "b/mine"]);
      const again = await form(made.id);
      await json(`/parcels/${b!.id}.json`, { parcel: { purpose: "theirs" } }, "PATCH");
      const told = await send(made.id, { ...again, "permit[title]": "Both", "permit[parcels][1][purpose]": "mine 2" });
      assert.is(told.status, 422);
      const html = await told.text();
      assert.match(html, "has changed since you opened the form");
      assert.equal(await parcels(made.id), ["a/theirs", "b/theirs"]);
      assert.is((await send(made.id, fieldsOf(html))).status, 303);
      assert.equal(await parcels(made.id), ["a/theirs", "b/mine 2"]);
    });

    can("A duplicate takes the rows along, as new ones", async () => {
      const made = await fresh("a", "b");
      const fields = fieldsOf(await ann().page(`/admin/permits/${made.id}/duplicate`));
      assert.is(fields["permit[parcels][0][id]"], undefined);
      const saved = await ann().request("/admin/permits", {
        method: "POST",
        body: new URLSearchParams({ ...fields, "permit[title]": "Copy", "permit[place][city]": "Bern" }),
      });
      assert.is(saved.status, 303);
      const copy = await knex()("permits").where({ title: "Copy" }).first();
      assert.equal(await parcels(copy.id), ["a", "b"]);
      assert.equal(await parcels(made.id), ["a", "b"]);
    });

    can("A button of rows within a row adds one there, without JavaScript", async () => {
      const made = await fresh("a", "b");
      const fields = await form(made.id);
      const html = await (await send(made.id, { ...fields, _add: "parcels.1.owners" })).text();
      const names = [
        ...html
          .replaceAll(/<template>.*?<\/template>/gs, "")
          .matchAll(/name="(permit\[parcels\]\[\d\]\[owners\]\[\d\]\[name\])"/g),
      ];
      assert.equal(
        names.map(([, name]) => name),
        ["permit[parcels][1][owners][0][name]"],
      );
      const saved = await send(made.id, { ...fieldsOf(html), "permit[parcels][1][owners][0][name]": "Bo" });
      assert.is(saved.status, 303);
      assert.equal(
        (await knex()("owners").where({ parcel_id: made.parcels[1]!.id })).map(({ name }) => name),
        ["Bo"],
      );
    });

    can("What a row's policy does not permit is neither read nor written", async () => {
      const { status, body } = await patch({ parcels: [{ id: 1, secret_note: "x", position: 99 }], unknown: 1 });
      assert.equal([status, body.meta?.ignored], [200, ["unknown"]]);
      const row = await knex()("parcels").where({ id: 1 }).first();
      assert.equal([row.secret_note, Number(row.position)], ["MARK", 1]);
      const strict = await json("/permits/1.json", { permit: { parcels: [{ id: 1, secret_note: "x" }] } }, "PATCH", {
        prefer: "handling=strict",
      });
      assert.is(strict.status, 422);
      assert.not.match((await page("/permits/1/edit")) + (await page("/permits/1/duplicate")), "MARK");
    });

    can("The record of a has-one is written with its parent", async () => {
      const made = await fresh("a");
      const first = await patch({ site: { street: "One" } }, made.id);
      assert.is(first.body.data.site.street, "One");
      await patch({ site: { street: "Two" } }, made.id);
      assert.equal(
        (await knex()("sites").where({ permit_id: made.id })).map(({ street }) => street),
        ["Two"],
      );
      await patch({ site: { _destroy: true } }, made.id);
      assert.equal(await knex()("sites").where({ permit_id: made.id }), []);
    });

    can("The first version that a program names is that of the record, not of its rows", async () => {
      const made = await fresh("a");
      const etag = (
        await asAnn(app).request(`/permits/${made.id}.json`, { headers: { accept: "application/json" } })
      ).headers.get("etag")!;
      const { status } = await json(
        `/permits/${made.id}.json`,
        { permit: { parcels: [{ id: made.parcels[0]!.id, purpose: "x" }] } },
        "PATCH",
        { "if-match": etag },
      );
      assert.is(status, 200);
    });
  });
}
