import { describe, requireOrSkip } from "../support/index.ts";
import { tellFlows } from "./accounts/flows.ts";
import { tellPasskeys } from "./accounts/passkeys.ts";
import { tellTour } from "./accounts/tour.ts";
import { type AccountsWorld, openAccountsWorld } from "./accounts/world.ts";

const reason = await requireOrSkip("browser");
const opened = reason === undefined ? await openAccountsWorld() : undefined;
const world = () => opened as AccountsWorld;

tellTour(world, reason);
tellFlows(world, reason);
tellPasskeys(world, reason);

describe("accounts in the browser", (it, { after }) => {
  after(() => opened?.close());
  it.unless(reason, "answer as long as the last of them looks", () => undefined);
});
