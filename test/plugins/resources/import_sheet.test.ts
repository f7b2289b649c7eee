import { setTimeout as sleep } from "node:timers/promises";
import writeSheet from "write-excel-file/node";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { countsOf, Importer, importFiles, list, statusOf } from "./import_app.ts";
import { main, plain, text, workbook, zip } from "./workbook.ts";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Imports of spreadsheets, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const ann = () => new Importer(app, 1);
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(importFiles, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        for (const table of ["shipments", "arrivals", "framewright_imports"]) await knex()(table).delete();
        await story();
      });
    const importAll = async (bytes: Uint8Array, columns: readonly string[]) => {
      const url = await ann().upload(bytes, "shipments.xlsx");
      const mapped = await ann().map(url, columns);
      assert.is(mapped.status, 303, await mapped.text());
      await ann().start(url);
      return ann().ended(url);
    };
    const refusal = async (bytes: Uint8Array, name = "shipments.xlsx") => {
      await sleep(50); // a connection that has timed out while the bytes were made is closed
      const started = performance.now();
      const answer = await ann().offer(bytes, name);
      const html = await answer.text();
      assert.is(answer.status, 422, html);
      assert.ok(performance.now() - started < 20_000, "it is refused soon");
      assert.equal(await knex()("framewright_imports").pluck("id"), []);
      return /class="invalid-feedback fw-field-errors"[^>]*>([^<]*)</.exec(html)?.[1];
    };

    can("Its first sheet is imported: texts, numbers, days, times and booleans as a person sees them", async () => {
      const head = ["Reference", "Note", "Weight", "Fee", "Fragile", "Due on", "Sent at"];
      const day = { value: new Date("2026-05-01"), type: Date, format: "yyyy-mm-dd" };
      const time = { value: new Date("2026-05-01T14:30:00Z"), type: Date, format: "yyyy-mm-dd hh:mm:ss" };
      const rows = [
        head.map((value) => ({ value })),
        [{ value: "A-1" }, { value: 'x; "y", \n=1+1' }, 5, { value: 0.1 + 0.2, type: Number }, true, day, time],
        head.map(() => null),
        [{ value: "'=A-2" }, { value: "=SUM(A1)" }, null, 1234.5, false, null, null],
      ];
      const bytes = await writeSheet(rows as never).toBuffer();
      const columns = ["reference", "note", "weight", "fee", "fragile", "due_on", "sent_at"];
      const done = await importAll(new Uint8Array(bytes), columns);
      assert.is(statusOf(done), "Imported", done);
      assert.equal(countsOf(done), [2, 0, 0, 0]);
      const [one, two] = await knex()("shipments").orderBy("id");
      assert.equal([one.reference, one.note, one.weight, one.fee_cents], ["A-1", 'x; "y", \n=1+1', 5, 30]);
      assert.ok(one.fragile && !two.fragile);
      assert.match(String(new Date(one.due_on).toISOString?.() ?? one.due_on), "2026-05-01");
      assert.match(JSON.stringify(one.sent_at), /2026-05-01[T ]14:30/);
      assert.equal([two.reference, two.note, two.fee_cents], ["'=A-2", "=SUM(A1)", 123_450]);
    });

    can("The results of formulas are read, other sheets are not, and a program imports it too", async () => {
      const rows = `<row r="1">${text("A1", "Reference")}${text("B1", "Weight")}</row><row r="2">${text("A2", "F-1")}<c r="B2"><f>1+2</f><v>3</v></c></row>`;
      const huge = `<worksheet ${main}><sheetData>${'<c r="XFD1048576"/>'.repeat(600_000)}</sheetData></worksheet>`;
      const bytes = zip(workbook(rows, { "xl/worksheets/sheet2.xml": huge }));
      await importAll(bytes, ["reference", "weight"]);
      assert.equal(await knex()("shipments").pluck("weight"), [3]);
      const body = new FormData();
      body.set("file", new File([new Uint8Array(zip(workbook(plain)))], "x.xlsx"));
      body.set("columns[Reference]", "reference");
      const headers = { "x-user": "1", authorization: "Bearer program", accept: "application/json" };
      const answer = await app.request(`${list}/import.json`, { method: "POST", body, headers });
      assert.is(answer.status, 202, await answer.text());
    });

    can("What unpacks to more than it should is refused, whatever it says of its size", async () => {
      const bomb = Buffer.alloc(101_000_000, 32);
      for (const size of [undefined, 100]) {
        const bytes = zip(
          workbook(plain, { "xl/sharedStrings.xml": bomb as never }),
          size === undefined ? {} : { size },
        );
        assert.is(await refusal(bytes), "unpacks to more than 100 MB: save the sheet alone, or as CSV");
      }
      const many = Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`xl/x${at}.xml`, "<x/>"]));
      const parts = "has more than 1000 parts, as sheets and pictures: save the sheet alone, or as CSV";
      assert.is(await refusal(zip({ ...workbook(plain), ...many })), parts);
    });

    can("What is no spreadsheet, broken or with a document type is refused with what to do", async () => {
      const invalid = "is not a spreadsheet that can be read: save it again as XLSX or CSV";
      const good = zip(workbook(plain));
      const entity = workbook(plain.replace("X-1", "&amp;lol;"));
      entity["xl/worksheets/sheet1.xml"] = entity["xl/worksheets/sheet1.xml"]!.replace(
        "?>",
        '?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>',
      ).replace("&amp;lol;", "&b;&f;");
      for (const bytes of [
        Buffer.from("Reference\nA-1\n"),
        Buffer.from("PK\x03\x04 and nothing else"),
        good.subarray(0, good.length - 30),
        Buffer.concat([good.subarray(0, 60), Buffer.alloc(40, 255), good.subarray(100)]),
        zip({ "word/document.xml": "<x/>" }),
        zip(workbook(plain, { "xl/workbook.xml": "<workbook" })),
        zip(entity),
      ])
        assert.is(await refusal(bytes), invalid);
      assert.is(await refusal(zip(workbook(""))), "has no rows below the headers");
    });

    can("A password, an old kind of file, and formulas without results are said so", async () => {
      const compound = Buffer.from("d0cf11e0a1b11ae1", "hex");
      const encrypted = Buffer.concat([compound, Buffer.alloc(600), Buffer.from("EncryptedPackage", "utf16le")]);
      const password = "is protected by a password: remove the password and save the file again";
      assert.is(await refusal(encrypted), password);
      assert.is(await refusal(zip(workbook(plain), { flags: 1 })), password);
      assert.match(
        (await refusal(Buffer.concat([compound, Buffer.alloc(600)]), "old.xls"))!,
        /^is a spreadsheet of an old kind/,
      );
      const formula = `<row r="1">${text("A1", "Reference")}</row><row r="2"><c r="A2"><f>HYPERLINK("http://x.test")</f></c></row>`;
      assert.match((await refusal(zip(workbook(formula))))!, /^has formulas without their results/);
    });

    can("A million cells, a cell at the end of the table and too many columns are refused", async () => {
      const row = `<row>${"<c><v>1</v></c>".repeat(100)}</row>`;
      const cells = "has more than 500000 cells in its sheet: divide it, or save it as CSV";
      assert.is(await refusal(zip(workbook(row.repeat(10_000)))), cells);
      assert.is(
        await refusal(zip(workbook(`${plain}<row r="9">${text("XFD9", "x")}</row>`))),
        "has more than 200 columns: leave out those that are not imported",
      );
      assert.is(
        await refusal(zip(workbook(`${plain}<row r="1048576">${text("A1048576", "x")}</row>`))),
        "has more than 100000 rows: divide it into several files",
      );
      assert.is(await refusal(zip(workbook(`${plain}<row r="99999">${text("GR99999", "x")}</row>`))), cells);
      assert.is(await refusal(Buffer.concat([zip(workbook(plain)), Buffer.alloc(10_000_001)])), "is larger than 10 MB");
    });

    can("A guest and who may not import have nothing read", async () => {
      for (const user of ["0", "2"]) {
        const body = new FormData();
        body.set("file", new File([new Uint8Array(zip(workbook(plain)))], "x.xlsx"));
        const headers = { "x-user": user, authorization: "Bearer program", accept: "application/json" };
        const { status } = await app.request(`${list}/import.json`, { method: "POST", body, headers });
        assert.ok([401, 403, 404].includes(status), String(status));
      }
    });
  });
}
