import { assert } from "../../support/index.ts";
import { codeOf, expect, NEW, PASSWORD, setAppUp, signIn, signOut, signUp } from "./hands.ts";
import type { World } from "./world.ts";

export type Can = (sentence: string, body: (world: World) => Promise<void>) => void;
const home = "/customer";

export function tellMails(can: Can): void {
  can("A user who signs up can't sign in until the mailed link is confirmed, which works only once", async (world) => {
    const client = world.client();
    const fields = { login: "Ann@Example.test", password: PASSWORD, password_confirmation: PASSWORD };
    await expect(await client.submit("/users/create-account", fields), 303, "/users/mailed?again=verify-account");
    await expect(await client.request(home), 303, "/users/login");
    await expect(await signIn(world.client(), "ann@example.test"), 422);
    const link = await world.mailed("ann@example.test", "Verify your address");
    await expect(await client.request(link), 200);
    await expect(await client.request(home), 303, "/users/login"); // looking changes nothing
    await expect(await client.submit(link, {}), 303, home);
    await expect(await client.request(home), 200);
    await expect(await world.client().request(link), 422); // it is good once
  });

  can("A password reset by the mailed link ends every session and the old password", async (world) => {
    const before = await signUp(world, "bob@example.test");
    const client = world.client();
    const asked = await client.submit("/users/reset-password-request", { login: "bob@example.test" });
    await expect(asked, 303, "/users/mailed?again=reset-password-request");
    const link = await world.mailed("bob@example.test", "Set a new password");
    await expect(await client.submit(link, { password: "qwertyuiop", password_confirmation: "qwertyuiop" }), 422);
    await expect(await client.submit(link, { password: NEW, password_confirmation: NEW }), 303, "/users/login");
    await expect(await before.request(home), 303, "/users/login");
    await expect(await signIn(world.client(), "bob@example.test"), 422);
    await expect(await signIn(world.client(), "bob@example.test", NEW), 303, home);
    await expect(await client.request(link), 422);
  });
}

export function tellDays(can: Can): void {
  can(
    "A remembered sign-in survives the loss of the session cookie, and signing out ends copied cookies too",
    async (world) => {
      await signUp(world, "rem@example.test");
      const client = world.client();
      await expect(await client.request("/customer/blogging/posts?page=1"), 303, "/users/login");
      await expect(
        await signIn(client, "rem@example.test", PASSWORD, { remember: "1" }),
        303,
        "/customer/blogging/posts?page=1",
      );
      client.forget("fw_session");
      await expect(await client.request(home), 200);
      const thief = client.copy();
      await signOut(client);
      thief.forget("fw_session");
      for (const other of [client, thief]) await expect(await other.request(home), 303, "/users/login");
      const without = world.client();
      await expect(await signIn(without, "rem@example.test"), 303, home);
      without.forget("fw_session");
      await expect(await without.request(home), 303, "/users/login");
    },
  );

  can("A login changes by the link sent to the new address, and the old address is notified", async (world) => {
    const client = await signUp(world, "dan@example.test");
    const asked = await client.submit("/users/change-login", { login: "dan2@example.test", password: PASSWORD });
    await expect(asked, 303, "/users/account");
    await expect(await signIn(world.client(), "dan2@example.test"), 422);
    const link = await world.mailed("dan2@example.test", "Confirm your new address");
    await expect(await client.submit(link, {}), 303, "/users/account");
    await world.mailed("dan@example.test", "was changed");
    await expect(await signIn(world.client(), "dan@example.test"), 422);
    await expect(await signIn(world.client(), "dan2@example.test"), 303, home);
  });

  can("A changed password ends the other sessions and is notified by mail", async (world) => {
    const client = await signUp(world, "pat@example.test");
    const elsewhere = world.client();
    await expect(await signIn(elsewhere, "pat@example.test"), 303, home);
    const fields = { password: PASSWORD, new_password: NEW, password_confirmation: NEW };
    await expect(await client.submit("/users/change-password", fields), 303, "/users/account");
    await world.mailed("pat@example.test", "was changed");
    await expect(await client.request(home), 200);
    await expect(await elsewhere.request(home), 303, "/users/login");
  });

  can("A mailed sign-in link survives HEAD and GET, and works only once", async (world) => {
    await signUp(world, "mia@example.test");
    const client = world.client();
    const asked = await client.submit("/users/email-auth", { login: "mia@example.test" });
    await expect(asked, 303, "/users/mailed?again=email-auth");
    const link = await world.mailed("mia@example.test", "link to sign in");
    await client.request(link, { method: "HEAD" });
    await expect(await client.request(link), 200);
    await expect(await client.submit(link, {}), 303, home);
    await expect(await client.request(home), 200);
    await expect(await world.client().request(link), 422);
  });

  can("A closed account ends its sessions and refuses its password", async (world) => {
    const client = await signUp(world, "eve@example.test");
    const elsewhere = world.client();
    await expect(await signIn(elsewhere, "eve@example.test", PASSWORD, { remember: "1" }), 303, home);
    await expect(await client.submit("/users/close-account", { password: "wrong" }), 422);
    await expect(await client.submit("/users/close-account", { password: PASSWORD }), 303);
    elsewhere.forget("fw_session");
    for (const one of [client, elsewhere]) await expect(await one.request(home), 303, "/users/login");
    await expect(await signIn(world.client(), "eve@example.test"), 422);
  });
}

export function tellSecondFactor(can: Can): void {
  can("An account with an authenticator app needs its code or a recovery code, each valid only once", async (world) => {
    const login = "otto@example.test";
    await signUp(world, login);
    const client = world.client();
    await expect(await signIn(client, login), 303, home); // by the password: who came by a link is asked for it
    const { secret, answer } = await setAppUp(client, "users");
    await expect(answer, 303, "/users/recovery-codes");
    await expect(await client.submit("/users/recovery-codes", {}), 303, "/users/recovery-codes");
    const shown = await client.page("/users/recovery-codes");
    const codes = [...shown.matchAll(/<li><code>([a-z0-9-]+)<\/code>/g)].map(([, code]) => code!);
    assert.is(codes.length, 10);
    await signOut(client);
    await expect(await signIn(client, login), 303, "/users/otp-auth");
    await expect(await client.request(home), 303, "/users/otp-auth"); // half signed in is not signed in
    await expect(await client.submit("/users/otp-auth", { otp_code: "000000" }), 422);
    const otp_code = await codeOf(secret);
    await expect(await client.submit("/users/otp-auth", { otp_code }), 303, home);
    const lost = world.client();
    await expect(await signIn(lost, login), 303, "/users/otp-auth");
    await expect(await lost.submit("/users/otp-auth", { otp_code }), 422); // a code is good once
    await expect(await lost.submit("/users/recovery-codes", { recovery_code: codes[0]! }), 303, home);
    const again = world.client();
    await expect(await signIn(again, login), 303, "/users/otp-auth");
    await expect(await again.submit("/users/recovery-codes", { recovery_code: codes[0]! }), 422);
  });
}

export function tellLockout(can: Can): void {
  can("Five wrong passwords lock an account, and the link that is mailed unlocks it", async (world) => {
    const login = "fay@example.test";
    await signUp(world, login);
    for (let tries = 0; tries < 5; tries++) await expect(await signIn(world.client(), login, "not it at all"), 422);
    await expect(await signIn(world.client(), login), 422); // the right one
    const client = world.client();
    const link = await world.mailed(login, "Unlock your account");
    await expect(await client.request(link), 200);
    await expect(await client.submit(link, {}), 303, "/users/login");
    await expect(await signIn(client, login), 303, home);
  });
}
