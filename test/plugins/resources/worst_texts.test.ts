// What is read, checked, shown or searched takes 20 ms at most for 100,000 characters of the kind that it is worst at.
import { exactDecimal, toCents, valueProblems } from "framewright/plugins/database";
import { displays, readField } from "framewright/plugins/fields";
import { attachment, cleanFilename } from "../../../host/http/filenames.ts";
import { parseForm } from "../../../host/http/form_body.ts";
import { readJson } from "../../../host/http/json_body.ts";
import { readLocalTimes } from "../../../host/http/local_times.ts";
import { escapeHtml, safeUrl } from "../../../host/support/html.ts";
import { english, findLocale } from "../../../host/support/locale.ts";
import { decodeDate } from "../../../plugins/database/models/codec.ts";
import { columnProblem } from "../../../plugins/database/validation/column_checks.ts";
import { examinePatterns } from "../../../plugins/database/validation/examine_patterns.ts";
import { displayWords } from "../../../plugins/fields/components/displays.ts";
import { standardTypes } from "../../../plugins/fields/types/index.ts";
import { assert, describe } from "../../support/index.ts";
import { within } from "../../support/pace.ts";

const CHARS = 100_000;
const MAX_MS = 20;
/** Compilers and collectors run now and then: the best of them counts. */
const RUNS = 6;

const fill = (part: string, end = "") => part.repeat(CHARS / part.length + 1).slice(0, CHARS - end.length) + end;
const signs = [..."aA019 .-/@+%é\u0301[(*_`<>#|&'\"\\,:=?!\n\u2003", "😀", "\ud800", "\r\n"];
const pairs = [
  ..."1 |1,|1.|a@|a.|a/|aA|Aa1|[]|[](|![|**a|* |> |<a|<a |&#1;|- a\n|a\n|\n\n |www.a |http://|http://a |a@b.c |//a|a=|{},|1:|..|=&|;q=0,".split(
    "|",
  ),
  "|a",
  "|a|\n|-|\n",
];
const endings: readonly [part: string, end: string][] = [
  ...[..."1 0.aA-/+@#"].flatMap((part): [string, string][] => [
    [part, "x"],
    [part, "\n x"],
    [part, "@"],
    [part, "!"],
  ]),
  ["1,234", "x"],
  ["1.234.", "x"],
];
const texts = [
  ...[...signs, ...pairs].map((part) => fill(part)),
  ...endings.map(([part, end]) => fill(part, end)),
  ...["https://a", "http://x?", "a@b", "#", "-", "2026-01-01", "12:", "+49"].flatMap((start) =>
    ["a", "0", " ", "/", "."].map((part) => `${(start + fill(part)).slice(0, CHARS - 3)}\n \u0001`),
  ),
  `${"[".repeat(CHARS / 2)}${"]".repeat(CHARS / 2)}`,
  `${'{"a":'.repeat(CHARS / 6)}1${"}".repeat(CHARS / 6)}`,
  JSON.stringify(fill("\\")),
];

/** The worst of all texts for a function, in milliseconds, with the text's beginning and end. */
function worst(run: (text: string) => unknown): { ms: number; text: string } {
  let found = { ms: 0, text: "" };
  for (const text of texts) {
    let ms = Number.POSITIVE_INFINITY;
    for (let at = 0; at < RUNS && ms > MAX_MS / 2; at++)
      ms = Math.min(
        ms,
        timeOf(() => run(text)),
      );
    if (ms > found.ms) found = { ms, text: `${text.slice(0, 12)}…${text.slice(-6)}` };
    if (ms > MAX_MS) break;
  }
  return found;
}
/** Milliseconds of the processor: what else the machine does does not count. */
function timeOf(run: () => unknown): number {
  const start = process.cpuUsage();
  try {
    run();
  } catch {
    // refused, which is as good as read
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function assertFast(named: Record<string, (text: string) => unknown>): void {
  const slow = Object.entries(named).flatMap(([name, run]) => {
    const { ms, text } = worst(run);
    return ms > MAX_MS ? [`${name}: ${ms.toFixed(0)} ms for ${JSON.stringify(text)}`] : [];
  });
  assert.equal(slow, []);
}

const languages = [english, findLocale("de")!].map((locale) => displayWords((key) => key, locale));

describe("Texts that are made to be slow", (it) => {
  for (const [name, type] of standardTypes.entries())
    it(`are read, checked and shown in time as "${name}"`, () => {
      const field = { as: name };
      assertFast({
        read: (text) => readField(field, text),
        validate: (text) => type.validate(text as never, {}),
        ...Object.fromEntries(
          languages.map((words) => [
            `display in ${words.locale.name}`,
            (text: string) => String(type.display(text, { words })),
          ]),
        ),
        cell: (text) => String(type.cell(text, { words: languages[0]!, truncate: 60 })),
        text: (text) => type.text?.(text),
        json: (text) => type.json?.(text),
        parse: (text) => type.parse?.(text),
      });
    });

  it("are checked in time by every rule", () => {
    const column = { name: "x", nullable: true, primary: false, hasDefault: false } as const;
    const types = ["string", "integer", "bigint", "decimal", "float", "boolean", "date", "datetime", "time"] as const;
    assertFast({
      length: (text) => valueProblems(text, { length: { minimum: 1, maximum: 5 } }),
      numericality: (text) => valueProblems(text, { numericality: { onlyInteger: true, greaterThan: 1 } }),
      inclusion: (text) => valueProblems(text, { inclusion: ["a"], exclusion: ["b"], acceptance: true }),
      presence: (text) => valueProblems(text, { presence: true }),
      ...Object.fromEntries(
        types.map((type) => [
          `column ${type}`,
          (text: string) => columnProblem({ ...column, type, maxLength: 255, precision: 20, scale: 5 } as never, text),
        ]),
      ),
    });
  });

  it("are read in time by every parser", () => {
    assertFast({
      form: (text) => parseForm(text),
      "form field": (text) => parseForm(`post[title]=${text}`),
      json: (text) => readJson(text),
      times: (text) => readLocalTimes({ a: text, _zone_a: "Europe/Berlin" }),
      "number in English": (text) => english.numbers.read(text),
      "number in German": (text) => findLocale("de")!.numbers.read(text),
      "file name": (text) => attachment(cleanFilename(text)),
      money: (text) => toCents(text),
      decimal: (text) => exactDecimal(text, 5),
      instant: (text) => decodeDate(text),
      address: (text) => safeUrl(text),
      escaped: (text) => escapeHtml(text),
      "label of a value": (text) => String(displays.status!(text, { words: languages[0]! })),
    });
  });

  it("of a form of 1 MB take 50 ms", () => {
    const forms = ["+", "a+", "%2B+", "é+", "&", "&a", "=", "[", "a[b]"].map(
      (part) => `a=${part.repeat(1_000_000 / part.length)}`,
    );
    const fields = Array.from({ length: 1000 }, (_, at) => `a[${at}]=${"+".repeat(990)}`).join("&");
    for (const form of [...forms, fields]) {
      const ms = Math.min(...Array.from({ length: 3 }, () => timeOf(() => parseForm(form))));
      assert.ok(ms < within(50), `${form.slice(0, 8)} took ${ms.toFixed(0)} ms`);
    }
    assert.is(parseForm(`a=${"1+é%2B".repeat(100)}`).a, "1 é+".repeat(100));
  });

  it("reach no pattern that their length rule or their column refuses", () => {
    let runs = 0;
    const pattern = /^x/;
    pattern.test = () => {
      runs++;
      return true;
    };
    const long = "x".repeat(300);
    assert.is(valueProblems(long, { length: { maximum: 255 }, format: { with: pattern } }).length, 1);
    valueProblems(long, { format: { with: pattern } }, long, 255);
    assert.is(runs, 0);
    valueProblems("x", { length: { maximum: 255 }, format: { with: pattern } });
    assert.is(runs, 1);
    const slow = { as: "url", length: { maximum: 255 } };
    assert.equal(readField(slow, long), { value: long }, "what the rule refuses is not checked by its type");
  });
});

describe("fw doctor", (it) => {
  it("names a pattern that is slow for a text that is made for it, and not the ones that scaffolds write", () => {
    const model = (pattern: RegExp) => ({
      constant: "Link",
      class: { validations: { url: { format: { with: pattern } } } },
    });
    const found = (pattern: RegExp) => examinePatterns([model(pattern)] as never);
    for (const slow of [/^https?:\/\/[^\s/]+\S*$/i, /^(a+)+$/, /^\w+([.-]?\w+)*@\w+$/]) {
      assert.not(found(slow).ok, String(slow));
      assert.ok(
        found(slow).detail.includes(`Link.validations.url: ${slow}`),
        "names the model, the attribute and the pattern",
      );
    }
    for (const fast of [/^https?:\/\/[^\s/]\S*$/i, /^[^\s@]+@[^\s@]+$/, /^#[0-9a-f]{6}$/i])
      assert.ok(found(fast).ok, String(fast));
  });
});
