import { databases } from "../support/databases.ts";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { tellAdmins } from "./accounts_flow/admins.ts";
import { addPortals, connect, editByHand, generate, PARTNER_KEY } from "./accounts_flow/application.ts";
import { NEW, PASSWORD } from "./accounts_flow/hands.ts";
import { tellPasskeys } from "./accounts_flow/passkeys.ts";
import { type Can, tellDays, tellLockout, tellMails, tellSecondFactor } from "./accounts_flow/people.ts";
import { tellPortals } from "./accounts_flow/portals.ts";
import { reasonForNoCurl, tellRefusals, tellTokens } from "./accounts_flow/tokens.ts";
import { openWorld, type World } from "./accounts_flow/world.ts";
import { fwOk, runFw } from "./support.ts";

// The whole story of accounts, in an application that commands made, as people would do it: built, in production, with
// the limits that it came with, and mails that go out by SMTP. MariaDB has the parts of it that the database decides.

const noBrowser = await reasonToSkip("browser");
const all = await databases({ mysqlInSoak: true });
const worlds = new Map<string, World>();
let app = "";

describe("An application with accounts", (it) => {
  it("An application with accounts is generated in an empty folder", async () => {
    app = await generate();
  });
  it("A portal without a mode exits 2 and names --auth, --public and --byo, and portals of each mode are generated", async () => {
    const { code, err } = await runFw(app, "g", "fw:pkg:portal", "nothing");
    assert.is(code, 2);
    for (const flag of ["--auth", "--public", "--byo"]) assert.match(err, flag);
    await addPortals(app);
  });
  it("A resource is connected to the portals, and generated files are edited by hand", async () => {
    await connect(app);
    editByHand(app);
  });
  it("An application with accounts is built and served on each database", async () => {
    await fwOk(app, "build");
    const usable = all.filter(({ skip }) => skip === undefined);
    await Promise.all(
      usable.map(async (database) => worlds.set(database.name, await openWorld(app, await database.values()))),
    );
  });
});

for (const database of all) {
  const isWhole = database.name === "sqlite";
  describe(`The flows of accounts, on ${database.name}`, (it, { after }) => {
    const canIf =
      (reason: string | undefined): Can =>
      (sentence, body) =>
        it.unless(database.skip ?? reason, sentence, () => body(worlds.get(database.name)!));
    const can = canIf(undefined);
    after(async () => {
      await worlds.get(database.name)?.stop();
      await database.clean();
    });

    tellMails(can);
    tellSecondFactor(can);
    tellLockout(can);
    tellTokens(canIf(reasonForNoCurl));
    if (isWhole) {
      tellRefusals(canIf(reasonForNoCurl));
      tellDays(can);
      const admin = tellAdmins(can);
      tellPortals(can, admin, reasonForNoCurl);
      tellPasskeys(canIf(noBrowser));
    }
    can(
      "The log contains no password, API key or mailed key, and the application stops with exit 0",
      async (served) => {
        const keys = served.texts.flatMap((text) => /key=([\w-]{20,})/.exec(text)?.[1] ?? []);
        assert.ok(keys.length > 3);
        worlds.delete(database.name);
        assert.is(await served.stop(), 0);
        for (const secret of [PASSWORD, NEW, PARTNER_KEY, ...keys]) assert.not.match(served.output(), secret);
      },
    );
  });
}
