import { get, type IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop } from "../../support/shop.ts";
import { cellsOf, exportFiles, fillPosts, POSTS, withRecords } from "./export_app.ts";

delete process.env.FW_DATABASE_FAST; // a run without the fast paths sets it: here rows and instances are both read
const posts = "/admin/blogging/posts";
type Row = { id: number; title: string };
const modes = { rows: exportFiles, instances: withRecords };
const pairs = (await databases({ mysqlInSoak: true })).flatMap((database) =>
  Object.entries(modes).map(([reads, files]) => ({ database, reads, files })),
);

for (const { database, reads, files } of pairs) {
  describe(`Exports of ${reads}, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(files, await database.values());
        await fillPosts(app);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const ask = (path: string, name = "Somebody", method = "GET") =>
      app.request(posts + path, { method, headers: { "x-name": name } });
    const csv = async (query = "", name?: string) => {
      const answer = await ask(`/export.csv${query}`, name);
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.is(answer.status, 200);
      assert.is(bytes.subarray(0, 3).toString("hex"), "efbbbf");
      return cellsOf(bytes.subarray(3).toString());
    };
    const lines = async (query = "", name?: string) => {
      const answer = await ask(`/export.jsonl${query}`, name);
      const text = await answer.text();
      assert.is(answer.status, 200);
      assert.is(text === "" || text.endsWith("\n"), true);
      return text
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Row & Record<string, unknown>);
    };
    const knex = () => databaseOf(app.application).knex;
    /** A post of its own that is found by its place. */
    const withPost = async (row: object, story: () => Promise<void>) => {
      await knex()("blogging_posts").insert({
        status: "draft",
        position: 77_777,
        created_at: "2026-01-01",
        updated_at: "2026-01-01",
        ...row,
      });
      try {
        await story();
      } finally {
        await knex()("blogging_posts").where("position", 77_777).delete();
      }
    };

    can("Every row is there once and in the order of the list, beyond a batch, with ties and nulls", async () => {
      assert.is(app.application.routes().find(({ path, verb }) => verb === "GET" && path === posts)!.reads, reads);
      const orders: Record<string, [string, "asc" | "desc"][]> = {
        "": [["id", "desc"]],
        id: [["id", "asc"]],
        "-title": [
          ["title", "desc"],
          ["id", "desc"],
        ],
        "title,-price": [
          ["title", "asc"],
          ["price_cents", "desc"],
          ["id", "asc"],
        ],
        "-published_at,status": [
          ["published_at", "desc"],
          ["status", "asc"],
          ["id", "desc"],
        ],
        "published,-position": [
          ["published", "asc"],
          ["position", "desc"],
          ["id", "asc"],
        ],
        author: [["id", "desc"]], // it has no cursors
      };
      for (const [sort, columns] of Object.entries(orders)) {
        const query = knex()("blogging_posts").select("id").where("title", "<>", "Hidden");
        for (const [column, direction] of columns) query.orderBy(column, direction);
        const expected = (await query).map(({ id }) => Number(id));
        assert.ok(expected.length > 1000 && expected.length < POSTS);
        assert.is((await lines(sort && `?sort=${sort}`)).map(({ id }) => id).join(), expected.join(), sort);
      }
      assert.is((await csv("?sort=-title")).length, 1 + (await lines()).length);
    });

    can("Search, filters and scope narrow as they do the list, and a page or its size does not", async () => {
      const listed = async (query: string) => {
        const answer = await app.request(`${posts}?per_page=100&${query}`, { headers: { accept: "application/json" } });
        return (await answer.json()) as { data: Row[]; meta: { total: number } };
      };
      for (const query of ["q=T%201", "filter[status]=live", "scope=live&sort=-title", "filter[author]=2&q=T"]) {
        const { data, meta } = await listed(query);
        const all = await lines(`?${query}&page=3&per_page=2`);
        assert.is(all.length, meta.total, query);
        assert.is(
          all
            .slice(0, 100)
            .map(({ id }) => id)
            .join(),
          data.map(({ id }) => id).join(),
          query,
        );
        assert.is((await csv(`?${query}`)).length, meta.total + 1);
      }
      assert.equal(await lines("?q=nothing"), []);
      assert.is((await csv("?q=nothing")).length, 1);
      for (const bad of ["filter[secret_token]=x", "sort=body", "scope=never", "filter[status][x]=1"])
        assert.is((await ask(`/export.csv?${bad}`)).status, 422, bad);
    });

    can(
      "It has the columns that the person is shown: neither one that is hidden nor what the policy keeps",
      async () => {
        const labels = ["Title", "Author", "Price", "Status", "Published", "Published at (UTC)", "Due on"];
        assert.equal((await csv("?q=nothing"))[0], [...labels, "Secret token", "Paper", "Details"]);
        assert.equal((await csv("?q=nothing", "Boss"))[0], [...labels, "Rank", "Secret token", "Paper", "Details"]);
        const [row] = await lines();
        assert.is("position" in row!, false);
        assert.is("body" in row!, false);
        assert.is("position" in (await lines("", "Boss"))[0]!, true);
      },
    );

    can(
      "Values are plain: instants in UTC, amounts with a point, labels of records, no HTML, no secret, of a file its name",
      async () => {
        const paper = JSON.stringify({ key: "ab/cdef", filename: "a, b.pdf", type: "application/pdf", size: 3 });
        const row = { title: 'Grüße "quoted"\r\nnext; line', author_id: 1, price_cents: -1250, published: 1 };
        const times = { published_at: "2026-02-03 04:05:06.789", due_on: "2026-02-03" };
        await withPost({ ...row, ...times, secret_token: "do-not-tell", paper, details: '{"a":[1]}' }, async () => {
          const [, cells] = await csv("?q=quoted", "Boss");
          const [title, author] = ['Grüße "quoted"\r\nnext; line', 'Zoë, "Zed"'];
          const middle = ["-12.50", "draft", "true", "2026-02-03T04:05:06.789Z", "2026-02-03", "77777"];
          assert.equal(cells, [title, author, ...middle, "", "a, b.pdf", '{"a":[1]}']);
          const [line] = await lines("?q=quoted");
          const answer = await app.request(`${posts}?q=quoted`, { headers: { accept: "application/json" } });
          assert.equal(
            line,
            Object.fromEntries(
              Object.entries(((await answer.json()) as { data: Row[] }).data[0]!).filter(
                ([name]) => name !== "position",
              ),
            ),
          );
        });
      },
    );

    can("Chosen columns are those of the file, in their order", async () => {
      const [head, first] = await csv("?columns=status,title&sort=id");
      assert.equal(head, ["Status", "Title"]);
      assert.is(first!.length, 2);
      assert.equal(
        Object.keys((await lines("?columns=position,status&sort=id"))[0]!),
        ["id", "status"],
        "one that is hidden from who asks stays hidden",
      );
      assert.is((await ask("/export.jsonl?columns=nope")).status, 422);
    });

    can("A text that a spreadsheet would run gets an apostrophe before it, a number does not", async () => {
      for (const title of ["=1+1", "+49 30", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "-"])
        await withPost({ title, author_id: 2 }, async () => {
          const [, cells] = await csv(`?sort=-id`);
          assert.equal(cells!.slice(0, 2), [`'${title}`, "'=Ada"]);
        });
      for (const title of ["-12.5", "-3", "1=1", "a-b"])
        await withPost({ title }, async () => assert.is((await csv("?sort=-id"))[1]![0], title));
    });

    can("It is a download that nobody keeps; HEAD has its head and reads nothing", async () => {
      for (const [path, type] of [
        ["/export.csv", "text/csv; charset=utf-8"],
        ["/export.jsonl", "application/jsonl; charset=utf-8"],
      ] as const)
        for (const method of ["GET", "HEAD"]) {
          const answer = await ask(path, "Somebody", method);
          assert.is(answer.status, 200);
          assert.is(answer.headers.get("content-type"), type);
          const day = new Date().toISOString().slice(0, 10);
          assert.match(
            answer.headers.get("content-disposition")!,
            `attachment; filename="posts-${day}${path.slice(7)}"`,
          );
          assert.match(answer.headers.get("cache-control")!, "no-store");
          assert.is(answer.headers.get("x-content-type-options"), "nosniff");
          assert.is((await answer.text()) === "", method === "HEAD");
        }
    });

    can("Who may not export, or not see the list, is answered 403, and their list offers nothing", async () => {
      for (const name of ["Nobody", "Stranger"])
        for (const path of ["/export.csv", "/export.xlsx", "/export.jsonl"])
          assert.is((await ask(path, name)).status, 403);
      assert.is((await app.request("/admin/authors/export.csv")).status, 403);
      assert.not.match(await (await ask("", "Nobody")).text(), "export.csv");
      const page = await (await ask("?q=T&filter[status]=live&sort=-title&page=2")).text();
      const links = [
        ...page.matchAll(/<a class="fw-dropdown-item" href="([^"]*export[^"]*)" data-turbo="false">([^<]+)/g),
      ];
      assert.equal(
        links.map(([, , label]) => label),
        ["CSV", "Excel (XLSX)", "JSON lines"],
      );
      const address = links[2]![1]!.replaceAll("&amp;", "&");
      assert.match(address, /export\.jsonl\?.*q=T.*sort=-title$/);
      const found = (await (await app.request(address)).text()).split("\n").slice(0, -1);
      assert.is(found.length, (await lines("?q=T&filter[status]=live")).length);
    });

    can("Below a parent there are its own rows, where the parent is seen", async () => {
      await withPost({ id: 9001, title: "Parent", author_id: 2 }, async () => {
        await withPost({ id: 9002, title: "Hidden" }, async () => {
          for (const [body, post_id] of [
            ["mine", 9001],
            ["other", 9002],
          ] as const)
            await knex()("blogging_comments").insert({
              body,
              post_id,
              created_at: "2026-01-01",
              updated_at: "2026-01-01",
            });
          const answer = await ask("/9001/nested_comments/export.csv");
          assert.match(answer.headers.get("content-disposition")!, 'filename="comments-');
          assert.equal(cellsOf((await answer.text()).replace("\uFEFF", "")), [
            ["Body", "Post"],
            ["mine", "Parent"],
          ]);
          assert.is((await ask("/9002/nested_comments/export.csv")).status, 404);
          assert.is((await ask("/nothing/nested_comments/export.csv")).status, 404);
          assert.is((await ask("/9001/nested_note/export.csv")).status, 404);
          await knex()("blogging_comments").delete();
        });
      });
    });

    can("A failure after the first batch breaks the connection off, and one before is a page", async () => {
      const resources = app.application.kernel.service("resources");
      const { visible } = resources;
      let calls = 0;
      let failing = reads === "rows" ? 2 : 3; // instances are read after their keys
      resources.visible = (...given) => {
        if (++calls >= failing) throw new Error("the disk is gone");
        return visible.apply(resources, given);
      };
      try {
        const answer = await ask("/export.csv");
        assert.is(answer.status, 200);
        const failed = await answer.text().then(
          () => false,
          () => true,
        );
        assert.is(failed, true);
        [calls, failing] = [0, 1];
        assert.is((await ask("/export.csv")).status, 500);
      } finally {
        resources.visible = visible;
      }
      assert.is((await lines()).length > 1000, true);
    });
  });
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A long export, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let batches = 0;
    let delay = 0;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(exportFiles, { ...(await database.values()), REQUEST_DEADLINE: "6000" });
        await fillPosts(app);
        const { knex } = databaseOf(app.application);
        const [{ id: post_id }] = (await knex("blogging_posts").select("id").limit(1)) as [{ id: number }];
        const row = { post_id, body: "b".repeat(8000), created_at: "2026-01-01", updated_at: "2026-01-01" };
        for (let at = 0; at < 4000; at += 100) await knex("blogging_comments").insert(Array(100).fill(row));
        const service = databaseOf(app.application);
        const readRows = service.readRows.bind(service);
        service.readRows = async (...given) => {
          if (++batches > 1) await setTimeout(delay);
          return readRows(...given);
        };
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const opened = (path: string) =>
      new Promise<IncomingMessage>((resolve, reject) => get(app.url + path, resolve).once("error", reject));

    can("A client that takes nothing is waited for, and one that is gone ends the reading", async () => {
      [batches, delay] = [0, 0];
      const answer = await opened("/admin/blogging/comments/export.csv");
      answer.pause();
      let before = -1;
      while (before !== batches) {
        before = batches;
        await setTimeout(700);
      }
      assert.ok(batches < 8, `${batches} batches were read for a client that takes none`);
      answer.destroy();
      await setTimeout(700);
      assert.ok(batches <= before + 1, `${batches} batches were read, ${before} before the client was gone`);
    });

    can("The deadline of requests does not end it", async () => {
      [batches, delay] = [0, 3500];
      const answer = await app.request("/admin/blogging/posts/export.jsonl");
      const text = await answer.text();
      assert.is(batches, 3);
      assert.is(text.split("\n").length - 1, POSTS - Math.ceil(POSTS / 97));
    });
  });
}
