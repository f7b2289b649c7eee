import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../../support/index.ts";
import { hostile } from "./data.ts";
import { Generator } from "./generated.ts";
import { Guess } from "./guessed.ts";
import { corpus, Oracle } from "./oracle.ts";

// liquidjs is the oracle: whatever a template says, compiled it gives the same bytes, or fails at the same line.

const root = join(import.meta.dirname, "../../..");
/** The soak run asks for more. */
const GENERATED = Number(process.env.FW_TEST_TEMPLATES ?? 1_000);
const ROUNDS = 12;

/** The folders of views below a room. */
const viewFolders = (room: string): string[] =>
  readdirSync(join(root, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /(?:^|[\\/])views$/.test(name) && !name.includes("node_modules"))
    .map((name) => join(root, room, name))
    .filter((folder) => !folder.endsWith(join("plugins", "views")));
const templatesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".liquid"))
    .map((name) => join(folder, name));

describe("Compiled templates compared with liquidjs", (it) => {
  const cases = corpus("hostile");
  it(`Compiled templates give the same output as liquidjs for ${cases.length} hostile templates`, () => {
    const oracle = new Oracle();
    for (const text of cases) assert.is(oracle.difference(text, hostile), undefined);
    assert.ok(oracle.interpreted.size < cases.length / 4, `${oracle.interpreted.size} were not compiled`);
  });

  it(`Compiled templates give the same output as liquidjs for ${GENERATED} random templates`, () => {
    const generator = new Generator(20_261_122);
    const oracle = new Oracle();
    for (let count = 0; count < GENERATED; count++)
      assert.is(oracle.difference(generator.template(), hostile), undefined);
    assert.ok(oracle.interpreted.size < GENERATED / 4, `${oracle.interpreted.size} were not compiled`);
  });

  const folders = ["plugins", "test/support/demo", "test/bench/app"].flatMap(viewFolders);
  const files = folders.flatMap(templatesIn);
  it(`All ${files.length} templates of the framework and its applications give the output of liquidjs, ${ROUNDS} times each`, () => {
    assert.ok(files.length > 90);
    const oracle = new Oracle({}, folders);
    const guess = new Guess(
      files.map((file) => readFileSync(file, "utf8")),
      5,
    );
    for (let round = 0; round < ROUNDS; round++) {
      for (const file of files) {
        const locals = guess.locals();
        const { ours, theirs } = oracle.file(file, () => locals);
        assert.is(ours, theirs, file);
      }
    }
    assert.equal([...oracle.interpreted], []);
  });
});

describe("Template injection", (it) => {
  const attacks = corpus("attacks");
  it(`None of ${attacks.length} attacks makes a compiled template run code`, () => {
    const reached: string[] = [];
    Object.assign(globalThis, { broken: () => reached.push("broken out") });
    try {
      const oracle = new Oracle();
      for (const text of attacks) assert.is(oracle.difference(text, hostile), undefined);
      assert.equal([...oracle.interpreted], []);
      assert.equal(reached, []);
    } finally {
      Reflect.deleteProperty(globalThis, "broken");
    }
  });
});
