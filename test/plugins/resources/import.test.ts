import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { cellsOf } from "./export_app.ts";
import { countsOf, Importer, importFiles, list, problemsOf, room, statusOf } from "./import_app.ts";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Imports of files, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const ann = () => new Importer(app, 1);
    const shipments = () => knex()("shipments").where({ organization_id: 1 }).orderBy("id");
    const references = async () => (await shipments()).map(({ reference }) => reference);
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        for (const table of ["shipments", "arrivals", "framewright_imports", "framewright_import_failures"])
          await knex()(table).delete();
        Object.assign(room, { created: 0, events: [], ended: [] });
        await story();
      });
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(importFiles, { ...(await database.values()), TIME_ZONE: "Europe/Berlin" });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }

    can("The list has a button for who may import, which leads to a page that states the limits", async () => {
      assert.match(await ann().page(list), `href="${list}/import"`);
      const page = await ann().page(`${list}/import`);
      assert.match(page, "At most 10 MB, 100,000 rows and 200 columns");
      assert.not.match(await ann().page("/customer/1/comments"), "/import");
    });

    can("Columns are guessed by label and name, each field once, and show what is in them", async () => {
      const url = await ann().upload("Reference;carrier;CATEGORY_ID;Weight;Weight;Nonsense\nA-1;Dart;1;5;6;x\n");
      const page = await ann().page(url);
      const chosen = [...page.matchAll(/<select[^>]*name="columns\[c(\d)\]".*?<\/select>/gs)].map(([select]) => {
        const label = />([^<]*)<\/option>/.exec(select.slice(select.indexOf(" selected")))?.[1];
        return select.includes(" selected") ? label : undefined;
      });
      assert.equal(chosen, ["Reference", "Carrier", "Category", "Weight", undefined, undefined]);
      assert.match(page, "A-1");
      assert.not.match(page, /Secret token/);
      assert.match(page, "Tracking code (new records only)");
    });

    can("Rows become records through validations, hooks, events and the controller, and each once", async () => {
      const columns = ["reference", "weight", "fee", "fragile", "due_on", "status", "author", "category"];
      const text = `Reference,Weight,Fee,Fragile,Due on,Status,Author,Category
A-1,5,"12,50",yes,2026-05-01,Packed,Ann Alpine,Shared
A-2,,,no,,sent,1,
`;
      const done = await ann().import(text, columns);
      assert.is(statusOf(done), "Imported");
      assert.equal(countsOf(done), [2, 0, 0, 0]);
      const [one, two] = await shipments();
      assert.equal(
        [one.reference, one.weight, one.fee_cents, Boolean(one.fragile), one.status, one.author_id, one.category_id],
        ["A-1", 5, 1250, true, "packed", 1, 1],
      );
      assert.equal(
        [two.weight, two.fee_cents, Boolean(two.fragile), two.status, two.author_id, two.category_id],
        [null, null, false, "sent", 1, null],
      );
      assert.is(one.organization_id, 1, "the tenant is that of the portal");
      assert.equal((await knex()("arrivals")).length, 2);
      assert.equal(room.events, ["created A-1", "created A-2"]);
      assert.is(room.created, 2, "what an application overrides is called");
      assert.is(room.ended?.length, 1);
    });

    can(
      "Before anything is written, a page says what the first rows would do and what is wrong by row and cell",
      async () => {
        const person = ann();
        const url = await person.upload(
          "Reference,Weight,Author\nA-1,5,Ann Alpine\n,7,Ann Alpine\nA-2,many,Nobody\nA-1,1,\n",
        );
        await person.map(url, ["reference", "weight", "author"]);
        const page = await person.page(`${url}/check`);
        assert.match(page, "All 4 rows were checked. Nothing is written yet.");
        assert.equal(countsOf(page), [1, 0, 0, 3]);
        assert.equal(problemsOf(page), [
          "Row 3, Reference: can't be blank",
          "Row 4, Weight “many”: must be a whole number",
          "Row 4, Author “Nobody”: names no record that you can choose",
          "Row 5, Reference “A-1”: has already been taken",
        ]);
        assert.equal([await references(), room.events, room.created], [[], [], 0]);
        assert.is((await knex()("arrivals")).length, 0);
      },
    );

    can(
      "Rows with errors are left out, and are a file with their reasons that can be imported once they are right",
      async () => {
        const person = ann();
        const text = 'Reference,Note\nA-1,fine\n,"=1+1"\nA-1,"two\r\nlines"\nVETO,x\nBROKEN,y\nA-2,last\n';
        const done = await person.import(text, ["reference", "note"]);
        assert.equal(countsOf(done), [2, 0, 0, 4]);
        assert.equal(await references(), ["A-1", "A-2"]);
        const url = /href="([^"]*failures\.csv)"/.exec(done)![1]!;
        const answer = await person.get(url);
        assert.match(answer.headers.get("content-disposition") ?? "", "shipments-errors.csv");
        const [head, ...rows] = cellsOf((await answer.text()).replace(/^\uFEFF/, ""));
        assert.equal(head, ["Reference", "Note", "Reasons"]);
        assert.equal(
          rows.map(([reference, note]) => [reference, note]),
          [
            ["", "'=1+1"],
            ["A-1", "two\r\nlines"],
            ["VETO", "x"],
            ["BROKEN", "y"],
          ],
        );
        assert.equal(
          rows.map(([, , reason]) => reason),
          [
            "Reference: can't be blank",
            "Reference: has already been taken",
            "You may not do that with this record.",
            "An error occurred.",
          ],
        );
      },
    );

    can("All or nothing: a row with an error keeps all from being written, and without one all are", async () => {
      const text = "Reference\nA-1\nA-1\nA-3\n";
      const undone = await ann().import(text, ["reference"], { failing: "undo" });
      assert.is(statusOf(undone), "Nothing was imported, since rows have errors.");
      assert.equal(countsOf(undone), [0, 0, 0, 1]);
      assert.equal([await references(), room.events, room.created], [[], [], 0]);
      const done = await ann().import("Reference\nA-1\nA-2\nA-3\n", ["reference"], { failing: "undo" });
      assert.equal(countsOf(done), [3, 0, 0, 0]);
      assert.equal([await references(), room.events?.length, room.created], [["A-1", "A-2", "A-3"], 3, 3]);
      const many = `Reference\n${Array.from({ length: 1001 }, (_, at) => `B-${at}`).join("\n")}\n`;
      const person = ann();
      const url = await person.upload(many);
      const refused = await person.map(url, ["reference"], { failing: "undo" });
      assert.is(refused.status, 422);
      assert.match(await refused.text(), "At most 1000 rows can be imported all or none.");
    });

    can(
      "A key finds the records that rows change: only change, change or create, and what is alike stays as it is",
      async () => {
        await ann().import("Reference,Weight\nA-1,1\nA-2,2\nLOCKED,3\n", ["reference", "weight"]);
        room.events = [];
        const changed = await ann().import(
          "Reference,Weight\nA-1,10\nA-2,2\nA-9,9\nLOCKED,4\n,5\n",
          ["reference", "weight"],
          {
            rows: "update:reference",
          },
        );
        assert.equal(countsOf(changed), [0, 1, 1, 3]);
        assert.equal(problemsOf(changed), [
          "Row 4, Reference “A-9”: There is no such record.",
          "Row 5: You may not do that with this record.",
          "Row 6, Reference: is empty, and finds no record",
        ]);
        assert.equal(room.events, ["updated A-1"]);
        const both = await ann().import("Reference,Weight\nA-1,11\nA-9,9\n", ["reference", "weight"], {
          rows: "both:reference",
        });
        assert.equal(countsOf(both), [1, 1, 0, 0]);
        const [{ id }] = await shipments();
        const byId = await ann().import(`Id,Weight\n${id},12\n999999,1\n`, ["id", "weight"], { rows: "update:id" });
        assert.equal(countsOf(byId), [0, 1, 0, 1]);
        assert.is((await shipments().where({ id }).first()).weight, 12);
      },
    );

    can("What an export wrote is imported again as it was, with neutralised cells and times in UTC", async () => {
      const { id } = await knex()("users").where({ name: "Ann Alpine" }).first();
      const row = {
        ...{
          organization_id: 1,
          author_id: id,
          category_id: 1,
          created_at: "2026-03-01 10:00:00.000",
          updated_at: "2026-03-01 10:00:00.000",
        },
        ...{
          status: "packed",
          weight: 7,
          fee_cents: -1250,
          fragile: true,
          due_on: "2026-03-29",
          sent_at: "2026-03-29 01:30:00.123",
        },
        ...{ contact_email: "a@example.test", extra: JSON.stringify({ a: [1, "x"] }) },
      };
      const notes = [
        "=1+1",
        "'=1+1",
        "''-x",
        "+49 30",
        "-5",
        "@x",
        "\tTab",
        'say "so"; here, and\nthere',
        "  spaces  ",
        "'plain",
        null,
      ];
      await knex()("shipments").insert(
        notes.map((note, at) => ({ ...row, note, reference: `R-${at}`, carrier: at === 0 ? null : "Dart" })),
      );
      const before = await shipments();
      const file = await ann().page(`${list}/export.csv?sort=reference`);
      const columns =
        "reference,note,carrier,contact_email,status,weight,fee,fragile,due_on,sent_at,extra,author,category".split(
          ",",
        );
      const same = await ann().import(file, columns, { rows: "update:reference" });
      assert.equal(problemsOf(same), []);
      assert.equal(countsOf(same), [0, 0, notes.length, 0], "nothing of it is a change");
      await shipments().clear("order").delete();
      const made = await ann().import(file, columns);
      assert.equal(countsOf(made), [notes.length, 0, 0, 0]);
      const plain = (rows: readonly Record<string, unknown>[]) =>
        rows
          .map(({ id: _, created_at: __, updated_at: ___, ...rest }) => ({ ...rest, fragile: Boolean(rest.fragile) }))
          .sort((a, b) =>
            String((a as { reference?: string }).reference).localeCompare(
              String((b as { reference?: string }).reference),
            ),
          );
      const expected = plain(before).map((one) => ({ ...one, secret_token: null }));
      assert.equal(plain(await shipments()), expected);
    });

    can("A time without a zone is the person's, one of a column in UTC is not", async () => {
      const done = await ann().import("Reference,Sent at\nA-1,2026-07-01 14:00\nA-2,2026-07-01\n", [
        "reference",
        "sent_at",
      ]);
      assert.equal(countsOf(done), [2, 0, 0, 0]);
      const utc = await ann().import("Reference,Sent at (UTC)\nA-3,2026-07-01T14:00\n", ["reference", "sent_at"]);
      assert.equal(countsOf(utc), [1, 0, 0, 0]);
      const times = (await shipments()).map(({ sent_at }) =>
        new Date(sent_at instanceof Date ? sent_at : `${String(sent_at).replace(" ", "T")}Z`).toISOString(),
      );
      assert.equal(times, ["2026-07-01T12:00:00.000Z", "2026-06-30T22:00:00.000Z", "2026-07-01T14:00:00.000Z"]);
    });

    can(
      "The file is deleted when the import has ended, and with all that is known of it when it was left alone",
      async () => {
        const person = ann();
        const storage = app.application.kernel.service("storage");
        const imports = app.application.kernel.service("imports");
        const background = app.application.kernel.service("background_runs");
        const keyOf = async () => {
          const rows = await imports.store.expired(new Date(Date.now() + 10 * 86_400_000));
          return imports.content(rows.at(-1)!)!.file.key;
        };
        const url = await person.upload("Reference\nA-1\n\n");
        const used = await keyOf();
        await person.map(url, ["reference"]);
        await person.start(url);
        await person.ended(url);
        await app.application.kernel.service("jobs").drain();
        assert.is(await storage.exists(used), false);
        const left = await person.upload("Reference\nA-2\n");
        const key = await keyOf();
        assert.is(await storage.exists(key), true);
        await background.sweep();
        assert.is((await person.get(left)).status, 200, "it is kept for 24 hours");
        await background.sweep(Date.now() + 25 * 3_600_000);
        assert.is(await storage.exists(key), false);
        assert.is((await person.get(left)).status, 404);
        assert.equal(await knex()("framewright_imports"), []);
        const discarded = await person.upload("Reference\nA-3\n");
        await person.map(discarded, ["reference"]);
        const last = await keyOf();
        const answer = await person.send(`${discarded}/check`, `${discarded}/cancel`, {});
        assert.is(answer.headers.get("location"), list);
        assert.is(await storage.exists(last), false);
      },
    );

    can("A program sends the file and is told where to look; a header that names no field is refused", async () => {
      const headers = { "x-user": "1", authorization: "Bearer program", accept: "application/json" };
      const post = (text: string, query = "") => {
        const body = new FormData();
        body.set("file", new File([text], "posts.csv", { type: "text/csv" }));
        return app.request(`${list}/import.json${query}`, { method: "POST", body, headers });
      };
      const answer = await post("reference,author_id,weight\nP-1,1,5\nP-2,99,5\n");
      assert.is(answer.status, 202, await answer.clone().text());
      const location = answer.headers.get("location")!;
      const shown = async () =>
        ((await (await app.request(`${location}.json`, { headers })).json()) as { data: Record<string, unknown> }).data;
      await app.application.kernel.service("jobs").drain();
      const { state, created, failed, failures, failures_url } = await shown();
      assert.equal([state, created, failed], ["done", 1, 1]);
      assert.equal(failures, [{ row: 3, problems: [{ column: "author_id", text: "is not one of the choices" }] }]);
      assert.match(await (await app.request(String(failures_url), { headers })).text(), "P-2,99,5");
      assert.equal(await references(), ["P-1"]);
      const again = await post("reference,weight\nP-1,6\n", "?rows=update:reference");
      await app.application.kernel.service("jobs").drain();
      assert.is(again.status, 202);
      assert.equal(
        (await shipments()).map(({ weight }) => weight),
        [6],
      );
      for (const [text, query] of [
        ["reference,nonsense\nP-3,1\n", ""],
        ["reference,secret_token\nP-3,1\n", ""],
        ["reference\nP-3\n", "?rows=destroy"],
        ['"reference\n', ""],
      ] as const)
        assert.is((await post(text, query)).status, 422, text);
      assert.is((await shipments()).length, 1);
    });

    can("A run can be cancelled: rows that were written stay", async () => {
      const person = ann();
      const text = `Reference\n${Array.from({ length: 3000 }, (_, at) => `C-${at}`).join("\n")}\n`;
      const url = await person.upload(text);
      await person.map(url, ["reference"]);
      await person.start(url);
      let page = await person.page(url);
      for (let tries = 0; tries < 400 && (await references()).length === 0; tries++) page = await person.page(url);
      await person.send(url, `${url}/cancel`, {});
      page = await person.ended(url);
      assert.match(statusOf(page), "Cancelled. Rows that were imported stay.");
      await app.application.kernel.service("jobs").drain();
      const [{ done }] = await knex()("framewright_background_runs").orderBy("id", "desc").limit(1);
      assert.is((await references()).length, done);
      assert.ok(done < 3000);
    });
  });
}
