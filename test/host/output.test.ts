import { answerBytes } from "../support/answer_bytes.ts";
import type { TestApp } from "../support/apps.ts";
import { corpus } from "../support/corpora/index.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../support/shop.ts";
import { dangersOf } from "./html_reading.ts";
import { sendRaw } from "./raw.ts";

const posts = "/admin/blogging/posts";
const accept = { accept: "application/json" };
const json = { ...accept, "content-type": "application/json" };
const markers = corpus("markers").map(({ sent }) => sent);
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const changes = {
  // the text is shown as an address, which is the place that a scheme could hurt
  [definition]: edited(shopFiles, definition, [
    "super.configure();",
    `super.configure(); this.display("body", { as: "url" }); this.column("body", { as: "url" }); this.filter("title", { as: "text" }); this.filter("author");`,
  ]),
  [policy]: edited(shopFiles, policy, [`["title", "author", "price"`, `["title", "body", "author", "price"`]),
  "public/robots.txt": "Robots are welcome",
  "public/.secret": "m4rk: hidden",
  "public-secret.txt": "m4rk: beside",
  "app/policies/author_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class AuthorPolicy extends Policy { override canRead() { return true; } override canUpdate() { return true; } override permittedAttributesForUpdate() { return ["name", "email"]; } override permittedAttributesForRead() { return ["name", "email"]; } }`,
};

describe("Output of pages", (it, { before, after }) => {
  let app: TestApp;
  const stories: { marker: string; author: number; post: number; comment: number }[] = [];
  before(async () => {
    app = await openShop(changes);
    const { knex } = databaseOf(app.application);
    const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
    for (const marker of markers) {
      const [author] = await knex("authors").insert({ name: marker, email: marker, ...stamps });
      const [post] = await knex("blogging_posts").insert({ title: marker, body: marker, author_id: author, ...stamps });
      const [comment] = await knex("blogging_comments").insert({ body: marker, post_id: post, ...stamps });
      stories.push({ marker, author: author!, post: post!, comment: comment! });
    }
  });
  after(() => app.close());

  const check = (html: string, where: string) => {
    assert.equal(dangersOf(html), [], where);
    const fixed = html.replaceAll(/[\w-]{60,}/g, ""); // but for tokens: chance writes everything into them
    assert.is(fixed.includes("1337"), false, `${where} ran stored data as a template`);
  };
  const looksSafe = async (answer: Response, where: string, shows = true) => {
    assert.match(answer.headers.get("content-type") ?? "", /^text\/html; charset=utf-8$/, where);
    assert.is(answer.headers.get("x-content-type-options"), "nosniff", where);
    const html = await answer.text();
    check(html, where);
    if (shows) assert.match(html, /m4rk/, where);
    return html;
  };

  it("The reader of these tests finds dangerous tags and attributes, and accepts harmless HTML", () => {
    for (const bad of [
      `<script>x</script>`,
      `<a href="javascript:x">`,
      `<a href="java\tscript:x">`,
      `<p onclick="x">`,
      `<p style="x">`,
      `<img src=x onerror=y>`,
      `<script src="//evil.example/x.js">`,
      `a < b`,
      `<a href="data:text/html,x">`,
      `<turbo-stream action="x">`,
    ]) {
      assert.is(dangersOf(bad).length > 0, true, bad);
    }
    assert.equal(
      dangersOf(
        `<!doctype html><p class="a" hidden>&lt;script&gt;</p><a href="/x?a=1&amp;b=2">x</a><script src="/assets/x.js" defer></script><br/>`,
      ),
      [],
    );
  });
  it("Stored text is escaped in lists, records, forms, breadcrumbs, titles and confirmations", async () => {
    for (const { marker, post, author, comment } of stories) {
      const q = encodeURIComponent(marker);
      const paths = [
        `${posts}?q=${q}`,
        `${posts}?filter[title]=${q}&sort=-title`,
        `${posts}?filter[author]=${author}`,
        `${posts}/${post}`,
        `${posts}/${post}/edit`,
        `${posts}/${post}/actions/destroy`,
        `${posts}/${post}/actions/publish`,
        `${posts}/${post}/nested_comments`,
        `${posts}/${post}/nested_comments/new`,
        `${posts}/${post}/nested_comments/${comment}`,
        `${posts}/new`,
        `/admin/authors/${author}`,
        `/admin/authors/${author}/edit`,
        `/admin/authors/${author}/nested_posts`,
      ];
      for (const path of paths) {
        const answer = await app.request(path);
        assert.is(answer.status, 200, path);
        await looksSafe(answer, `${marker} at ${path}`, !path.endsWith("publish"));
      }
    }
  });

  it("Submitted text is escaped in redisplayed forms, conflicts and messages", async () => {
    for (const { marker, post } of stories) {
      const client = app.client();
      const invalid = await client.submit(`${posts}/new`, {
        "blogging_post[title]": "",
        "blogging_post[body]": marker,
        "blogging_post[position]": marker,
        "blogging_post[status]": marker,
      });
      assert.is(invalid.status, 422, marker);
      await looksSafe(invalid, `422 of ${marker}`);
      const made = await client.submit(`${posts}/new`, { "blogging_post[title]": marker });
      const path = made.headers.get("location")!;
      await looksSafe(await client.request(path), `message of ${marker}`);
      const stale = await client.submit(`${posts}/${post}/edit`, {
        "blogging_post[title]": marker,
        "blogging_post[body]": `${marker} mine`,
        lock_version: "stale",
      });
      assert.is(stale.status, 409, marker);
      await looksSafe(stale, `409 of ${marker}`);
      const acted = await client.submit(
        `${posts}/${post}/actions/publish`,
        { note: marker, "publish[note]": "" },
        /actions\/publish/,
      );
      assert.ok(acted.status < 500, `${acted.status} for ${marker}`);
      if (acted.status === 422) await looksSafe(acted, `action of ${marker}`, false);
      await client.submit(`${path}/actions/destroy`, {});
      await looksSafe(await client.request(posts), `deletion of ${marker}`);
    }
  });

  it("A refused address is never echoed as markup, and an unsafe return_to is left out of the form", async () => {
    for (const marker of markers) {
      const sent = encodeURIComponent(marker);
      const refused = [
        `/admin/${sent}`,
        `${posts}/${sent}`,
        `${posts}?sort=${sent}`,
        `${posts}?filter[${sent}]=1`,
        `${posts}?filter[status]=${sent}`,
        `${posts}?page=${sent}`,
        `${posts}?scope=${sent}`,
        `${posts}/1/actions/${sent}`,
      ];
      for (const path of refused) {
        const visitor = app.client();
        const answer = await visitor.request(path);
        assert.ok(answer.status < 500, `${answer.status} for ${path}`);
        const corrected = answer.headers.get("location");
        await looksSafe(corrected === null ? answer : await visitor.request(corrected), path, false);
      }
      const form = await (await app.request(`${posts}/new?return_to=${sent}`)).text();
      check(form, `return_to ${marker}`);
      assert.is(form.includes('name="return_to"'), false, marker);
      const framed = await app.request(posts, { headers: { "turbo-frame": marker.replaceAll(/[^\x20-\x7e]/g, "") } });
      check(await framed.text(), `frame ${marker}`);
    }
  });

  it("JSON addresses answer with JSON or problem+json and nosniff, even to a client that accepts HTML", async () => {
    for (const { marker, post, author } of stories) {
      for (const path of [
        `${posts}.json`,
        `${posts}/${post}.json`,
        `/admin/authors/${author}.json`,
        `${posts}/typeahead/author?q=m4rk`,
        `${posts}/${post}/nested_comments.json`,
        `${posts}/999999.json`,
        `${posts}.json?sort=${encodeURIComponent(marker)}`,
      ]) {
        const answer = await app.request(path, { headers: { accept: "text/html" } });
        assert.match(
          answer.headers.get("content-type") ?? "",
          /^application\/(?:problem\+)?json; charset=utf-8$/,
          path,
        );
        assert.is(answer.headers.get("x-content-type-options"), "nosniff", path);
        JSON.parse(await answer.text());
      }
      const stored = (await (await app.request(`${posts}/${post}`, { headers: accept })).json()) as {
        data: { title: string };
      };
      assert.is(stored.data.title, marker);
      const refused = await app.request(posts, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ blogging_post: { title: "", status: marker } }),
      });
      assert.is(refused.status, 422);
      assert.match(refused.headers.get("content-type") ?? "", /^application\/problem\+json/);
    }
  });

  it("Pages and refusals carry a Content-Security-Policy without unsafe sources", async () => {
    for (const path of [posts, `${posts}/1`, "/nowhere", "/%zz", `${posts}?page=0`]) {
      const policy = (await app.request(path)).headers.get("content-security-policy") ?? "";
      assert.match(policy, /default-src 'self'/, path);
      assert.match(policy, /object-src 'none'/, path);
      assert.match(policy, /base-uri 'none'/, path);
      assert.is(/unsafe-(?:inline|eval|hashes)|\*|https?:/.test(policy), false, policy);
    }
  });

  it("Nothing outside of the assets and the public folder is served, and no hidden file", async () => {
    const inside = [
      "..%2f..%2fpackage.json",
      "%2e%2e%2fpackage.json",
      "..%5cpackage.json",
      "%zz",
      "%00",
      "x%00.css",
      "framewright.css%00",
      "framewright.css/",
      "framewright.css/..",
      "constructor",
      "__proto__",
      ".env",
      "a".repeat(5000),
      "%c0%ae%c0%ae",
      "",
    ];
    for (const name of inside) {
      for (const path of [`/assets/${name}`, `/assets//${name}`, `/assets/nowhere/${name}`]) {
        const { status, text } = await sendRaw(
          app.url,
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
        );
        assert.ok(status === 404 || status === 400, `${status} for ${path}`);
        assert.is(text.includes('"name"'), false, path);
      }
    }
    assert.is(await (await app.request("/robots.txt")).text(), "Robots are welcome");
    const hidden = [
      ".secret",
      "%2esecret",
      "..%2fpublic-secret.txt",
      "%2e%2e%2fpublic-secret.txt",
      "..%2fpackage.json",
      "-secret.txt",
      "robots.txt%00",
      "robots.txt/../.secret",
      "%2e/.secret",
    ];
    for (const name of hidden) {
      const { status, text } = await sendRaw(
        app.url,
        `GET /${name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      assert.ok(status === 404 || status === 400, `${status} for /${name}`);
      assert.is(/m4rk|"name"/.test(text), false, name);
    }
  });
  it("Missing pages all get the same 404 answer and missing records of a list do, with and without a session", async () => {
    const client = app.client();
    await client.page(`${posts}/new`);
    const seen = new Set<string>();
    const records = new Map<string | undefined, string>();
    const within = new Set<string>();
    const kinds = ["999999", "0", "1abc", "9".repeat(30), "nonsense"];
    for (const path of [
      "/nowhere",
      "/admin/nowhere",
      ...kinds.flatMap((id) => [
        `${posts}/${id}`,
        `${posts}/${id}/edit`,
        `${posts}/${id}/nested_comments`,
        `${posts}/1/nested_comments/${id}`,
        `${posts}/1/actions/${id}`,
      ]),
    ]) {
      for (const [who, answer] of [
        ["guest", await app.request(path)],
        ["known", await client.request(path)],
      ] as const) {
        assert.is(answer.status, 404, path);
        const same = await answerBytes(answer);
        const [, back] = /href=."([^"]+).">(?:<svg[^>]*>(?:<path[^>]*>)*<.svg>|<i[^>]*><.i>)Back to/.exec(same) ?? [];
        if (path.startsWith(posts)) assert.is(same, records.get(back) ?? same, path);
        if (path.startsWith(posts)) records.set(back, same);
        else if (who === "known" && path.startsWith("/admin/")) within.add(same);
        else seen.add(same);
      }
    }
    assert.is(seen.size, 1, [...seen].join("\n\n").slice(0, 6000));
    assert.match([...within].join(), "fw-sidebar", "who has a session stays inside of the portal");
    assert.equal([...records.keys()].sort(), [posts, `${posts}/1/nested_comments`]);
    assert.is(/<form|authenticity_token|csrf-token/.test([...seen].join()), false);
  });
});

describe("Invalid ids", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openShop();
    const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
    await databaseOf(app.application)
      .knex("authors")
      .insert({ name: "Ada", email: "ada@x.test", ...stamps });
    await databaseOf(app.application)
      .knex("blogging_posts")
      .insert({ title: "One", author_id: 1, ...stamps });
  });
  after(() => app.close());

  it("An invalid id gets its expected status on every route, and a 404 has the bytes of a missing record's", async () => {
    const absent = await (await app.request(`${posts}/999`, { headers: accept })).text();
    for (const { expected, sent: id } of corpus("ids")) {
      if (id === "%2e%2e") continue; // fetch resolves it; the corpus of paths sends it as it stands
      for (const [method, path] of [
        ["GET", `${posts}/${id}`],
        ["GET", `${posts}/${id}/nested_comments`],
        ["PATCH", `${posts}/${id}`],
        ["DELETE", `${posts}/${id}`],
        ["GET", `/admin/authors/${id}`],
      ] as const) {
        const body = method === "GET" ? {} : { body: `{"blogging_post":{"title":"x"}}` };
        const answer = await app.request(path, { method, headers: json, ...body });
        assert.is(answer.status, Number(expected), `${method} ${path}`);
        if (expected === "404") assert.is(await answer.text(), absent, `${method} ${path}`);
      }
    }
  });
  it("An invalid id is refused with 422 as an association, and causes no failure as a filter or page", async () => {
    for (const { sent } of corpus("ids")) {
      let id: string;
      try {
        id = decodeURIComponent(sent);
      } catch {
        continue;
      }
      const answer = await app.request(posts, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ blogging_post: { title: "x", author: id } }),
      });
      assert.is(answer.status, 422, JSON.stringify(id));
      for (const where of [`filter[status]=${sent}`, `page=${sent}`, `per_page=${sent}`]) {
        const { status } = await app.request(`${posts}?${where}`, { headers: accept });
        assert.ok(status === 200 || status === 422 || status === 400, `${status} for ${where}`);
      }
    }
    assert.is(
      await databaseOf(app.application)
        .knex("blogging_posts")
        .count({ n: "*" })
        .first()
        .then((row) => Number(row?.n)),
      1,
    );
  });
});
