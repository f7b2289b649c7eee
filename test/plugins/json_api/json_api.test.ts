import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openJsonApi } from "./json_api_app.ts";

interface Row {
  id: number;
  title?: string;
  included?: Record<string, Row | { data: Row[]; meta: { more: boolean; url: string } } | null>;
  [name: string]: unknown;
}
interface Body {
  data: Row & Row[];
  meta: { next?: string; total: number };
  errors?: Record<string, string[]>;
}

for (const database of await databases({ withPostgres: true })) {
  describe(`Parameters of JSON, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openJsonApi(await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const send = (id: number, path: string) =>
      app.request(path.startsWith("/") ? path : `/customer/1/${path}`, {
        headers: { "x-user": String(id), accept: "application/json" },
      });
    const read = async (id: number, path: string): Promise<Body> => {
      const answer = await send(id, path);
      const text = await answer.text();
      assert.is(answer.status, 200, `${path}: ${text}`);
      return JSON.parse(text) as Body;
    };
    const refused = async (id: number, path: string): Promise<string> => {
      const answer = await send(id, path);
      const body = (await answer.json()) as Body;
      assert.is(answer.status, 422, `${path}: ${JSON.stringify(body)}`);
      return Object.entries(body.errors ?? {}).join();
    };
    const many = (row: Row, name: string) =>
      row.included![name] as { data: Row[]; meta: { more: boolean; url: string } };
    const one = (row: Row, name: string) => row.included![name] as Row | null;
    const linksOf = (answer: Response): Record<string, string> =>
      Object.fromEntries(
        [...(answer.headers.get("link") ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel!, url!]),
      );

    can("A record has the columns that are named, and refuses what it does not show", async () => {
      assert.equal((await read(1, "posts/11.json?columns=title,status")).data, {
        id: 11,
        title: "Post 11",
        status: "live",
      } as never);
      assert.equal((await read(1, "posts/11.json?columns[]=title")).data, { id: 11, title: "Post 11" } as never);
      assert.ok("author" in (await read(1, "posts/11.json?columns=")).data);
      for (const columns of ["nothing", "title,organization_id", "__proto__", "columns[x]=1"])
        assert.match(
          await refused(1, `posts/11.json?columns=${columns}`),
          /^columns,names what the record does not show/,
        );
      assert.match(await refused(3, "posts/11.json?columns=author"), /^columns/); // hidden from her
      assert.is((await send(1, "posts/2.json?columns=title")).status, 404); // Baltic's
      const etag = async (path: string) => (await send(1, path)).headers.get("etag");
      assert.is(await etag("posts/11.json?columns=title"), await etag("posts/11.json"));
    });

    can("Lists lead from page to page, with the parameters of the request", async () => {
      const first = await send(1, "posts.json?sort=-title&per_page=5&columns=title");
      const links = linksOf(first);
      const base = "/customer/1/posts.json?sort=-title&per_page=5&columns=title";
      assert.equal([links.first, links.prev, links.last], [`${base}&page=1`, undefined, `${base}&page=3`]);
      const titles: string[] = [];
      let pages = 0;
      for (let next: string | undefined = base; next !== undefined; pages++) {
        const answer = await send(1, next);
        const { data } = (await answer.json()) as Body;
        titles.push(...data.map(({ title }) => title!));
        const own = linksOf(answer);
        assert.equal([own.first, own.last], [links.first, links.last]);
        if (pages > 0) assert.is(own.prev, `${base}&page=${pages}`);
        next = own.next;
      }
      assert.equal([pages, titles.length], [3, 13]);
      assert.equal(titles, [...titles].sort().reverse());
      const numbered = linksOf(await send(1, "posts.json?page=2&per_page=5"));
      assert.is(numbered.prev, "/customer/1/posts.json?per_page=5&page=1");
      assert.equal(
        linksOf(await send(1, "posts/11/nested_comments.json?page=1")).last,
        "/customer/1/posts/11/nested_comments.json?page=2",
      );
      assert.is(
        linksOf(await send(1, "posts.json?q=%3Cb%3E&per_page=5")).first,
        "/customer/1/posts.json?q=%3Cb%3E&per_page=5&page=1",
      );
      assert.is((await send(1, `posts.json?q=${"x".repeat(2500)}`)).headers.get("link"), null);
      assert.is((await send(1, "posts/11.json")).headers.get("link"), null);
    });

    can("Records come with what they belong to, and with the first of what belongs to them", async () => {
      const { data } = await read(1, "posts/13.json?include=author,comments,note");
      assert.equal(one(data, "author"), { id: 3, name: "Cat" } as never);
      assert.equal(one(data, "note"), { id: 13, title: "Note 13", post: { id: 13, label: "Post 13" } } as never);
      const { data: comments, meta } = many(data, "comments");
      assert.equal([comments.length, meta.more, meta.url], [20, true, "/customer/1/posts/13/nested_comments.json"]);
      const nested = await read(1, meta.url);
      assert.equal(comments, nested.data.slice(0, 20) as never);
      assert.not.ok(comments.some(({ title }) => title === "Hidden"));
      const list = await read(1, "posts.json?include=author,comments&sort=id&per_page=20");
      assert.equal(
        list.data.map(({ id }) => id),
        [1, ...Array.from({ length: 12 }, (_, at) => at + 11)],
      );
      for (const post of list.data.slice(1)) {
        assert.equal(one(post, "author")?.id ?? 4, (post.author as Row).id);
        assert.ok(many(post, "comments").data.every(({ post: of }) => (of as Row).id === post.id));
        assert.is(many(post, "comments").data.length, 20);
      }
      assert.equal(many(list.data[0]!, "comments"), {
        data: [{ id: 1, title: "Comment Alpine", post: { id: 1, label: "Post Alpine" }, reply_to: null }],
        meta: { more: false, url: "/customer/1/posts/1/nested_comments.json" },
      } as never);
      const hundred = await read(1, "comments.json?include=post.author&per_page=100&sort=id");
      const ofAnn = hundred.data.find(({ id }) => id === 1200)!;
      assert.equal(one(one(ofAnn, "post")!, "author"), { id: 1, name: "Ann Alpine" } as never);
      const { data: users } = await read(1, "users.json?include=organizations&sort=id");
      assert.equal(many(users[0]!, "organizations").data, [{ id: 1, name: "Alpine" }] as never);
    });

    can("A list that is too long for numbers leads on by a cursor, and includes the same", async () => {
      const { knex } = databaseOf(app.application);
      const notes = Array.from({ length: 10_050 }, (_, at) => ({ id: at + 1000, title: `Long ${at}`, post_id: 11 }));
      for (let from = 0; from < notes.length; from += 150) await knex("notes").insert(notes.slice(from, from + 150));
      const first = await send(1, "notes.json?include=post&per_page=2&columns=title");
      const body = (await first.clone().json()) as Body;
      const base = "/customer/1/notes.json?include=post&per_page=2&columns=title";
      const links = linksOf(first);
      assert.equal([links.first, links.prev, links.last], [`${base}&page=1`, undefined, undefined]);
      assert.ok(links.next!.startsWith(`${base}&after=`), links.next);
      assert.is(body.meta.next, links.next);
      const second = await send(1, links.next!);
      const { data, meta } = (await second.clone().json()) as Body;
      assert.equal(Object.keys(data[0]!), ["id", "title", "included"]);
      assert.is(one(data[0]!, "post")!.title, "Post 11");
      assert.not.equal(
        data.map(({ id }) => id),
        body.data.map(({ id }) => id),
      );
      assert.is(linksOf(second).prev, `${base}&page=1`);
      assert.is(linksOf(second).next, meta.next);
      const far = linksOf(await send(1, "notes.json?per_page=100&page=100"));
      assert.match(far.next!, /&after=/);
      const beyond = linksOf(await send(1, far.next!));
      assert.equal([beyond.prev?.slice(-8), beyond.next], ["page=100", undefined]);
      await knex("notes").where("id", ">=", 1000).delete();
    });

    can("What is included is read by its own policy, in the same tenant", async () => {
      const cats = await read(3, "posts/13.json?include=comments");
      assert.not.match(JSON.stringify(many(cats.data, "comments")), /"title"/); // hidden from her
      const dans = await read(1, "posts.json?include=author&sort=id&per_page=20");
      const hidden = dans.data.filter((post) => (post.author as Row).id === 4);
      assert.ok(hidden.length > 2);
      assert.ok(hidden.every((post) => one(post, "author") === null)); // his page is nobody's
      const replies = await read(1, "comments.json?include=reply_to&per_page=100&sort=-id");
      const last = replies.data.filter(({ id }) => id % 100 === 24);
      assert.ok(last.length > 2);
      assert.ok(last.every((comment) => one(comment, "reply_to") === null)); // Baltic's
      assert.not.match(JSON.stringify(replies), /Baltic/);
      const afterHidden = replies.data.find(({ id }) => id % 100 === 4)!;
      assert.is(one(afterHidden, "reply_to"), null);
      const all = await read(3, "/customer/2/posts.json?include=comments");
      assert.equal(
        all.data.map(({ title }) => title),
        ["Post Baltic"],
      );
      assert.not.match(JSON.stringify(all), /Alpine|Post 1/);
    });

    can("A controller's own JSON is the one that is included, and behind its own check nothing is", async () => {
      const { data } = await read(1, "comments/1101.json?include=attachments");
      assert.equal(
        many(data, "attachments").data.map(({ name }) => name),
        ["redacted"],
      );
      assert.match(await refused(1, "posts/11.json?include=category"), /can't be included here/);
    });

    can("Unknown associations and those that the person may not read are refused alike", async () => {
      for (const [id, path, name] of [
        [1, "posts/11.json?include=nothing", "nothing"],
        [1, "posts.json?include=author,title", "title"],
        [1, "posts/11.json?include=__proto__", "__proto__"],
        [1, "posts/11.json?include=organization", "organization"], // not among what is permitted
        [1, "users/1.json?include=memberships", "memberships"], // no resource of the portal
        [3, "posts/11.json?include=author", "author"],
        [3, "posts.json?include=author", "author"],
        [2, "/customer/2/posts.json?include=note", "note"],
        [1, "posts/11.json?include=comments.nothing", "comments.nothing"],
      ] as const) {
        assert.is(await refused(id, path), `include,names "${name}", which can't be included here`);
      }
    });

    can("Parameters have bounds, and odd ones are refused by name", async () => {
      assert.match(await refused(1, "posts/11.json?include=comments.reply_to.post"), /two names at most/);
      assert.match(await refused(1, `posts.json?include=${"author.".repeat(500)}author`), /two names at most/);
      assert.match(await refused(1, "posts.json?include=a,b,c,d,e,f"), /more than 5/);
      assert.match(await refused(1, "posts.json?include=comments.attachments"), /only those to one record/);
      assert.match(await refused(1, "posts.json?include[x]=author"), /takes names/);
      assert.match(await refused(1, "posts.json?include[][x]=author"), /takes names/);
      for (const odd of [",", ".", "author,", "%00", "author%20"]) await refused(1, `posts/11.json?include=${odd}`);
      assert.ok(one((await read(1, "posts/13.json?include=author,author")).data, "author"));
      assert.not.ok("included" in (await read(1, "posts/13.json?include=")).data);
    });

    can("A page costs as many statements as it has associations, however many records it has", async () => {
      const { knex } = databaseOf(app.application);
      const statements: string[] = [];
      const note = ({ sql }: { sql: string }) => void statements.push(sql);
      const counted = async (path: string): Promise<number> => {
        await read(1, path);
        statements.length = 0;
        knex.on("query", note);
        await read(1, path);
        knex.removeListener("query", note);
        return statements.length;
      };
      const include = "include=author,comments,note,comments.reply_to";
      const [few, all] = [
        await counted(`posts.json?per_page=2&${include}`),
        await counted(`posts.json?per_page=20&${include}`),
      ];
      const plain = await counted("posts.json?per_page=2");
      assert.ok(all <= few, `${all} statements for all, ${few} for two`);
      assert.ok(few - plain <= 18, `${few} statements, ${plain} without`);
    });
  });
}
