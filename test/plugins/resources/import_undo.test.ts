import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { countsOf, Importer, room } from "./import_app.ts";
import { undoFiles } from "./import_undo_app.ts";

const HOUR = 3_600_000;
const tables = ["parcels", "shipments", "arrivals", "framewright_import_writes", "framewright_import_failures"];

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Undoing imports, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const ann = () => new Importer(app, 1);
    const shipments = () => knex()("shipments").where({ organization_id: 1 }).orderBy("id");
    const references = async () => (await shipments()).map(({ reference }) => reference);
    const drain = () => app.application.kernel.service("jobs").drain();
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        for (const table of [...tables, "framewright_imports", "framewright_background_runs"])
          await knex()(table).delete();
        await knex()("users").update({ closed: false, may_import: true });
        Object.assign(room, { created: 0, events: [], ended: [] });
        await story();
      });
    /** Imports a file whole; answers with the address of the import. */
    const imported = async (text: string, columns: string[], more: Record<string, string> = {}) => {
      const person = ann();
      const url = await person.upload(text);
      await person.map(url, columns, more);
      await person.start(url);
      await person.ended(url);
      room.events = [];
      return url;
    };
    /** Presses the button, and confirms. */
    const undo = async (url: string) => {
      const answer = await ann().send(`${url}/undo`, `${url}/undo`, {});
      assert.is(answer.headers.get("location"), url);
      await drain();
      return ended(url);
    };
    const ended = async (url: string): Promise<string> => {
      for (let tries = 0; tries < 400; tries++) {
        const page = await ann().page(url);
        if (/The import was undone|Stopped/.test(page)) return page;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error("the undoing did not end");
    };
    const left = (page: string) =>
      [...page.matchAll(/<li>([^<]*: (?:was changed|is used|may not|is deleted)[^<]*)<\/li>/g)].map(([, text]) => text);
    const later = async (milliseconds: number, story: () => Promise<void>) => {
      const { now } = Date;
      Date.now = () => now() + milliseconds;
      try {
        await story();
      } finally {
        Date.now = now;
      }
    };
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(undoFiles, { ...(await database.values()), LOG_LEVEL: "error" });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }

    can(
      "New records are deleted, and changed ones have all their earlier values again, with events, once",
      async () => {
        const stamps = { created_at: "2026-03-01 10:00:00.000", updated_at: "2026-03-01 10:00:00.000" };
        await knex()("shipments").insert({
          ...{ organization_id: 1, reference: "A-1", note: "before", weight: 7, fee_cents: -1250, fragile: true },
          ...{ due_on: "2026-03-29", sent_at: "2026-03-29 01:30:00.123", extra: '{"a":[1,"x"]}', author_id: 1 },
          ...{ status: "packed", carrier: null, ...stamps },
        });
        const plain = async () =>
          JSON.stringify(
            (await shipments()).map(({ updated_at: _, ...row }) => ({ ...row, fragile: Boolean(row.fragile) })),
          );
        const earlier = await plain();
        const columns = "reference,note,weight,fee,fragile,due_on,sent_at,extra,author,status,carrier".split(",");
        const text = `Reference,Note,Weight,Fee,Fragile,Due,Sent,Extra,Author,Status,Carrier
A-1,secret-word,9,3.50,no,2026-05-01,2026-05-01 10:00,"{""b"":2}",,sent,Dart
A-2,new,1,,no,,,,,draft,
`;
        const url = await imported(text, columns, { rows: "both:reference" });
        const page = await ann().page(url);
        assert.equal(countsOf(page).slice(0, 2), [1, 1]);
        assert.match(page, `href="${url}/undo"`);
        assert.not.match(JSON.stringify(await knex()("framewright_import_writes")), "secret-word");
        const question = await ann().page(`${url}/undo`);
        assert.match(question, "New records: 1, changed records: 1.");
        const done = await undo(url);
        assert.is(await plain(), earlier);
        assert.equal(countsOf(done).slice(4), [1, 1, 0]);
        assert.equal(room.events, ["destroyed A-2", "updated A-1"]);
        assert.not.match(done, `href="${url}/undo"`);
        assert.is((await ann().get(`${url}/undo`)).headers.get("location"), url, "once");
      },
    );

    can("What was changed since, is used elsewhere, is gone or is not permitted stays, and is named", async () => {
      const url = await imported("Reference,Weight\nA-1,1\nA-2,2\nA-3,3\nA-4,4\nKEEP,5\nA-6,6\n", [
        "reference",
        "weight",
      ]);
      const [, second, third, fourth] = await shipments();
      await knex()("shipments").where({ id: second.id }).update({ note: "mine" });
      await knex()("parcels").insert({ shipment_id: third.id });
      await knex()("shipments").where({ id: fourth.id }).delete();
      const page = await undo(url);
      assert.equal(await references(), ["A-2", "A-3", "KEEP"]);
      assert.is((await knex()("parcels")).length, 1, "what would be deleted with it, though nobody is shown it");
      assert.equal(countsOf(page).slice(4), [2, 0, 4]);
      assert.equal(left(page), [
        "KEEP: may not be changed by you",
        `${fourth.id}: is deleted, or out of sight`,
        "A-3: is used elsewhere",
        "A-2: was changed since then",
      ]);
    });

    can("Of a changed record another field may have been changed since, and stays as it is", async () => {
      await imported("Reference,Weight\nA-1,1\nA-2,2\n", ["reference", "weight"]);
      const url = await imported("Reference,Weight\nA-1,10\nA-2,20\n", ["reference", "weight"], {
        rows: "update:reference",
      });
      await knex()("shipments").where({ reference: "A-1" }).update({ note: "mine" });
      await knex()("shipments").where({ reference: "A-2" }).update({ weight: 21 });
      const page = await undo(url);
      assert.equal(
        (await shipments()).map(({ note, weight }) => [note, weight]),
        [
          ["mine", 1],
          [null, 21],
        ],
      );
      assert.equal(left(page), ["A-2: was changed since then"]);
    });

    can("A record that a file names twice, and one that it makes and changes, are as before it", async () => {
      await imported("Reference,Weight\nA-1,1\n", ["reference", "weight"]);
      const text = "Reference,Weight\nA-1,2\nA-1,3\nA-2,4\nA-2,5\n";
      const url = await imported(text, ["reference", "weight"], { rows: "both:reference" });
      const page = await undo(url);
      assert.equal(left(page), []);
      assert.equal(
        (await shipments()).map(({ reference, weight }) => [reference, weight]),
        [["A-1", 1]],
      );
    });

    can("An import of all or none is undone as well", async () => {
      const url = await imported("Reference\nA-1\nA-2\n", ["reference"], { failing: "undo" });
      assert.equal(await references(), ["A-1", "A-2"]);
      await undo(url);
      assert.equal(await references(), []);
      const none = await imported("Reference\nA-1\nA-1\n", ["reference"], { failing: "undo" });
      assert.not.match(await ann().page(none), `${none}/undo`);
    });

    can("An hour after its end it can't be undone any more", async () => {
      const url = await imported("Reference\nA-1\n", ["reference"]);
      const form = await ann().page(`${url}/undo`);
      const person = ann();
      await person.page(`${url}/undo`);
      await later(HOUR + 1000, async () => {
        assert.not.match(await ann().page(url), `${url}/undo`);
        assert.is((await ann().get(`${url}/undo`)).headers.get("location"), url);
        assert.ok(form.length > 0);
        const refused = await app.request(`${url}/undo`, {
          method: "POST",
          headers: {
            "x-user": "1",
            authorization: "Bearer x",
            accept: "application/json",
            "content-type": "application/json",
          },
          body: "{}",
        });
        assert.is(refused.status, 409);
      });
      assert.equal(await references(), ["A-1"]);
      assert.is((await knex()("framewright_background_runs")).length, 1);
    });

    can(
      "Guests, other people and other tenants can't undo it, nor can a request without the form's token",
      async () => {
        const url = await imported("Reference\nA-1\n", ["reference"]);
        for (const user of [0, 2, 3, 4]) {
          for (const at of [url, url.replace("/customer/1/", "/customer/2/")]) {
            const { status } = await new Importer(app, user).get(`${at}/undo`);
            assert.ok([401, 403, 404].includes(status), `${user}: ${status}`);
            const posted = await app.request(`${at}/undo`, {
              method: "POST",
              headers: {
                "x-user": String(user),
                authorization: "Bearer x",
                accept: "application/json",
                "content-type": "application/json",
              },
              body: "{}",
            });
            assert.ok([401, 403, 404].includes(posted.status), `${user} posts: ${posted.status}`);
          }
        }
        assert.is((await app.request(`${url}/undo`, { method: "POST", headers: { "x-user": "1" } })).status, 403);
        await knex()("users").where({ id: 1 }).update({ may_import: false });
        assert.is((await ann().get(`${url}/undo`)).status, 403);
        assert.equal(await references(), ["A-1"]);
      },
    );

    can("Two tabs that press at once start one run", async () => {
      const url = await imported("Reference\nA-1\nA-2\n", ["reference"]);
      const person = ann();
      const form = await person.page(`${url}/undo`);
      const answers = await Promise.all(Array.from({ length: 6 }, () => person.sendForm(form, `${url}/undo`, {})));
      for (const answer of answers) assert.is(answer.headers.get("location"), url);
      await drain();
      await ended(url);
      assert.is((await knex()("framewright_background_runs")).length, 2, "that of the import, and one");
      assert.equal(await references(), []);
      assert.equal(room.events?.sort(), ["destroyed A-1", "destroyed A-2"]);
    });

    can("A right that is taken away, and an account that is closed, end it; what was undone stays so", async () => {
      for (const change of [{ may_import: false }, { closed: true }]) {
        await knex()("shipments").delete();
        const rows = Array.from({ length: 60 }, (_, at) => `R-${at}`).join("\n");
        const url = await imported(`Reference\n${rows}\n`, ["reference"]);
        let changing: Promise<unknown> | undefined;
        const events: string[] = [];
        events.push = (event) => {
          if (event === "destroyed R-50") changing = knex()("users").where({ id: 1 }).update(change).then();
          return 0;
        };
        room.events = events; // told of each record, from the last to the first
        await ann().send(`${url}/undo`, `${url}/undo`, {});
        while ((await knex()("framewright_background_runs").whereIn("state", ["waiting", "running"])).length > 0)
          await drain();
        await changing;
        await knex()("users").update({ closed: false, may_import: true });
        const left = await references();
        assert.ok(left.length > 0 && left.length <= 50 && left[0] === "R-0", left.join());
        assert.match(await ann().page(url), `: ${left.length}<`);
      }
    });

    can("A program undoes it, and is told what became of it", async () => {
      const url = await imported("Reference\nA-1\nA-2\n", ["reference"]);
      await knex()("shipments").where({ reference: "A-1" }).update({ weight: 1 });
      const headers = {
        "x-user": "1",
        authorization: "Bearer x",
        accept: "application/json",
        "content-type": "application/json",
      };
      const asked = await app.request(`${url}/undo`, { method: "POST", headers, body: "{}" });
      assert.is(asked.status, 202);
      await drain();
      await ended(url);
      const { data } = (await (await app.request(`${url}.json`, { headers })).json()) as { data: { undo: unknown } };
      const [{ id }] = await shipments();
      assert.equal(data.undo, {
        ...{ state: "done", removed: 1, restored: 0, kept: 1 },
        left: [{ id: String(id), reason: "A-1: was changed since then" }],
      });
    });
  });
}

describe("Imports whose tables are of an earlier release", (it) => {
  it("They run as before, and offer nothing to undo", async () => {
    const migration = "db/migrate/20260302000000_create_imports.ts";
    const text = undoFiles[migration]!.replace(
      '  await db.createTable("parcels"',
      '  await db.dropTable("framewright_import_writes");\n  await db.createTable("parcels"',
    );
    const app = await openTenants({ ...undoFiles, [migration]: text });
    try {
      const person = new Importer(app, 1);
      const url = await person.upload("Reference\nA-1\n");
      await person.map(url, ["reference"]);
      await person.start(url);
      assert.equal(countsOf(await person.ended(url)), [1, 0, 0, 0]);
      assert.not.match(await person.page(url), `${url}/undo`);
      await app.application.kernel.service("background_runs").sweep(Date.now() + 25 * HOUR);
      assert.is((await person.get(url)).status, 404);
    } finally {
      await app.close();
    }
  });
});
