import type { Page } from "playwright-core";
import { addPeople } from "../../plugins/authlib/accounts.ts";
import { addDevice } from "../../support/authenticator.ts";
import { assert, describe } from "../../support/index.ts";
import { arrive, words } from "../looks.ts";
import { finish } from "../stories/pages.ts";
import { send, signInAs } from "./hands.ts";
import { look } from "./tour.ts";
import type { AccountsWorld } from "./world.ts";

async function addPasskey(page: Page, type: string, name: string): Promise<void> {
  await page.goto(`/${type}/webauthn-setup`);
  await page.getByLabel("Passkey name").fill(name);
  await send(page, "Add a passkey");
  await page.locator(".fw-flash-success").waitFor();
  assert.match(await words(page.locator(".fw-authlib-rows")), name);
}

async function signOut(page: Page, type: string): Promise<void> {
  await page.goto(`/${type}/logout`);
  await send(page);
  await arrive(page, /login$/);
}

export function tellPasskeys(world: () => AccountsWorld, reason: string | undefined): void {
  describe("Passkeys in Chromium", (it) => {
    it.unless(reason, "A passkey is added, used to sign in, and removed after the password", async () => {
      await addPeople(world().app, "user", "key@example.test");
      const visitor = await world().visit();
      const { page } = visitor;
      const device = await addDevice(visitor);
      await signInAs(page, "key@example.test");
      await addPasskey(page, "users", "Kitchen laptop");
      await look(page, "webauthn-setup");
      await device.answer(false);
      await signOut(page, "users");
      await page.getByRole("link", { name: "Use a passkey" }).click();
      await arrive(page, /webauthn-auth$/);
      await device.answer(true);
      await send(page, "Use a passkey");
      await arrive(page, /\/user$/);
      await page.goto("/users/webauthn-setup");
      await page.getByRole("link", { name: "Remove: Kitchen laptop" }).click();
      await arrive(page, /remove=\d+$/);
      await look(page, "webauthn-remove");
      assert.is(await page.locator("[name=password]").count(), 1, "who signed in without the password is asked for it");
      await page.locator("[name=password]").fill("correct horse battery");
      await send(page, "Remove");
      await arrive(page, /webauthn-setup$/);
      assert.match(await words(page.locator("main")), "You have no passkeys yet.");
      await finish(visitor);
    });

    it.unless(reason, "A passkey is required after the password where it is the second factor", async () => {
      await addPeople(world().app, "clerk", "second@example.test");
      const visitor = await world().visit();
      const { page } = visitor;
      const device = await addDevice(visitor);
      await signInAs(page, "second@example.test", "clerks");
      await addPasskey(page, "clerks", "Desk");
      await device.answer(false);
      await signOut(page, "clerks");
      await signInAs(page, "second@example.test", "clerks");
      await arrive(page, /webauthn-auth$/);
      await look(page, "webauthn-second");
      await device.answer(true);
      await send(page, "Use a passkey");
      await arrive(page, /\/clerk$/);
      await finish(visitor);
    });

    it.unless(
      reason,
      "The page of passkeys explains a cancelled choice, and links to the host name at an IP address",
      async () => {
        const visitor = await world().visit();
        const { page } = visitor;
        const device = await addDevice(visitor);
        await page.goto("/users/webauthn-auth");
        await send(page, "Use a passkey");
        await page.getByText("Cancelled. Try again.").waitFor();
        await device.session.send("WebAuthn.disable");
        await page.goto(`${world().app.url}/users/webauthn-auth`);
        assert.match(await words(page.locator("main")), "this page was opened by an IP address");
        assert.is(await page.locator("main button.btn").count(), 0);
        await page.getByRole("link", { name: /^Open this page at localhost/ }).click();
        await page.waitForURL(/^http:\/\/localhost:/);
        await page.getByRole("button", { name: "Use a passkey" }).waitFor();
        await finish(visitor);
      },
    );

    it.unless(reason, "The page of passkeys says that it needs JavaScript", async () => {
      const visitor = await world().visit({ script: false });
      await visitor.page.goto("/users/webauthn-auth");
      await visitor.page.locator("noscript .fw-notice").waitFor();
      assert.is(await visitor.page.locator("main button:visible").count(), 0);
      await visitor.page.getByRole("link", { name: "Back to sign in" }).click();
      await arrive(visitor.page, /login$/);
      await finish(visitor);
    });
  });
}
