import { decodeDate, encodeDate, exactDecimal, fromCents, parseId, toCents } from "framewright/plugins/database";
import { assert, describe } from "../../support/index.ts";

describe("values", (it) => {
  it("an id is exactly an id, or none", () => {
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

  it("money is exact, or refused", () => {
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

  it("a decimal is rounded half away from zero, without floats", () => {
    assert.is(exactDecimal("1.005", 2), "1.01");
    assert.is(exactDecimal("-1.005", 2), "-1.01");
    assert.is(exactDecimal("99999999999999999999.994", 2), "99999999999999999999.99");
    assert.is(exactDecimal("-0.001", 2), "0.00");
    assert.is(exactDecimal(".5", 0), "1");
  });

  it("an instant is UTC to the millisecond, whichever zone the process is in", () => {
    const at = new Date("2026-03-29T01:30:00.007Z");
    assert.is(encodeDate(at), "2026-03-29 01:30:00.007");
    assert.equal(decodeDate("2026-03-29 01:30:00.007"), at);
    assert.equal(decodeDate("2026-03-29T03:30:00.007+02:00"), at);
    assert.equal(decodeDate("2026-03-29"), new Date("2026-03-29T00:00:00Z"));
  });
});
