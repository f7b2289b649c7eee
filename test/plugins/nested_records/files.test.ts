import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { fieldsOf } from "../../support/form_fields.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { as } from "../wizards/mounts_support.ts";
import { asAnn, openPermits } from "./permits_app.ts";
import { rowFiles } from "./row_files.ts";

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows with files, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let ann: Client;
    before(async () => {
      if (database.skip !== undefined) return;
      app = await openPermits(await database.values(), rowFiles);
      ann = as(app.client(), 1);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = () => databaseOf(app.application).knex;
    const form = async (path = "1/edit") => fieldsOf(await ann.page(`/admin/permits/${path}`));
    const send = (fields: Record<string, string>, more: Record<string, File | string> = {}, path = "/1") => {
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...fields, ...more })) body.append(name, value);
      return ann.request(`/admin/permits${path}`, { method: "POST", body });
    };
    const file = (name: string, text = `of ${name}`) => new File([text], name, { type: "text/plain" });
    const stored = async () => {
      const rows = await knex()("framewright_attachments").whereNull("detached_at").orderBy("id");
      return rows.map(({ owner_type, owner_id, name }) => `${owner_type} ${owner_id} ${name}`);
    };
    const fresh = async (...areas: string[]) => {
      await knex()("framewright_attachments").delete();
      const sent = { permit: { title: "New", parcels: areas.map((area) => ({ area })) } };
      const { body } = await asAnn(app).json("/permits.json", sent);
      return body.data as { id: number; parcels: { id: number }[] };
    };

    can("A file is stored once, and a row of which only its file's input was sent is left alone", async () => {
      assert.is((await send(await form(), { "permit[parcels][1][plan][new][]": file("plan.txt") })).status, 303);
      assert.equal(await stored(), ["Parcel 2 plan.txt"]);
      const mine = await form();
      const patched = { permit: { parcels: [1, 2].map((id) => ({ id, purpose: `theirs ${id}` })) } };
      assert.is((await asAnn(app).json("/permits/1.json", patched, "PATCH")).status, 200);
      const saved = await send({ ...mine, lock_version: (await form()).lock_version! });
      assert.is(saved.status, 303);
      const rows = await knex()("parcels").where({ permit_id: 1 }).orderBy("id");
      assert.equal(
        rows.map(({ purpose }) => purpose),
        ["theirs 1", "theirs 2"],
      );
      const { id } = await knex()("framewright_attachments").first();
      const removed = await send(await form(), { [`permit[parcels][1][plan][stored][f${id}][remove]`]: "1" });
      assert.is(removed.status, 303);
      assert.equal(await stored(), []);
    });

    can(
      "New rows of a new record bring their files, a row's file is replaced, and a new row's is its own",
      async () => {
        await knex()("framewright_attachments").delete();
        const made = await send(
          { ...(await form("new")), "permit[title]": "With files", "permit[place][city]": "Bern" },
          {
            "permit[parcels][0][area]": "a",
            "permit[parcels][0][plan][new][]": file("a.txt"),
            "permit[parcels][1][area]": "b",
            "permit[parcels][1][plan][new][]": file("b.txt"),
          },
          "",
        );
        assert.is(made.status, 303, (await made.text()).slice(0, 500));
        const permit = await knex()("permits").where({ title: "With files" }).first();
        const [a, b] = await knex()("parcels").where({ permit_id: permit.id }).orderBy("id");
        assert.equal(await stored(), [`Parcel ${a.id} a.txt`, `Parcel ${b.id} b.txt`]);
        const changed = await send(
          await form(`${permit.id}/edit`),
          {
            "permit[parcels][0][plan][new][]": file("a2.txt"),
            "permit[parcels][2][area]": "c",
            "permit[parcels][2][plan][new][]": file("c.txt"),
          },
          `/${permit.id}`,
        );
        assert.is(changed.status, 303);
        const c = await knex()("parcels").where({ permit_id: permit.id, area: "c" }).first();
        assert.equal(await stored(), [`Parcel ${b.id} b.txt`, `Parcel ${a.id} a2.txt`, `Parcel ${c.id} c.txt`]);
      },
    );

    can(
      "A refused form keeps the files of its rows, new ones as well, and saves them when it is sent again",
      async () => {
        const made = await fresh("a");
        const answer = await send(
          await form(`${made.id}/edit`),
          {
            "permit[place][floor]": "high",
            "permit[parcels][0][plan][new][]": file("kept.txt"),
            "permit[parcels][1][area]": "new",
            "permit[parcels][1][plan][new][]": file("new.txt"),
          },
          `/${made.id}`,
        );
        assert.is(answer.status, 422);
        assert.equal(await stored(), []);
        const html = await answer.text();
        assert.match(html, "kept.txt");
        assert.match(html, "new.txt");
        const again = await send(
          { ...fieldsOf(html), "permit[place][city]": "Bern", "permit[place][floor]": "1" },
          {},
          `/${made.id}`,
        );
        assert.is(again.status, 303, (await again.text()).slice(0, 500));
        const added = await knex()("parcels").where({ permit_id: made.id, area: "new" }).first();
        assert.equal(await stored(), [`Parcel ${made.parcels[0]!.id} kept.txt`, `Parcel ${added.id} new.txt`]);
      },
    );

    can(
      "A row that its own rules refuse keeps its file too, and its place when another is moved before it",
      async () => {
        const made = await fresh("a");
        const answer = await send(
          await form(`${made.id}/edit`),
          {
            "permit[parcels][1][area]": "",
            "permit[parcels][1][purpose]": "x",
            "permit[parcels][1][plan][new][]": file("row.txt"),
          },
          `/${made.id}`,
        );
        assert.is(answer.status, 422);
        const fields = fieldsOf(await answer.text());
        const swapped = Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [
            name.replace(/\[parcels\]\[([01])\]/, (_, at) => `[parcels][${1 - Number(at)}]`),
            value,
          ]),
        );
        const again = await send({ ...swapped, "permit[parcels][0][area]": "first" }, {}, `/${made.id}`);
        assert.is(again.status, 303, (await again.text()).slice(0, 500));
        const first = await knex()("parcels").where({ permit_id: made.id, area: "first" }).first();
        assert.equal(await stored(), [`Parcel ${first.id} row.txt`]);
      },
    );

    can("JSON shows the file of a row and keeps it; null takes it away; a file of another row is refused", async () => {
      const made = await fresh("a", "b");
      const [a, b] = made.parcels as [{ id: number }, { id: number }];
      for (const [index, name] of ["a.txt", "b.txt"].entries())
        await send(
          await form(`${made.id}/edit`),
          { [`permit[parcels][${index}][plan][new][]`]: file(name) },
          `/${made.id}`,
        );
      const { body } = await asAnn(app).json(`/permits/${made.id}.json`);
      const [one, two] = body.data.parcels;
      assert.is(one.plan.name, "a.txt");
      const content = await ann.request(one.plan.url);
      assert.equal([content.status, await content.text()], [200, "of a.txt"]);
      const patch = (parcels: object[]) =>
        asAnn(app).json(`/permits/${made.id}.json`, { permit: { parcels } }, "PATCH");
      assert.is((await patch([{ id: a.id, plan: one.plan, purpose: "x" }])).status, 200);
      const foreign = await patch([{ id: a.id, plan: two.plan }]);
      assert.equal([foreign.status, Object.keys(foreign.errors ?? {})], [422, ["parcels.0.plan"]]);
      assert.is((await patch([{ id: a.id, plan: null }])).status, 200);
      assert.equal(await stored(), [`Parcel ${b.id} b.txt`]);
    });

    can("A row that is removed takes its file along, and brings it back when that is undone", async () => {
      const made = await fresh("a", "b");
      const id = made.parcels[0]!.id;
      await send(await form(`${made.id}/edit`), { "permit[parcels][0][plan][new][]": file("gone.txt") }, `/${made.id}`);
      const saved = await send(
        { ...(await form(`${made.id}/edit`)), "permit[parcels][0][_destroy]": "1" },
        {},
        `/${made.id}`,
      );
      assert.is(saved.status, 303);
      assert.equal(await stored(), []);
      const undone = await ann.submit(`/admin/permits/${made.id}`, {}, /\/deletions\/[^"]+\/undo/);
      assert.is(undone.status, 303);
      assert.equal(await stored(), [`Parcel ${id} gone.txt`]);
    });

    can("What keeps a file for another person's form is refused", async () => {
      const made = await fresh("a");
      const bob = as(app.client(), 2);
      const fields = fieldsOf(await bob.page(`/admin/permits/${made.id}/edit`));
      const body = new FormData();
      const theirs = {
        "permit[place][floor]": "high",
        "permit[parcels][0][plan][new][]": file("theirs.txt"),
      };
      for (const [name, value] of Object.entries({ ...fields, ...theirs })) body.append(name, value);
      const refused = await bob.request(`/admin/permits/${made.id}`, { method: "POST", body });
      assert.is(refused.status, 422);
      const kept = Object.entries(fieldsOf(await refused.text())).filter(([name]) => name.includes("[kept]"));
      assert.is(kept.length > 0, true);
      const stolen = await send({ ...(await form(`${made.id}/edit`)), ...Object.fromEntries(kept) }, {}, `/${made.id}`);
      assert.is(stolen.status, 422);
      assert.equal(await stored(), []);
    });
  });
}
