import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { countsOf, Importer, importFiles, list } from "./import_app.ts";

const folder = join(import.meta.dirname, "import_files");

/** The same two records, as nearly all of the files have them. */
const usual = [
  ["Äpfel-1", "007", 'Zwei "Zeilen",\nmit; Zeichen', "12", "2026-03-31"],
  ["B-2", "", "", "150", "2026-12-01"],
];
const times = [
  ["T-1", "08:00:00", "36:00:00", "1", "2026-03-31"],
  ["T-2", "0.0000001", "2026-03-31 14:30:00", "900", "2026-03-31"],
];

interface Expected {
  /** What a program sends besides; an encoding is what a person is offered. */
  readonly query?: string;
  readonly rows?: readonly (readonly string[])[];
  /** The reason of the first row, of one alone that has errors. */
  readonly failed?: string;
  readonly refused?: string;
  /** What a person is offered where that is not what the file is in. */
  readonly offered?: string;
}
const latin = { query: "?encoding=windows-1252" };
const mac = { query: "?encoding=macintosh" };
const errors = { rows: [["E-2", "", "fine", "2", ""]], failed: "the error #N/A" };

/** What programs wrote, or people by hand in the form of a program (`-style`), and what becomes of it. */
const files: Record<string, Expected> = {
  "by-hand-spaces.csv": {},
  "csv-stringify-bom.csv": {},
  "excel-de-style.csv": latin,
  "excel-mac-style.csv": mac,
  "excel-sep-line.csv": latin,
  "excel-us-style.csv": {},
  "exceljs-rich-text.xlsx": {},
  "exceljs-streamed.xlsx": {},
  "exceljs.csv": {},
  "jq.csv": {},
  "libreoffice-1252-semicolon.csv": latin,
  "libreoffice-errors.ods": errors,
  "libreoffice-errors.xlsx": errors,
  "libreoffice-mac-quoted.csv": { ...mac, offered: "windows-1252" },
  "libreoffice-times.ods": { rows: times },
  "libreoffice-times.xlsx": { rows: times },
  "libreoffice-title.ods": {},
  "libreoffice-title.xlsx": {},
  "libreoffice-utf16-tab.csv": {},
  "libreoffice-utf8.csv": {},
  "libreoffice.ods": {},
  "libreoffice.xlsx": {},
  "openpyxl-no-results.xlsx": { refused: "has formulas without their results: open it in a spreadsheet program" },
  "openpyxl-title-and-fills.xlsx": {},
  "openpyxl-write-only.xlsx": {},
  "outlook-style.csv": latin,
  "papaparse.csv": {},
  "python-escape.csv": {},
  "python-excel.csv": {},
  "python-tab.tsv": {},
  "python-unix.csv": {},
  "report-title.csv": {},
  "sap-style.csv": {},
  "sheetjs-utf16.txt": {},
  "sheetjs.ods": {},
  "sheetjs.xls": { refused: "is a spreadsheet of an old kind: save it as XLSX or CSV" },
  "sheetjs.xlsb": { refused: "is not a spreadsheet that can be read: save it again as XLSX or CSV" },
  "sheetjs.xlsx": {},
  "sqlite.csv": {},
  "xlsxwriter-1904-streamed.xlsx": {},
  "xlsxwriter-chart-and-hidden.xlsx": {},
  "xlsxwriter.xlsx": {},
};

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Files as programs write them, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        const config = edited(importFiles, "plugins.config.ts", ["i18n(),", 'i18n({ locales: ["en", "de"] }),']);
        app = await openTenants({ ...importFiles, "plugins.config.ts": config }, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const headers = { "x-user": "1", authorization: "Bearer program", accept: "application/json" };
    const dayOf = (value: unknown) =>
      value instanceof Date ? value.toISOString().slice(0, 10) : String(value ?? "").slice(0, 10);
    const stored = async () =>
      (await knex()("shipments").orderBy("id")).map(({ reference, carrier, note, weight, due_on }) => [
        ...[reference, carrier ?? "", note ?? "", String(weight), dayOf(due_on)],
      ]);

    it.unless(database.skip, "All of them are in the table", () => {
      assert.equal(readdirSync(folder).sort(), Object.keys(files).sort());
    });

    for (const [name, { query = "", rows = usual, failed, refused, offered }] of Object.entries(files))
      it.unless(
        database.skip,
        `${name} is ${refused === undefined ? "imported" : "refused in a sentence"}`,
        async () => {
          for (const table of ["shipments", "framewright_imports", "framewright_import_failures"])
            await knex()(table).delete();
          const bytes = readFileSync(join(folder, name));
          const body = new FormData();
          body.set("file", new File([new Uint8Array(bytes)], name));
          const answer = await app.request(`${list}/import.json${query}`, { method: "POST", body, headers });
          const said = await answer.text();
          if (refused !== undefined) {
            assert.is(answer.status, 422, said);
            assert.match(said, refused);
            return;
          }
          assert.is(answer.status, 202, said);
          await app.application.kernel.service("jobs").drain();
          assert.equal(await stored(), rows);
          const shown = await app.request(`${answer.headers.get("location")}.json`, { headers });
          const { data } = (await shown.json()) as { data: { failed: number; failures: unknown } };
          assert.is(data.failed, failed === undefined ? 0 : 1);
          if (failed !== undefined) assert.match(JSON.stringify(data.failures), failed);
          const person = new Importer(app, 1);
          const page = await person.page(await person.upload(bytes, name));
          const encoding = /id="import_encoding".*?<option value="([^"]+)" selected>/s.exec(page)?.[1];
          assert.is(encoding, offered ?? /encoding=(.*)/.exec(query)?.[1]);
          if (encoding !== undefined) assert.match(page, offered === undefined ? "Äpfel-1" : "€pfel-1");
        },
      );

    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        for (const table of ["shipments", "framewright_imports", "framewright_import_failures"])
          await knex()(table).delete();
        await story();
      });
    const ann = () => new Importer(app, 1);

    can("What stands above the headers is left out, and another row of headers can be chosen", async () => {
      const person = ann();
      const file = "Deliveries;May\n\nReference;Carrier\nR-1;x\nReference;Carrier\n;y\n";
      const url = await person.upload(file);
      const page = await person.page(url);
      assert.match(page, /<option value="1" selected>Row 1: Deliveries · May<\/option>/);
      assert.match(page, "Row 3: Reference · Carrier");
      const other = await person.map(url, ["", ""], { headers: "3" });
      assert.is(other.headers.get("location"), url);
      assert.match(await person.page(url), /<option value="3" selected>/);
      await person.map(url, ["reference", "carrier"], { headers: "3" });
      const check = await person.page(`${url}/check`);
      assert.match(check, /<th scope="row"[^>]*>6<\/th><td[^>]*>Reference<\/td><td class="fw-wrong-cell"[^>]*><span/);
      assert.match(check, "Import 2 rows, leave 1");
      await person.start(url);
      assert.equal(countsOf(await person.ended(url)), [2, 0, 0, 1]);
      assert.not.match(
        await person.page(await person.upload("Reference\nA\n")),
        'name="headers"',
        "nothing is to choose",
      );
    });

    can("A program names the row of the headers", async () => {
      const post = async (query: string) => {
        const body = new FormData();
        body.set("file", new File(["Deliveries;May\nReference;Carrier\nR-1;x\n"], "a.csv"));
        const answer = await app.request(`${list}/import.json${query}`, { method: "POST", body, headers });
        return { status: answer.status, text: await answer.text() };
      };
      assert.match((await post("")).text, "The column “Deliveries” is for nothing");
      assert.match((await post("?headers=two")).text, "headers=two");
      assert.is((await post("?headers=2")).status, 202);
      await app.application.kernel.service("jobs").drain();
      assert.equal(await knex()("shipments").pluck("reference"), ["R-1"]);
    });

    can("Cells that a row is too short for are not given: what is stored stays; empty ones empty it", async () => {
      await ann().import("Reference,Note,Carrier\nA,kept,x\nB,kept,x\n", ["reference", "note", "carrier"]);
      const done = await ann().import("Reference,Carrier,Note\nA,y\nB,z,\n", ["reference", "carrier", "note"], {
        rows: "update:reference",
      });
      assert.equal(countsOf(done), [0, 2, 0, 0]);
      assert.equal(
        (await knex()("shipments").orderBy("id")).map(({ note, carrier }) => [note, carrier]),
        [
          ["kept", "y"],
          [null, "z"],
        ],
      );
    });

    can("The button says what will happen, in both languages", async () => {
      const label = async (file: string, more: Record<string, string> = {}, language = "en") => {
        const person = new Importer(app, 1, { "accept-language": language });
        const url = await person.upload(file);
        await person.map(url, ["reference", "weight"], more);
        return /<button class="btn btn-primary">([^<]*)<\/button>/.exec(await person.page(`${url}/check`))?.[1];
      };
      const head = "Reference,Weight\n";
      const many = Array.from({ length: 150 }, (_, at) => `R-${at},${at === 7 ? "x" : 1}\n`).join("");
      const once = { failing: "undo" };
      for (const [file, more, en, de] of [
        ["A,1\n", {}, "Import 1 row", "1 Zeile importieren"],
        ["A,1\nB,2\n", {}, "Import 2 rows", "2 Zeilen importieren"],
        ["A,1\nB,x\n,x\n", {}, "Import 1 row, leave 2", "1 Zeile importieren, 2 auslassen"],
        ["A,1\nB,2\n,x\n", {}, "Import 2 rows, leave 1", "2 Zeilen importieren, 1 auslassen"],
        ["A,x\nB,x\n", {}, "Import no row, leave 2", "Keine Zeile importieren, 2 auslassen"],
        [many, {}, "Import up to 149 rows, leave at least 1", "Bis zu 149 Zeilen importieren, mindestens 1 auslassen"],
        ["A,1\nB,x\n", once, "Import nothing: 1 row has errors", "Nichts importieren: 1 Zeile hat Fehler"],
        ["A,x\nB,x\n", once, "Import nothing: 2 rows have errors", "Nichts importieren: 2 Zeilen haben Fehler"],
      ] as const) {
        await knex()("framewright_imports").delete();
        assert.is(await label(head + file, more), en);
        assert.is(await label(head + file, more, "de"), de);
      }
    });

    can(
      "Rows with errors that were too short are so in their file, and change no more once they are right",
      async () => {
        const person = ann();
        const columns = ["reference", "weight", "note"];
        await person.import("Reference,Weight,Note\nA,1,kept\n", columns);
        const done = await person.import("Reference,Weight,Note\nA,many\nB,2,n\n", columns, {
          rows: "update:reference",
        });
        const file = (await person.page(/href="([^"]*failures\.csv)"/.exec(done)![1]!)).replace("many", "5");
        assert.match(file, /Reasons,Reference,Weight,Note\r\n[^\r]*,A,5\r\n/);
        await person.import(file, ["", ...columns], { rows: "update:reference" });
        assert.equal(
          (await knex()("shipments")).map(({ weight, note }) => [weight, note]),
          [[5, "kept"]],
        );
      },
    );

    can("No character is lost in silence: what an encoding does not have is refused", async () => {
      const utf16 = (units: readonly number[]) =>
        Uint8Array.from([0xff, 0xfe, ...units.flatMap((unit) => [unit & 255, unit >> 8])]);
      const text = [..."Reference\nA\n"].map((sign) => sign.charCodeAt(0));
      for (const [bytes, sentence] of [
        [utf16([...text, 0xd800, 10]), "is not utf-16le"],
        [utf16([...text, 66]).subarray(0, -1), "is not utf-16le"],
        [utf16([...text, 0, 10]), "line 3 has a character that texts do not have"],
        [Uint8Array.from([0xef, 0xbb, 0xbf, ...text, 0xe4]), ""],
      ] as const) {
        const answer = await ann().offer(bytes);
        assert.is(answer.status, sentence === "" ? 303 : 422, sentence);
        if (sentence !== "") assert.match(await answer.text(), sentence);
      }
    });

    can("Letters that two encodings have alike are of the usual one, and few of them of no rare one", async () => {
      for (const text of ["Größe;Maß\nÄpfel;5\n", "Reference;Note\ngröße;1\n", "Reference;Note\nCafé;1\n"]) {
        const page = await ann().page(await ann().upload(Buffer.from(text, "latin1")));
        assert.match(page, /<option value="windows-1252" selected>/);
      }
    });

    can("Letters show which encoding it is, far below the first rows too", async () => {
      const ascii = Array.from({ length: 3000 }, (_, at) => `R-${at},plain`).join("\r\n");
      const russian = Buffer.from([
        0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0, 0x20, 0xe8, 0x20, 0xeb, 0xfe, 0xe4, 0xe8,
      ]);
      const bytes = Buffer.concat([Buffer.from(`Reference,Note\r\n${ascii}\r\nlast,"`), russian, Buffer.from('"\r\n')]);
      const page = await ann().page(await ann().upload(bytes));
      assert.match(page, /<option value="windows-1251" selected>/);
      assert.match(page, "Привет, мир и люди");
    });
  });
}

describe("Imports that only change records", (it) => {
  it("Ids of a file are never taken for those of records: only somebody who may choose does so", async () => {
    const policy = "app/policies/shipment_policy.ts";
    const updates = {
      ...importFiles,
      [policy]: edited(
        importFiles,
        policy,
        [
          'canCreate() { return this.user !== undefined && this.user.name !== "Reader"; }',
          "canCreate() { return false; }",
        ],
        ["return this.canCreate() && this.record?.reference", "return this.record?.reference"],
      ),
    };
    const other = await openTenants(updates);
    try {
      const checked = async (file: string) => {
        const person = new Importer(other, 1);
        const page = await person.page(await person.upload(file));
        return [...page.matchAll(/<input[^>]*name="rows"[^>]*>/g)].flatMap(([input]) =>
          / checked/.test(input) ? (/value="([^"]*)"/.exec(input)?.[1] ?? "") : [],
        );
      };
      assert.equal(await checked("Id,Carrier\n1,x\n"), []);
      assert.equal(await checked("Id,Reference\n1,x\n"), ["update:reference"]);
    } finally {
      await other.close();
    }
  });
});
