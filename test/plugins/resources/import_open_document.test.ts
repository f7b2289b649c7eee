import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { importFiles, list } from "./import_app.ts";
import { book, openDocument, table, workbook, zip } from "./workbook.ts";

const cell = (text: string, more = "") =>
  `<table:table-cell office:value-type="string"${more}><text:p>${text}</text:p></table:table-cell>`;
const row = (...cells: string[]) => `<table:table-row>${cells.join("")}</table:table-row>`;
const head = row(cell("Reference"), cell("Note"));

describe("Spreadsheets in the forms of other programs", (it, { before, after }) => {
  let app: TestApp;
  const knex = () => databaseOf(app.application).knex;
  before(async () => {
    app = await openTenants(importFiles);
  });
  after(() => app?.close());
  const headers = { "x-user": "1", authorization: "Bearer program", accept: "application/json" };
  const post = async (bytes: Uint8Array, name = "a.ods", query = "") => {
    for (const one of ["shipments", "framewright_imports", "framewright_import_failures"]) await knex()(one).delete();
    const body = new FormData();
    body.set("file", new File([bytes as never], name));
    const answer = await app.request(`${list}/import.json${query}`, { method: "POST", body, headers });
    if (answer.status !== 202) return answer.text();
    await app.application.kernel.service("jobs").drain();
    const shown = await app.request(`${answer.headers.get("location")}.json`, { headers });
    return JSON.stringify(((await shown.json()) as { data: { failures: unknown } }).data.failures);
  };
  const notes = async () =>
    (await knex()("shipments").orderBy("id")).map(({ reference, note }) => [reference, note ?? ""]);

  it("Texts of an OpenDocument are those of its paragraphs, without remarks, pictures and covered cells", async () => {
    const remark = "<office:annotation><dc:date>2026</dc:date><text:p>remark</text:p></office:annotation>";
    const drawn = "<draw:frame><draw:text-box><text:p>drawn</text:p></draw:text-box></draw:frame>";
    const nested = `<table:table table:name="inside"><table:table-row>${cell("inside")}</table:table-row></table:table>`;
    const said = await post(
      openDocument(
        table(
          "Data",
          head,
          row(
            cell("A"),
            `<table:table-cell office:value-type="string">${remark}${drawn}<text:p>one<text:s text:c="3"/><text:span>two</text:span><text:tab/>three</text:p><text:p>four<text:line-break/>five</text:p>${nested}</table:table-cell>`,
          ),
          row(
            cell("B"),
            "<table:covered-table-cell office:value-type='string'><text:p>covered</text:p></table:covered-table-cell>",
          ),
          row(
            cell("C"),
            `<table:table-cell office:value-type="string" office:string-value="stored"><text:p>shown</text:p></table:table-cell>`,
          ),
        ),
      ),
    );
    assert.is(said, "[]");
    assert.equal(await notes(), [
      ["A", "one   two\tthree\nfour\nfive"],
      ["B", ""],
      ["C", "stored"],
    ]);
  });

  it("What is repeated is there as often, and empty rows are counted", async () => {
    const said = await post(
      openDocument(
        table(
          "Data",
          head,
          '<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
          row(cell("A", ' table:number-columns-repeated="2"')),
          `<table:table-row table:number-rows-repeated="2">${cell("")}${cell("x")}</table:table-row>`,
          '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>',
        ),
      ),
    );
    assert.equal(await notes(), [["A", "A"]]);
    assert.match(said, '{"row":6,"problems"');
    assert.match(said, '{"row":7,"problems"');
  });

  it("Values without a result, of no kind, or with an error of another program are no empty cells", async () => {
    const values: [string, string | undefined][] = [
      ['office:value-type="float" office:value="0" table:formula="of:=1/0"><text:p>#DIV/0!</text:p>', undefined],
      ['office:value-type="string" table:formula="of:=X"><text:p>Err:508</text:p>', undefined],
      ['office:value-type="date" office:date-value="yesterday"><text:p>yesterday</text:p>', undefined],
      ['office:value-type="time" office:time-value="P"><text:p>P</text:p>', undefined],
      ['office:value-type="boolean" office:boolean-value="perhaps"><text:p>perhaps</text:p>', undefined],
      ['office:value-type="float" office:value="twelve"><text:p>twelve</text:p>', undefined],
      ['office:value-type="percentage" office:value="0.125"><text:p>12.5 %</text:p>', "0.125"],
      ['office:value-type="time" office:time-value="P1DT2H30M00.5S"><text:p>26:30</text:p>', "26:30:00"],
      ['office:value-type="boolean" office:boolean-value="true"><text:p>TRUE</text:p>', "true"],
      ['office:value-type="date" office:date-value="2026-03-31T00:00:00"><text:p>31.03.26</text:p>', "2026-03-31"],
    ];
    const rows = values.map(([value], at) => row(cell(`K-${at}`), `<table:table-cell ${value}</table:table-cell>`));
    const said = await post(openDocument(table("Data", head, ...rows)));
    const read = values.flatMap(([, expected], at) => (expected === undefined ? [] : [[`K-${at}`, expected]]));
    assert.equal(await notes(), read);
    assert.is(said.split('"row"').length - 1, values.length - read.length);
    const empty = openDocument(table("Data", head, row(cell("A"), '<table:table-cell table:formula="of:=A1"/>')));
    assert.match(await post(empty), "has formulas without their results");
  });

  it("A hidden sheet is read where no other is a table, or by its name", async () => {
    const sheets = [
      table("Cover", row(cell("A title"))),
      table("Lists", head, row(cell("hidden"))).replace("<table:table ", '<table:table table:style-name="hidden" '),
      table("Empty"),
    ];
    await post(openDocument(...sheets));
    assert.equal(await notes(), [["hidden", ""]]);
    await post(openDocument(...sheets, table("More", head, row(cell("more")))), "a.ods");
    assert.equal(await notes(), [["more", ""]]);
    await post(openDocument(...sheets, table("More", head, row(cell("more")))), "a.ods", "?sheet=Lists");
    assert.equal(await notes(), [["hidden", ""]]);
    assert.match(await post(openDocument(...sheets), "a.ods", "?sheet=No"), "It has: Cover, Lists, Empty");
    assert.match(await post(openDocument(table("Cover", head))), "has no rows below the headers");
  });

  it("A password, another kind of document and a broken one are refused in a sentence", async () => {
    const content = { "content.xml": "encrypted" };
    const manifest = '<manifest:manifest xmlns:manifest="m"><manifest:encryption-data/></manifest:manifest>';
    const password = "is protected by a password";
    assert.match(await post(new Uint8Array(zip({ ...content, "META-INF/manifest.xml": manifest }))), password);
    assert.match(await post(new Uint8Array(zip({ "encrypted-package": "x" }))), password);
    assert.match(await post(new Uint8Array(zip(content))), "is not a spreadsheet that can be read");
    const text =
      "<office:document-content><office:body><office:text><table:table/></office:text></office:body></office:document-content>";
    assert.match(await post(new Uint8Array(zip({ "content.xml": text }))), "has no sheet with cells");
    for (const wrong of ["0", "-1", "1e9", "x"])
      assert.match(
        await post(openDocument(table("Data", head, row(cell("A", ` table:number-columns-repeated="${wrong}"`))))),
        "is not a spreadsheet that can be read",
      );
  });

  it("Strict OOXML, CDATA, backslashes in the archive and names in another case are read", async () => {
    const strict = "http://purl.oclc.org/ooxml/officeDocument/relationships";
    const sheet = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t><![CDATA[Note]]></t></is></c></row>
      <row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" t="str"><v><![CDATA[a < b & c]]></v></c></row><row r="3"><c r="A3" t="inlineStr"><is><t>D</t></is></c><c r="B3" t="d"><v>2026-03-31T00:00:00</v></c></row>`;
    const files = {
      ...workbook(""),
      "_rels\\.rels": `<Relationships><Relationship Id="a" Type="${strict}/officeDocument" Target="/xl/Workbook.xml"/></Relationships>`,
      "xl\\_rels\\Workbook.xml.rels": `<Relationships><Relationship Id="rId1" Type="${strict}/worksheet" Target="worksheets\\Sheet1.xml"/><Relationship Id="rId2" Type="${strict}/sharedStrings" Target="SharedStrings.xml"/></Relationships>`,
      "xl\\workbook.xml": `<workbook xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main" xmlns:r="${strict}" conformance="strict"><workbookPr date1904="on"/><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      "xl\\worksheets\\sheet1.xml": `<worksheet xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"><sheetData>${sheet}</sheetData></worksheet>`,
      "xl\\sharedStrings.XML": `<sst><si><t><![CDATA[Reference]]></t></si><si><t>S-1</t></si></sst>`,
    };
    for (const old of ["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/worksheets/sheet1.xml"])
      delete (files as Record<string, string>)[old];
    assert.is(await post(new Uint8Array(zip(files)), "a.xlsx"), "[]");
    assert.equal(await notes(), [
      ["S-1", "a < b & c"],
      ["D", "2026-03-31"],
    ]);
  });

  it("Cells that have a format alone are no cells, and a cover is no table", async () => {
    const styled = Array.from({ length: 3000 }, (_, at) => `<row r="${at + 3}">${'<c s="0"/>'.repeat(200)}</row>`).join(
      "",
    );
    const inline = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const rows = `<row r="1">${inline("A1", "Reference")}</row><row r="2">${inline("A2", "F-1")}</row>${styled}`;
    assert.is(
      await post(
        book([
          { name: "Cover", rows: `<row r="1">${inline("A1", "Title")}</row>` },
          { name: "Data", rows },
        ]),
        "a.xlsx",
      ),
      "[]",
    );
    assert.equal(await notes(), [["F-1", ""]]);
  });
});
