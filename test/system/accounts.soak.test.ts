import { addPeople } from "../plugins/authlib/accounts.ts";
import { assert, describe, requireOrSkip } from "../support/index.ts";
import { tellFlows } from "./accounts/flows.ts";
import { signInAs } from "./accounts/hands.ts";
import { tellPasskeys } from "./accounts/passkeys.ts";
import { tellTour } from "./accounts/tour.ts";
import { type AccountsWorld, openAccountsWorld } from "./accounts/world.ts";

import { arrive, words } from "./looks.ts";
import { finish } from "./stories/pages.ts";

const reason = await requireOrSkip("browser");
const opened = reason === undefined ? await openAccountsWorld() : undefined;
const world = () => opened as AccountsWorld;

tellTour(world, reason);
tellFlows(world, reason);
tellPasskeys(world, reason);

describe("The Back button", (it, { after }) => {
  after(() => opened?.close());
  it.unless(reason, "The Back button shows nothing of an account after the sign-out", async () => {
    const { app, visit } = world();
    await addPeople(app, "user", "back@example.test");
    const visitor = await visit();
    const { page } = visitor;
    await signInAs(page, "back@example.test");
    await page.goto("/users/account");
    await page.getByRole("link", { name: "View: Other devices" }).click();
    await arrive(page, /sessions$/);
    await page.goBack();
    await arrive(page, /account$/);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await arrive(page, /login$/);
    await page.locator("[data-reveal]:visible").waitFor(); // its script has run
    await page.goBack();
    await page.getByText("Sign in to continue.").waitFor();
    assert.not.match(await words(page.locator("body")), "back@example.test");
    await finish(visitor);
  });
});
