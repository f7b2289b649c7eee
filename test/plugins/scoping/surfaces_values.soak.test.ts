import { inspect } from "node:util";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Person } from "../resources/fields_app.ts";
import { openSurfaces, uuids } from "./surfaces_app.ts";

// What Ann sends where something may be chosen, filtered or sorted by: what she may not see is as what never was.

const [ANN, BOB, CAT] = [1, 2, 3];
const posts = "/customer/alpine/posts";
const one = `${posts}/post-alpine`;
interface Answer {
  status: number;
  text: string;
  body: { data: Record<string, unknown> & Record<string, unknown>[]; errors: Record<string, string[]> };
}

for (const database of await databases()) {
  describe(`What is sent, chosen and listed by, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openSurfaces(await database.values());
        await knex()("posts").insert([
          { id: 11, title: "Alpine of Ann", author_id: ANN, organization_id: 1, status: "live", slug: "of-ann" },
          { id: 12, title: "Baltic of Bob", author_id: BOB, organization_id: 2, status: "live", slug: "of-bob" },
        ]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const ask = async (path: string, user = ANN, method = "GET", body?: unknown): Promise<Answer> => {
      const headers = { accept: "application/json", "x-user": String(user), "content-type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await app.request(path, { method, headers, ...sent });
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get("content-type") ?? "");
      return { status: answer.status, text, body: isJson ? JSON.parse(text) : {} };
    };
    const save = (post: object, user = ANN, path = one) => ask(path, user, "PATCH", { post });
    const links = async (post_id: number) =>
      (await knex()("taggings").where({ post_id }).orderBy("tag_id").pluck("tag_id")).map(Number);
    const same = (one: Answer, other: Answer, what: string) =>
      assert.equal([one.status, one.text], [other.status, other.text], what);

    can(
      "A filter or sort by what Ann may not read is as one that never was, on both sides of an association",
      async () => {
        const noFilter = await ask(`${posts}?filter[never_was]=x`);
        assert.is(noFilter.status, 422);
        for (const name of ["secret_note", "for_cat", "organization", "badge_id"])
          same(await ask(`${posts}?filter[${name}]=1`), noFilter, name);
        const noSort = await ask(`${posts}?sort=never_was`);
        assert.is(noSort.status, 422);
        for (const name of ["secret_note", "-secret_note", "author", "-author", "organization_id", "drawing"])
          same(await ask(`${posts}?sort=${name}`), noSort, name); // authors are sorted by an address that is not Ann's to read
        const html = await new Person(app.url, ANN).page(posts);
        assert.not.match(html, /sort=-?author|Sort by Author|for_cat|secret_note/);
        assert.is((await ask(`${posts}?sort=author`, CAT)).status, 200);
        assert.match(await new Person(app.url, CAT).page(posts), "sort=author");
        const found = await ask(`/customer/alpine/users?q=x.test`);
        assert.equal(found.body.data, []);
        assert.is((await ask(`/customer/alpine/users?q=classified`, CAT)).body.data.length, 2);
      },
    );

    can(
      "Scopes, filters, searches, sorts and choices keep to each person and tenant under interleaved requests",
      async () => {
        const people = [
          [ANN, "alpine", "1 Alpine"],
          [CAT, "alpine", "3 Alpine"],
          [CAT, "baltic", "3 Baltic"],
          [BOB, "baltic", "2 Baltic"],
        ] as const;
        const paths = people.flatMap(([user, tenant, known]) =>
          [
            "?scope=mine",
            `?filter[of]=${known}`,
            "?filter[of]=1 Alpine",
            "?q=who",
            "?sort=own_first",
            "/typeahead/author",
            "/typeahead/tags",
            "/actions/mark?_search=tag",
          ].map((rest) => ({ user, path: `/customer/${tenant}/posts${rest}` })),
        );
        const titles = ({ body }: Answer) => body.data.map(({ title, label }) => title ?? label);
        const expected = new Map<string, string>();
        for (const { user, path } of paths) expected.set(`${user} ${path}`, (await ask(path, user)).text);
        assert.equal(titles(await ask("/customer/alpine/posts?scope=mine")), ["Alpine of Ann"]);
        assert.equal(titles(await ask("/customer/baltic/posts?scope=mine", CAT)), ["Post Baltic"]);
        assert.equal(titles(await ask("/customer/baltic/posts?q=who", BOB)), ["Baltic of Bob"]);
        assert.equal(titles(await ask("/customer/alpine/posts?filter[of]=3 Alpine", ANN)), []);
        assert.is(titles(await ask("/customer/alpine/posts?filter[of]=3 Alpine", CAT)).length, 3);
        assert.is(titles(await ask("/customer/alpine/posts?sort=own_first"))[0], "Alpine of Ann");
        assert.is(new Set(expected.values()).size > 16, true);
        for (let round = 0; round < 12; round++) {
          const turn = paths.map((_, at) => paths[(at * 7 + round) % paths.length]!);
          const answers = await Promise.all(turn.map(({ user, path }) => ask(path, user)));
          for (const [at, { user, path }] of turn.entries())
            assert.is(answers[at]!.text, expected.get(`${user} ${path}`), `${user} ${path}`);
        }
      },
    );

    can("Whatever may be chosen, a record that Ann may not see or choose is refused as an absent one", async () => {
      const stored = () =>
        knex()("posts").where({ id: 1 }).select("title", "author_id", "drawing_id", "badge_id", "status");
      const before = await stored();
      const refused = async (field: string, absent: unknown, given: readonly unknown[]) => {
        const expected = await save({ [field]: absent });
        assert.is(expected.status, 422, expected.text);
        for (const value of given) same(await save({ [field]: value }), expected, `${field} ${JSON.stringify(value)}`);
      };
      await refused("author", 999, [2, 5, { id: 5 }, "2"]);
      await refused("drawing", 999, [2, 3, 4, 5, 6]);
      await refused("status", "999", ["2", "3", "x", "Baltic"]);
      await refused("tags", [999], [[2], [3], [1, 2], [1, 3], ["3"], [{ id: 2 }]]);
      await knex()("posts").where({ id: 1 }).update({ category_id: null });
      await refused("category", 999, [1, { id: 1 }]); // Ann may not choose from categories
      const tagIds = await save({ tag_ids: [999] });
      same(await save({ tag_ids: [3] }), tagIds, "tag_ids");
      for (const [path, method] of [
        [posts, "POST"],
        ["/customer/alpine/users/1/nested_posts", "POST"],
        ["/customer/alpine/organizations/alpine/nested_posts", "POST"],
      ] as const) {
        const sent = (tag: number) => ask(path, ANN, method, { post: { title: "New", tags: [tag] } });
        const absent = await sent(999);
        assert.equal(Object.keys(absent.body.errors), ["tags"], path);
        for (const tag of [2, 3]) same(await sent(tag), absent, path);
      }
      const badge = (id: string) => save({ badge: id }, CAT);
      const absent = await badge(uuids.absent);
      assert.is(absent.status, 422);
      same(await badge(uuids.b), absent, "a badge of the other tenant");
      for (const interaction of [
        { person: 2 },
        { person: 5 },
        { tag: 2 },
        { tag: 3 },
        { kind: "more", comment: "3" },
      ]) {
        const [name] = Object.keys(interaction).slice(-1);
        const never = { ...interaction, [name!]: name === "comment" ? "999" : 999 };
        const run = (values: object) =>
          ask(`${one}/actions/ask`, ANN, "POST", { interaction: { kind: "plain", ...values } });
        const expected = await run(never);
        assert.is(expected.status, 422, expected.text);
        same(await run(interaction), expected, JSON.stringify(interaction));
      }
      assert.equal(await stored(), before);
    });

    can("A stored choice that is not Ann's to make stays with what she saves", async () => {
      await knex()("posts").where({ id: 11 }).update({ category_id: 1 });
      const path = `${posts}/of-ann`;
      const saved = await save({ title: "Alpine of Ann", category: 1 }, ANN, path);
      assert.is(saved.status, 200, saved.text);
      const form = await new Person(app.url, ANN).submit(`${path}/edit`, { "post[title]": "Alpine of Ann" });
      assert.is(form.status, 303);
      assert.is(Number((await knex()("posts").where({ id: 11 }).first()).category_id), 1);
    });

    can("A form that is drawn again names no record and no choice that Ann may not see", async () => {
      const person = new Person(app.url, ANN);
      const wanted: Record<string, readonly string[]> = {
        author: ["2", "5"],
        drawing: ["2", "3", "4"],
        category: ["1"],
        status: ["2", "3"],
        badge: [uuids.a, uuids.b, uuids.hidden],
      };
      for (const path of [`${posts}/new`, `${one}/edit`])
        for (const [field, values] of Object.entries(wanted))
          for (const value of values)
            for (const more of [{ _refresh: "1" }, { "post[status]": "never" }] as Record<string, string>[]) {
              const answer = await person.submit(path, { [`post[${field}]`]: value, ...more });
              assert.is(answer.status, 422);
              const text = await answer.text();
              assert.not.match(
                text,
                /Baltic|Hidden|Shared|Scan (Alpine|Baltic)|classified/,
                `${path} ${field}=${value}`,
              );
              assert.not.match(text, 'name="post[badge]"');
            }
      for (const [input, value] of [
        ["person", "5"],
        ["tag", "3"],
        ["comment", "3"],
      ]) {
        const typed = { "interaction[kind]": "more", _refresh: "1", [`interaction[${input}]`]: value! };
        const text = await (await person.submit(`${one}/actions/ask`, typed)).text();
        assert.match(text, "Comment Alpine");
        assert.not.match(text, /Baltic|Hidden|classified/);
      }
    });

    can("A field whose condition is false is not stored, however it is sent", async () => {
      assert.is((await save({ badge: uuids.a, badge_id: uuids.a, secret_note: "mine" })).status, 200);
      const typed = { "post[badge]": uuids.a, "post[badge_id]": uuids.a, "post[secret_note]": "mine" };
      assert.is((await new Person(app.url, ANN).submit(`${one}/edit`, typed)).status, 303);
      const stored = await knex()("posts").where({ id: 1 }).first();
      assert.equal([stored.badge_id, stored.secret_note], [null, null]);
    });

    can(
      "Links to foreign and hidden records are neither shown, nor counted, nor undone by who does not see them",
      async () => {
        await knex()("taggings").insert({ tag_id: 2, post_id: 1 }); // as an earlier mistake left it
        const shown = await ask(one);
        assert.equal(shown.body.data.tags, [{ id: 1, label: "Tag Alpine" }]);
        assert.is((await ask(`${one}/nested_tags`)).text.includes('"total":1,'), true);
        const cleared = await save({ tags: [] });
        assert.equal([cleared.status, cleared.body.data.tags], [200, []]);
        assert.equal(await links(1), [2, 3]);
        assert.equal((await save({ tags: [1] })).body.data.tags, [{ id: 1, label: "Tag Alpine" }]);
        assert.equal(await links(1), [1, 2, 3]);
        const cats = (await ask(one, CAT)).body.data.tags as { label: string }[];
        assert.equal(cats.map(({ label }) => label).sort(), ["Tag Alpine", "Tag Hidden"]);
      },
    );

    can("At the address of a class no row becomes or shows one of another class", async () => {
      for (const [path, key, own] of [
        ["drawings", "drawing", "Drawing"],
        ["scans", "scan", "Scan"],
      ] as const) {
        const other = own === "Scan" ? "Drawing" : "Scan";
        const made = await ask(`/customer/alpine/${path}`, ANN, "POST", {
          [key]: { name: "Made", comment: 1, type: other },
        });
        const rows: { name: string; type: string }[] = await knex()("attachments").where({ name: "Made" });
        assert.equal([made.status, rows], [422, []], made.text);
        const { body } = await ask(`/customer/alpine/${path}?sort=name`);
        assert.equal([...new Set(body.data.map(({ type }) => type))], [own]);
        const id = body.data[0]!.id;
        const changed = await ask(`/customer/alpine/${path}/${id}`, ANN, "PATCH", { [key]: { type: other } });
        assert.is(changed.status, 422, changed.text);
      }
    });

    can("An encrypted value stands in no line of the log and in no error, whatever goes wrong with it", async () => {
      const lines: string[] = [];
      for (const level of ["debug", "info", "warn", "error"] as const) {
        const own = app.application.log[level].bind(app.application.log) as (...values: unknown[]) => void;
        app.application.log[level] = (...values: unknown[]) => {
          lines.push(
            values
              .map((value) => (value instanceof Error || typeof value === "object" ? inspect(value) : String(value)))
              .join(" "),
          );
          own(...values);
        };
      }
      const secret = "classified-note";
      const texts: string[] = [];
      const keep = async (answer: Promise<Answer>) => texts.push((await answer).text);
      assert.is((await save({ secret_note: secret }, CAT)).status, 200);
      assert.is((await ask(`${posts}?filter[secret_note]=${secret}`, CAT)).body.data.length, 1);
      await keep(save({ secret_note: secret, slug: "of-ann" }, CAT));
      await keep(ask(`${posts}?filter[secret_note]=${secret}`));
      await keep(ask(`${posts}?q=${secret}`, CAT));
      await knex().schema.renameTable("posts", "posts_away");
      try {
        await keep(ask(posts, CAT, "POST", { post: { title: "x", secret_note: secret } }));
        await keep(ask(`${posts}?filter[secret_note]=${secret}`, CAT));
      } finally {
        await knex().schema.renameTable("posts_away", "posts");
      }
      assert.ok(
        lines.some((line) => /posts/.test(line)),
        "the failures are logged",
      );
      for (const text of [...lines, ...texts]) assert.not.match(text, secret);
    });
  });
}
