import { joinLabels, splitLabels } from "../../../plugins/exports/csv_line.ts";
import { readDay } from "../../../plugins/imports/day_text.ts";
import { PersonTurns } from "../../../plugins/imports/person_turns.ts";
import { addressOf } from "../../../plugins/imports/row_problems.ts";
import { assert, describe } from "../../support/index.ts";
import { within } from "../../support/pace.ts";

/** A module of the thread, which is plain JavaScript. */
const reader = (file: string) => import(`../../../plugins/imports/reader/${file}`);
const { readIsoDay, readNumber } = await reader("cell_number.js");
const { kindOfFormat } = await reader("number_formats.js");

describe("Parts of imports", (it) => {
  it("Days are read by their signs, their order and their time; what could be two days is none", () => {
    const days: [string, "dmy" | "mdy" | undefined, string | undefined][] = [
      ["2026-03-31", undefined, "2026-03-31  "],
      ["2026/3/1", undefined, "2026-03-01  "],
      ["20260331", undefined, "2026-03-31  "],
      ["31.03.2026", "mdy", "2026-03-31  "],
      ["3/31/2026", undefined, "2026-03-31  "],
      ["31-3-2026", undefined, "2026-03-31  "],
      ["3/3/2026", undefined, "2026-03-03  "],
      ["4/3/2026", undefined, undefined],
      ["4/3/2026", "dmy", "2026-03-04  "],
      ["4/3/2026", "mdy", "2026-04-03  "],
      ["2026-03-31T00:00:00.000Z", undefined, "2026-03-31 00:00:00 Z"],
      ["3/31/2026 12:05 AM", undefined, "2026-03-31 00:05 "],
      ["3/31/2026, 2:30:01.50 p.m.", undefined, "2026-03-31 14:30:01.5 "],
      ["2026-03-31 14:30+02:00", undefined, "2026-03-31 14:30 +02:00"],
      ["31.03.26", undefined, undefined],
      ["3/31-2026", undefined, undefined],
      ["2026-03-31 13:00 PM", undefined, undefined],
      ["46112", undefined, undefined],
      [`2026-03-31 ${" ".repeat(100_000)}`, undefined, undefined],
    ];
    for (const [text, order, expected] of days) {
      const read = readDay(text, order);
      assert.is(read && `${read.day} ${read.time} ${read.zone}`, expected, text.slice(0, 40));
    }
  });

  it("Numbers of cells are read as people see them, to the digit", () => {
    const shown = (stored: string, kind?: string, is1904 = false) => {
      const read = readNumber(stored, kind, is1904) as { text?: string; problem?: string };
      return read.text ?? `! ${read.problem}`;
    };
    for (const [stored, expected] of [
      ["12.50", "12.5"],
      ["0.30000000000000004", "0.3"],
      ["9007199254740993", "9007199254740993"],
      ["1E+21", "1000000000000000000000"],
      ["-2.5E-7", "-0.00000025"],
      ["1.0000000000000002E-3", "0.001"],
      ["-0", "-0"],
      ["+7", "7"],
      ["1e999", "! type"],
      ["0x10", "! type"],
      ["1 000", "! type"],
    ] as const)
      assert.is(shown(stored), expected, stored);
    for (const [stored, kind, is1904, expected] of [
      ["1", "day", false, "1900-01-01"],
      ["59", "day", false, "1900-02-28"],
      ["60", "day", false, "! type"],
      ["61", "day", false, "1900-03-01"],
      ["46112.6041666667", "day", false, "2026-03-31 14:30:00"],
      ["46112.0000000116", "day", false, "2026-03-31 00:00:00.001"],
      ["2958465.99999", "day", false, "9999-12-31 23:59:59.136"],
      ["2958466", "day", false, "! type"],
      ["0", "day", true, "1904-01-01"],
      ["2957004", "day", true, "! type"],
      ["0.5", "day", false, "! type"],
      ["0.5", "time", false, "12:00:00"],
      ["46112.5", "time", false, "2026-03-31 12:00:00"],
      ["0.5", "duration", false, "12:00:00"],
      ["1.5", "duration", false, "36:00:00"],
      ["-0.25", "duration", false, "-06:00:00"],
    ] as const)
      assert.is(shown(stored, kind, is1904), expected, `${stored} ${kind}`);
    assert.equal(readIsoDay("2026-03-31T14:30:00.5Z"), { text: "2026-03-31 14:30:00.500" });
    assert.equal(readIsoDay("PT1H"), { problem: "type" });
    assert.equal(readIsoDay("1899-12-31T08:00:00", "time"), { text: "08:00:00" });
  });

  it("A format tells days, times and durations from figures", () => {
    for (const [code, kind] of [
      ["General", undefined],
      ["0.00", undefined],
      ['"day" 0', undefined],
      ["[Red]0", undefined],
      ["#,##0 [$USD]", undefined],
      ["[$-407]dd. mmmm yyyy", "day"],
      ["mmm", "day"],
      ["h:mm AM/PM", "time"],
      ["[h]:mm", "duration"],
      ["mm:ss.0", "duration"],
      ["[ss]", "duration"],
      [`${"[".repeat(100_000)}`, undefined],
    ] as const)
      assert.is(kindOfFormat(code), kind, code.slice(0, 30));
  });

  it("Labels of several records are read as they were joined", () => {
    for (const labels of [["a"], ["a", "b; c"], ['"q"', "x;"], [" a ", "b"], ['a"b', "ü"]])
      assert.equal(splitLabels(joinLabels(labels)), labels);
    assert.equal(splitLabels("a;b ; c"), ["a", "b", "c"]);
    const started = performance.now();
    for (const sign of ['"', " ", '"" ', ";", 'x"']) splitLabels(sign.repeat(100_000));
    assert.ok(performance.now() - started < within(1000));
  });

  it("Cells are named as spreadsheets do it", () => {
    assert.equal([addressOf(0, 1), addressOf(25, 2), addressOf(26, 3), addressOf(199, 4)], ["A1", "Z2", "AA3", "GR4"]);
  });

  it("Of one person one piece of work runs at a time, and others have their turn between", async () => {
    const turns = new PersonTurns({ maxRunning: 2, maxOfOne: 3 });
    const log: string[] = [];
    const ends: (() => void)[] = [];
    const begin = (person: string, name: string) =>
      turns.run(person, async () => {
        log.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      });
    const all = [begin("a", "a1"), begin("a", "a2"), begin("a", "a3"), begin("b", "b1"), begin("c", "c1")];
    await Promise.resolve();
    assert.ok(turns.isFull("a"));
    assert.not.ok(turns.isFull("b"));
    for (let turn = 0; turn < 5; turn++) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(all);
    assert.equal(log, ["a1", "b1", "c1", "a2", "a3"]);
    await turns.run("a", async () => undefined);
    const failed = await turns
      .run("a", () => Promise.reject(new Error("failed")))
      .catch((error: Error) => error.message);
    assert.is(failed, "failed");
    assert.not.ok(turns.isFull("a"));
  });
});
