import { assert, describe } from "../support/index.ts";
import { checkPages, expectedOf, foundOf, names, OmissionApp, withNeeds } from "./omission.ts";

describe("The plugins of lists and pages, each left out", (it, { before }) => {
  const app = new OmissionApp();
  before(() => app.make());

  for (const name of names)
    it(`Without ${name}() the application boots, type-checks and serves its list, and nothing of it is left; the others are whole`, async () => {
      const left = withNeeds([name]);
      app.leaveOut(left);
      app.define(left);
      const seen = await app.see();
      checkPages(seen, `without ${name}`);
      for (const one of names) {
        const found = foundOf(one, seen);
        if (left.includes(one)) assert.equal(found, [], one);
        else assert.ok(found.length >= expectedOf(one, left), `${one} without ${name}: ${found.join("\n")}`);
      }
      await app.typeChecks();
    });
});
