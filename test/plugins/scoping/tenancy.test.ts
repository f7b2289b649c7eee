import { answerBytes } from "../../support/answer_bytes.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { accountFiles, byHeader, ids, type Known, marks, openTenants, people, signedIn } from "./tenants.ts";

type Tenant = "a" | "b";
const other = (tenant: Tenant): Tenant => (tenant === "a" ? "b" : "a");
const tenants = ["a", "b"] as const;
const ABSENT = 999_999;

/** How people are known, with the files that make it so and the headers that each of them brings. */
const modes: Record<string, { files: Record<string, string>; know(app: TestApp): Promise<Known> }> = {
  "by a key of their own": { files: {}, know: byHeader },
  "by their account": { files: accountFiles, know: signedIn },
};
const pairs = (await databases())
  .flatMap((database) => Object.keys(modes).map((mode) => ({ database, mode })))
  .filter(({ database, mode }) => database.name === "sqlite" || mode === "by their account"); // how people are known asks the second database nothing new

for (const { database, mode } of pairs) {
  describe(`Tenants on ${database.name}, for users identified ${mode}`, (it, { before, after }) => {
    let app: TestApp;
    let known: Known;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(modes[mode]!.files, await database.values());
        known = await modes[mode]!.know(app);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const at = (tenant: Tenant, path: string) => `/customer/${ids[tenant].organizations}${path}`;
    const ask = (
      path: string,
      {
        user = "cat",
        accept = "application/json",
        ...init
      }: RequestInit & { user?: keyof typeof people; accept?: string } = {},
    ) =>
      app.request(path, {
        ...init,
        headers: {
          accept,
          ...known[user],
          ...(init.method && init.method !== "GET" ? { "content-type": "application/json" } : {}),
        },
      });
    const send = (method: string, path: string, body: unknown) => ask(path, { method, body: JSON.stringify(body) });
    const json = async (path: string, options: Parameters<typeof ask>[1] = {}) => {
      const answer = await ask(path, options);
      return {
        status: answer.status,
        body: (await answer.json()) as {
          data: Record<string, unknown> & Record<string, unknown>[];
          meta: { total: number };
          errors: Record<string, string[]>;
        },
      };
    };

    can("The tenant is part of the path, the controller and every URL", async () => {
      const { body } = await json("/customer/1");
      assert.equal(body as unknown, {
        entity: "Alpine",
        posts: "/customer/1/posts",
        post: "/customer/1/posts/7",
        other: "/customer/9/posts",
      });
    });

    can("A URL of another portal contains the tenant that is given", async () => {
      const body = (await (await ask("/guest/1/posts/1/preview")).json()) as unknown;
      assert.equal(body, { preview: "Post Alpine", there: "/customer/2/posts/1", here: "/guest/1/posts/1/edit" });
    });
    can("A policy decides by the current tenant", async () => {
      assert.is((await ask("/customer/1/comments/1", { method: "DELETE" })).status, 403);
    });

    for (const [what, query] of Object.entries({
      policy: "",
      search: "?q=x",
      filter: "?filter[status]=x",
      "named scope": "?scope=widest",
      "foreign tap": "?foreign=1",
    })) {
      can(`An orWhere in a ${what} shows and counts no record of another tenant`, async () => {
        for (const tenant of tenants) {
          const { status, body } = await json(at(tenant, `/posts${query}`));
          assert.is(status, 200);
          assert.equal(
            body.data.map(({ id }) => id),
            [ids[tenant].posts],
          );
          assert.is(body.meta.total, 1);
          assert.equal((await json(at(tenant, `/posts${query}${query ? "&" : "?"}page=2`))).body.meta.total, 1);
        }
      });
    }

    can("Every list, nested list, page and typeahead shows records of its own tenant only", async () => {
      const paths = app.application
        .routes()
        .filter(
          ({ engine, verb, path }) =>
            engine === "CustomerPortal" && verb === "GET" && path.includes(":organization_id"),
        );
      for (const tenant of tenants) {
        for (const { path } of paths) {
          for (const accept of ["application/json", "text/html"]) {
            const url = fill(path, tenant, tenant);
            const answer = await ask(url, { accept });
            const text = await answer.text();
            assert.is(
              answer.status === 200 || /nested_note|actions|typeahead|export|users\/\d\/nested_posts\/\d/.test(url),
              true,
              `${answer.status} ${url}`,
            );
            assert.is(text.includes(marks[other(tenant)]), false, `${accept} ${url} shows ${marks[other(tenant)]}`);
          }
        }
      }
    });

    can("A record of another tenant gets the same 404 as a missing record on every route", async () => {
      let tried = 0;
      for (const { engine, verb, path, resource, association } of app.application.routes()) {
        if (engine !== "CustomerPortal" || !/:(id|\w+_id)\b/.test(path.replace(":organization_id", ""))) continue;
        for (const tenant of tenants) {
          for (const accept of ["application/json", "text/html"]) {
            const init =
              verb === "GET"
                ? { accept }
                : { accept, method: verb, body: JSON.stringify({ [singular(resource!)]: { title: "x" } }) };
            for (const [given, missing] of foreign(path, tenant)) {
              const absent = await answerBytes(await ask(missing, init));
              assert.is(absent.startsWith("[404,"), true, `${verb} ${path}: ${absent.slice(0, 200)}`);
              assert.is(await answerBytes(await ask(given, init)), absent, `${verb} ${given} ${association ?? ""}`);
              tried++;
            }
          }
        }
      }
      assert.is(tried > 200, true, `only ${tried}`);
      const { knex } = databaseOf(app.application);
      assert.equal(await knex("posts").orderBy("id").pluck("title"), ["Post Alpine", "Post Baltic"]);
    });

    can("A tenant that the user may not enter gets the same 404 as a missing tenant on every route", async () => {
      for (const { engine, verb, path } of app.application.routes()) {
        if (engine !== "CustomerPortal" || !path.includes(":organization_id")) continue;
        const init = { user: "ann" as const, ...(verb === "GET" ? {} : { method: verb, body: "{}" }) };
        const foreignOne = fill(path, "b", "b");
        const absent = await answerBytes(await ask(foreignOne.replace("/customer/2", `/customer/${ABSENT}`), init));
        assert.is(absent.startsWith("[404,"), true, `${verb} ${path}: ${absent.slice(0, 80)}`);
        assert.is(await answerBytes(await ask(foreignOne, init)), absent, `${verb} ${foreignOne}`);
      }
      const undrawn = await answerBytes(await ask("/customer/1/nowhere"));
      assert.is(await answerBytes(await ask("/customer/2/posts", { user: "ann" })), undrawn);
      const stranger = await app.request("/customer/1/posts", { headers: { accept: "application/json" } });
      assert.is(stranger.status, 401);
    });

    can("A malformed tenant id gets the same 404 as a missing tenant", async () => {
      const absent = await answerBytes(await ask(`/customer/${ABSENT}/posts`));
      for (const id of ["1abc", "01", "1e0", "+1", "%201", "1%20", "0", "-1", "1.0", "9007199254740993", "a"]) {
        assert.is(await answerBytes(await ask(`/customer/${id}/posts`)), absent, id);
      }
    });

    can(
      "The tenant is taken from the path, and neither from the query nor from another record in the path",
      async () => {
        const { body } = await json("/customer/1/posts?organization_id=2");
        assert.equal(
          body.data.map(({ id }) => id),
          [1],
        );
        assert.is((await ask("/customer/1/organizations/2/nested_posts")).status, 404);
        assert.equal(
          (await json("/customer/1/organizations/1/nested_posts")).body.data.map(({ id }) => id),
          [1],
        );
      },
    );

    can("The field of the tenant is hidden, set on creation and never changed", async () => {
      const made = await send("POST", "/customer/1/posts", {
        post: { title: "Made Alpine", organization: 2, organization_id: 2 },
      });
      assert.is(made.status, 201);
      const { data } = (await made.json()) as { data: Record<string, unknown> };
      assert.equal(Object.keys(data), ["id", "title", "status", "author", "comments"]);
      const { knex } = databaseOf(app.application);
      const stored = async () => (await knex("posts").where({ id: data.id }).first()) as { organization_id: number };
      assert.is(Number((await stored()).organization_id), 1);
      assert.is(
        (await send("PATCH", `/customer/1/posts/${data.id}`, { post: { title: "Still Alpine", organization_id: 2 } }))
          .status,
        200,
      );
      assert.is(Number((await stored()).organization_id), 1);
      const form = await (await ask("/customer/1/posts/new", { accept: "text/html" })).text();
      assert.is(form.includes("post[title]"), true);
      assert.is(form.includes("post[organization"), false);
      const nested = await send("POST", "/customer/1/categories/1/nested_posts", { post: { title: "Nested Alpine" } });
      assert.is(nested.status, 201);
      const last = (await nested.json()) as { data: { id: number } };
      assert.is(Number((await knex("posts").where({ id: last.data.id }).first()).organization_id), 1);
      for (const id of [data.id, last.data.id])
        assert.is((await ask(`/customer/1/posts/${id}`, { method: "DELETE" })).status, 204);
    });

    can("A foreign key into another tenant gets 422 with the name of the field", async () => {
      const refused = async (method: string, path: string, body: unknown, field: string) => {
        const answer = await send(method, path, body);
        assert.is(answer.status, 422, `${method} ${path}`);
        assert.equal(Object.keys(((await answer.json()) as { errors: object }).errors), [field]);
      };
      await refused("POST", "/customer/1/comments", { comment: { title: "x", post: 2 } }, "post");
      await refused("POST", "/customer/1/comments", { comment: { title: "x", post: ABSENT } }, "post");
      await refused("PATCH", "/customer/1/comments/1", { comment: { post: { id: 2 } } }, "post");
      await refused("POST", "/customer/1/posts", { post: { title: "x", author: people.bob } }, "author");
      await refused("POST", "/customer/1/attachments", { attachment: { name: "x", comment_id: 2 } }, "comment_id");
      await refused(
        "POST",
        "/customer/1/posts/1/nested_comments",
        { comment: { title: "x", reply_to: 2 } },
        "reply_to",
      );
      assert.is((await send("PATCH", "/customer/1/comments/1", { comment: { reply_to: 1 } })).status, 200);
    });

    can("Lists below a parent that tenants share contain the own tenant's records only", async () => {
      for (const tenant of tenants) {
        for (const path of ["/users/3/nested_posts", "/categories/1/nested_posts"]) {
          assert.equal(
            (await json(at(tenant, path))).body.data.map(({ id }) => id),
            [ids[tenant].posts],
            path,
          );
        }
        const shown = (await json(at(tenant, "/users/3"))).body.data;
        assert.equal(shown.posts, [{ id: ids[tenant].posts, label: `Post ${marks[tenant]}` }]);
        assert.is("organizations" in shown, false);
        const shared = (await json(at(tenant, "/categories"))).body.data;
        assert.equal(
          shared.map(({ name, posts }) => [name, (posts as unknown[]).length]),
          [["Shared", 1]],
        );
      }
    });

    can("Typeahead searches find records of the own tenant only", async () => {
      const labels = async (path: string) => (await json(path)).body.data.map(({ label }) => label).sort();
      assert.equal(await labels("/customer/1/posts/typeahead/author"), ["Ann Alpine", "Cat"]);
      assert.equal(await labels("/customer/2/comments/typeahead/post"), ["Post Baltic"]);
      // The search of the post's definition finds every record by an orWhere, in this tenant and in others.
      assert.equal(await labels("/customer/2/comments/typeahead/post?q=Alpine"), ["Post Baltic"]);
      assert.equal(await labels("/customer/2/comments/typeahead/reply_to?q=Alpine"), []);
      assert.equal(await labels("/customer/2/comments/typeahead/reply_to?q=Baltic"), ["Comment Baltic"]);
      assert.equal(await labels("/customer/1/posts/1/nested_comments/typeahead/reply_to"), ["Comment Alpine"]);
      assert.is((await ask("/customer/1/posts/typeahead/organization")).status, 404);
    });

    can("1,000 interleaved requests never mix the records of two tenants", async () => {
      const paths = [
        "/posts",
        "/posts?q=x",
        "/comments",
        "/users",
        "/users/3",
        "/categories/1",
        "/attachments",
        "/users/3/nested_posts",
        "/posts/typeahead/author",
        "",
      ];
      for (let round = 0; round < 50; round++) {
        const answers = [...Array(20).keys()].map(async (index) => {
          const tenant = tenants[index % 2]!;
          const accept = round % 5 === 0 && paths[index % 10] !== "" ? "text/html" : "application/json";
          const answer = await ask(at(tenant, paths[(index + round) % paths.length]!), { accept });
          assert.is(answer.status, 200);
          assert.is((await answer.text()).includes(marks[other(tenant)]), false);
        });
        await Promise.all(answers);
      }
    });

    can(
      "The root of a scoped portal redirects to an only tenant, lists several and explains that there is none",
      async () => {
        const only = await ask("/customer", { user: "ann", accept: "text/html" });
        assert.is(only.status, 303);
        assert.is(only.headers.get("location"), "/customer/1");
        const several = await (await ask("/customer", { accept: "text/html" })).text();
        assert.match(several, 'href="/customer/1"');
        assert.match(several, 'href="/customer/2"');
        assert.is(several.split('href="/customer/2"').length, 2);
        const none = await ask("/customer", { user: "dan", accept: "text/html" });
        assert.is(none.status, 200);
        const text = await none.text();
        assert.match(text, "No access yet");
        assert.is(text.includes("Alpine"), false);
        assert.equal((await json("/customer", { user: "dan" })).body.data, []);
        assert.equal(
          (await json("/guest")).body.data.map(({ url }) => url),
          ["/guest/1", "/guest/2"],
        );
        assert.is((await app.request("/customer", { method: "POST" })).status, 405);
      },
    );

    can("A guest may enter a tenant of a public portal, and a missing tenant gets 404", async () => {
      const answer = await app.request("/guest/2/posts", { headers: { accept: "application/json" } });
      assert.equal(
        ((await answer.json()) as { data: { id: number }[] }).data.map(({ id }) => id),
        [2],
      );
      assert.is((await app.request(`/guest/${ABSENT}/posts`)).status, 404);
    });

    can(
      "The method of a strategy finds the tenant, and a request without a tenant or membership gets 404",
      async () => {
        const domain = (organization: string, user?: keyof typeof people) =>
          app.request("/domain/posts", {
            headers: { accept: "application/json", "x-organization": organization, ...(user ? known[user] : {}) },
          });
        assert.equal(
          ((await (await domain("2", "cat")).json()) as { data: { id: number }[] }).data.map(({ id }) => id),
          [2],
        );
        const absent = await answerBytes(await domain(String(ABSENT), "cat"));
        assert.is(absent.startsWith("[404,"), true);
        assert.is(await answerBytes(await domain("2", "ann")), absent, "no member");
        assert.is((await domain("2")).status, 401);
      },
    );

    can("A deleted membership is effective at the next request", async () => {
      const { knex } = databaseOf(app.application);
      assert.is((await ask("/customer/1/posts", { user: "ann" })).status, 200);
      await knex("memberships").where({ user_id: people.ann }).delete();
      assert.is((await ask("/customer/1/posts", { user: "ann" })).status, 404);
      await knex("memberships").insert({ user_id: people.ann, organization_id: 1 });
    });

    can("A changed role is effective at the next request", async () => {
      if (mode !== "by their account") return; // a key's role is the application's own matter
      const { knex } = databaseOf(app.application);
      const create = () =>
        send("POST", "/customer/1/attachments", { attachment: { name: "Attachment", comment_id: 1 } });
      assert.is((await create()).status, 201);
      await knex("users").where({ id: people.cat }).update({ role: "reader" });
      assert.is((await create()).status, 403);
      await knex("users").where({ id: people.cat }).update({ role: "writer" });
    });
  });
}

const tables: Record<string, keyof (typeof ids)["a"]> = {
  organization: "organizations",
  user: "users",
  post: "posts",
  comment: "comments",
  note: "notes",
  attachment: "attachments",
  category: "categories",
};
const singular = (constant: string) => constant.toLowerCase();

/** The table of the record that a parameter of a path names. */
function tableOf(path: string, parameter: string): keyof (typeof ids)["a"] {
  if (parameter !== "id") return tables[parameter.replace(/_id$/, "")]!;
  const before = path.slice(0, path.indexOf("/:id")).split("/").at(-1)!.replace("nested_", "");
  return before as keyof (typeof ids)["a"];
}

/** A path in one tenant with the records of another, or with absent ones; `only` limits whose parameters are theirs. */
function fill(path: string, tenant: Tenant, records: Tenant | undefined, only?: number): string {
  const cut = path.indexOf("/:organization_id");
  const [mount, rest] = [path.slice(0, cut), path.slice(cut + "/:organization_id".length)];
  let count = -1;
  const filled = rest.replace(/:(\w+)/g, (_, name: string) => {
    if (name === "association") return "author";
    if (name === "action_key") return "publish";
    count++;
    const whose = only === undefined || only === count ? records : tenant;
    return String(whose === undefined ? ABSENT : ids[whose][tableOf(path, name)]);
  });
  return `${mount}/${ids[tenant].organizations}${filled}`;
}

/**
 * Every mixture of the tenant's own records with another's in a path, without those that name only shared ones; each
 * beside the path with records that do not exist in the same places.
 */
function foreign(path: string, tenant: Tenant): Map<string, string> {
  const theirs = other(tenant);
  const pairs = [undefined, 0, 1].map(
    (only) => [fill(path, tenant, theirs, only), fill(path, tenant, undefined, only)] as const,
  );
  const own = fill(path, tenant, tenant);
  return new Map(pairs.filter(([url]) => url !== own));
}
