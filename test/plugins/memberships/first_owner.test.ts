import { createHash } from "node:crypto";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, mailTo, PASSWORD, signIn } from "../authlib/accounts.ts";
import { openMembers } from "./members_app.ts";

const chosen = { password: PASSWORD, password_confirmation: PASSWORD };

for (const database of await databases()) {
  describe(`The first owner of a tenant, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        app = await openMembers(await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const root = () => signIn(app, "admin", "root@example.test");
    /** An organization without members; its id. */
    const organization = async () => {
      await knex("organizations").insert({ name: `Alder ${++count}` });
      return Number(
        (
          await knex("organizations")
            .where({ name: `Alder ${count}` })
            .first("id")
        ).id,
      );
    };
    const invite = async (client: Client, id: number, email: string) =>
      client.submit(`/admin/organizations/${id}/actions/invite_owner`, { "interaction[email]": email });
    const invited = async (id: number, email: string) => {
      const sent = await invite(await root(), id, email);
      assert.is(sent.status, 303, await sent.text());
      return mailTo(app, email, "You are invited to Alder");
    };
    const somebody = async () => {
      const email = `o${++count}@example.test`;
      const [id] = await addPeople(app, "user", email);
      return { id: id!, email };
    };
    /** Posts to the link, as a program does; the token is fetched before. */
    const acceptor = async (client: Client, path: string) => {
      const { body } = await client.json("/users/account");
      const headers = { accept: "application/json", "x-csrf-token": String(body.csrf_token) };
      return async () => (await client.request(path, { method: "POST", headers })).status;
    };
    const membersOf = (organization_id: number) =>
      knex("members").where({ organization_id }).orderBy("id").select("user_id", "role");
    const wait = (email: string) =>
      knex("invites")
        .where({ email })
        .update({ sent_at: new Date(Date.now() - 120_000) });

    can("An administrator invites the first owner, who signs up by the mail that names the tenant, once", async () => {
      const id = await organization();
      const email = "new@example.test";
      const { path, text, subject } = await invited(id, email);
      assert.match(subject, /You are invited to Alder \d+/);
      assert.match(text, /invites you to join Alder \d+/);
      assert.not.match(text, "root@example.test");
      const [row] = await knex("invites").where({ organization_id: id });
      assert.equal(
        [row.inviter_id, row.administrator_type, Number(row.administrator_id), row.role],
        [null, "admin", 1, "owner"],
      );
      const guest = app.client();
      assert.match(await guest.page(path), "as owner");
      await guest.submit("/users/create-account", { login: "other@example.test", ...chosen });
      assert.is((await guest.submit(path, {})).headers.get("location"), `/user/${id}`);
      const [member, ...others] = await membersOf(id);
      const { email: joined } = await knex("users").where({ id: member.user_id }).first("email");
      assert.equal([others.length, member.role, joined], [0, "owner", email]);
      assert.is((await guest.request(path)).headers.get("location"), `/user/${id}`, "the owner's own link leads in");
      assert.is((await app.client().request(path)).status, 410);
      const client = await root();
      assert.not.match(await client.page(`/admin/organizations/${id}`), "actions/invite_owner");
      assert.is((await client.request(`/admin/organizations/${id}/actions/invite_owner`)).status, 404);
    });
    can("Of two who accept at once one becomes the owner", async () => {
      const id = await organization();
      const [ann, bob] = [await somebody(), await somebody()];
      const first = await invited(id, ann.email);
      const second = await invited(id, bob.email);
      assert.is((await app.client().request(first.path)).status, 410, "a new invitation replaces the one before");
      await knex("invites").where({ organization_id: id }).update({ revoked_at: null }); // as of two that crossed
      const clients = [await signIn(app, "user", ann.email), await signIn(app, "user", bob.email)];
      const paths = [first.path, second.path];
      const accept = await Promise.all(clients.map((client, at) => acceptor(client, paths[at]!)));
      assert.equal((await Promise.all(accept.map((send) => send()))).sort(), [200, 410]);
      assert.equal(
        (await membersOf(id)).map(({ role }) => role),
        ["owner"],
      );
    });
    can("An invitation ends when the tenant has an owner, or the administrator's account is closed", async () => {
      const id = await organization();
      const [ann, bob] = [await somebody(), await somebody()];
      const { path } = await invited(id, ann.email);
      const client = await signIn(app, "user", ann.email);
      const accept = await acceptor(client, path);
      await knex("members").insert({
        organization_id: id,
        user_id: bob.id,
        role: "owner",
        created_at: new Date(),
        updated_at: new Date(),
      });
      assert.is(await accept(), 410);
      const page = await (await root()).request(`/admin/organizations/${id}/actions/invite_owner`);
      assert.is(page.status, 404, "there is an owner");
      await knex("members").where({ organization_id: id }).update({ role: "member" });
      await knex("admins").where({ id: 1 }).update({ account_status: "closed" });
      assert.is(await accept(), 410);
      await knex("admins").where({ id: 1 }).update({ account_status: "verified" });
      assert.is(await accept(), 200, "valid again");
    });
    can("Who is a member already becomes the owner", async () => {
      const id = await organization();
      const ann = await somebody();
      await knex("members").insert({
        organization_id: id,
        user_id: ann.id,
        role: "member",
        created_at: new Date(),
        updated_at: new Date(),
      });
      const { path } = await invited(id, ann.email);
      assert.is((await (await signIn(app, "user", ann.email)).submit(path, {})).status, 303);
      assert.equal(
        (await membersOf(id)).map(({ role }) => role),
        ["owner"],
      );
    });
    can("An invitation without an inviter that no administrator sent opens nothing", async () => {
      const id = await organization();
      const ann = await somebody();
      const row = {
        organization_id: id,
        email: ann.email,
        sent_at: new Date(),
        expires_at: new Date(Date.now() + 3_600_000),
      };
      const cases = [
        { role: "owner", administrator_type: null, administrator_id: null },
        { role: "admin", administrator_type: "admin", administrator_id: 1 },
        { role: "owner", administrator_type: "admin", administrator_id: null },
        { role: "owner", administrator_type: "admin", administrator_id: 99 },
        { role: "owner", administrator_type: "clown", administrator_id: 1 },
        { role: "owner", administrator_type: "user", administrator_id: null },
      ];
      const client = await signIn(app, "user", ann.email);
      for (const [at, columns] of cases.entries()) {
        const key_digest = createHash("sha256").update(`key ${at}`).digest("base64url");
        await knex("invites").where({ organization_id: id }).delete();
        await knex("invites").insert({ ...row, ...columns, key_digest });
        const path = `/invites?key=${encodeURIComponent(`key ${at}`)}`;
        assert.is((await client.request(path)).status, 410, JSON.stringify(columns));
        assert.is(await (await acceptor(client, path))(), 410, JSON.stringify(columns));
      }
      assert.equal(await membersOf(id), []);
    });
    can("Only who may invites: not a clerk, a member, a guest, or who did not confirm who they are", async () => {
      const id = await organization();
      const path = `/admin/organizations/${id}/actions/invite_owner`;
      const clerk = await signIn(app, "admin", "clerk@example.test");
      assert.not.match(await clerk.page(`/admin/organizations/${id}`), "invite_owner");
      assert.is((await clerk.request(path)).status, 403);
      assert.is((await app.client().request(path)).status, 303);
      const ann = await somebody();
      assert.is((await (await signIn(app, "user", ann.email)).request(path)).headers.get("location"), "/admins/login");
      const client = await root();
      await knex("admin_active_session_keys").update({ created_at: new Date(Date.now() - 3_600_000) });
      assert.is((await client.request(path)).headers.get("location"), "/admins/confirm-identity");
      const { body } = await client.json("/admins/account");
      const headers = {
        accept: "application/json",
        "content-type": "application/json",
        "x-csrf-token": String(body.csrf_token),
      };
      const sent = await client.request(path, { method: "POST", headers, body: JSON.stringify({ email: ann.email }) });
      assert.is(sent.status, 403);
      assert.is((await client.request("/admin/organizations/9999/actions/invite_owner")).status, 404);
      assert.equal(await knex("invites").where({ organization_id: id }), []);
    });
    can("Wrong addresses, and mails right after another, are refused", async () => {
      const id = await organization();
      const client = await root();
      assert.is((await invite(client, id, "nowhere")).status, 422);
      await invited(id, "twice@example.test");
      const again = await invite(client, id, "twice@example.test");
      assert.is(again.status, 422);
      assert.match(await again.text(), "a moment ago");
      const { path } = await mailTo(app, "twice@example.test", "You are invited");
      await wait("twice@example.test");
      assert.is((await invite(client, id, "twice@example.test")).status, 303);
      assert.is((await app.client().request(path)).status, 404, "the earlier link is void");
      await knex("invites").where({ administrator_id: 1 }).update({ sent_at: new Date() });
      for (let times = 0; times < 20; times++)
        await knex("invites").insert({
          organization_id: id,
          email: `m${times}@example.test`,
          role: "owner",
          administrator_type: "admin",
          administrator_id: 1,
          key_digest: `m${times}`,
          sent_at: new Date(),
          expires_at: new Date(),
        });
      const other = await invite(client, await organization(), "more@example.test");
      assert.is(other.status, 422);
      assert.match(await other.text(), "Too many invitations");
      await knex("invites")
        .where({ administrator_id: 1 })
        .update({ sent_at: new Date(0) });
    });
    can("An owner who sends it again is its inviter from then on", async () => {
      const id = await organization();
      const [ann, bob] = [await somebody(), await somebody()];
      await invited(id, bob.email);
      await wait(bob.email);
      await knex("members").insert({
        organization_id: id,
        user_id: ann.id,
        role: "owner",
        created_at: new Date(),
        updated_at: new Date(),
      });
      const [{ id: invitation }] = await knex("invites").where({ organization_id: id });
      const client = await signIn(app, "user", ann.email);
      assert.is((await client.submit(`/user/${id}/invites/${invitation}/actions/resend`, {})).status, 303);
      const [row] = await knex("invites").where({ organization_id: id });
      assert.equal([Number(row.inviter_id), row.administrator_type, row.administrator_id], [ann.id, null, null]);
    });
  });
}
