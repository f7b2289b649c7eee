import { AMBIGUOUS, findLocale, localeOf } from "framewright/host";
import { acceptedLocale } from "../../host/http/accepted_language.ts";
import { assert, describe } from "../support/index.ts";

const at = new Date("2026-06-30T14:05:00Z");

describe("A language", (it) => {
  it("writes days and times in its form, and English in one", () => {
    const texts = (name: string) => {
      const locale = localeOf(name);
      return [locale.dayText(at), locale.timeText(at), locale.dayOfYearText(at), locale.monthText(at)];
    };
    assert.equal(texts("en"), ["30 Jun 2026", "30 Jun 2026, 14:05", "30 Jun", "Jun 2026"]);
    assert.equal(texts("en-US"), texts("en"));
    assert.equal(texts("de"), ["30. Juni 2026", "30. Juni 2026, 14:05", "30. Juni", "Juni 2026"]);
    assert.equal(texts("fr").slice(0, 2), ["30 juin 2026", "30 juin 2026, 14:05"]);
  });

  it("writes numbers digit by digit, and amounts with their currency where Intl knows it", () => {
    const { numbers } = localeOf("de");
    assert.is(numbers.grouped("12345678901234567890.50"), "12.345.678.901.234.567.890,50");
    assert.equal([numbers.grouped(-1234), numbers.grouped(12), numbers.grouped("n/a")], ["-1.234", "12", "n/a"]);
    assert.is(numbers.money("1234.50", "EUR"), "1.234,50\u00a0€");
    assert.is(numbers.money("1234.50", "points"), "1.234,50 points");
    assert.is(numbers.rounded(1234.567), "1.234,57");
    assert.is(numbers.grouped("1".repeat(200_000)).length, 200_000, "no number of a column");
    const english = localeOf("en").numbers;
    assert.equal([english.grouped("1234567.50"), english.money("1234.50", "EUR")], ["1,234,567.50", "€1,234.50"]);
    assert.equal([english.money("-5", "USD"), numbers.money("-5", "EUR")], ["-$5", "-5\u00a0€"]);
  });

  it("reads numbers in its form, and marks what could be read in two ways", () => {
    const { numbers } = localeOf("de");
    const read = {
      ...{ "12,5": "12.5", "1.234,50": "1234.50", "1.234.567": "1234567", "-12,50": "-12.50", "1234": "1234" },
      ...{ "12.5": "12.5", "0.125": "0.125", "1.2345": "1.2345", " 1 234,5 ": "1234.5", "1,234": "1.234" },
      ...{ "1.234": `1.234${AMBIGUOUS}`, "-1.234": `-1.234${AMBIGUOUS}`, "12.34,5": "12.34,5", "1,2,3": "1,2,3" },
      ...{ "1,": "1,", "1.23.4": "1.23.4", abc: "abc", "": "", "1e3": "1e3" },
    };
    for (const [typed, plain] of Object.entries(read)) assert.is(numbers.read(typed), plain, typed);
    assert.equal([numbers.input("1234.50"), numbers.input(`1.234${AMBIGUOUS}`)], ["1234,50", "1.234"]);
    for (const value of ["0.125", "1.234", "1234.5", "-0.001"])
      assert.is(numbers.read(numbers.input(value)), value, "what an input shows is read back");
    assert.equal([localeOf("en").numbers.read("12,5"), localeOf("en").numbers.isOwn], ["12,5", false]);
  });

  it("keeps the capitals of nouns where it has them, and sorts labels as people expect", () => {
    assert.equal(
      [localeOf("en"), localeOf("de"), localeOf("fr")].map((one) => one.inSentence("Post Ä")),
      ["post ä", "Post Ä", "post ä"],
    );
    assert.equal(
      ["Zoo", "Äpfel", "Bank"].sort((a, b) => localeOf("de").compare(a, b)),
      ["Äpfel", "Bank", "Zoo"],
    );
  });

  it("is one that Intl knows, whatever is given", () => {
    for (const wrong of ["", "shop", "xx", "de_DE", "de-", "../de", "a".repeat(500), "en\n", undefined, null, 7, {}])
      assert.is(findLocale(wrong), undefined, String(wrong));
    assert.is(findLocale("pt-br")?.name, "pt-BR");
    assert.is(findLocale("de"), findLocale("de"));
  });
});

describe("Accept-Language", (it) => {
  const offered = ["en", "de", "pt-BR"];
  const cases: readonly (readonly [header: string, expected: string | undefined])[] = [
    ["de", "de"],
    ["de-AT, en;q=0.5", "de"],
    ["fr;q=0.9, de;q=0.8, *;q=0.1", "de"],
    ["de;q=0.2,en;q=0.3", "en"],
    ["DE", "de"],
    ["pt", "pt-BR"],
    ["pt-BR;q=1.000", "pt-BR"],
    ["pt-PT", undefined],
    ["*", "en"],
    ["en;q=0, *", "de"],
    ["en;q=0", undefined],
    ["fr, es", undefined],
    [";;,=,q=1,de;q=7,\u0000", undefined],
    ["de;q=0.8888, en", "en"],
    [`${"x,".repeat(30)}de`, undefined],
    [`${" ".repeat(2000)}de`, undefined],
    ["en;q=0.5;x=y, de;q=0.1", "de"],
  ];
  for (const [header, expected] of cases)
    it(`${JSON.stringify(header.slice(0, 40))} of ${offered.join(", ")} means ${expected}`, () =>
      assert.is(acceptedLocale(header, offered), expected));
});
