import fc from "fast-check";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { type Column, type Outcome, Samples, samples } from "./exact_app.ts";

// Records of any values, written by every means: what is stored is what was given, to the digit, or the field is refused by its
// name. FW_TEST_VALUE_RUNS says how many records a means is tried with, FW_TEST_VALUE_SEED repeats a run that failed.

const RUNS = Number(process.env.FW_TEST_VALUE_RUNS ?? 4);
const SEED = Number(process.env.FW_TEST_VALUE_SEED ?? Date.now() % 2 ** 31);

const anything = (): boolean => true;
type Given = Partial<Record<Column, string>>;

const text = (maxLength: number, more = "") =>
  fc
    .string({
      unit: fc.oneof(
        fc.constantFrom(..."aZé€ßﬁ漢🚀\"'<>&\\%;,=+-@ 07", ...more),
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      ),
      maxLength,
    })
    .filter(
      (value) =>
        !/[\p{Cc}\p{Cs}]/u.test(more === "" ? value : value.replaceAll("\n", "")) &&
        value.trim() === value &&
        !value.startsWith("'"),
    );
const digits = (most: number) => fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: most });
const decimal = (whole: number, scale: number) =>
  fc
    .tuple(fc.constantFrom("", "-"), digits(whole), fc.oneof(fc.constant(""), digits(scale)))
    .map(([sign, before, after]) => `${sign}${before}${after === "" ? "" : `.${after}`}`);
const near = (limit: bigint, spread: bigint) => fc.bigInt({ min: limit - spread, max: limit + spread }).map(String);
const day = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-30"), noInvalidDate: true });
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 })
  .map((value) => String(value + 0));
/** Its keys are in the order in which PostgreSQL has them. */
const document = fc
  .tuple(digits(25), decimal(20, 20), text(10), fc.boolean())
  .map(
    ([large, long, word, flag]) =>
      `{"d":${decimalOf(long)},"n":${BigInt(large)},"list":[${flag},null,{"t":${JSON.stringify(word)}}]}`,
  );

const arbitraries: Record<Column, fc.Arbitrary<string>> = {
  line: text(20),
  area: text(60, "\n"),
  small: fc.oneof(fc.integer().map(String), near(2n ** 31n, 2n), near(-(2n ** 31n), 2n)),
  big: fc.oneof(near(2n ** 53n, 9n), near(2n ** 63n, 9n), near(-(2n ** 63n), 9n), near(0n, 2n ** 63n)),
  exact: decimal(9, 3),
  wide: fc.oneof(decimal(20, 10), decimal(5, 10), decimal(15, 1)),
  whole: fc.oneof(decimal(19, 1), near(2n ** 63n, 9n)),
  ratio: number,
  flag: fc.constantFrom("1", "0"),
  day: day.map((at) => at.toISOString().slice(0, 10)),
  at: day.map((at) => at.toISOString().slice(0, 23)),
  clock: day.map((at) => at.toISOString().slice(11, 19)),
  document,
  stamp: fc.uuid(),
  price: decimal(15, 2),
  tint: fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 6, maxLength: 6 }).map((hex) => `#${hex}`),
};
const record: fc.Arbitrary<Given> = fc
  .record(arbitraries, { requiredKeys: [] })
  .filter((one) => Object.keys(one).length > 0);

/** Without zeros before a number of JSON. */
const decimalOf = (value: string): string => value.replace(/^(-?)0+(?=\d)/, "$1");
/** A decimal with so many places; zero has no sign. */
function padded(value: string, places: number): string {
  const [whole = "", fraction = ""] = decimalOf(value).split(".");
  const given = places === 0 ? whole : `${whole}.${fraction.slice(0, places).padEnd(places, "0")}`;
  return /[1-9]/.test(given) ? given : given.replace("-", "");
}
const places: Partial<Record<Column, number>> = { exact: 3, wide: 10, whole: 0, price: 2 };

/** A value as programs read it of a record. */
function expected(name: Column, given: string): unknown {
  if (given === "") return null;
  if (name in places) return padded(given, places[name]!);
  if (name === "small" || name === "ratio") return Number(given);
  if (name === "flag") return given === "1";
  if (name === "at") return `${given}Z`;
  return given;
}

const inside = (value: bigint, bits: number) => BigInt.asIntN(bits, value) === value;
const significant = (value: string) => {
  const [whole = "", fraction = ""] = decimalOf(value).replace("-", "").split(".");
  return `${whole}${fraction.replace(/0+$/, "")}`.replace(/^0+/, "").length;
};
/** Whether a value fits its column, so that it has to be stored. */
function fits(name: Column, given: string, database: string): boolean {
  if (name === "small") return inside(BigInt(given), 32);
  if (name === "big") return inside(BigInt(given), 64);
  if (name === "price") return isSafeCents(given);
  if (!(name in places)) return true;
  const [whole = "", fraction = ""] = decimalOf(given).replace("-", "").split(".");
  const scale = places[name]!;
  const precision = { exact: 12, wide: 30, whole: 19 }[name as "exact"];
  if (whole.replace(/^0+/, "").length > precision - scale || /[1-9]/.test(fraction.slice(scale))) return false;
  if (database !== "sqlite" || significant(given) <= 15) return true;
  return !/[1-9]/.test(fraction) && inside(BigInt(decimalOf(given).split(".")[0]!), 64);
}
const isSafeCents = (given: string) => Number.isSafeInteger(Number(padded(given, 2).replace(".", "")));

/** What JSON has in place of a text: numbers where they are exact, else texts; documents parsed where they are. */
function ofJson(given: Given): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (name === "flag") return [name, value === "1"];
      if (name === "small" || name === "ratio") return [name, Number(value)];
      return [name, value];
    }),
  );
}

for (const database of await databases({ withPostgres: true })) {
  describe(`Any values by every means, on ${database.name}`, (it, { before, after }) => {
    let all: Samples;
    if (database.skip === undefined) {
      before(async () => {
        all = await Samples.open(await database.values());
      });
      after(async () => {
        await all?.close();
        await database.clean();
      });
    }
    const knex = () => databaseOf(all.app.application).knex;
    /** `may` says which values a means takes at all. */
    const can = (
      sentence: string,
      write: (path: string, given: Given) => Promise<Outcome>,
      {
        may = anything,
        read,
      }: { may?: (name: Column, value: string) => boolean; read?: (path: string) => Promise<string> } = {},
    ) =>
      it.unless(database.skip, sentence, async () => {
        const property = fc.asyncProperty(record, async (given) => {
          await knex()("samples").delete();
          const { path } = (await all.create({ label: "a sample" })) as { path: string };
          const [good, bad] = [true, false].map((wanted) =>
            Object.fromEntries(
              Object.entries(given).filter(
                ([name, value]) =>
                  (fits(name as Column, value, database.name) && may(name as Column, value)) === wanted,
              ),
            ),
          );
          let left = { ...given };
          for (let written = await write(path, left); "refused" in written; written = await write(path, left)) {
            assert.ok(written.refused.length > 0, "nothing is named");
            for (const name of written.refused)
              assert.ok(name in bad!, `${name} was refused of ${JSON.stringify(left)}`);
            left = Object.fromEntries(Object.entries(left).filter(([name]) => !written.refused.includes(name)));
            if (Object.keys(left).length === 0) return;
          }
          assert.equal(left, good, "what does not fit was stored");
          const { path: at } = (await write(path, left)) as { path: string };
          await stored(read ? await read(at) : at, left, may === anything);
        });
        const found = await fc.check(property, { numRuns: RUNS, seed: SEED, endOnFailure: RUNS < 20 });
        if (!found.failed) return;
        const { message, details } = found.errorInstance as { message?: string; details?: string };
        throw new Error(
          `FW_TEST_VALUE_SEED=${SEED} ${JSON.stringify(found.counterexample)}\n${message} ${details ?? ""}`,
        );
      });

    /** Compares what was given with what programs, forms and exports read. */
    const stored = async (path: string, given: Given, keepsText: boolean) => {
      const data = await all.read(path);
      const form = await all.form(`${path}/edit`);
      for (const [name, value] of Object.entries(given) as [Column, string][]) {
        const wanted = expected(name, value);
        if (name === "document") {
          assert.equal(JSON.parse(form.document!), JSON.parse(value), name);
          if (keepsText) assert.equal(compact(form.document!), compact(value), name);
        } else {
          assert.equal(data[name], wanted, name);
          if (!["flag", "at", "area", "ratio"].includes(name))
            assert.is(form[name] ?? "", wanted === null ? "" : String(wanted), name);
        }
      }
      const csv = await (await all.get(`${samples}/export.csv`)).text();
      for (const name of ["big", "wide", "whole", "exact"] as const)
        if (given[name]) assert.match(csv, String(expected(name, given[name])), `${name} in the export`);
    };
    /** Whether code that gets a value parsed has all of its digits. */
    const isParsed = (name: Column, value: string) =>
      name !== "document" || numbersIn(value).every((one) => digitsOf(one) === digitsOf(String(Number(one))));

    can("A form stores what was typed", (path, given) => all.byForm(path, given));
    can("A form of a new record does", (path, given) => all.byNewForm(path, given));
    can("JSON does", (path, given) => all.byJson(path, ofJson(given)));
    can("Cells of the list do", (path, given) => all.byCells(path, given));
    can("An interaction does", (path, given) => all.byInteraction(path, ofJson(given)), { may: isParsed });
    can("A wizard does", (path, given) => all.byWizard(path, given), { may: isParsed });
    can("An import does", (path, given) => all.byImport(path, given));
    can("A duplicate has them, and saves them", (path, given) => all.byForm(path, given), {
      read: async (path) => (await all.submit(`${path}/duplicate`, {})).to,
    });
    can("A deletion that is undone brings them back", (path, given) => all.byForm(path, given), {
      read: async (path) => {
        await all.destroyAndUndo(path);
        return path;
      },
    });
    can("An export that is imported again leaves them", (path, given) => all.byForm(path, given), {
      read: async (path) => {
        await all.importExport(path);
        return path;
      },
    });
  });
}

const numbersIn = (text: string): string[] => text.replace(/"(?:[^"\\]|\\.)*"/g, "").match(/-?\d+(?:\.\d+)?/g) ?? [];
const digitsOf = (number: string): string =>
  number
    .replace(/e.*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");

/** A document's text without white space outside of its texts. */
const compact = (text: string): string =>
  text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, quoted: string | undefined) => quoted ?? "");
