import { databases } from "../support/databases.ts";
import { describe, requireOrSkip } from "../support/index.ts";
import { tellProduct } from "./mailed/product.ts";
import type { Story } from "./mailed/thief.ts";
import { generateProduct, type MailedWorld, openMailedWorld } from "./mailed/world.ts";

// What `fw:saas:setup` writes, in production: people in browsers of their own, and mails that a mail server gets.

const noBrowser = await requireOrSkip("browser");
const STORY_MS = 120_000;

for (const database of await databases()) {
  const reason = noBrowser ?? database.skip;
  describe(`A product of one command that people sign up to, on ${database.name}`, (it, { before, after }) => {
    let world: MailedWorld | undefined;
    if (reason === undefined) {
      before(async () => {
        world = await openMailedWorld(await generateProduct(), database);
      });
      after(async () => {
        await world?.close();
        await database.clean();
      });
    }
    const can: Story = (sentence, body) => it.unless(reason, sentence, () => body(world!), STORY_MS);
    tellProduct(can, { script: true, mark: "one" });
    tellProduct(can, { script: false, mark: "two" });
  });
}
