import type { Client } from "../../support/client.ts";
import { assert } from "../../support/index.ts";
import { PARTNER_KEY } from "./application.ts";
import { expect, signIn, signUp } from "./hands.ts";
import type { Can } from "./people.ts";
import { bearer, curl, logIn } from "./tokens.ts";
import type { World } from "./world.ts";

const page = (portal: string) => `/${portal}/blogging/posts`;
const json = { accept: "application/json" };
const asJson = (client: Client, path: string, headers: Record<string, string> = {}) =>
  client.request(path, { headers: { ...json, ...headers } });

/** Nobody who may come in: a browser is sent to the login, a script is told what it lacks. */
async function assertShut(client: Client, portal: string, login: string, realm: string): Promise<void> {
  for (const path of [`/${portal}`, page(portal), `${page(portal)}/1`])
    await expect(await client.request(path), 303, login);
  const answer = await expect(await asJson(client, page(portal)), 401);
  assert.match(answer.headers.get("content-type")!, "application/problem+json");
  assert.is(answer.headers.get("www-authenticate"), realm);
}

const users = 'Session realm="users"';
const shared = "posts-of-portals@example.test";

/** What strangers, wrong keys, wrong accounts and the right people get. `admin` is signed in as an administrator. */
export function tellPortals(can: Can, admin: () => Client, noCurl: string | undefined): void {
  const robotOf = async (world: World) => String((await logIn(world)).body.access_token);

  for (const [portal, how] of [
    ["customer", "whose mount asks for the account"],
    ["member", "that asks by itself"],
  ] as const) {
    can(
      `a portal with accounts ${how} sends strangers to the login and back, and lets its own people in`,
      async (world) => {
        await assertShut(world.client(), portal, "/users/login", users);
        await assertShut(admin().copy(), portal, "/users/login", users);
        const client = await signUp(world, `${portal}-${shared}`);
        await expect(await client.request(page(portal)), 200);
        await expect(await asJson(client, page(portal)), 200);
        const back = world.client();
        await expect(await back.request(`${page(portal)}?q=x`), 303, "/users/login");
        await expect(await signIn(back, `${portal}-${shared}`), 303, `${page(portal)}?q=x`);
        const form = new RegExp(`action="${page(portal)}"`);
        const made = await client.submit(`${page(portal)}/new`, { "blogging_post[title]": `By a ${portal}` }, form);
        await expect(made, 303);
        assert.match(await client.page(page(portal)), `By a ${portal}`);
        await assertShut(client, "admin", "/admins/login", 'Session realm="admins"');
      },
    );
  }

  can(
    "a mount that asks hides which addresses there are; without it the portal answers what it does not have",
    async (world) => {
      await expect(await world.client().request("/customer/nothing/here"), 303, "/users/login");
      await expect(await world.client().request("/member/nothing/here"), 404);
      const kept = await signUp(world, `lost-${shared}`);
      for (const portal of ["customer", "member"]) await expect(await kept.request(`/${portal}/nothing/here`), 404);
    },
  );

  can("the portal of an account type without pages tells browsers too that a token is missing", async (world) => {
    for (const headers of [{}, json]) {
      const answer = await expect(await world.client().request(page("api"), { headers }), 401);
      assert.is(answer.headers.get("www-authenticate"), 'Bearer realm="api_users"');
    }
    await expect(await asJson(admin().copy(), page("api")), 401);
  });

  can("a public portal serves everybody, and knows nobody", async (world) => {
    for (const client of [world.client(), admin().copy()]) {
      const shown = await (await expect(await client.request(page("open")), 200)).text();
      assert.not.match(shown, "root@example.test");
      await expect(await asJson(client, page("open")), 200);
    }
    const { status } = await asJson(world.client(), page("open"), { authorization: "Bearer nonsense" });
    assert.is(status, 200);
  });

  can("a portal with keys of its own takes the right one, and for any other everybody is nobody", async (world) => {
    const made = (key: Record<string, string>) =>
      world.client().request(page("partner"), {
        method: "POST",
        headers: { ...json, ...key, "content-type": "application/json" },
        body: JSON.stringify({ blogging_post: { title: "By a partner" } }),
      });
    for (const key of [{}, { "x-api-key": "wrong" }, { "x-api-key": "" }, { "x-api-key": `${PARTNER_KEY}x` }]) {
      await expect(await asJson(world.client(), page("partner"), key), 200); // its policy lets anybody read
      await expect(await made(key), 403); // and partners alone write
    }
    await expect(await made({ "x-api-key": PARTNER_KEY }), 201);
  });

  if (noCurl !== undefined) return;
  can("a token opens its own portal alone, and whoever brings one is nobody else", async (world) => {
    const token = await robotOf(world);
    assert.is((await curl(world.url + page("api"), ...bearer(token))).status, 200);
    for (const portal of ["customer", "member", "admin"]) {
      assert.is((await curl(world.url + page(portal), ...bearer(token))).status, 401, portal);
      const both = await asJson(admin().copy(), page(portal), { authorization: `Bearer ${token}` });
      await expect(both, 401); // cookies that come along are ignored
    }
  });
}
