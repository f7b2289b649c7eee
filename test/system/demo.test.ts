import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { tellForms } from "./stories/forms.ts";
import { tellHands } from "./stories/hands.ts";
import { tellLists } from "./stories/lists.ts";
import { tellMembers } from "./stories/members.ts";
import { tellPages } from "./stories/pages.ts";
import { tellWizards } from "./stories/wizards.ts";
import { openWorld, startDemo, type World } from "./world.ts";

const reason = await reasonToSkip("browser");
const opened = reason === undefined ? await openWorld() : undefined;
const world = () => opened as World;

tellPages(world, reason);
tellLists(world, reason);
tellHands(world, reason);
tellMembers(world, reason);
tellForms(world, reason);
tellWizards(world, reason);

describe("The command npm run demo", (it, { after }) => {
  after(() => opened?.close());

  it.unless(reason, "npm run demo makes an application that type-checks", () => {
    const compiler = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [compiler, "-p", world().root], { encoding: "utf8" });
  });

  it.unless(
    reason,
    "npm run demo exits 0 on SIGTERM and SIGINT, and serves the existing application when it runs again",
    async () => {
      assert.is(await world().demo.stop(), 0);
      world().demo = await startDemo(world().root);
      assert.match(world().demo.output, /is served as it is/);
      const answer = await fetch(`${world().demo.url}/public/blogging/categories/1`);
      assert.match(await answer.text(), /How-to guides/);
      assert.is(await world().demo.stop("SIGINT"), 0);
    },
  );
});
