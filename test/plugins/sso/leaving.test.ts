import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, mailTo, PASSWORD } from "../authlib/accounts.ts";
import { setUpCodes } from "../authlib/promises/support.ts";
import { SsoApp } from "./sso_app.ts";

describe("Who wants to get out of what a tenant requires", (it, { before, after }) => {
  let one: SsoApp;
  let ann: Client;
  before(async () => {
    one = await SsoApp.open();
    ann = await one.signIn("ann@acme.test");
    await one.setUp(ann, "acme.test");
    await setUpCodes(ann);
    await one.arrive(one.browser(), { sub: "new", email: "new@acme.test" });
    await one.send(ann, "/enforcement");
    assert.match(await ann.page("/user/1/_sso"), "with your provider only");
  });
  after(() => one?.close());
  const idOf = async (email: string) => (await one.knex("users").where({ email }).first())?.id;

  it("A link to another address, from before somebody became a member, changes it no more", async () => {
    await addPeople(one.app, "user", "late@acme.test");
    const late = await one.signIn("late@acme.test");
    await late.submit("/users/change-login", { login: "late@home.test", password: PASSWORD });
    const { path } = await mailTo(one.app, "late@home.test", "");
    const user_id = await idOf("late@acme.test");
    const now = new Date();
    await one.knex("members").insert({ organization_id: 1, user_id, role: "member", created_at: now, updated_at: now });
    assert.is(await one.opens(late), false);
    const page = await late.request(path);
    const answer = page.status === 200 ? await late.submit(path, {}) : page;
    assert.is(answer.status, 422, await answer.text());
    assert.is(await idOf("late@acme.test"), user_id);
    assert.is(await idOf("late@home.test"), undefined);
  });

  it("Owners change theirs", async () => {
    await ann.submit("/users/change-login", { login: "ann@home.test", password: PASSWORD });
    const { path } = await mailTo(one.app, "ann@home.test", "");
    assert.is((await ann.submit(path, {})).status, 303);
    assert.ok(await idOf("ann@home.test"));
  });
});
