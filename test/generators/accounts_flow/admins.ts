import { assert } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { codeOf, enterAsAdmin, expect, NEW, setAppUp } from "./hands.ts";
import type { Can } from "./people.ts";

const first = { login: "root@example.test", password: "quiet harbour lantern seven" };

/** Returns the administrator who is signed in, once the story is told. */
export function tellAdmins(can: Can): () => Client {
  let root: Client | undefined;
  let secret = "";

  can(
    "An administrator created by a command signs in in two phases and must set up an authenticator app",
    async (world) => {
      const made = await world.run(["authlib:admin:create", first.login, "--password-stdin"], `${first.password}\n`);
      assert.match(made.out, "super_admin");
      assert.not.match(made.out + made.err, first.password);
      const client = world.client();
      await expect(await client.request("/admin?page=2"), 303, "/admins/login");
      const login = await client.page("/admins/login"); // the copied views, with what was edited in them
      for (const own of ["Our own login", "Our own head"]) assert.match(login, own);
      assert.not.match(await client.page("/users/login"), "Our own");
      await expect(await enterAsAdmin(client, first.login, "not it at all"), 422);
      await expect(await client.submit("/admins/login", { password: first.password }), 303, "/admins/otp-setup");
      for (const path of ["/admin", "/admins/account", "/admins/invite"])
        await expect(await client.request(path), 303, "/admins/otp-setup");
      const set = await setAppUp(client, "admins");
      await expect(set.answer, 303);
      secret = set.secret;
      await expect(await client.request("/admin"), 200);
      root = client;
    },
  );

  can(
    "An invited administrator sets a password by the mailed link and must set up an authenticator app",
    async (world) => {
      const next = "next@example.test";
      const invited = await root!.submit("/admins/invite", { login: next });
      await expect(invited, 303, "/admins/invite");
      const link = await world.mailed(next, "You are invited");
      assert.match(world.texts.at(-1)!, "Our own invitation");
      const client = world.client();
      await expect(await client.submit(link, { password: "password123", password_confirmation: "password123" }), 422);
      await expect(await client.submit(link, { password: NEW, password_confirmation: NEW }), 303, "/admins/login");
      await expect(await enterAsAdmin(client, next, NEW), 303, "/admins/otp-setup");
      await expect(await client.request("/admin"), 303, "/admins/otp-setup");
      await expect((await setAppUp(client, "admins")).answer, 303);
      await expect(await client.request("/admin"), 200);
      await expect(await client.request("/admins/invite"), 403); // the second role invites nobody
    },
  );

  can("An administrator has to enter the code of the authenticator app to sign in again", async (world) => {
    const client = world.client();
    await expect(await enterAsAdmin(client, first.login, first.password), 303, "/admins/otp-auth");
    await expect(await client.submit("/admins/otp-auth", { otp_code: await codeOf(secret) }), 303, "/admin");
    await expect(await client.request("/admin"), 200);
  });
  return () => root!;
}
