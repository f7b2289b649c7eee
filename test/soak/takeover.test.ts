import { databases } from "../support/databases.ts";
import { describe, requireOrSkip } from "../support/index.ts";
import { tellGuesses } from "./mailed/guesser.ts";
import { type Story, tellTakeover } from "./mailed/thief.ts";
import { generateShop, type MailedWorld, openMailedWorld } from "./mailed/world.ts";

// Somebody knows the password of another person. Told with a generated application in production, people in browsers
// of their own, and mails that a mail server gets.

const noBrowser = await requireOrSkip("browser");
const STORY_MS = 120_000;

for (const database of await databases()) {
  const reason = noBrowser ?? database.skip;
  describe(`An account whose password a thief knows, on ${database.name}`, (it, { before, after }) => {
    let world: MailedWorld | undefined;
    if (reason === undefined) {
      before(async () => {
        world = await openMailedWorld(await generateShop(), database);
      });
      after(async () => {
        await world?.close();
        await database.clean();
      });
    }
    const can: Story = (sentence, body) => it.unless(reason, sentence, () => body(world!), STORY_MS);
    tellTakeover(can);
    if (database.name === "sqlite") tellGuesses(can);
  });
}
