import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { difference } from "./pictures/likeness.ts";
import { takeAll } from "./pictures/take.ts";
import { openWorld, type World } from "./world.ts";

const folder = join(import.meta.dirname, "../../docs/pictures");
const reason = await reasonToSkip("browser");

describe("The pictures of the documents", (it, { before, after }) => {
  let world: World;
  if (reason === undefined) {
    before(async () => {
      world = await openWorld();
    });
    after(() => world?.close());
  }

  it.unless(reason, "Each shows its page as it is today; npm run pictures takes them again", async () => {
    const old: string[] = [];
    const names: string[] = [];
    await takeAll(world, async (name, png) => {
      names.push(`${name}.webp`);
      const place = join(folder, `${name}.webp`);
      const part = existsSync(place) ? await difference(readFileSync(place), png) : 1;
      if (part > 0.05) old.push(`${name}: ${Math.round(part * 100)} % of it is different`);
    });
    assert.equal(old, []);
    assert.equal(readdirSync(folder).sort(), names.sort(), "no picture is left of a page that is gone");
  });

  it("Every picture that a document shows exists", () => {
    const readme = readFileSync(join(folder, "../../README.md"), "utf8");
    const shown = [...readme.matchAll(/docs\/pictures\/[\w-]+\.webp/g)].map(([path]) => join(folder, "../..", path));
    assert.ok(shown.length >= 6, "three pictures, in light and dark");
    assert.equal(
      shown.filter((path) => !existsSync(path)),
      [],
    );
  });
});
