import {
  decodeDate,
  encodeDate,
  exactDecimal,
  fromCents,
  isoInstant,
  parseId,
  toCents,
} from "framewright/plugins/database";
import { assert, describe } from "../../support/index.ts";

describe("The conversion of values", (it) => {
  it("An id is accepted only in its canonical form", () => {
    const column = { type: "bigint" } as const;
    assert.is(parseId("1", column), 1);
    assert.is(parseId("9007199254740991", column), 9007199254740991);
    for (const text of [
      "1abc",
      "01",
      "1e0",
      "+1",
      " 1",
      "1 ",
      "-1",
      "0",
      "",
      "1.0",
      "0x1",
      "9007199254740993",
      "99999999999999999999",
      "١",
    ]) {
      assert.is(parseId(text, column), undefined, text);
    }
    assert.is(
      parseId("7b3c1b6e-1f6c-4a53-8f5e-2a1f1f0a9c11", { type: "uuid" }),
      "7b3c1b6e-1f6c-4a53-8f5e-2a1f1f0a9c11",
    );
    assert.is(parseId("7B3C", { type: "uuid" }), undefined);
    assert.is(parseId("abc", { type: "string", maxLength: 2 }), undefined);
  });

  it("Money is converted exactly to cents and back, or refused", () => {
    const amounts: [unknown, number | undefined][] = [
      ["12.34", 1234],
      ["12,3", 1230],
      ["0.1", 10],
      ["-0.01", -1],
      ["-0", 0],
      [5, 500],
      [0.29, 29],
      ["1.005", undefined],
      ["1e3", undefined],
      ["", undefined],
      ["12.", undefined],
      [Number.NaN, undefined],
      [null, undefined],
      ["99999999999999.99", undefined],
    ];
    for (const [text, cents] of amounts) assert.is(toCents(text), cents, String(text));
    for (const [cents, text] of [
      [0, "0.00"],
      [5, "0.05"],
      [-5, "-0.05"],
      [123456, "1234.56"],
    ] as const)
      assert.is(fromCents(cents), text);
  });

  it("A decimal is rounded half away from zero without floats", () => {
    assert.is(exactDecimal("1.005", 2), "1.01");
    assert.is(exactDecimal("-1.005", 2), "-1.01");
    assert.is(exactDecimal("99999999999999999999.994", 2), "99999999999999999999.99");
    assert.is(exactDecimal("-0.001", 2), "0.00");
    assert.is(exactDecimal(".5", 0), "1");
  });

  it("An instant is stored in UTC to the millisecond", () => {
    const at = new Date("2026-03-29T01:30:00.007Z");
    assert.is(encodeDate(at), "2026-03-29 01:30:00.007");
    assert.equal(decodeDate("2026-03-29 01:30:00.007"), at);
    assert.equal(decodeDate("2026-03-29T03:30:00.007+02:00"), at);
    assert.equal(decodeDate("2026-03-29"), new Date("2026-03-29T00:00:00Z"));
  });

  it("An instant is parsed as the JavaScript engine does, for every day of 11 years and malformed texts", () => {
    /** As the engine understands an ISO text; what it does not understand stays a text. */
    const expected = (text: string) => {
      const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(text);
      const date = new Date(zoned ? text : `${text.replace(" ", "T")}Z`);
      return Number.isNaN(date.getTime()) ? text : date;
    };
    const check = (text: string) => {
      const date = expected(text);
      assert.equal(decodeDate(text), date, text);
      assert.is(isoInstant(text), date instanceof Date ? date.toISOString() : text, text);
    };
    for (const year of ["0000", "0001", "0099", "1899", "1900", "1969", "1972", "2000", "2026", "2100", "9999"])
      for (let month = 0; month <= 13; month++)
        for (let day = 0; day <= 32; day++) {
          const at = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
          for (const time of ["", " 00:00:00", " 23:59:59.999"]) check(at + time);
        }
    for (const time of [
      "24:00:00",
      "24:00:01",
      "12:60:00",
      "12:00:60",
      "1:00:00",
      "12:00",
      "12:00:00.5",
      "12:00:00.1234",
    ])
      check(`2026-01-31 ${time}`);
    const near = "2026-02-28 10:20:30.456";
    for (let at = 0; at < near.length; at++)
      for (const other of ["0", "9", "/", ":", " ", "T", "Z", "+", "é", "٣"]) {
        check(near.slice(0, at) + other + near.slice(at + 1));
        check((near.slice(0, at) + other + near.slice(at + 1)).slice(0, 19));
      }
  });
});
