import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf } from "../authlib/accounts.ts";
import { addMarked, type Marked, placesOf, unzipped } from "./everywhere.ts";
import { openPersonalData, seen } from "./personal_data_app.ts";

for (const database of await databases()) {
  describe(`A person's data, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let mia: Marked;
    let ben: Marked;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        app = await openPersonalData({ values: await database.values() });
        mia = await addMarked(app, "Zqxmark", 1);
        ben = await addMarked(app, "Wvuother", 2);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const service = () => app.application.kernel.service("personal_data");
    const jobs = () => app.application.kernel.service("jobs");
    const person = async () => {
      const login = `person${++count}@example.test`;
      const [id] = (await addPeople(app, "user", login)) as [number];
      await knex("users")
        .where({ id })
        .update({ name: `Person Nr${count}` });
      return { id, login, name: `Person Nr${count}`, at: `/admin/users/${id}` };
    };
    const exported = async (chunks: AsyncIterable<Uint8Array>) => {
      const all: Uint8Array[] = [];
      for await (const chunk of chunks) all.push(chunk);
      return unzipped(Buffer.concat(all));
    };
    const events = async (id: number) =>
      (await knex("user_authentication_audit_logs").where({ account_id: id }).orderBy("id")) as {
        event: string;
        address: string;
        metadata: string;
      }[];

    can("An export has all of the person, also files, and nothing of another person, nor a secret", async () => {
      const files = await exported(service().export("user", mia.login));
      const withMark = [...files].filter(([, bytes]) => bytes.toString().includes(mia.mark)).map(([name]) => name);
      assert.equal(withMark.filter((name) => !name.startsWith("files/")).sort(), [
        ...["account.json", "comments.json", "list_settings.json"],
        ...[
          "models/address.json",
          "models/draft.json",
          "models/invoice.json",
          "models/note.json",
          "models/profile.json",
        ],
        ...["models/user.json", "notifications.json", "saved_views.json", "wizard_runs.json"],
      ]);
      const paper = [...files.keys()].find((name) => name.startsWith("files/"))!;
      assert.match(paper, /^files\/\d+-Zqxmark\.txt$/);
      assert.is(files.get(paper)!.toString(), "Paper of Zqxmark");
      const rowsOf = (name: string) => JSON.parse(files.get(name)!.toString()) as Record<string, unknown>[];
      assert.is(rowsOf("models/draft.json").length, 2, "the one in the trash as well");
      assert.is(rowsOf("memberships.json").length, 2, "a membership and an invitation");
      assert.is(rowsOf("models/user.json")[0]!.email, mia.login);
      assert.not.ok("values" in rowsOf("history.json")[0]!);
      const all = [...files].map(([name, bytes]) => `${name}\n${bytes.toString()}`).join("\n");
      assert.not.match(all, new RegExp(ben.mark, "i"));
      assert.not.match(all, /secret-|password_hash|key_digest|session_digest/);
      const [last] = (await events(mia.id)).reverse();
      assert.is(last!.event, "data_exported");
    });

    can("What fails in the middle of an erasure leaves everything as it was", async () => {
      const before = await placesOf(app, mia.mark);
      seen.failsErasure = true;
      try {
        await service().erase("user", mia.login);
        assert.unreachable();
      } catch (error) {
        assert.match((error as Error).message, "can't be erased");
      }
      seen.failsErasure = false;
      assert.equal(await placesOf(app, mia.mark), before);
      assert.is((await mia.client.request("/user")).status, 200, "and nobody is signed out");
    });

    can("A person who is the only owner of a tenant can't be erased, and stays whole", async () => {
      const { id, login } = await person();
      await knex("seats").insert({ user_id: id, organization_id: 1, role: "owner" });
      const refused = await service()
        .erase("user", id)
        .catch((error: { code: string; status: number }) => error);
      assert.equal(
        [(refused as { code: string }).code, (refused as { status: number }).status],
        ["FW_LAST_OWNER", 409],
      );
      assert.is((await knex("users").where({ id }).first("email")).email, login);
      await knex("seats").insert({ user_id: ben.id, organization_id: 1, role: "owner" });
      await service().erase("user", id);
      assert.is((await knex("seats").where({ user_id: id })).length, 0);
      await knex("seats").where({ user_id: ben.id, organization_id: 1 }).delete();
    });

    can("Erased, the person is in no column of any table and in no file, and another person is whole", async () => {
      const before = await placesOf(app, ben.mark);
      assert.ok((await placesOf(app, mia.mark)).length > 30, "the walk finds what is there");
      const { rows } = await service().erase("user", mia.login, { actor: "a test" });
      await jobs().drain();
      assert.equal(await placesOf(app, mia.mark), []);
      assert.equal(await placesOf(app, ben.mark), before);
      assert.equal(rows, { Draft: 2, Address: 1, Profile: 1, Note: 1, Invoice: 1, User: 1 });
      const { email, name, account_status } = await knex("users").where({ id: mia.id }).first();
      assert.equal([email, name, account_status], [`closed.closed-${mia.id}.invalid`, "Deleted person", "closed"]);
      const [profile] = await knex("profiles").where({ user_id: mia.id });
      assert.equal([profile.bio, profile.code, profile.born_on], [null, `erased-${profile.id}`, null]);
      assert.is((await knex("invoices").where({ buyer_id: mia.id }).first()).recipient, "Kept Zqx", "by its rule");
      const [comment] = await knex("framewright_comments").where({ author_id: String(mia.id) });
      assert.equal([comment.author_label, comment.text], ["Deleted person", "This text was deleted."]);
      const entries = await knex("framewright_history").where({ person_id: String(mia.id), person_type: "User" });
      assert.ok(entries.length > 1, "what was done and when stays");
      assert.ok(entries.every(({ person_label }) => person_label === "Deleted person"));
      const answer = await mia.client.request("/user");
      assert.is(answer.status, 303, "nobody is signed in any more");
    });
    can("A second erasure of the same person changes nothing, and writes no other entry", async () => {
      const before = await events(mia.id);
      const { rows } = await service().erase("user", mia.id);
      assert.is(rows.User, 1);
      const after = await events(mia.id);
      assert.equal(
        after.map(({ event }) => event),
        before.map(({ event }) => event),
      );
      assert.is(after.filter(({ event }) => event === "data_erased").length, 1);
    });

    can("Others who mentioned the person have another name in their comments, and so have notifications", async () => {
      const { id, name } = await person();
      const comment = {
        table_name: "notes",
        record: String(ben.note),
        author_type: "authlib user",
        author_id: String(ben.id),
        author_label: "Ben",
      };
      const mentions = JSON.stringify([{ id: String(id), label: name }]);
      const row = { ...comment, internal: false, text: `Hi @${name}, and @${name}s`, mentions, created_at: new Date() };
      await knex("framewright_comments").insert(row);
      const other = { ...row, author_type: "authlib admin", text: `@${name} of another type of accounts` };
      await knex("framewright_comments").insert(other);
      const notice = {
        owner_type: "users",
        owner_id: String(ben.id),
        kind: "info",
        title: `${name} wrote to you`,
        body: `${name}'s text`,
        created_at: new Date(),
      };
      await knex("framewright_notifications").insert(notice);
      await service().erase("user", id);
      const texts = (
        await knex("framewright_comments")
          .where({ author_id: String(ben.id) })
          .orderBy("id", "desc")
          .limit(2)
      ).map(({ text }) => text);
      assert.equal(texts, [other.text, "Hi @Deleted person, and @Deleted persons"]);
      const [found] = await knex("framewright_notifications")
        .where({ owner_id: String(ben.id) })
        .orderBy("id", "desc")
        .limit(1);
      assert.equal([found.title, found.body], ["Deleted person wrote to you", "Deleted person's text"]);
    });

    can("Of jobs that wait, those for the person and mails that name them go, and others lose the name", async () => {
      const { id, login, name } = await person();
      const later = { runAt: new Date(Date.now() + 3_600_000) };
      await jobs().enqueue("errand", { to: login.toUpperCase() }, later);
      await jobs().enqueue("errand", { about: [`Call ${name} back`], for: "Ben" }, later);
      await jobs().enqueue("errand", { for: "Ben" }, later);
      await jobs().enqueue(
        "mail",
        { to: "ben@example.test", subject: `${name} wrote`, text: "", messageId: "1" },
        later,
      );
      await service().erase("user", id);
      await jobs().drain(); // mails about what was done
      const waiting = (await jobs().list({ state: "waiting" })).filter(({ kind }) => ["errand", "mail"].includes(kind));
      assert.equal(
        waiting.map(({ kind }) => kind),
        ["errand", "errand"],
      );
      seen.errands = [];
      for (const job of waiting) await jobs().retry(job.id);
      await jobs().drain();
      assert.equal(
        seen.errands.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
        [{ about: ["Call Deleted person back"], for: "Ben" }, { for: "Ben" }],
      );
    });

    can("An account that was closed before is erased with the login that it had, in the log as well", async () => {
      const { id, login } = await person();
      await app.application.kernel.service("auth").accounts("user").close(login);
      await knex("invites").insert({
        organization_id: 1,
        email: login,
        role: "member",
        inviter_id: ben.id,
        key_digest: login,
        sent_at: new Date(),
        expires_at: new Date(),
      });
      await service().erase("user", login);
      await jobs().drain();
      assert.equal(await placesOf(app, login), []);
      assert.is((await knex("users").where({ id }).first("email")).email, `closed.closed-${id}.invalid`);
    });
  });
}
