import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { type Known, openTenants, signedIn } from "../scoping/tenants.ts";
import { commentFiles, Person, post } from "./comments_app.ts";

interface Shown {
  id: number;
  text: string;
  internal: boolean;
  mentions: string[];
}
/** What programs are answered: a comment, or several. */
type Body = { data: Shown & Pick<Shown[], "map" | "length">; errors?: object };

for (const database of await databases({ withPostgres: true })) {
  describe(`Comments, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let known: Known;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(commentFiles, await database.values());
        known = await signedIn(app);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = () => databaseOf(app.application).knex;
    const page = async (who: keyof Known, path: string) => {
      const answer = await app.request(path, { headers: { ...known[who], accept: "text/html" } });
      return { status: answer.status, text: await answer.text() };
    };
    const send = async (who: keyof Known, path: string, body?: object, method = "POST") => {
      const headers = { ...known[who], accept: "application/json", "content-type": "application/json" };
      const answer = await app.request(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      const text = await answer.text();
      return { status: answer.status, body: (text.startsWith("{") ? JSON.parse(text) : undefined) as Body };
    };
    const list = async (who: keyof Known, path = post(1)) =>
      (await send(who, `${path}/_comments`, undefined, "GET")).body?.data;
    const work = async () => {
      const jobs = app.application.kernel.service("jobs");
      while ((await jobs.drain()) > 0);
    };
    const notified = (id: number) =>
      knex()("framewright_notifications")
        .where({ owner_id: String(id) })
        .orderBy("id")
        .select("title", "url", "tenant");
    const mails = () => app.application.kernel.service("mailer").kept;

    can("Who sees a record writes a comment on its page, and another of the tenant reads it as Markdown", async () => {
      const client = new Person(app.url, known.cat);
      const answer = await client.submit(
        post(1),
        { text: "Is this **final**? <script>alert(1)</script>" },
        /fw-comment-form/,
      );
      assert.is(answer.status, 303);
      const { text } = await page("ann", post(1));
      assert.match(text, 'id="panel-discussion');
      assert.match(text, "Is this <strong>final</strong>?");
      assert.match(text, "&lt;script&gt;");
      assert.match(text, /<strong>Cat<\/strong>/);
      assert.not.match(text, /<span class="badge">Internal/);
    });
    can(
      "Internal comments are for those who may update the record, and a comment of them is internal unless it says not",
      async () => {
        const { status, body } = await send("ann", `${post(1)}/_comments`, { text: "Between us" });
        assert.equal([status, body.data.internal], [201, true]);
        assert.is(
          (await send("ann", `${post(1)}/_comments`, { text: "For all", internal: false })).body.data.internal,
          false,
        );
        assert.is(
          (await send("cat", `${post(1)}/_comments`, { text: "Not so", internal: true })).body.data.internal,
          false,
        );
        assert.equal((await list("ann")).map((one) => one.text).slice(0, 3), ["Not so", "For all", "Between us"]);
        assert.not.match(JSON.stringify(await list("cat")) + (await page("cat", post(1))).text, "Between us");
        assert.match((await page("ann", post(1))).text, '<span class="badge">Internal</span>');
        assert.not.match((await page("cat", `${post(1)}/history`)).text, "Between us");
        assert.match((await page("ann", `${post(1)}/history`)).text, "Between us");
      },
    );
    can(
      "Nobody else gets to them: guests, other tenants, records that are hidden, models without comments",
      async () => {
        const guest = await app.request(`${post(1)}/_comments`, { headers: { accept: "application/json" } });
        assert.is(guest.status, 401);
        assert.is((await send("bob", `${post(1)}/_comments`, undefined, "GET")).status, 404);
        assert.is((await send("bob", `${post(1)}/_comments`, { text: "From outside" })).status, 404);
        assert.is((await send("cat", `${post(2, 1)}/_comments`, undefined, "GET")).status, 404);
        await knex()("posts").insert([
          { id: 10, title: "Sealed", status: "live", organization_id: 1, author_id: 3 },
          { id: 11, title: "Quiet", status: "live", organization_id: 1, author_id: 3 },
        ]);
        assert.is((await send("cat", `${post(1, 10)}/_comments`, { text: "Hidden" })).status, 403);
        assert.is((await send("ann", `${post(1, 10)}/_comments`, { text: "Seen by Ann" })).status, 201);
        assert.is((await send("cat", `${post(1, 11)}/_comments`, { text: "Hush" })).status, 403);
        assert.not.match((await page("cat", post(1, 11))).text, "fw-comment-form");
        assert.is((await send("ann", "/customer/1/notes/1/_comments", undefined, "GET")).status, 404);
      },
    );
    can("Whom a comment names, and who follows, are notified and get a mail, as long as they may see it", async () => {
      await work();
      const before = [await notified(1), await notified(3), mails().length] as const;
      const people = (await send("ann", `${post(1)}/_comments/people?q=cat`, undefined, "GET")).body.data;
      assert.equal(people, [{ id: "3", label: "Cat" }]);
      assert.equal((await send("ann", `${post(1)}/_comments/people?q=cat&internal=1`, undefined, "GET")).body.data, []);
      assert.equal((await send("ann", `${post(1)}/_comments/people?q=bob`, undefined, "GET")).body.data, []);
      assert.equal((await send("ann", `${post(1, 10)}/_comments/people?q=cat`, undefined, "GET")).body.data, []);
      const { body } = await send("ann", `${post(1)}/_comments`, {
        text: "@Cat and @Bob Baltic, please look",
        mentions: ["3", "2"],
        internal: false,
      });
      assert.equal(body.data.mentions, ["Cat"]);
      await work();
      const [news] = (await notified(3)).slice(before[1].length);
      assert.equal(news, {
        title: "Ann Alpine mentioned you on Post Alpine",
        url: `${post(1)}#comment-${body.data.id}`,
        tenant: "organizations/1",
      });
      assert.equal((await notified(1)).length, before[0].length);
      assert.equal(await notified(2), []);
      const [mail, ...more] = mails().slice(before[2]);
      assert.equal(
        [mail!.to, mail!.subject, more.length],
        ["cat@example.test", "Ann Alpine mentioned you on Post Alpine", 0],
      );
      assert.match(mail!.text, `${post(1)}#comment-${body.data.id}`);
      assert.match((await page("cat", post(1))).text, '<b class="fw-mention">@Cat</b> and @Bob Baltic');
    });
    can("A change that names somebody notifies them, once, and nobody else", async () => {
      const { id } = (await send("ann", `${post(1)}/_comments`, { text: "Later", internal: false })).body.data;
      await work();
      const before = [await notified(1), await notified(3), mails().length] as const;
      const change = (text: string) =>
        send("ann", `${post(1)}/_comments/${id}`, { text, mentions: ["3"], internal: false }, "PATCH");
      assert.equal((await change("@Cat, look")).body.data.mentions, ["Cat"]);
      await work();
      const [news, ...more] = (await notified(3)).slice(before[1].length);
      assert.equal(
        [news?.title, news?.url, more.length],
        ["Ann Alpine mentioned you on Post Alpine", `${post(1)}#comment-${id}`, 0],
      );
      await change("@Cat, look again");
      await work();
      assert.equal((await notified(3)).length, before[1].length + 1);
      assert.equal([(await notified(1)).length, mails().length], [before[0].length, before[2] + 1]);
    });
    can(
      "A follower who does not see a comment hears nothing of it, nor one who left the tenant or follows no more",
      async () => {
        await work();
        const heard = async () => (await notified(3)).length;
        const before = await heard();
        await send("ann", `${post(1)}/_comments`, { text: "@Cat is too slow", mentions: ["3"], internal: true });
        await work();
        assert.is(await heard(), before);
        await knex()("memberships").where({ user_id: 3, organization_id: 1 }).delete();
        await send("ann", `${post(1)}/_comments`, { text: "Without Cat", internal: false });
        await work();
        assert.is(await heard(), before);
        await knex()("memberships").insert({ user_id: 3, organization_id: 1 });
        await send("ann", `${post(1)}/_comments`, { text: "With Cat", internal: false });
        await work();
        assert.is(await heard(), before + 1);
        assert.equal((await send("cat", `${post(1)}/_comments/follow`, { follow: 0 })).body, {
          data: { following: false },
        });
        await send("ann", `${post(1)}/_comments`, { text: "Cat has left", internal: false });
        await work();
        assert.is(await heard(), before + 1);
      },
    );
    can("What others wrote since is marked as new, once", async () => {
      await send("cat", `${post(1)}/_comments/follow`, { follow: 1 });
      await page("cat", post(1));
      assert.not.match((await page("cat", post(1))).text, "<mark>");
      await new Promise((done) => setTimeout(done, 1100)); // of databases with whole seconds
      await send("ann", `${post(1)}/_comments`, { text: "News", internal: false });
      assert.match((await page("cat", post(1))).text, "<mark>New</mark>");
      assert.not.match((await page("cat", post(1))).text, "<mark>");
    });
    can("Its author changes and deletes it, a moderator deletes it, and others do neither", async () => {
      const { id } = (await send("cat", `${post(1)}/_comments`, { text: "Frist" })).body.data;
      const own = `${post(1)}/_comments/${id}`;
      assert.equal((await send("cat", own, { text: "First" }, "PATCH")).body.data.text, "First");
      assert.is((await send("ann", own, { text: "Mine" }, "PATCH")).status, 403);
      assert.is((await page("ann", `${own}/edit`)).status, 200);
      assert.is((await send("ann", own, undefined, "DELETE")).status, 204);
      assert.is((await send("cat", own, { text: "Again" }, "PATCH")).status, 404);
      const other = (await send("ann", `${post(1)}/_comments`, { text: "Ann's", internal: false })).body.data.id;
      assert.is((await send("cat", `${post(1)}/_comments/${other}`, undefined, "DELETE")).status, 403);
      assert.is((await page("cat", `${post(1)}/_comments/${other}/edit`)).status, 403);
    });
    can("What can't be stored is refused, and what was typed stays", async () => {
      const { status, body } = await send("cat", `${post(1)}/_comments`, { text: "  " });
      assert.equal([status, body.errors], [422, { text: ["Write something."] }]);
      assert.is((await send("cat", `${post(1)}/_comments`, { text: "x".repeat(10_001) })).status, 422);
      const client = new Person(app.url, known.cat);
      const answer = await client.submit(post(1), { text: "y".repeat(10_001) }, /fw-comment-form/);
      assert.is(answer.status, 422);
      assert.match(await answer.text(), "y".repeat(10_001));
    });
    can(
      "What is not clearly for all stays internal, and what has another shape than a form's is no fault",
      async () => {
        const sent = async (values: object) =>
          (await send("ann", `${post(1)}/_comments`, { text: "Shapes", ...values })).body.data;
        for (const internal of [{}, [], null, 1, "on", "yes", true, ["0", "1"]])
          assert.is((await sent({ internal })).internal, true, JSON.stringify(internal));
        for (const internal of [false, 0, "0", "false", ["0"]])
          assert.is((await sent({ internal })).internal, false, JSON.stringify(internal));
        const text = "Hey @Cat\0";
        for (const mentions of [["x"], ["3; drop"], ["9".repeat(30)], [1.5, ""], [{}], { a: 1 }, null])
          assert.equal((await sent({ text, mentions, internal: false })).mentions, [], JSON.stringify(mentions));
        const named = await sent({ text, mentions: ["x", 3], internal: false });
        assert.equal([named.text, named.mentions], ["Hey @Cat", ["Cat"]]);
        for (const [path, body, method] of [
          ["follow", { follow: {} }, "POST"],
          ["people?q[x]=1", undefined, "GET"],
        ] as const)
          assert.is((await send("ann", `${post(1)}/_comments/${path}`, body, method)).status, 422, path);
        assert.is((await send("ann", `${post(1)}/_comments?before[x]=1`, undefined, "GET")).status, 200);
      },
    );
    can("The search for people finds people by their names, and by no address", async () => {
      const found = async (text: string) =>
        (await send("ann", `${post(1)}/_comments/people?q=${text}`, undefined, "GET")).body.data;
      for (const text of ["example", ".test", "cat%40ex", "t%40"]) assert.equal(await found(text), [], text);
      assert.equal(await found("CA"), [{ id: "3", label: "Cat" }]);
    });
    can("Who has no name is not named by every @", async () => {
      for (const name of ["", "@"]) {
        await knex()("users").where({ id: 3 }).update({ name });
        const text = { text: "Mail me @ noon", mentions: ["3"], internal: false };
        assert.equal((await send("ann", `${post(1)}/_comments`, text)).body.data.mentions, [], name);
      }
      await knex()("users").where({ id: 3 }).update({ name: "Cat" });
    });
    can("Beneath a record of a model that is called a comment they are changed too", async () => {
      const at = "/customer/1/comments/1/nested_attachments/1/_comments";
      const { id } = (await send("ann", at, { text: "Frist" })).body.data;
      assert.is((await send("ann", `${at}/${id}`, { text: "First" }, "PATCH")).status, 200);
    });
    can("A record that is moved to another tenant takes none of its comments along", async () => {
      await knex()("posts").insert({ id: 12, title: "Moving", status: "live", organization_id: 1, author_id: 3 });
      await send("cat", `${post(1, 12)}/_comments`, { text: "Secret of Alpine" });
      await knex()("posts").where({ id: 12 }).update({ organization_id: 2 });
      assert.equal(await list("cat", post(2, 12)), []);
      await work();
      assert.not.match((await page("bob", post(2, 12))).text, "Secret of Alpine");
    });
    can("A new record with the key of a deleted one has none of its comments", async () => {
      const row = { id: 77, title: "Old", status: "live", organization_id: 1, author_id: 3 };
      await knex()("posts").insert(row);
      await send("cat", `${post(1, 77)}/_comments`, { text: "About the old one" });
      assert.is((await list("cat", post(1, 77))).length, 1);
      await knex()("posts").where({ id: 77 }).delete();
      await knex()("posts").insert({ ...row, title: "New", created_at: new Date(Date.now() + 5000) });
      assert.equal(await list("cat", post(1, 77)), []);
    });
    can("Long conversations are read in pages", async () => {
      await knex()("posts").insert({ id: 13, title: "Busy", status: "live", organization_id: 1, author_id: 3 });
      for (let at = 1; at <= 12; at++) await send("cat", `${post(1, 13)}/_comments`, { text: `Number ${at}.` });
      const { text } = await page("ann", post(1, 13));
      assert.match(text, /Number 3\..*Number 12\./s);
      assert.not.match(text, "Number 2.");
      assert.match(text, "All comments");
      assert.match((await page("ann", `${post(1, 13)}/_comments`)).text, /Number 1\..*Number 12\./s);
    });
  });
}
