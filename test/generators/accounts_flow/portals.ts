import { assert } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { PARTNER_KEY } from "./application.ts";
import { expect, signIn, signUp } from "./hands.ts";
import type { Can } from "./people.ts";
import { bearer, curl, logIn } from "./tokens.ts";
import type { World } from "./world.ts";

const page = (portal: string) => `/${portal}/blogging/posts`;
/** Pages of the portals with accounts; two of them have their dashboard alone. */
const doors = {
  customer: ["/customer", page("customer"), `${page("customer")}/1`],
  member: ["/member"],
  admin: ["/admin"],
};
const json = { accept: "application/json" };
const asJson = (client: Client, path: string, headers: Record<string, string> = {}) =>
  client.request(path, { headers: { ...json, ...headers } });

/** Nobody who may come in: a browser is sent to the login, a script is told what it lacks. */
async function assertShut(client: Client, portal: keyof typeof doors, accounts: string): Promise<void> {
  for (const path of doors[portal]) {
    await expect(await client.request(path), 303, `/${accounts}/login`);
    const answer = await expect(await asJson(client, path), 401);
    assert.match(answer.headers.get("content-type")!, "application/problem+json");
    assert.is(answer.headers.get("www-authenticate"), `Session realm="${accounts}"`);
  }
}

const shared = "posts-of-portals@example.test";

/** What strangers, wrong keys, wrong accounts and the right people get. `admin` is signed in as an administrator. */
export function tellPortals(can: Can, admin: () => Client, noCurl: string | undefined): void {
  const robotOf = async (world: World) => String((await logIn(world)).body.access_token);

  for (const [portal, how] of [
    ["customer", "whose mount requires the account"],
    ["member", "that requires the account in its controllers"],
  ] as const) {
    can(
      `A portal with accounts ${how} redirects guests to the login and back, and admits its own users only`,
      async (world) => {
        await assertShut(world.client(), portal, "users");
        await assertShut(admin().copy(), portal, "users");
        const client = await signUp(world, `${portal}-${shared}`);
        const back = world.client();
        await expect(await back.request(`/${portal}?q=x`), 303, "/users/login");
        await expect(await signIn(back, `${portal}-${shared}`), 303, `/${portal}?q=x`);
        for (const one of [client, back]) await expect(await one.request(`/${portal}`), 200);
        await assertShut(client, "admin", "admins");
      },
    );
  }

  can("A record that a user creates by a form appears in the portal's page and in its JSON", async (world) => {
    const client = await signUp(world, `writer-${shared}`);
    const form = new RegExp(`action="${page("customer")}"`);
    const made = await client.submit(`${page("customer")}/new`, { "blogging_post[title]": "By a customer" }, form);
    await expect(made, 303);
    assert.match(await client.page(page("customer")), "By a customer");
    const { status, body } = await client.json(page("customer"));
    assert.is(status, 200);
    assert.match(JSON.stringify(body.data), "By a customer");
  });

  can(
    "An unknown path redirects guests to the login where the mount requires an account, and answers 404 elsewhere",
    async (world) => {
      await expect(await world.client().request("/customer/nothing/here"), 303, "/users/login");
      await expect(await world.client().request("/member/nothing/here"), 404);
      const kept = await signUp(world, `lost-${shared}`);
      for (const portal of ["customer", "member"]) await expect(await kept.request(`/${portal}/nothing/here`), 404);
    },
  );

  can("The portal of an account type without pages answers browsers 401 with a Bearer challenge", async (world) => {
    for (const headers of [{}, json]) {
      const answer = await expect(await world.client().request(page("api"), { headers }), 401);
      assert.is(answer.headers.get("www-authenticate"), 'Bearer realm="api_users"');
    }
    await expect(await asJson(admin().copy(), page("api")), 401);
  });

  can("A public portal serves guests, users of other portals and wrong tokens, and shows no user", async (world) => {
    for (const client of [world.client(), admin().copy()]) {
      const shown = await (await expect(await client.request(page("open")), 200)).text();
      assert.not.match(shown, "root@example.test");
      await expect(await asJson(client, page("open")), 200);
    }
    const { status } = await asJson(world.client(), page("open"), { authorization: "Bearer nonsense" });
    assert.is(status, 200);
  });

  can("A portal with its own API key answers 401 without the right key, to reads and to writes", async (world) => {
    const made = (key: Record<string, string>) =>
      world.client().request(page("partner"), {
        method: "POST",
        headers: { ...json, ...key, "content-type": "application/json" },
        body: JSON.stringify({ blogging_post: { title: "By a partner" } }),
      });
    const wrong: Record<string, string>[] = ["wrong", "", `${PARTNER_KEY}x`].map((key) => ({ "x-api-key": key }));
    for (const key of [{}, ...wrong]) {
      await expect(await asJson(world.client(), page("partner"), key), 401);
      await expect(await made(key), 401);
    }
    await expect(await made({ "x-api-key": PARTNER_KEY }), 201);
  });

  if (noCurl !== undefined) return;
  can(
    "A token is accepted by its own portal only, and a request with a token ignores the session cookie",
    async (world) => {
      const token = await robotOf(world);
      assert.is((await curl(world.url + page("api"), ...bearer(token))).status, 200);
      for (const path of Object.values(doors).flat()) {
        assert.is((await curl(world.url + path, ...bearer(token))).status, 401, path);
        const both = await asJson(admin().copy(), path, { authorization: `Bearer ${token}` });
        await expect(both, 401); // cookies that come along are ignored
      }
    },
  );
}
