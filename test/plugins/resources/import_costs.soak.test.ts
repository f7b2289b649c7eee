import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { Importer, importFiles, list } from "./import_app.ts";
import { main, openDocumentFiles, plain, relations, table, text, workbook, zip } from "./workbook.ts";

/** A second on a machine that does nothing else. */
const MAX_MS = 5000;
const MAX_PAGE_MS = 500;
const MAX_GROWTH_MB = 150;

const head = `<row r="1">${text("A1", "Reference")}</row>`;
const sheet = (rows: string, end = "</sheetData></worksheet>") => ({
  ...workbook(""),
  "xl/worksheets/sheet1.xml": `<worksheet ${main}><sheetData>${rows}${end}`,
});
const shared = (texts: string) => ({ "xl/sharedStrings.xml": `<sst ${main}>${texts}</sst>` });
/** Rows whose cells all refer to the first shared text. */
const repeated = (rows: number) =>
  Array.from({ length: rows }, (_, at) => `<row r="${at + 2}"><c r="A${at + 2}" t="s"><v>0</v></c></row>`).join("");
const long = (chars: number) => "x".repeat(chars);
const attributes = Array.from({ length: 1_000_000 }, (_, at) => `a${at}="1"`).join(" ");
const sheets = Array.from({ length: 5000 }, (_, at) => `<sheet name="S${at}" sheetId="${at}" r:id="rId1"/>`).join("");

const openText = (value: string, columns = 1) =>
  `<table:table-cell office:value-type="string" table:number-columns-repeated="${columns}"><text:p>${value}</text:p></table:table-cell>`;
const openRow = (cells: string, rows = 1) =>
  `<table:table-row table:number-rows-repeated="${rows}">${cells}</table:table-row>`;
const openHead = openRow(openText("Reference"));

/** Small files that become large, and what they are refused with. */
const files: Record<string, [() => Record<string, string | Buffer>, RegExp]> = {
  "a shared text of 1,000,000 characters in 2,500 cells": [
    () => workbook(head + repeated(2500), shared(`<si><t>${long(1_000_000)}</t></si>`)),
    /has a text of more than 250000 characters: shorten it/,
  ],
  "a shared text of 200,000 characters in 2,500 cells": [
    () => workbook(head + repeated(2500), shared(`<si><t>${long(200_000)}</t></si>`)),
    /has more than 20000000 characters in all its cells together: divide it/,
  ],
  "a shared text in all cells of one row": [
    () =>
      workbook(
        `${head}<row r="2">${'<c t="s"><v>0</v></c>'.repeat(190)}</row>`,
        shared(`<si><t>${long(200_000)}</t></si>`),
      ),
    /has a row of more than 250000 characters/,
  ],
  "runs of text": [
    () => workbook(head + repeated(2500), shared(`<si>${`<r><t>${long(1000)}</t></r>`.repeat(200)}</si>`)),
    /has more than 20000000 characters/,
  ],
  "texts in the cells": [
    () =>
      workbook(
        head + Array.from({ length: 120 }, (_, at) => `<row>${text(`A${at + 2}`, long(240_000))}</row>`).join(""),
      ),
    /has more than 20000000 characters/,
  ],
  "a number of 900,000 digits": [
    () => workbook(`${head}<row><c><v>${"1".repeat(900_000)}</v></c></row>`),
    /has a row of more than 250000 characters/,
  ],
  "a sheet of 99 MB of spaces": [() => sheet(`${head}${" ".repeat(99_000_000)}`), /is more complex than/],
  "a sheet that unpacks to 150 MB": [() => sheet(`${head}${" ".repeat(150_000_000)}`), /unpacks to more than 100 MB/],
  "20,000,000 empty elements": [() => sheet(`${head}${"<x/>".repeat(20_000_000)}`), /is more complex than/],
  "15,000,000 rows": [() => sheet(`${head}${"<row/>".repeat(15_000_000)}`), /has more than 100000 rows/],
  "20,000,000 cells": [() => sheet(`${head}<row>${"<c/>".repeat(20_000_000)}</row>`), /has more than 500000 cells/],
  "5,000,000 shared texts": [
    () => workbook(head + repeated(2), shared("<si><t>a</t></si>".repeat(5_000_000))),
    /too many texts, in all its sheets/,
  ],
  "90 MB of shared texts": [
    () => workbook(head + repeated(2), shared(`<si><t>${long(90_000)}</t></si>`.repeat(1000))),
    /more than 20000000 characters/,
  ],
  "elements in elements": [() => sheet("<a>".repeat(1_000_000)), /is more complex than/],
  "a million attributes": [() => sheet(`<row ${attributes}/>`), /is more complex than/],
  "long attributes": [() => sheet(`<row a="${long(900_000)}"/>`.repeat(100)), /is more complex than/],
  "10,000,000 comments": [() => sheet(`${head}${"<!---->".repeat(10_000_000)}`), /is more complex than/],
  "10,000,000 entities": [
    () => sheet(`${head}<row><c t="inlineStr"><is><t>${"&amp;".repeat(10_000_000)}`, ""),
    /is more complex than/,
  ],
  "tags that never end": [() => sheet(`${head}${"<f ".repeat(300_000)}`, ""), /can be read/],
  "3,000,000 times <": [() => sheet("<".repeat(3_000_000), ""), /can be read/],
  "long formats": [
    () => ({
      ...workbook(plain),
      "xl/styles.xml": `<styleSheet>${`<numFmt numFmtId="200" formatCode="${"[".repeat(30_000)}"/>`.repeat(3000)}</styleSheet>`,
    }),
    /is more complex than/,
  ],
  "5,000 sheets": [
    () => ({
      ...workbook(plain),
      "xl/workbook.xml": `<workbook xmlns:r="${relations}"><sheets>${sheets}</sheets></workbook>`,
    }),
    /has more than 1000 parts/,
  ],
  "5,000 files": [
    () => ({
      ...workbook(plain),
      ...Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`xl/worksheets/s${at}.xml`, "<x/>"])),
    }),
    /has more than 1000 parts/,
  ],
  "cells of a format alone": [
    () => sheet(`${head}${`<row>${'<c s="0"/>'.repeat(200)}</row>`.repeat(12_000)}`),
    /has more than 500000 cells/,
  ],
  "a row of an OpenDocument 1,000,000 times": [
    () => openDocumentFiles(table("A", openHead, openRow(openText("x"), 1_000_000))),
    /has more than 100000 rows/,
  ],
  "a wide row of an OpenDocument 1,000,000 times": [
    () => openDocumentFiles(table("A", openHead, openRow(openText("x", 190), 1_000_000))),
    /has more than 500000 cells/,
  ],
  "a cell of an OpenDocument 1,000,000 times": [
    () => openDocumentFiles(table("A", openHead, openRow(openText("x", 1_000_000)))),
    /has more than 200 columns/,
  ],
  "a long text of an OpenDocument in many cells": [
    () => openDocumentFiles(table("A", openHead, openRow(openText(long(200_000), 190)))),
    /has a row of more than 250000 characters/,
  ],
  "a long text of an OpenDocument in many rows": [
    () => openDocumentFiles(table("A", openHead, openRow(openText(long(200_000)), 100_000))),
    /has more than 20000000 characters/,
  ],
  "900,000,000 spaces of an OpenDocument": [
    () => openDocumentFiles(table("A", openHead, openRow(openText('<text:s text:c="900000000"/>')))),
    /has a row of more than 250000 characters/,
  ],
  "20,000,000 line breaks of an OpenDocument": [
    () => openDocumentFiles(table("A", openHead, openRow(openText("a\n ".repeat(20_000_000))))),
    /is more complex than/,
  ],
  "900,000,000 empty rows of an OpenDocument": [
    () => openDocumentFiles(table("A", openHead, openRow("", 900_000_000), openRow(openText("x")))),
    /has more than 100000 rows/,
  ],
  "5,000 sheets of an OpenDocument": [() => openDocumentFiles(table("A").repeat(5000)), /has more than 1000 parts/],
  "20,000,000 empty elements of an OpenDocument": [
    () => openDocumentFiles("<x/>".repeat(20_000_000)),
    /is more complex than/,
  ],
  "a lie about its size": [
    () => sheet(`${plain}`, `</sheetData><dimension ref="A1:XFD1048576"/></worksheet>`),
    /^$/, // is read
  ],
};

describe("What a file may cost", (it, { before, after }) => {
  let app: TestApp;
  const knex = () => databaseOf(app.application).knex;
  before(async () => {
    app = await openTenants(importFiles);
    await new Importer(app, 1).upload("Reference\nwarm\n");
  });
  after(() => app?.close());

  /** Opens pages of another person while work is done; the slowest, and how much memory the process took more. */
  async function meanwhile<T>(work: () => Promise<T>): Promise<{ result: T; slowest: number; growth: number }> {
    const other = new Importer(app, 3);
    const rss = process.memoryUsage.rss();
    let [isOver, slowest, peak] = [false, 0, rss];
    const looking = (async () => {
      while (!isOver) {
        const started = performance.now();
        await (await other.get(list)).text();
        slowest = Math.max(slowest, performance.now() - started);
        peak = Math.max(peak, process.memoryUsage.rss());
        await sleep(10);
      }
    })();
    try {
      return { result: await work(), slowest, growth: (peak - rss) / 1_000_000 };
    } finally {
      isOver = true;
      await looking;
    }
  }

  for (const [name, [build, sentence]] of Object.entries(files))
    it(`A spreadsheet with ${name} is answered soon, with little memory, while others are served`, async () => {
      await knex()("framewright_imports").delete();
      const bytes = new Uint8Array(zip(build()));
      assert.ok(bytes.length < 10_000_000);
      await sleep(50); // a connection that has timed out while the bytes were made is closed
      const started = performance.now();
      const { result, slowest, growth } = await meanwhile(async () => {
        const answer = await new Importer(app, 1).offer(bytes, "a.xlsx");
        const html = await answer.text();
        return { status: answer.status, said: /fw-field-errors"[^>]*>([^<]*)</.exec(html)?.[1] ?? "" };
      });
      assert.match(result.said, sentence);
      assert.is(result.status, result.said === "" ? 303 : 422);
      assert.ok(performance.now() - started < MAX_MS, `${performance.now() - started} ms`);
      assert.ok(slowest < MAX_PAGE_MS, `a page took ${slowest} ms`);
      assert.ok(growth < MAX_GROWTH_MB, `${growth} MB more`);
    });

  const other = (bytes: number, of: (at: number) => number) => Uint8Array.from({ length: bytes }, (_, at) => of(at));
  const texts: Record<string, [string | Uint8Array, RegExp]> = {
    "9,900,000 commas": [",".repeat(9_900_000), /has a row of more than 250000 characters/],
    "9,900,000 quotation marks": ['"'.repeat(9_900_000), /has a row of more than 250000 characters/],
    "9,900,000 line breaks": ["\n".repeat(9_900_000), /has more than 100000 rows/],
    "4,900,000 rows of separators": [",\n".repeat(4_900_000), /has more than 100000 rows/],
    "3,000,000 empty cells in quotation marks": ['"",'.repeat(3_000_000), /has a row of more than 250000 characters/],
    "4,900,000 backslashes before marks": ['\\"'.repeat(4_900_000), /has a row of more than 250000 characters/],
    "9,900,000 spaces": [" ".repeat(9_900_000), /has a row of more than 250000 characters/],
    "spaces behind backslashes and marks": [
      `\\"${" ".repeat(100_000)}`.repeat(98),
      /has a row of more than 250000 characters/,
    ],
    "a mark that is opened in each of 400,000 lines": [
      'a,"b""\n'.repeat(400_000),
      /a quotation mark is in the wrong place in line 3/,
    ],
    "9,900,000 letters of an unknown encoding": [other(9_900_000, () => 0xe4), /has a row of more than 250000/],
    "lines of all bytes": [
      other(9_900_000, (at) => (at % 200 === 0 ? 10 : 11 + ((at * 7919) % 245))),
      /^$/, // are read
    ],
    "lines in no encoding at all": [
      other(9_900_000, (at) => (at % 100 === 0 ? 10 : 0x80 + ((at * 31) % 128))),
      /^$/, // are read
    ],
    "UTF-16 without an end": [
      other(9_900_001, (at) => (at < 2 ? [0xff, 0xfe][at]! : at % 2 ? 0 : 65)),
      /is not utf-16le|has a row of more than 250000 characters/,
    ],
  };
  for (const [name, [csv, sentence]] of Object.entries(texts))
    it(`A CSV file with ${name} is answered soon, with little memory, while others are served`, async () => {
      const started = performance.now();
      const { result, slowest, growth } = await meanwhile(async () => {
        const answer = await new Importer(app, 1).offer(typeof csv === "string" ? `Reference,Note\n${csv}` : csv);
        return { status: answer.status, said: answer.status === 303 ? "" : await answer.text() };
      });
      assert.is(result.status, result.said === "" ? 303 : 422);
      assert.match(result.said, sentence);
      assert.ok(performance.now() - started < MAX_MS, `${performance.now() - started} ms`);
      assert.ok(slowest < MAX_PAGE_MS, `a page took ${slowest} ms`);
      assert.ok(growth < MAX_GROWTH_MB, `${growth} MB more`);
    });

  it("Files of one person wait for each other, and those of another person do not wait for them", async () => {
    await knex()("framewright_imports").delete();
    const cells = Array.from(
      { length: 40_000 },
      (_, at) => `<row r="${at + 2}">${`<c><v>${at}.5</v></c>`.repeat(10)}</row>`,
    );
    const slow = new Uint8Array(zip(workbook(head + cells.join(""))));
    const order: string[] = [];
    const offer = async (person: number, name: string, bytes: Uint8Array) => {
      const answer = await new Importer(app, person).offer(bytes, "a.xlsx");
      order.push(name);
      return { status: answer.status, said: await answer.text() };
    };
    const mine = Array.from({ length: 5 }, (_, at) => offer(1, `slow ${at}`, slow));
    await sleep(100);
    const honest = await offer(3, "honest", new Uint8Array(zip(workbook(plain))));
    assert.is(honest.status, 303);
    const answers = await Promise.all(mine);
    assert.ok(order.filter((name) => name.startsWith("slow")).length === 5);
    const busy = answers.filter(({ said }) => said.includes("3 files of yours are being read"));
    assert.is(busy.length, 2, "of one person three are taken at a time");
    assert.is(answers.filter(({ status }) => status === 303).length, 3);
    assert.ok(order.indexOf("honest") < order.length - 2, `it had a turn between them: ${order.join(", ")}`);
  });
});
