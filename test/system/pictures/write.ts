// `npm run pictures`: takes the pictures of the documents from the demo, in light and dark.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openWorld } from "../world.ts";
import { webp } from "./likeness.ts";
import { takeAll } from "./take.ts";

const folder = join(import.meta.dirname, "../../../docs/pictures");
mkdirSync(folder, { recursive: true });
const world = await openWorld();
try {
  await takeAll(world, async (name, png) => {
    const picture = await webp(png);
    writeFileSync(join(folder, `${name}.webp`), picture);
    process.stdout.write(`docs/pictures/${name}.webp (${Math.round(picture.length / 1024)} kB)\n`);
  });
} finally {
  await world.close();
}
