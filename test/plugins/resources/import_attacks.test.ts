import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { countsOf, Importer, importFiles, list, problemsOf } from "./import_app.ts";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Attacks on imports, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const logged: string[] = [];
    const knex = () => databaseOf(app.application).knex;
    const ann = () => new Importer(app, 1);
    const cat = () => new Importer(app, 3);
    const shipments = (organization_id = 1) => knex()("shipments").where({ organization_id }).orderBy("id");
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        for (const table of ["shipments", "arrivals", "framewright_imports", "framewright_import_failures"])
          await knex()(table).delete();
        await knex()("users").update({ closed: false, may_import: true });
        await story();
      });
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(importFiles, { ...(await database.values()), LOG_LEVEL: "error" });
        app.application.logListeners.push((line: unknown) => void logged.push(JSON.stringify(line)));
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const stored = (folder = join(app.root, "storage/files")) =>
      readdirSync(folder, { recursive: true })
        .map(String)
        .filter((name) => /[0-9a-f]{40}$/.test(name));

    can("A guest, a member of another tenant and who may not import reach no step", async () => {
      const url = await ann().upload("Reference\nA-1\n");
      await ann().map(url, ["reference"]);
      const steps = ["", "/check", "/failures.csv"].map((step) => url + step);
      for (const [person, status] of [
        [new Importer(app, 0), 403],
        [new Importer(app, 2), 404],
      ] as const)
        for (const path of [`${list}/import`, ...steps]) {
          const found = (await person.get(path)).status;
          assert.ok([status, 401, 403, 404].includes(found) && found !== 200, `${path}: ${found}`);
        }
      await knex()("users").where({ id: 1 }).update({ may_import: false });
      for (const path of [`${list}/import`, ...steps]) assert.is((await ann().get(path)).status, 403, path);
      for (const step of ["", "/start", "/cancel"]) {
        const answer = await app.request(url + step, {
          method: "POST",
          headers: { "x-user": "1", accept: "application/json", "content-type": "application/json" },
          body: "{}",
        });
        assert.is(answer.status, 403, step);
      }
      assert.not.match(await ann().page(list), "/import");
      assert.equal(await shipments(), []);
    });

    can("Another person's import, that of another list and of another tenant are not there", async () => {
      const url = await ann().upload("Reference\nA-1\n");
      await ann().map(url, ["reference"]);
      for (const step of ["", "/check", "/failures.csv"]) {
        assert.is((await cat().get(url + step)).status, 404);
        assert.is((await cat().get(url.replace("/customer/1/", "/customer/2/") + step)).status, 404);
      }
      const own = await cat().upload("Reference\nC-1\n");
      assert.is((await cat().get(own.replace("/customer/1/", "/customer/2/"))).status, 404);
      for (const step of ["", "/start", "/cancel"]) {
        const answer = await app.request(url + step, {
          method: "POST",
          headers: { "x-user": "3", accept: "application/json", "content-type": "application/json" },
          body: "{}",
        });
        assert.is(answer.status, 404, step);
      }
      for (const id of ["0", "-1", "1e3", "99999999999999999999", "%00", "1;drop"])
        assert.ok([400, 404].includes((await ann().get(`${list}/import/${id}`)).status), id);
      assert.match(await ann().page(`${list}/import`), "shipments.csv");
      assert.not.match(await cat().page(`${list}/import`), url);
    });

    can("Records of another tenant are neither found by a key nor chosen by id or label", async () => {
      await knex()("shipments").insert({
        id: 5000,
        reference: "B-1",
        organization_id: 2,
        author_id: 2,
        created_at: "2026-03-01 10:00:00.000",
        updated_at: "2026-03-01 10:00:00.000",
      });
      const byId = await ann().import("Id,Weight\n5000,1\n", ["id", "weight"], { rows: "update:id" });
      assert.equal(problemsOf(byId), ["Row 2, Id “5000”: There is no such record."]);
      const byKey = await ann().import("Reference,Weight\nB-1,1\n", ["reference", "weight"], {
        rows: "both:reference",
      });
      assert.equal(countsOf(byKey), [1, 0, 0, 0], "a reference is unique within a tenant");
      assert.equal(
        (await shipments(2)).map(({ weight }) => weight),
        [null],
      );
      const people = await ann().import("Reference,Author\nA-1,Bob Baltic\nA-2,2\nA-3,Ann Alpine\n", [
        "reference",
        "author",
      ]);
      assert.equal(countsOf(people), [1, 0, 0, 2]);
    });

    can(
      "What is not permitted can't be mapped: a secret, a tenant, a column of its own, a key that is none",
      async () => {
        const person = ann();
        const url = await person.upload("Reference,Secret,Organization,Id\nA-1,word,2,7\n");
        for (const name of [
          "secret_token",
          "organization",
          "organization_id",
          "id__",
          "created_at",
          "lock_version",
          "__proto__",
          "constructor",
        ]) {
          const answer = await person.map(url, ["reference", name]);
          assert.is(answer.status, 422, name);
          assert.match(await answer.text(), "can&#39;t be imported");
        }
        for (const rows of ["update:carrier", "both:weight", "update:secret_token", "update"])
          assert.is((await person.map(url, ["reference"], { rows })).status, 422, rows);
        assert.is(
          (await person.map(url, ["reference", "", "", ""], { rows: "update:id" })).status,
          422,
          "no column has the key",
        );
        assert.is((await person.map(url, ["reference", "reference"])).status, 422);
        assert.is((await person.map(url, ["", "", "", ""])).status, 422);
        assert.is((await person.map(url, ["", "", "", "id"], { rows: "update:id" })).status, 422, "nothing is written");
      },
    );

    can("A field that is permitted for new records alone is not written to stored ones", async () => {
      await ann().import("Reference,Tracking\nA-1,first\n", ["reference", "tracking_code"]);
      const done = await ann().import(
        "Reference,Tracking,Weight\nA-1,second,3\nA-2,own,4\n",
        ["reference", "tracking_code", "weight"],
        { rows: "both:reference" },
      );
      assert.equal(countsOf(done), [1, 1, 0, 0]);
      assert.equal(
        (await shipments()).map(({ tracking_code, weight }) => [tracking_code, weight]),
        [
          ["first", 3],
          ["own", 4],
        ],
      );
    });

    can("What is no CSV in UTF-8 is refused in a sentence that names the line, and nothing of it is kept", async () => {
      const before = stored();
      const text = (value: string) => new TextEncoder().encode(value);
      const wide = Array.from({ length: 201 }, (_, at) => `c${at}`).join(",");
      const million = "a,".repeat(1_000_000);
      const cases: [Uint8Array, string][] = [
        [text(""), "has no rows below the headers"],
        [text("Reference\n"), "has no rows below the headers"],
        [text(",,\n1,2,3\n"), "has no headers"],
        [text('Reference,Note\nA-1,"open\nA-2,x\n'), "is not closed"],
        [text('Reference,Note\nA-1,x\nA-2,"a"b\n'), "in the wrong place in line 3"],
        [Uint8Array.from([0xff, 0xfe, 65, 0, 10, 0]), "has no rows below the headers"],
        [text("Reference\nA-1\nA\0-2\n"), "line 3 has a character"],
        [text(`${wide}\n${wide}\n`), "more than 200 columns"],
        [text(`${million}\n${million}\n`), "more than 250000 characters"],
        [text(`"${"x".repeat(9_000_000)}\n`), "characters"],
        [text(`Reference\n${"x".repeat(10_000_001)}\n`), "is larger than 10 MB"],
        [text(`Reference\n${"A\n".repeat(100_001)}`), "more than 100000 rows"],
        [Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]), "is not a text file"],
      ];
      for (const [bytes, sentence] of cases) {
        const answer = await ann().offer(bytes);
        assert.is(answer.status, 422, sentence);
        assert.match(await answer.text(), sentence);
      }
      const none = await ann().send(`${list}/import`, `${list}/import`, { file: "a text in place of a file" });
      assert.is(none.status, 422);
      const added = stored().filter((name) => !before.includes(name)); // what other stories left is removed meanwhile
      assert.equal(added, []);
      assert.equal(await knex()("framewright_imports"), []);
    });

    can(
      "Any of the usual forms of CSV is read: a byte order mark, CRLF, CR, semicolons, tabs, quoted line breaks, empty lines",
      async () => {
        for (const text of [
          '\uFEFFReference,Note\r\nA-1,"one\r\ntwo"\r\n',
          'Reference;Note\n\nA-1;"one\ntwo"\n\n',
          'Reference\tNote\rA-1\t"one\ntwo"\r',
          'Reference,"Note, of it"\nA-1,"one\ntwo"',
        ]) {
          await knex()("shipments").delete();
          const done = await ann().import(text, ["reference", "note"]);
          assert.equal(countsOf(done), [1, 0, 0, 0], text);
          assert.equal(
            (await shipments()).map(({ reference, note }) => [reference, note]),
            [["A-1", "one\ntwo"]],
          );
        }
      },
    );

    can("A request without the form's token and an upload that is too large for any form are refused", async () => {
      const body = new FormData();
      body.set("file", new File(["Reference\nA-1\n"], "a.csv"));
      assert.is(
        (await app.request(`${list}/import`, { method: "POST", body, headers: { "x-user": "1" } })).status,
        403,
      );
      const huge = new FormData();
      huge.set("file", new File([new Uint8Array(27_000_000)], "a.csv"));
      assert.is(
        (await app.request(`${list}/import`, { method: "POST", body: huge, headers: { "x-user": "1" } })).status,
        413,
      );
    });

    can("The last step of two tabs, sent at once, starts one run", async () => {
      const person = ann();
      const url = await person.upload("Reference\nA-1\nA-2\n");
      await person.map(url, ["reference"]);
      const runs = async () => (await knex()("framewright_background_runs")).length;
      const before = await runs();
      const answers = await Promise.all(Array.from({ length: 8 }, () => person.start(url).catch(() => undefined)));
      for (const answer of answers) if (answer) assert.is(answer.headers.get("location"), url);
      await person.ended(url);

      assert.is((await runs()) - before, 1);
      assert.is((await shipments()).length, 2);
      assert.is(await person.map(url, ["reference"]).catch(() => undefined), undefined, "a started import has no form");
    });

    can("What was changed in another tab since it was looked at is shown again before it starts", async () => {
      const person = ann();
      const url = await person.upload("Reference,Weight\nA-1,5\n");
      await person.map(url, ["reference", "weight"]);
      const form = await person.page(`${url}/check`);
      await person.map(url, ["reference", ""]);
      const answer = await person.sendForm(form, `${url}/start`, {});
      assert.is(answer.headers.get("location"), `${url}/check`);
      assert.equal(await shipments(), []);
    });

    can("A controller that has its forms confirmed has an import confirmed before it is started", async () => {
      const url = await ann().upload("Reference\nA-1\n");
      await ann().map(url, ["reference"]);
      const careless = new Importer(app, 1, { "x-unconfirmed": "1" });
      assert.is((await careless.get(`${url}/check`)).headers.get("location"), "/confirm");
      const person = ann();
      const form = await person.page(`${url}/check`);
      const answer = await person.sendForm(form, `${url}/start`, {}, { "x-unconfirmed": "1" });
      assert.is(answer.headers.get("location"), "/confirm");
      assert.equal(await shipments(), []);
      await person.start(url);
      assert.equal(countsOf(await person.ended(url)), [1, 0, 0, 0]);
    });

    can("A right that is taken away, and an account that is closed, end a run at the next row", async () => {
      for (const [change, reason] of [
        [{ may_import: false }, "Not allowed for the record"],
        [{ closed: true }, "The account may not act any more"],
      ] as const) {
        await knex()("shipments").delete();
        const person = ann();
        const url = await person.upload(
          `Reference\n${Array.from({ length: 2000 }, (_, at) => `R-${at}`).join("\n")}\n`,
        );
        await person.map(url, ["reference"]);
        await person.start(url);
        while ((await shipments()).length === 0) await person.page(url);
        await knex()("users").where({ id: 1 }).update(change);
        await app.application.kernel.service("jobs").drain();
        await knex()("users").update({ closed: false, may_import: true });
        const page = await person.ended(url);
        const written = (await shipments()).length;
        assert.ok(written < 2000, "it went on");
        assert.match(page, `${reason}: ${(2000 - written).toLocaleString("en-US")}`);
      }
    });

    can("Nobody can begin imports without end", async () => {
      for (let at = 0; at < 10; at++) await ann().upload("Reference\nA-1\n");
      const answer = await ann().offer("Reference\nA-1\n");
      assert.is(answer.status, 422);
      assert.match(await answer.text(), "10 files wait to be imported");
    });

    can("Nothing of a file reaches a log or a table in the clear", async () => {
      logged.length = 0;
      await ann().import("Reference,Note\nBROKEN,secret-word\nA-1,secret-word\nA-1,secret-word\n", [
        "reference",
        "note",
      ]);
      await ann().offer('Reference\n"secret-word\n');
      assert.ok(logged.some((line) => line.includes("a row of an import failed")));
      assert.not.ok(
        logged.some((line) => line.includes("secret-word")),
        logged.find((line) => line.includes("secret-word")),
      );
      for (const table of [
        "framewright_imports",
        "framewright_import_failures",
        "framewright_background_runs",
        "framewright_jobs",
      ])
        assert.not.match(JSON.stringify(await knex()(table)), "secret-word");
    });
  });
}

describe("Imports that an application can't have", (it) => {
  it("Without the plugin a policy's canImport() is a predicate like others: nothing is imported", async () => {
    const config = edited(importFiles, "plugins.config.ts", ["  storage(),\n", ""], ["  imports(),\n", ""]);
    const app = await openTenants({ ...importFiles, "plugins.config.ts": config });
    try {
      const headers = { "x-user": "1" };
      const list = "/customer/1/shipments";
      assert.not.match(await (await app.request(list, { headers })).text(), `${list}/import`);
      for (const path of [`${list}/import`, `${list}/import.json`])
        assert.is((await app.request(path, { headers })).status, 404, path);
    } finally {
      await app.close();
    }
  });
});
