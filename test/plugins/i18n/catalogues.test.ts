import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Catalogue } from "framewright/plugins/i18n";
import { assert, describe } from "../../support/index.ts";

const root = join(import.meta.dirname, "../../..");
const catalogues = readdirSync(join(root, "plugins"), { recursive: true, encoding: "utf8" })
  .map((path) => join(root, "plugins", path))
  .filter((path) => /(?:^|\/)en\.json$/.test(path) && !path.includes("node_modules"));

type TextsByKey = Readonly<Record<string, string>>;
const textsOf = (catalogue: Catalogue, prefix = ""): TextsByKey =>
  Object.fromEntries(
    Object.entries(catalogue).flatMap(([key, value]) =>
      typeof value === "object" ? Object.entries(textsOf(value, `${prefix}${key}.`)) : [[prefix + key, value]],
    ),
  );
const read = (path: string): TextsByKey => textsOf(JSON.parse(readFileSync(path, "utf8")) as Catalogue);
const placeholders = (text: string) => [...new Set(text.match(/(?<=\{\{\s*)\w+/g) ?? [])].sort();
/** The keys that a count chooses from, without their forms. */
const counted = (texts: TextsByKey) => [
  ...new Set(
    Object.entries(texts).flatMap(([key, text]) => {
      const [, name, form] = /^(.*)_(one|other)$/.exec(key) ?? [];
      return name !== undefined && (form === "other" || /\{\{\s*count\b/.test(text)) ? [name] : [];
    }),
  ),
];

describe("The German catalogue", (it) => {
  it("stands beside every English one", () => {
    assert.ok(catalogues.length > 25);
    const alone = catalogues.filter((path) => !existsSync(join(dirname(path), "de.json")));
    assert.equal(
      alone.map((path) => relative(root, path)),
      [],
    );
  });

  for (const path of catalogues) {
    const place = relative(root, dirname(path));
    const english = read(path);
    const german = existsSync(join(dirname(path), "de.json")) ? read(join(dirname(path), "de.json")) : {};
    it(`of ${place} has the same keys, and a text for each`, () => {
      assert.equal(Object.keys(german).sort(), Object.keys(english).sort());
      assert.equal(
        Object.keys(german).filter((key) => german[key]!.trim() === ""),
        [],
      );
    });
    it(`of ${place} has the same placeholders`, () => {
      for (const [key, text] of Object.entries(english))
        assert.equal(placeholders(german[key] ?? ""), placeholders(text), key);
    });
    it(`of ${place} has both plural forms of what is counted`, () => {
      for (const texts of [english, german])
        for (const key of counted(texts))
          for (const form of new Intl.PluralRules("de").resolvedOptions().pluralCategories)
            assert.ok(`${key}_${form}` in texts, `${key}_${form}`);
    });
  }

  it("addresses people as “Sie”, and quotes as German does", () => {
    for (const path of catalogues)
      for (const [key, text] of Object.entries(read(join(dirname(path), "de.json")))) {
        assert.not.match(text, /\b(?:[Dd]u|[Dd]ein\w*|[Dd]ir|[Dd]ich)\b/, key);
        assert.not.match(text, /["”]/, key);
      }
  });
});
