import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { countsOf, Importer, importFiles, list, problemsOf } from "./import_app.ts";
import { book, main, number, text, zip } from "./workbook.ts";

const windows1252 = Uint8Array.from([
  ...Buffer.from("Reference;Note\r\n"),
  0xc4,
  ...Buffer.from("pfel;"),
  0x80,
  13,
  10,
]);

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Files that other programs write, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const ann = () => new Importer(app, 1);
    const shipments = () => knex()("shipments").orderBy("id");
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        for (const table of ["shipments", "arrivals", "framewright_imports", "framewright_import_failures"])
          await knex()(table).delete();
        await story();
      });
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(importFiles, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const headers = { "x-user": "1", authorization: "Bearer program", accept: "application/json" };
    const post = async (file: string | Uint8Array, query = "", name = "a.csv") => {
      const body = new FormData();
      body.set("file", new File([file as string], name));
      const answer = await app.request(`${list}/import.json${query}`, { method: "POST", body, headers });
      const said = (await answer.json()) as Record<string, unknown>;
      if (answer.status !== 202) return { status: answer.status, text: JSON.stringify(said) };
      await app.application.kernel.service("jobs").drain();
      const shown = await app.request(`${answer.headers.get("location")}.json`, { headers });
      const { data } = (await shown.json()) as { data: Record<string, unknown> };
      return { status: 202, text: JSON.stringify(data), data };
    };
    const dayOf = (value: unknown) =>
      value instanceof Date ? value.toISOString().slice(0, 10) : String(value).slice(0, 10);

    can("Cells that a row is too short for are empty, and empty ones beyond the headers are nothing", async () => {
      const short = await ann().import("Reference,Carrier,Note\r\nA,x,n\r\nB,y\r\nC\r\n", [
        "reference",
        "carrier",
        "note",
      ]);
      assert.equal(countsOf(short), [3, 0, 0, 0]);
      assert.equal(
        (await shipments()).map(({ reference, carrier, note }) => [reference, carrier, note]),
        [
          ["A", "x", "n"],
          ["B", "y", null],
          ["C", null, null],
        ],
      );
      const long = await ann().import("Reference,Carrier\r\nD,1,,\r\nE,2,,text\r\nF,3,\r\n", ["reference", "carrier"]);
      assert.equal(countsOf(long), [2, 0, 0, 1]);
      assert.equal(problemsOf(long), [
        "Row 3, Column 4 “text”: cell D3 has “text”, and no header is above it. Add one, or empty the cell",
      ]);
      const file = await ann().page(/href="([^"]*failures\.csv)"/.exec(long)![1]!);
      assert.match(file, 'E,2,"4: cell D3 has “text”, and no header is above it. Add one, or empty the cell"');
      const program = await post("reference,carrier,\r\nG,1,\r\nH,2,,x\r\n");
      assert.match(program.text, '"created":1,');
      assert.match(program.text, '{"row":3,"problems":[{"column":"4","text":"cell D3 has “x”');
    });

    can("Rows of separators alone are skipped, in silence, and counted in the numbers of the others", async () => {
      const done = await ann().import("\r\n,\r\nReference,Carrier\r\nA,1\r\n,\r\n , \r\nA,2\r\n,\r\n", [
        "reference",
        "carrier",
      ]);
      assert.equal(countsOf(done), [1, 0, 0, 1]);
      assert.equal(problemsOf(done), ["Row 7, Reference “A”: has already been taken"]);
    });

    can("A first line names the sign between the cells", async () => {
      for (const [at, head] of ["sep=;\r\n", "\uFEFFsep=;\n", '"sep=;"\r\n', "SEP=;\r\n"].entries()) {
        const done = await ann().import(`${head}Reference;Carrier\r\nS-${at};"1,5"\r\n`, ["reference", "carrier"]);
        assert.equal(countsOf(done), [1, 0, 0, 0]);
      }
      const bar = await ann().import("sep=|\r\nReference|Carrier\r\nS-9|a;b,c\r\n", ["reference", "carrier"]);
      assert.equal(countsOf(bar), [1, 0, 0, 0]);
      assert.is((await shipments()).at(-1).carrier, "a;b,c");
      const wrong = await ann().offer('sep=;\nReference;Note\nA;"open\n');
      assert.match(await wrong.text(), "a quotation mark that is open in line 3");
    });

    can("A text that is not UTF-8 is recognised, shown, and imported once somebody has confirmed it", async () => {
      const person = ann();
      const url = await person.upload(windows1252);
      const page = await person.page(url);
      assert.match(page, "Äpfel");
      assert.match(page, "are all letters right?");
      assert.match(page, /<option value="windows-1252" selected>/);
      assert.equal(await shipments(), []);
      await person.map(url, ["reference", "note"], { encoding: "windows-1252" });
      await person.start(url);
      assert.equal(countsOf(await person.ended(url)), [1, 0, 0, 0]);
      assert.equal(
        (await shipments()).map(({ reference, note }) => [reference, note]),
        [["Äpfel", "€"]],
      );
    });

    can("Another encoding shows the texts again; one that the file is not in is refused", async () => {
      const person = ann();
      const url = await person.upload(Uint8Array.from([...Buffer.from("Reference\n"), 0xcf, 0xf0, 0xe8, 10]));
      assert.match(await person.page(url), /При.*<option value="windows-1251" selected>/s);
      const again = await person.map(url, ["reference"], { encoding: "windows-1252" });
      assert.is(again.headers.get("location"), url);
      assert.match(await person.page(url), /Ïðè.*<option value="windows-1252" selected>/s);
      const wrong = await person.map(url, ["reference"], { encoding: "utf-8" });
      assert.is(wrong.status, 422);
      assert.match(await wrong.text(), "is not UTF-8 in line 2");
      await person.map(url, ["reference"], { encoding: "windows-1251" });
      assert.match(await person.page(url), "При");
      await person.map(url, ["reference"], { encoding: "windows-1251" });
      await person.start(url);
      await person.ended(url);
      assert.equal(await knex()("shipments").pluck("reference"), ["При"]);
    });

    can(
      "A program names the encoding, or gets 422 that asks for it; a byte order mark names it by itself",
      async () => {
        const refused = await post(windows1252);
        assert.is(refused.status, 422);
        assert.match(refused.text, "encoding=windows-1252");
        for (const name of ["windows-1252", "latin1", "CP1252"]) {
          await knex()("shipments").delete();
          assert.is((await post(windows1252, `?encoding=${name}`)).status, 202, name);
          assert.equal(await knex()("shipments").pluck("reference"), ["Äpfel"]);
        }
        assert.match((await post(windows1252, "?encoding=ebcdic")).text, "send one of utf-8, windows-1252");
        const greek = Uint8Array.from([...Buffer.from("Reference\nA"), 0xd2, 10]);
        assert.match((await post(greek, "?encoding=windows-1253")).text, "is not windows-1253: line 2");
        const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("reference\tnote\r\nÖl\t1\r\n", "utf16le")]);
        assert.is((await post(new Uint8Array(wide))).status, 202);
        assert.equal(await knex()("shipments").pluck("reference"), ["Äpfel", "Öl"]);
      },
    );

    can("The order of day and month is recognised by the whole column", async () => {
      const lines = ["31.03.2026", "3/31/2026", "2026-03-31 00:00:00", "2026-03-31T00:00:00.000Z", "03/31/2026 0:00"];
      const file = `Reference,Due on\r\n${lines.map((day, at) => `D-${at},${day}`).join("\r\n")}\r\n`;
      assert.equal(countsOf(await ann().import(file, ["reference", "due_on"])), [5, 0, 0, 0]);
      assert.equal(
        (await shipments()).map(({ due_on }) => dayOf(due_on)),
        lines.map(() => "2026-03-31"),
      );
      await knex()("shipments").delete();
      await ann().import("Reference,Due on\nA,4/3/2026\nB,31/3/2026\nC,4.3.2026\n", ["reference", "due_on"]);
      assert.equal(
        (await shipments()).map(({ due_on }) => dayOf(due_on)),
        ["2026-03-04", "2026-03-31", "2026-03-04"],
      );
      const time = await ann().import("Reference,Due on\nT,2026-03-31 14:00\n", ["reference", "due_on"]);
      assert.equal(countsOf(time), [0, 0, 0, 1], "a day has no time");
    });

    can("Where no day of a column shows it, the order is chosen once", async () => {
      const file = "Reference,Due on,Sent at\nA,4/3/2026,4/3/2026 2:30 PM\n";
      const columns = ["reference", "due_on", "sent_at"];
      const person = ann();
      const url = await person.upload(file);
      assert.match(await person.page(url), "Days such as 3/4/2026");
      const asked = await person.map(url, columns);
      assert.is(asked.status, 422);
      assert.match(await asked.text(), "The days of “Due on” can be read in two ways");
      assert.is((await person.map(url, ["reference"])).status, 303, "nothing is to be chosen for what is not imported");
      for (const [days, day] of [
        ["dmy", "2026-03-04"],
        ["mdy", "2026-04-03"],
      ] as const) {
        await knex()("shipments").delete();
        const done = await ann().import(file, columns, { days });
        assert.equal(countsOf(done), [1, 0, 0, 0]);
        const [row] = await shipments();
        assert.is(dayOf(row.due_on), day);
        assert.match(JSON.stringify(row.sent_at), new RegExp(`${day}[T ]14:30`));
      }
      assert.match((await post(file)).text, "can be read in two ways");
      assert.match((await post(file, "?days=ymd")).text, "days=dmy|mdy");
      await knex()("shipments").delete();
      assert.is((await post(file, "?days=mdy")).status, 202);
      assert.is(dayOf((await shipments())[0].due_on), "2026-04-03");
      const both = await ann().import("Reference,Due on\nX,31/3/2026\nY,3/31/2026\n", ["reference", "due_on"], {
        days: "dmy",
      });
      assert.equal(countsOf(both), [1, 0, 0, 1], "what the order does not fit is an error");
    });

    can(
      "Ids of a file may be those of another system: it creates records, unless somebody chooses otherwise",
      async () => {
        await ann().import("Reference\nOwn\n", ["reference"]);
        const [{ id }] = await shipments();
        const file = `id,Reference,Carrier\r\n${id},Other,X1\r\n${id + 1},Another,X2\r\n`;
        const page = await ann().page(await ann().upload(file));
        assert.match(
          page,
          /<input[^>]*name="rows"[^>]*value="create"[^>]*checked|value="create"[^>]*name="rows"[^>]*checked/,
        );
        assert.match(page, 'value="update:id"');
        await ann().import(file, ["id", "reference", "carrier"]);
        assert.equal(await knex()("shipments").orderBy("id").pluck("reference"), ["Own", "Other", "Another"]);
        const changed = await ann().import(`id,Carrier\n${id},Mine\n`, ["id", "carrier"], { rows: "update:id" });
        assert.equal(countsOf(changed), [0, 1, 0, 0]);
      },
    );

    can(
      "A chart and a hidden sheet come first: the first visible sheet with cells is read, and others can be chosen",
      async () => {
        const rows = (name: string) =>
          `<row r="1">${text("A1", "Reference")}</row><row r="2">${text("A2", name)}</row>`;
        const file = book([
          { name: "Chart", kind: "chartsheet" },
          { name: "Lists", state: "hidden", rows: rows("hidden") },
          { name: "Empty", rows: `<row r="1"><c r="A1" s="0"/></row>` },
          { name: "Data", rows: rows("data") },
          { name: "More & more", rows: rows("more") },
        ]);
        const person = ann();
        const url = await person.upload(file, "a.xlsx");
        const page = await person.page(url);
        assert.match(page, /<option value="Data" selected>Data<\/option>/);
        assert.match(page, "Lists (hidden)");
        assert.match(page, "Chart is a chart, and left out.");
        assert.not.match(page, '<option value="Chart"');
        const other = await person.map(url, ["reference"], { sheet: "More & more" });
        assert.is(other.headers.get("location"), url);
        assert.match(await person.page(url), /<option value="More &amp; more" selected>/);
        await person.map(url, ["reference"], { sheet: "More & more" });
        await person.start(url);
        await person.ended(url);
        assert.equal(await knex()("shipments").pluck("reference"), ["more"]);
        await post(file, "", "a.xlsx");
        await post(file, "?sheet=Lists", "a.xlsx");
        assert.equal(await knex()("shipments").orderBy("id").pluck("reference"), ["more", "data", "hidden"]);
        assert.match(
          (await post(file, "?sheet=Nothing", "a.xlsx")).text,
          "has no sheet “Nothing”. It has: Lists, Empty, Data",
        );
        assert.match(
          (await post(book([{ name: "Chart", kind: "chartsheet" }]), "", "a.xlsx")).text,
          "has no sheet with cells",
        );
      },
    );

    can("Days begin in 1904 where the workbook says so, in any spelling", async () => {
      const styles = `<styleSheet ${main}><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`;
      const rows = `<row r="1">${text("A1", "Reference")}${text("B1", "Due on")}</row><row r="2">${text("A2", "D")}${number("B2", "44650", 1)}</row>`;
      for (const [spelled, day] of [
        ["1", "2026-03-31"],
        ["true", "2026-03-31"],
        [" true ", "2026-03-31"],
        ["0", "2022-03-30"],
        ["false", "2022-03-30"],
      ] as const) {
        await knex()("shipments").delete();
        const more = { properties: `<workbookPr date1904="${spelled}"/>`, parts: { "xl/styles.xml": styles } };
        const { status, text: said } = await post(book([{ name: "A", rows }], more), "", "a.xlsx");
        assert.is(status, 202, said);
        assert.is(dayOf((await shipments())[0].due_on), day, spelled);
      }
    });

    can("What an import does not know is refused by name", async () => {
      for (const [query, name] of [
        ["?raws=update:id", "“raws”"],
        ["?failing=stop", "“failing=stop”"],
        ["?columns[Nothing]=note", "“Nothing”"],
      ] as const) {
        const { status, text: said } = await post("reference\nA\n", query);
        assert.is(status, 422, query);
        assert.match(said, name);
      }
      const { data } = await post("ref,other\nA,x\n", "?columns[ref]=reference&columns[other]=");
      assert.is(data?.created, 1);
    });

    can("An archive whose sheet is damaged is refused", async () => {
      const good = book([
        { name: "A", rows: `<row r="1">${text("A1", "Reference")}</row><row r="2">${text("A2", "X")}</row>` },
      ]);
      const damaged = zip({ "xl/workbook.xml": "<workbook/>" });
      for (const bytes of [damaged, good.subarray(0, -40)])
        assert.match((await post(new Uint8Array(bytes), "", "a.xlsx")).text, /XLSX or CSV/);
    });
  });
}
