import type { ModelClass } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openHistory, Person } from "./history_app.ts";

interface Item {
  key: string;
  kind?: string;
  person: string | null;
  means: string | null;
  record?: string;
  model?: string;
  remark?: number;
  changes: Record<string, { from: unknown; to: unknown; secret?: true; cut?: true }>;
}

for (const database of await databases({ withPostgres: true })) {
  describe(`The history of records, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openHistory({}, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const service = () => databaseOf(app.application);
    const model = (name: string): ModelClass => service().model(name).class;
    const patch = (id: number, values: object, name = "Post") =>
      model(name)
        .query()
        .findById(id)
        .patch(values as never);
    const [ann, bob, cat] = [1, 2, 3].map((id) => () => new Person(app.url, id)) as [
      () => Person,
      () => Person,
      () => Person,
    ];
    const at = "/customer/1/posts/1";
    const rows = async () => {
      const found = await service().knex("framewright_history").orderBy("at").orderBy("id");
      return found.map((row) => ({ ...row, changes: JSON.parse(row.changes as string) }));
    };
    const taken = async () => {
      const found = await rows();
      await service().knex("framewright_history").delete();
      return found;
    };
    const read = async (path: string, who = ann()): Promise<Item[]> => {
      const { body } = await who.json(path);
      return (body as { data: Item[] }).data;
    };
    const own = async (path: string, who = ann()) => (await read(path, who)).filter(({ remark }) => !remark);

    can("Each of the means leaves one entry, with who, where, how, and the values before and after", async () => {
      const one = async (from: string, to: string, by: object) => {
        const [row, ...more] = await taken();
        assert.equal([more.length, row!.changes.title], [0, { from, to }]);
        assert.equal({ ...row, ...by }, row);
      };
      const byAnn = {
        ...{ kind: "updated", model: "Post", record: "1", person_type: "User", person_id: "1" },
        ...{ person_label: "Ann Alpine", portal: "CustomerPortal", source: null, tenant: "organizations/1" },
      };
      const nobody = { ...byAnn, person_type: null, person_id: null, person_label: null, portal: null };
      await taken();
      assert.is((await ann().submit(`${at}/edit`, { "post[title]": "By the form" })).status, 303);
      await one("Post Alpine", "By the form", { ...byAnn, means: "form", label: "By the form" });
      assert.is((await ann().send(at, "PATCH", { post: { title: "By JSON" } })).status, 200);
      await one("By the form", "By JSON", { ...byAnn, means: "json" });
      assert.is((await ann().send(`${at}/actions/publish`, "POST")).status, 200);
      await one("By JSON", "By the interaction", { ...byAnn, means: "action" });
      const client = ann();
      const step = (await client.request(`${at}/wizards/rename`)).headers.get("location")!;
      assert.is((await client.submit(step, { "wizard[title]": "By the wizard" })).status, 303);
      await one("By the interaction", "By the wizard", { ...byAnn, means: "wizard", source: "RenameWizard" });
      const jobs = app.application.kernel.service("jobs");
      await jobs.enqueue("rename", {});
      await jobs.drain();
      await one("By the wizard", "By the job", { ...nobody, means: "job", source: "rename" });
      await patch(1, { title: "By code" });
      await one("By the job", "By code", { ...nobody, means: null });
      app.application.means = "seed";
      await patch(1, { title: "By seeds" });
      app.application.means = undefined;
      await one("By code", "By seeds", { ...nobody, means: "seed" });
    });

    can(
      "Tenants are found by chains, also of what goes with its parent; of a model that is left out nothing is recorded",
      async () => {
        await patch(1, { name: "Renamed" }, "Attachment");
        await patch(2, { title: "Other" }, "Comment");
        await service().insert(model("Category"), { name: "New" });
        const [attachment, comment, ...none] = await taken();
        assert.equal([attachment!.tenant, comment!.tenant, none.length], ["organizations/1", "organizations/2", 0]);
        const post = await service().insert(model("Post"), { title: "Whole", organization_id: 1 });
        const about = { post_id: post.$id(), title: "Below" };
        const child = await service().insert(model("Comment"), about);
        await service().insert(model("Note"), about);
        await service().insert(model("Attachment"), { name: "File", comment_id: child.$id() });
        await taken();
        await service().transaction(async (transaction) => {
          await model("Attachment")
            .query(transaction)
            .delete()
            .where("comment_id", child.$id() as number);
          await post
            .$query(transaction)
            .delete()
            .catch(() => undefined);
          await model("Note")
            .query(transaction)
            .delete()
            .where("post_id", post.$id() as number);
          await post.$query(transaction).delete();
        });
        const gone = await taken();
        assert.equal(
          gone.map(({ kind, model: name, tenant }) => `${kind} ${name} ${tenant}`).sort(),
          ["Attachment", "Comment", "Note", "Post"].map((name) => `deleted ${name} organizations/1`),
        );
        await service().transaction(async (transaction) => {
          await model("Comment")
            .query(transaction)
            .findById(1)
            .patch({ title: "Before the move" } as never);
          await model("Post")
            .query(transaction)
            .findById(1)
            .patch({ organization_id: 2 } as never);
          await model("Post")
            .query(transaction)
            .findById(1)
            .patch({ organization_id: 1 } as never);
        });
        assert.equal(
          (await taken()).map(({ model: name, tenant }) => [name, tenant]),
          [
            ["Comment", null],
            ["Post", null],
            ["Post", null],
          ],
        );
      },
    );

    can("Secrets are never stored, long values are cut, and a rollback leaves nothing", async () => {
      const long = "ä😀".repeat(2000);
      await patch(1, { api_token: "tok_12345678", body: long, seen_at: new Date(0) });
      const [row] = await taken();
      assert.not.match(JSON.stringify(row), "tok_12345678");
      assert.equal(row!.changes.api_token, { secret: true });
      assert.is(row!.changes.body.to.$cut.length <= 1000, true);
      assert.is(row!.changes.seen_at.to, "1970-01-01T00:00:00.000Z");
      await service()
        .transaction(async (transaction) => {
          await model("Post")
            .query(transaction)
            .findById(1)
            .patch({ title: "Undone" } as never);
          throw new Error("no");
        })
        .catch(() => undefined);
      await service().transaction(async (outer) => {
        await outer
          .transaction(async (inner) => {
            await model("Post")
              .query(inner as never)
              .findById(1)
              .patch({ title: "Undone" } as never);
            throw new Error("no");
          })
          .catch(() => undefined);
        await model("Post")
          .query(outer)
          .findById(1)
          .patch({ title: "Kept" } as never);
      });
      assert.equal(
        (await taken()).map(({ changes }) => changes.title.to),
        ["Kept"],
      );
    });

    can("Records with keys of several columns, and who acts for somebody", async () => {
      const price = model("Price");
      await service().insert(price, { Place: "a~b", Day: 3, Amount: 1 });
      const stored = (await price.query().first()) as unknown as {
        $query(): { patch(values: object): Promise<number> };
      };
      await stored.$query().patch({ Amount: 2 });
      await price.query().delete();
      const found = await taken();
      assert.equal(
        found.map(({ kind, changes }) => [kind, Object.keys(changes)]),
        [
          ["created", ["Place", "Day", "Amount"]],
          ["updated", ["Amount"]],
          ["deleted", ["Place", "Day", "Amount"]],
        ],
      );
      assert.is(new Set(found.map(({ record }) => record)).size, 1);
      const headers = { "x-actor": "3", accept: "application/json", "content-type": "application/json" };
      const body = JSON.stringify({ post: { title: "For Ann" } });
      assert.is((await ann().request(at, { method: "PATCH", headers, body })).status, 200);
      const [row] = await rows();
      assert.equal(
        [row!.person_id, row!.person_label, row!.actor_id, row!.actor_label],
        ["1", "Ann Alpine", "3", "Cat"],
      );
      assert.match(await ann().page(`${at}/history`), "Cat for Ann Alpine");
      await patch(1, { title: "Kept" });
      await taken();
    });

    can(
      "The record's panel, its page and JSON show what the person may read, with items of other plugins",
      async () => {
        assert.is((await ann().send(at, "PATCH", { post: { title: "Alpine news", author: 1 } })).status, 200);
        await patch(1, { category_id: null, api_token: "tok_other" });
        await patch(1, { category_id: 1 });
        const page = await ann().page(at);
        assert.match(page, 'id="panel-history-frame"');
        const panel = await ann().page(`${at}/panels/history`);
        assert.match(panel, "Alpine news");
        assert.match(panel, "Ann Alpine");
        assert.match(panel, "Remark 3");
        const items = await read(`${at}/history`);
        assert.equal(
          items.map(({ key, person }) => [key.split(":")[0], person]),
          [
            ["history", null],
            ["history", "Ann Alpine"],
            ["remarks", "Remy"],
            ["remarks", "Remy"],
            ["remarks", "Remy"],
          ],
        );
        assert.equal(items[0]!.changes, { api_token: { secret: true } });
        assert.equal(items[1]!.changes.title, { from: "Kept", to: "Alpine news" });
        assert.equal((items[1]!.changes.author as { to: object }).to, { id: 1, label: "Ann Alpine" });
        assert.not.match(JSON.stringify(items), /category|tok_other/);
        const html = await ann().page(`${at}/history`);
        assert.match(html, /Cat[\s\S]*Remark 1/);
        assert.not.match(html, /ategory|tok_other/);
        await patch(1, { status: "unlisted" });
        assert.match(JSON.stringify(await own(`${at}/history`)), "unlisted");
        assert.not.match(JSON.stringify(await own(`${at}/history`, cat())), "unlisted"); // its page does not show it to Cat
        assert.not.match(await cat().page("/customer/1/_history"), "unlisted");
        await patch(1, { status: "live" });
        await patch(1, { title: "Broken timeline" });
        assert.equal((await read(`${at}/history`)).map(({ key }) => key.split(":")[0]).includes("remarks"), false);
        await patch(1, { title: "Alpine again" });
        await taken();
      },
    );

    can(
      "All of it is a file for who may export, with the filters of the page and what the person may read",
      async () => {
        await ann().send(at, "PATCH", { post: { title: '=1+1, "quoted"', api_token: "tok_file" } });
        await patch(1, { category_id: null });
        await patch(1, { category_id: 1 });
        await patch(2, { title: "Baltic file" });
        const answer = await ann().request("/customer/1/_history.csv");
        assert.is(answer.status, 200);
        assert.match(answer.headers.get("content-type")!, "text/csv");
        assert.match(answer.headers.get("content-disposition")!, /history-\d{4}-\d\d-\d\d\.csv/);
        const [head, ...lines] = (await answer.text()).trim().split("\r\n");
        assert.is(
          head,
          "at,person,account,actor,actor_account,means,source,portal,change,model,record,label,field,from,to",
        );
        const title = lines.find((line) => line.includes(",title,"))!;
        assert.match(
          title,
          /,Ann Alpine,User\/1,,,json,,CustomerPortal,updated,Post,1,.*,title,Alpine again,"'=1\+1, ""quoted"""$/,
        );
        assert.is(lines.length, 2, lines.join("\n")); // the title, and that a secret changed
        assert.not.match(lines.join(), /tok_file|category|Baltic/);
        assert.is((await (await ann().request("/customer/1/_history.csv?kind=deleted")).text()).trim(), head);
        assert.match(
          await ann().page("/customer/1/_history?kind=updated"),
          'href="/customer/1/_history.csv?kind=updated"',
        );
        assert.not.match(await cat().page("/customer/1/_history"), "_history.csv");
        for (const [who, path] of [
          [cat(), "/customer/1/_history.csv"],
          [bob(), "/customer/2/_history.csv"],
          [ann(), "/customer/2/_history.csv"],
        ] as const)
          assert.ok([403, 404].includes((await who.request(path)).status), path);
        await patch(1, { title: "Alpine again" });
        await taken();
      },
    );

    can("A record says who changed it last, as far as the person may read the change", async () => {
      await ann().send(at, "PATCH", { post: { title: "By Ann" } });
      await patch(1, { category_id: null }); // which its page does not show
      assert.match(
        await ann().page(at),
        `<turbo-frame id="history-last" class="fw-history-last" src="${at}/history/last"`,
      );
      const frame = await ann().request(`${at}/history/last`, { headers: { "turbo-frame": "history-last" } });
      const body = await frame.text();
      assert.match(body, /<turbo-frame id="history-last"[^>]*>[\s\S]*Last changed by Ann Alpine · <time/);
      assert.not.match(await bob().page("/customer/2/posts/2"), "history-last");
      assert.is((await bob().request("/customer/2/posts/2/history/last")).status, 404);
      assert.is((await ann().request("/customer/2/posts/2/history/last")).status, 404);
      await patch(1, { title: "Alpine again", category_id: 1 });
      await taken();
      assert.not.match(await ann().page(`${at}/history/last`), "Last changed");
    });

    can("Pages follow a cursor across plugins, each item once", async () => {
      for (let index = 0; index < 35; index++) await patch(1, { title: `Title ${index}` });
      const seen: string[] = [];
      let url: string | undefined = `${at}/history`;
      for (let pages = 0; url !== undefined && pages < 9; pages++) {
        const { body } = await ann().json(url);
        const { data, meta } = body as { data: Item[]; meta: { next: string | null } };
        seen.push(...data.map(({ key }) => key));
        url = meta.next === null ? undefined : `${at}/history?before=${meta.next}`;
      }
      assert.is(seen.length, 38);
      assert.is(new Set(seen).size, 38);
      assert.equal(seen.slice(-3), ["remarks:3", "remarks:2", "remarks:1"]);
      assert.is((await ann().request(`${at}/history?before=1_x:%00`)).status, 200);
      await taken();
    });

    can("Others see nothing: guests, other tenants, who may not, and of hidden and moved records", async () => {
      await ann().send(at, "PATCH", { post: { title: "Alpine secret" } });
      await cat().send("/customer/2/posts/2", "PATCH", { post: { title: "Baltic secret" } });
      const all = await ann().page("/customer/1/_history");
      assert.match(all, "Alpine secret");
      assert.not.match(all, "Baltic secret");
      assert.match(await ann().page(at), 'href="/customer/1/_history"');
      assert.equal(
        (await own("/customer/1/_history")).map(({ model: name, record }) => [name, record]),
        [["Post", "1"]],
      );
      for (const [who, path, status] of [
        [bob(), "/customer/2/posts/2/history", 404],
        [bob(), "/customer/2/posts/2/panels/history", 404],
        [bob(), "/customer/1/_history", 404],
        [ann(), "/customer/2/_history", 404],
        [ann(), "/customer/2/posts/2/history", 404],
        [ann(), "/customer/1/posts/2/history", 404],
      ] as const)
        assert.is((await who.request(path)).status, status, path);
      assert.not.match(await bob().page("/customer/2/_history"), "Baltic secret");
      assert.not.match(await bob().page("/customer/2/posts/2"), "panel-history");
      for (const path of ["/customer/1/_history", `${at}/history`, "/guest/1/_history", "/guest/1/posts/1/history"]) {
        const answer = await app.request(path, { headers: { accept: "application/json" } });
        assert.ok([401, 403, 404].includes(answer.status), path);
        assert.not.match(await answer.text(), "secret");
      }
      await ann().send(at, "PATCH", { post: { title: "Sealed" } });
      assert.equal(await own("/customer/1/_history", cat()), []);
      assert.is((await cat().request(`${at}/history`)).status, 404);
      await ann().send(at, "PATCH", { post: { title: "Open" } });
      assert.is((await own("/customer/1/_history")).length, 3);
      await patch(1, { status: "hidden" });
      assert.equal(await own("/customer/1/_history"), []);
      assert.is((await ann().request(`${at}/history`)).status, 404);
      await patch(1, { status: "live" });
      await patch(1, { organization_id: 2 });
      assert.equal(
        [await own("/customer/1/_history", cat()), await own("/customer/2/posts/1/history", cat())],
        [[], []],
      );
      await patch(1, { organization_id: 1 });
      assert.is((await own(`${at}/history`)).length >= 3, true);
      await taken();
    });

    can("A key that is used again has nothing of the record that had it before", async () => {
      await taken();
      const knex = service().knex;
      await service().insert(model("Post"), { id: 900, title: "Of the first", organization_id: 1 });
      await patch(900, { title: "Still of the first" });
      const [, first] = await rows();
      await model("Post").query().deleteById(900);
      await new Promise((resolve) => setTimeout(resolve, 5));
      await service().transaction(async (transaction) => {
        await model("Post")
          .query(transaction)
          .insert({ id: 900, title: "Of the second", organization_id: 1 } as never);
        await transaction.transaction(async (inner) => {
          await model("Post")
            .query(inner as never)
            .findById(900)
            .patch({ title: "Second" } as never);
        });
      });
      const url = "/customer/1/posts/900/history";
      const found = await own(url);
      assert.equal(
        found.map(({ kind }) => kind),
        ["updated", "created"],
      );
      assert.not.match(JSON.stringify(await ann().page(url)), "Of the first");
      assert.is((await ann().send(`${url}/${first!.id}/revert`, "POST")).status, 404);
      await patch(900, { title: "Sealed" }); // nobody sees the changes of this one
      assert.equal(
        (await own("/customer/1/_history")).map(({ kind }) => kind),
        ["deleted", "updated", "created"],
      );
      await knex("posts").where({ id: 900 }).delete();
      await taken();
    });

    can("What a deleted record was is seen by who may see deleted ones, without what is hidden", async () => {
      const made = await ann().send("/customer/1/posts", "POST", { post: { title: "Short-lived", category: 1 } });
      const { id } = ((await made.json()) as { data: { id: number } }).data;
      assert.is((await ann().send(`/customer/1/posts/${id}`, "DELETE")).status, 204);
      const found = await own("/customer/1/_history");
      assert.equal(
        found.map(({ kind, record }) => [kind, record]),
        [
          ["deleted", String(id)],
          ["created", String(id)],
        ],
      );
      assert.is(found[0]!.changes.title!.from, "Short-lived");
      assert.not.match(JSON.stringify(found), "category");
      assert.equal(await own("/customer/2/_history", cat()), []);
      assert.match(await ann().page("/customer/1/_history?kind=deleted"), "Short-lived");
      await taken();
    });

    can("No filter and no page shows entries of a deleted record that its policy hides by what it was", async () => {
      const sealed = await model("Post")
        .query()
        .insert({ title: "Sealed", status: "draft", organization_id: 1, author_id: 3 } as never);
      const id = sealed.$id() as number;
      await patch(id, { status: "confidential" });
      await model("Post").query().deleteById(id);
      const last = (await rows()).at(-1)!;
      const before = `before=${new Date(`${last.at}Z`.replace(" ", "T")).getTime() + 1000}_history:${last.id}`;
      for (const query of ["", "kind=created", "kind=updated", "kind=deleted", before])
        assert.equal(await own(`/customer/1/_history?${query}`), [], query);
      await taken();
    });

    can("Addresses that were made up are answered as if nothing was named", async () => {
      await patch(1, { title: "Named" });
      const all = (await own("/customer/1/_history")).length;
      const [most, large] = ["9".repeat(15), "9".repeat(20)];
      for (const key of [`${most}_history:1`, "1_history:x", "1_history:1e400", `1_history:${large}`])
        for (const path of ["/customer/1/_history", `${at}/history`])
          assert.is((await own(`${path}?before=${key}`)).length, all, key);
      for (const query of [
        "day=9999-12-31",
        "day=0000-01-01",
        "day[x]=1",
        "person[x]=1",
        "model[]=Note",
        "before[x]=1",
      ])
        assert.is((await own(`/customer/1/_history?${query}`)).length, all, query);
      for (const query of ["day=9999-12-31", "day=0000-01-01", "day=2026-99-99", "day[x]=1", ""])
        assert.is((await ann().request(`${at}/history/on?${query}`)).status, 404, query);
      await taken();
    });

    can("A page of all changes costs as many statements as it has models, however many records", async () => {
      const count = async () => {
        let statements = 0;
        const hear = ({ sql }: { sql: string }) => {
          if (/framewright_history|\bposts\b|\busers\b/.test(sql)) statements++; // and not those of the job worker
        };
        service().knex.on("query", hear);
        assert.ok((await own("/customer/1/_history")).length > 0);
        service().knex.off("query", hear);
        return statements;
      };
      const insert = async (many: number) => {
        const values = { status: "live", organization_id: 1, author_id: 3 };
        for (let at = 0; at < many; at++) {
          const made = await model("Post")
            .query()
            .insert({ ...values, title: `Number ${at}` } as never);
          if (at % 2 === 0) await model("Post").query().findById(made.$id()!).delete();
        }
      };
      await insert(2);
      const few = await count();
      await insert(12);
      assert.is(await count(), few);
      await taken();
    });

    can("The page of all changes is filtered by model, kind, person and day", async () => {
      await ann().send(at, "PATCH", { post: { title: "By Ann" } });
      await cat().send(at, "PATCH", { post: { title: "By Cat" } });
      await patch(1, { title: "A comment" }, "Comment");
      await service().knex("framewright_history").where({ person_id: "3" }).update({ at: "2020-05-05 12:00:00.000" });
      const count = async (query: string) => (await own(`/customer/1/_history?${query}`)).length;
      assert.equal(
        await Promise.all(
          [
            "",
            "model=Comment",
            "model=Post",
            "kind=updated",
            "kind=deleted",
            "person=User/1",
            "day=2020-05-05",
            "day=2020-05-06",
          ].map(count),
        ),
        [3, 1, 2, 3, 0, 1, 1, 0],
      );
      assert.match(await ann().page("/customer/1/_history?person=User/1&model=Post"), "By Ann");
      assert.equal(await count("model=Category&kind=odd&person=x&day=no"), 3);
      const elsewhere = { portal: "AdminPortal", person_label: "Adele Admin", person_id: "7", source: "SecretJob" };
      await service().knex("framewright_history").where({ person_id: "3" }).update(elsewhere);
      assert.equal(await count("person=User/7"), 0);
      const shown = (await ann().page("/customer/1/_history")) + JSON.stringify(await own("/customer/1/_history"));
      assert.match(shown, "Somebody");
      assert.not.match(shown, /Adele|AdminPortal|SecretJob/);
      await taken();
    });

    can(
      "A field or a change is taken back by who may write it, through rules, and newer values are asked about",
      async () => {
        await taken();
        await patch(1, { title: "First", body: "one", status: "live", category_id: 1, author_id: 3 });
        await taken();
        await ann().send(at, "PATCH", { post: { title: "Second", body: "two", author: 1 } });
        await patch(1, { category_id: null });
        const [change, hidden] = await rows();
        const url = (id: unknown) => `${at}/history/${id}/revert`;
        const post = () => service().knex("posts").where({ id: 1 }).first();
        const client = ann();
        const page = await client.page(`${at}/history`);
        assert.equal([...page.matchAll(/history\/\d+\/revert"/g)].length, 4);
        const submit = (fields: Record<string, string>) =>
          client.submit(`${at}/history`, fields, new RegExp(`history/${change!.id}/revert"`));
        const send = (id: unknown, body: object, who = ann()) => who.send(url(id), "POST", body);
        for (const [who, id, body, status] of [
          [bob(), change!.id, {}, 404],
          [ann(), hidden!.id, {}, 404],
          [ann(), change!.id, { field: "category" }, 404],
          [ann(), change!.id, { field: "status" }, 404],
          [ann(), 99_999, {}, 404],
          [cat(), "1x", {}, 404],
        ] as const)
          assert.is((await send(id, body, who)).status, status);
        assert.is((await app.request(url(change!.id), { method: "POST" })).status >= 400, true);
        assert.is((await post()).title, "Second");
        assert.is((await submit({ field: "title" })).status, 303);
        assert.equal([(await post()).title, (await post()).body], ["First", "two"]);
        const reverted = (await rows()).at(-1)!;
        assert.equal(
          [reverted.means, reverted.person_id, reverted.changes],
          ["revert", "1", { title: { from: "Second", to: "First" } }],
        );
        await patch(1, { body: "three" });
        const stale = await submit({ field: "body" });
        assert.is(stale.status, 409);
        const text = await stale.text();
        assert.match(text, /three[\s\S]*one/);
        const version = /name="lock_version" value="([^"]*)"/.exec(text)![1]!;
        await patch(1, { body: "four" });
        assert.is((await submit({ field: "body", lock_version: version })).status, 409);
        assert.is((await send(change!.id, { field: "body" })).status, 409);
        const again = /name="lock_version" value="([^"]*)"/.exec(
          await (await submit({ field: "body", lock_version: version })).text(),
        )![1]!;
        assert.is((await submit({ field: "body", lock_version: again })).status, 303);
        assert.is((await post()).body, "one");
        await patch(1, { author_id: 2 });
        assert.is((await send(change!.id, { field: "author" })).status, 409);
        await patch(1, { author_id: 1 });
        assert.is((await send(change!.id, { field: "author" })).status, 200);
        assert.is(Number((await post()).author_id), 3);
        await patch(1, { title: "Second", body: "two", author_id: 1 });
        assert.is((await send(change!.id, {})).status, 200);
        const whole = await post();
        assert.equal([whole.title, whole.body, Number(whole.author_id)], ["First", "one", 3]);
        await taken();
      },
    );

    can("A record is shown as it was on a day, of what may be read now, and not across tenants", async () => {
      await patch(1, { title: "In May", body: "long ago", api_token: "tok_may" });
      await taken();
      await patch(1, { title: "Now", category_id: 1 });
      await patch(1, { title: "Newest" });
      const day = (text: string) => ann().page(`${at}/history/on?day=${text}`);
      const may = await day("2026-05-05");
      assert.match(may, "In May");
      assert.not.match(may.slice(may.indexOf("<main")), /tok_may|ategory|>Newest<\/dd>/);
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      assert.match(await day(tomorrow), /<dd[^>]*>\s*Newest/);
      await patch(1, { organization_id: 2 });
      await patch(1, { organization_id: 1 });
      const moved = await day("2026-05-05");
      assert.match(moved, "is not known");
      assert.not.match(moved, "In May");
      assert.is((await ann().request(`${at}/history/on?day=x`)).status, 404);
      assert.is((await bob().request("/customer/2/posts/2/history/on?day=2026-05-05")).status, 404);
      const made = await service().insert(model("Post"), { title: "Today", organization_id: 1 });
      assert.match(
        await ann().page(`/customer/1/posts/${made.$id()}/history/on?day=2026-05-05`),
        "not there on that day",
      );
      await taken();
    });

    can("Expired entries are deleted, by model", async () => {
      await taken();
      const row = (name: string, days: number) => ({
        ...{ kind: "created", model: name, record: "1", label: "x", changes: "{}" },
        at: new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 23).replace("T", " "),
      });
      const all = [row("Post", 400), row("Post", 300), row("Comment", 40), row("Comment", 20), row("Gone", 400)];
      await service().knex("framewright_history").insert(all);
      assert.is(await app.application.kernel.service("history").prune(), 3);
      assert.is((await taken()).length, 2);
    });
  });
}
