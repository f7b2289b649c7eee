import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, PASSWORD } from "../authlib/accounts.ts";
import { unzipped } from "./everywhere.ts";
import { openPersonalData } from "./personal_data_app.ts";

for (const database of await databases()) {
  describe(`Other people, where a person is exported and erased, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const more = ", verifyAccount({ graceHours: 24 })";
        app = await openPersonalData({ values: await database.values(), more });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const service = () => app.application.kernel.service("personal_data");
    const accounts = () => app.application.kernel.service("auth").accounts("user");
    const people = async (...named: readonly (readonly [login: string, name: string])[]) => {
      const ids = (await addPeople(app, "user", ...named.map(([login]) => login))) as number[];
      for (const [at, [, name]] of named.entries()) await knex("users").where({ id: ids[at] }).update({ name });
      return ids;
    };
    const exported = async (who: number) => {
      const all: Uint8Array[] = [];
      for await (const chunk of service().export("user", who)) all.push(chunk);
      return unzipped(Buffer.concat(all));
    };
    const notify = (owner: number, body: string) =>
      knex("framewright_notifications").insert({
        ...{ owner_type: "User", owner_id: String(owner), kind: "info", title: "News", body, created_at: new Date() },
      });
    const bodies = async (owner: number) =>
      (
        (await knex("framewright_notifications")
          .where({ owner_id: String(owner) })
          .orderBy("id")) as { body: string }[]
      ).map(({ body }) => body);

    can("Names and addresses that contain the person's stay, and the person's are found in any case", async () => {
      const [ann, bea] = (await people(["ann@shop.test", "Änn Öst"], ["bea@shop.test", "Bea"])) as [number, number];
      const others = [
        "From mary.ann@shop.test, x-ann@shop.test and ann@shop.test.example",
        "By Mary-Änn Öst, Änn Öst-Berg and Änn Östberg",
      ];
      for (const body of [...others, "ÄNN ÖST wrote", "Änn Öst's: <ANN@shop.test>.", "'ann@shop.test'"])
        await notify(bea, body);
      await service().erase("user", ann);
      assert.equal(await bodies(bea), [
        ...others,
        "Deleted person wrote",
        "Deleted person's: <Deleted person>.",
        "'Deleted person'",
      ]);
    });

    can("A name of blanks is none", async () => {
      const [blank, bea] = (await people(["blank@shop.test", "  "], ["bea3@shop.test", "Bea"])) as [number, number];
      const text = "1)  (2) -  -";
      await notify(bea, text);
      await service().erase("user", blank);
      assert.equal(await bodies(bea), [text]);
    });

    can("A mention of somebody whose name begins as the person's stays", async () => {
      const [ann, max, bob] = (await people(
        ["ann2@shop.test", "Ann"],
        ["max2@shop.test", "Ann Lee"],
        ["bob2@shop.test", "Bob"],
      )) as [number, number, number];
      const comment = (text: string, mentions: readonly object[]) =>
        knex("framewright_comments").insert({
          ...{ table_name: "notes", record: "1", author_type: "authlib user", author_id: String(bob), internal: false },
          ...{ author_label: "Bob", created_at: new Date(), text, mentions: JSON.stringify(mentions) },
        });
      const own = { id: String(ann), label: "Ann" };
      await comment("@Annabelle, @Ann Lee and @Ann, to me@Ann.test", [own, { id: String(max), label: "Ann Lee" }]);
      await comment("Mail me@shop.test", [{ id: String(ann), label: "" }]);
      await service().erase("user", ann);
      const texts = (await knex("framewright_comments")
        .where({ author_id: String(bob) })
        .orderBy("id")) as {
        text: string;
      }[];
      assert.equal(
        texts.map(({ text }) => text),
        ["@Annabelle, @Ann Lee and @Deleted person, to me@Ann.test", "Mail me@shop.test"],
      );
    });

    can("What is found by an address is not a closed account's, once somebody else has it", async () => {
      const [before, boss] = (await people(["eve@shop.test", "Eve Old"], ["boss@shop.test", "Boss"])) as [
        number,
        number,
      ];
      await accounts().close(before);
      const [now] = (await people(["eve@shop.test", "Eve New"])) as [number];
      await knex("invites").insert({
        ...{ organization_id: 1, email: "eve@shop.test", role: "member", inviter_id: boss, key_digest: "eve" },
        ...{ sent_at: new Date(), expires_at: new Date(Date.now() + 86_400_000) },
      });
      await notify(boss, "eve@shop.test signed in; Eve Old left");
      const files = await exported(before);
      assert.not.ok(files.has("memberships.json"));
      await service().erase("user", before);
      assert.is((await knex("invites").where({ email: "eve@shop.test" })).length, 1);
      assert.equal(await bodies(boss), ["eve@shop.test signed in; Deleted person left"]);
      assert.is((await knex("users").where({ id: before }).first("email")).email, `closed.closed-${before}.invalid`);
      const log = () => knex("user_authentication_audit_logs").where({ account_id: before, event: "data_erased" });
      assert.is((await log()).length, 1);
      assert.is((await knex("users").where({ id: now }).first("email")).email, "eve@shop.test");
    });

    can("Whoever signs up with an address that is not theirs gets nothing that is found by it", async () => {
      const [boss] = (await people(["boss2@shop.test", "Boss"])) as [number];
      const login = "victim@shop.test";
      await knex("invites").insert({
        ...{ organization_id: 1, email: login, role: "member", inviter_id: boss, key_digest: "victim" },
        ...{ sent_at: new Date(), expires_at: new Date(Date.now() + 86_400_000) },
      });
      const client = app.client();
      await client.submit("/users/create-account", { login, password: PASSWORD, password_confirmation: PASSWORD });
      const answer = await client.submit("/users/personal-data", {});
      assert.is(answer.headers.get("content-type"), "application/zip");
      const files = unzipped(Buffer.from(await answer.arrayBuffer()));
      assert.match(files.get("models/user.json")!.toString(), login);
      assert.not.ok(files.has("memberships.json"), "before the address is verified");
      await service().erase("user", login);
      assert.is((await knex("invites").where({ email: login })).length, 1);
    });

    can("Two files of one long name are two in the export, with names that any system can write", async () => {
      const [ann] = (await people(["long@shop.test", "Long Name"])) as [number];
      const all = databaseOf(app.application);
      const note = await all.insert(all.model("Note").class, { author_id: ann, title: "Plan" });
      const filename = `${"計画".repeat(60)}.txt`;
      for (const text of ["one", "two"])
        await app.application.kernel
          .service("attachments")
          .attach(note as never, "papers", { filename, bytes: Buffer.from(text) });
      const files = [...(await exported(ann))].filter(([name]) => name.startsWith("files/"));
      assert.equal(files.map(([, bytes]) => bytes.toString()).sort(), ["one", "two"]);
      for (const [name] of files) {
        assert.ok(Buffer.byteLength(name) <= 206, name);
        assert.match(name, /^files\/\d+-計.*\.txt$/);
      }
    });

    can("While many rows are erased the process does other things", async () => {
      const [ann] = (await people(["many@shop.test", "Many Rows"])) as [number];
      const row = { author_id: ann, title: "T", body: "x", created_at: new Date(), updated_at: new Date() };
      for (let times = 0; times < 6; times++) await knex("notes").insert(Array.from({ length: 100 }, () => row));
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      await service().erase("user", ann);
      clearInterval(timer);
      assert.ok(turns >= 20, `${turns} turns`);
    });

    can("Of two erasures at once the account's log has one", async () => {
      const [ann] = (await people(["twice@shop.test", "Twice Over"])) as [number];
      await Promise.all([service().erase("user", ann), service().erase("user", ann)]);
      const log = await knex("user_authentication_audit_logs").where({ account_id: ann });
      assert.is(log.filter(({ event }) => event === "data_erased").length, 1);
    });
  });
}
