import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { countsOf, Importer, importFiles, list, problemsOf } from "./import_app.ts";
import { book, main, number, text } from "./workbook.ts";

const formats = [
  ["0", undefined],
  ["46", undefined],
  ["164", "[h]:mm"],
  ["165", '"days" 0'],
  ["166", "hh:mm"],
  ["14", undefined],
  ["167", "yyyy\\-mm\\-dd hh:mm;@"],
  ["168", "#,##0.00 [$€-407]"],
] as const;
const styles = `<styleSheet ${main}><numFmts>${formats
  .map(([id, code]) => (code ? `<numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', "&quot;")}"/>` : ""))
  .join("")}</numFmts><cellXfs>${formats.map(([id]) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs></styleSheet>`;

for (const database of await databases()) {
  describe(`Cells that can't be read, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const ann = () => new Importer(app, 1);
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
    /** A sheet with these headers and rows of cells, whose places are `@`. */
    const sheet = (head: readonly string[], ...rows: (readonly string[])[]) => {
      const all = [head.map((one) => text("@", one)), ...rows];
      const lines = all.map((cells, at) => {
        const placed = cells.map((cell, column) => cell.replaceAll("@", `${"ABCDEFG"[column]}${at + 1}`));
        return `<row r="${at + 1}">${placed.join("")}</row>`;
      });
      return book([{ name: "A", rows: lines.join("") }], { parts: { "xl/styles.xml": styles } });
    };
    const byPage = async (file: Uint8Array, columns: readonly string[], more: Record<string, string> = {}) => {
      const person = ann();
      const url = await person.upload(file, "a.xlsx");
      const mapped = await person.map(url, columns, more);
      assert.is(mapped.status, 303, await mapped.text());
      const check = await person.page(`${url}/check`);
      await person.start(url);
      return { check, done: await person.ended(url), person };
    };
    const byProgram = async (file: Uint8Array, query: string) => {
      const body = new FormData();
      body.set("file", new File([file as never], "a.xlsx"));
      const answer = await app.request(`${list}/import.json${query}`, { method: "POST", body, headers });
      assert.is(answer.status, 202, await answer.clone().text());
      await app.application.kernel.service("jobs").drain();
      const shown = await app.request(`${answer.headers.get("location")}.json`, { headers });
      return ((await shown.json()) as { data: Record<string, unknown> }).data;
    };
    const stored = async () => {
      await ann().import("Reference,Note,Weight\nA-1,kept,7\n", ["reference", "note", "weight"]);
      return knex()("shipments").first();
    };

    can("Errors of a spreadsheet change nothing of a record, and are named with their cells", async () => {
      const { id } = await stored();
      const file = sheet(
        ["id", "Note", "Weight"],
        [`<c r="@"><v>${id}</v></c>`, '<c r="@" t="e"><f>NA()</f><v>#N/A</v></c>', '<c r="@" t="e"><v>#REF!</v></c>'],
      );
      const expected = [
        "Row 2, Note “#N/A”: can't be read: cell B2 has the error #N/A. Correct it in the file",
        "Row 2, Weight “#REF!”: can't be read: cell C2 has the error #REF!. Correct it in the file",
      ];
      const { check, done, person } = await byPage(file, ["id", "note", "weight"], { rows: "update:id" });
      assert.equal([problemsOf(check), countsOf(check)], [expected, [0, 0, 0, 1]]);
      assert.equal([problemsOf(done), countsOf(done)], [expected, [0, 0, 0, 1]]);
      const failures = await person.page(/href="([^"]*failures\.csv)"/.exec(done)![1]!);
      assert.match(failures, `${id},#N/A,#REF!,"Note: can't be read: cell B2 has the error #N/A`);
      const data = await byProgram(file, "?rows=update:id");
      assert.equal([data.updated, data.unchanged, data.failed], [0, 0, 1]);
      assert.match(JSON.stringify(data.failures), "cell C2 has the error #REF!");
      const undone = await byProgram(file, "?rows=update:id&failing=undo");
      assert.is(undone.failed, 1);
      const row = await knex()("shipments").first();
      assert.equal([row.note, row.weight], ["kept", 7]);
    });

    can("Nothing of such a row is written to a new record, nor found by such a key", async () => {
      const error = '<c r="@" t="e"><v>#DIV/0!</v></c>';
      const file = sheet(
        ["Reference", "Weight"],
        [text("@", "N-1"), error],
        [error, number("@", "5")],
        [text("@", "N-3"), number("@", "6")],
      );
      for (const rows of ["create", "both:reference", "update:reference"]) {
        await knex()("shipments").delete();
        const { done } = await byPage(file, ["reference", "weight"], { rows });
        const isUpdate = rows.startsWith("update");
        assert.equal(countsOf(done), [isUpdate ? 0 : 1, 0, 0, isUpdate ? 3 : 2], rows);
        assert.equal(await knex()("shipments").pluck("reference"), isUpdate ? [] : ["N-3"]);
      }
      const { done } = await byPage(file, ["reference", ""]);
      assert.equal(countsOf(done), [2, 0, 0, 1], "a column that is not imported is not read");
    });

    can("Unknown kinds, days that there are not and texts that were cut are errors too", async () => {
      const cells: [string, string][] = [
        ['<c r="@" t="zz"><v>5</v></c>', "“5”, which is no value of its kind"],
        ['<c r="@" t="s"><v>99</v></c>', "“99”"],
        ['<c r="@"><v>five</v></c>', "“five”"],
        ['<c r="@"><v>1e999</v></c>', "“1e999”"],
        ['<c r="@" t="b"><v>2</v></c>', "“2”"],
        ['<c r="@" t="d"><v>yesterday</v></c>', "“yesterday”"],
        [number("@", "60", 5), "“60”"],
        [number("@", "-3", 5), "“-3”"],
        [number("@", "9999999", 5), "“9999999”"],
        [text("@", `${"x".repeat(32_766)}…`), "was cut at 32,767 characters"],
        ['<c r="@" t="e"/>', "has the error "],
      ];
      await ann().import(`Reference,Note\n${cells.map((_, at) => `K-${at},kept`).join("\n")}\n`, ["reference", "note"]);
      const file = sheet(["Reference", "Note"], ...cells.map(([cell], at) => [text("@", `K-${at}`), cell]));
      const { done } = await byPage(file, ["reference", "note"], { rows: "update:reference" });
      assert.equal(countsOf(done), [0, 0, 0, cells.length]);
      for (const [at, [, sentence]] of cells.entries()) {
        const said = problemsOf(done)[at]!;
        assert.match(said, `cell B${at + 2}`);
        assert.match(said, sentence);
      }
      assert.equal(await knex()("shipments").distinct("note").pluck("note"), ["kept"]);
    });

    can("A duration is a text of hours, also of more than a day, and no figure", async () => {
      const file = sheet(
        ["Reference", "Note", "Weight"],
        [text("@", "A"), number("@", "1.5", 1), number("@", "1")],
        [text("@", "B"), number("@", "0.0416666666666667", 2), number("@", "2")],
        [text("@", "C"), number("@", "-0.25", 2), number("@", "1.5", 2)],
      );
      const { done } = await byPage(file, ["reference", "note", "weight"]);
      assert.equal(problemsOf(done), ["Row 4, Weight “36:00:00”: must be a whole number"]);
      assert.equal(await knex()("shipments").orderBy("id").pluck("note"), ["36:00:00", "01:00:00"]);
    });

    can("Values of another kind than their field's are errors of their cells", async () => {
      const yes = '<c r="@" t="b"><v>1</v></c>';
      const day = number("@", "46112", 5);
      const file = sheet(
        ["Reference", "Weight", "Fee", "Due on", "Fragile"],
        [text("@", "A"), yes, number("@", "1"), day, yes],
        [text("@", "B"), number("@", "1"), yes, day, yes],
        [text("@", "C"), number("@", "1"), number("@", "1"), number("@", "46112"), yes],
        [text("@", "D"), day, number("@", "1"), day, yes],
        [text("@", "E"), number("@", "1"), number("@", "1"), day, number("@", "7")],
        [text("@", "F"), number("@", "1.5"), number("@", "1"), day, yes],
        [text("@", "G"), number("@", "9E2"), number("@", "0.30000000000000004", 7), number("@", "46112.0", 6), yes],
      );
      const { done } = await byPage(file, ["reference", "weight", "fee", "due_on", "fragile"]);
      assert.equal(
        problemsOf(done).map((said) => said.slice(0, said.indexOf(":"))),
        [
          "Row 2, Weight “true”",
          "Row 3, Fee “true”",
          "Row 4, Due on “46112”",
          "Row 5, Weight “2026-03-31”",
          "Row 6, Fragile “7”",
          "Row 7, Weight “1.5”",
        ],
      );
      const [row] = await knex()("shipments");
      assert.equal([row.reference, row.weight, row.fee_cents], ["G", 900, 30]);
    });

    can(
      "Texts are read whole: runs, without how they are pronounced, escaped characters, spaces, a formula's",
      async () => {
        const shared = `<sst ${main}><si><r><rPr><b/></rPr><t>one </t></r><r><t xml:space="preserve"> two</t></r><rPh sb="0" eb="1"><t>said</t></rPh></si><si><t>a_x000A_b_x005F_x000A_&amp;&#65;</t></si><si/></sst>`;
        const rows = [
          `<row r="1">${text("A1", "Reference")}${text("B1", "Note")}</row>`,
          '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c></row>',
          '<row r="4"><c t="str"><f>"x"</f><v>from a formula</v></c><c t="s"><v>2</v></c></row>',
          '<x:row r="6"><x:c r="A6" t="inlineStr"><x:is><x:t>prefixed</x:t></x:is></x:c><x:c r="B6"><x:v>9007199254740993</x:v></x:c></x:row>',
        ];
        const file = book([{ name: "A", rows: rows.join("").replaceAll("x:", "") }], {
          parts: { "xl/sharedStrings.xml": shared },
        });
        await byPage(file, ["reference", "note"]);
        assert.equal(
          (await knex()("shipments").orderBy("id")).map(({ reference, note }) => [reference, note]),
          [
            ["one  two", "a\nb_x000A_&A"],
            ["from a formula", null],
            ["prefixed", "9007199254740993"],
          ],
        );
      },
    );
  });
}
