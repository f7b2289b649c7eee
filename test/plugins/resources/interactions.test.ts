import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture, edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const folder = "packages/blogging/app/interactions/blogging";
/** The shop with interactions that ask for values of all kinds, and with ones that end badly. */
const changes = copyFixture("shop_interactions");
const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
const one = "/admin/blogging/posts/1";

for (const database of await databases()) {
  describe(`Interactions, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(changes, await database.values());
        const { knex } = databaseOf(app.application);
        for (const title of ["First", "Second"])
          await knex("blogging_posts").insert({ title, body: "start", ...stamps });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const act = async (key: string, interaction: unknown = {}) => {
      const answer = await app.request(`${one}/actions/${key}`, {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({ interaction }),
      });
      const body = (await answer.json()) as { data: { message: string }; errors: Record<string, string[]> };
      return { status: answer.status, ...body };
    };
    const bodyOf = async () => (await databaseOf(app.application).knex("blogging_posts").where({ id: 1 }).first()).body;

    can("afterCommit of an interaction runs after the commit, and not after a rollback", async () => {
      const room = globalThis as { afterCommit?: unknown };
      room.afterCommit = undefined;
      await act("tell", { works: false });
      assert.is(room.afterCommit, undefined);
      await act("tell", { works: true });
      assert.is(room.afterCommit, "written");
      await databaseOf(app.application).knex("blogging_posts").where({ id: 1 }).update({ body: "start" });
    });
    can(
      "An interaction's values that are no choice, of a wrong type or against a rule are refused by their names",
      async () => {
        const bad = {
          reason: "hack",
          days: "abc",
          on: "nonsense",
          notify: "maybe",
          at: "x",
          fee: "1.234",
          mail: "none",
          note: "x".repeat(21),
        };
        const { status, errors } = await act("review", bad);
        assert.is(status, 422);
        assert.equal(Object.keys(errors).sort(), Object.keys(bad).sort());
        assert.equal(Object.keys((await act("review", { reason: "spam", days: 31 })).errors), ["days"]);
        assert.equal(Object.keys((await act("review", {})).errors), ["reason"]);
        for (const days of [{}, [1], { a: 1 }])
          assert.equal(Object.keys((await act("review", { reason: "spam", days })).errors), ["days"]);
      },
    );
    can("An interaction gets the same typed values from a form as from JSON, and no undeclared ones", async () => {
      const expected =
        '{"reason":"old","days":3,"on":"2026-03-01","notify":true,"at":"2026-03-01T10:00:00.000Z","fee":"12.50","mail":null,"note":"mine"} true';
      const given = {
        reason: "old",
        days: 3,
        on: "2026-03-01",
        notify: true,
        at: "2026-03-01T10:00:00Z",
        fee: "12.5",
        note: "mine",
        is_admin: true,
      };
      assert.is((await act("review", given)).data.message, expected);
      const client = app.client();
      const fields = {
        reason: "old",
        days: "3",
        on: "2026-03-01",
        notify: "1",
        at: "2026-03-01T10:00",
        fee: "12.5",
        note: "mine",
        is_admin: "1",
      };
      const named = Object.fromEntries(Object.entries(fields).map(([name, value]) => [`interaction[${name}]`, value]));
      const answer = await client.submit(`${one}/actions/review`, named);
      assert.is(answer.status, 303);
      const html = await client.page(answer.headers.get("location")!);
      assert.match(html.replaceAll("&quot;", '"'), expected);
    });
    can("An interaction's defaults fill its form and the values that JSON leaves out", async () => {
      const html = await app.client().page(`${one}/actions/review`);
      assert.match(html, /name="interaction\[days\]"/);
      assert.match(html, /<input type="number" value="7"/);
      assert.match(html, /value="First"[^>]*name="interaction\[note\]"/);
      assert.match((await act("review", { reason: "old" })).data.message, '"days":7,"on":null,"notify":false');
    });
    can("An interaction's file is required, limited in type and size, and refused as JSON", async () => {
      const client = app.client();
      const html = await client.page(`${one}/actions/attach`);
      assert.match(html, 'enctype="multipart/form-data"');
      const token =
        /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ??
        /type="hidden" name="([^"]+)" value="([^"]+)"/.exec(html)![2]!;
      const name = /type="hidden" name="([^"]+)" value="([^"]+)"/.exec(html)![1]!;
      const send = (file: File | undefined) => {
        const body = new FormData();
        body.set(name, token);
        if (file) body.set("interaction[paper]", file);
        return client.request(`${one}/actions/attach`, { method: "POST", body });
      };
      assert.is((await send(undefined)).status, 422);
      assert.match(await (await send(new File(["12345"], "a.pdf"))).text(), "must be one of .txt");
      assert.match(await (await send(new File(["<html>"], "a.txt"))).text(), "must be one of .txt");
      assert.match(await (await send(new File(["12345678901"], "a.txt"))).text(), "is too large");
      const done = await send(new File(["12345"], "a.txt"));
      assert.is(done.status, 303);
      assert.match(await client.page(done.headers.get("location")!), "a.txt:5");
      assert.is((await act("attach", { paper: { filename: "a.txt", bytes: "x" } })).status, 422);
    });
    can("An interaction that returns nothing or redirects to another site answers 500 and writes nothing", async () => {
      assert.is((await act("silent")).status, 500);
      assert.is((await act("stray")).status, 500);
      assert.is(await bodyOf(), "start");
    });
    can("Errors of a model's validation in execute appear on the form with what was typed", async () => {
      const client = app.client();
      const answer = await client.submit(`${one}/actions/rename`, {
        "interaction[title]": "",
        "interaction[why]": "typed",
      });
      assert.is(answer.status, 422);
      const html = await answer.text();
      assert.match(html, /href="#interaction_title">Title can(&#39;|')t be blank/);
      assert.match(html, "Status is not one of the choices");
      assert.match(html, 'value="typed"');
    });
    can("An interaction presents itself, answers with a file, and its form is sent by the browser itself", async () => {
      const client = app.client();
      const page = await client.page(one);
      assert.match(page, `href="${one}/actions/report"`);
      assert.match(page, "Export it");
      const form = await client.page(`${one}/actions/report`);
      assert.match(form, "Writes a report of the post.");
      assert.match(form, 'data-turbo="false"');
      const file = await client.submit(`${one}/actions/report`, { "interaction[format]": "csv" });
      assert.is(file.status, 200);
      assert.is(file.headers.get("content-type"), "text/csv");
      assert.match(file.headers.get("content-disposition")!, /^attachment; filename="report of .*First.*\.csv";/);
      assert.is(file.headers.get("x-content-type-options"), "nosniff");
      assert.is(await file.text(), "title\nFirst\n");
    });
    can("A file of an interaction that declares no download answers 500 and writes nothing", async () => {
      const before = await bodyOf();
      assert.is((await act("undeclared")).status, 500);
      assert.is(await bodyOf(), before);
    });
    can("An interaction answers people with a page, and programs with its message", async () => {
      const client = app.client();
      const done = await client.submit(`${one}/actions/summary`, {});
      assert.is(done.status, 200);
      const html = await done.text();
      for (const part of ["7 words", "fw-flash-info", "Summed up"]) assert.match(html, part);
      assert.is(await bodyOf(), "summed up");
      assert.equal(await act("summary"), { status: 200, data: { ok: true, message: "Summed up" } } as never);
    });
    can(
      "Outcomes go on with andThen until one fails, a message has its kind, and a hidden action has no button",
      async () => {
        const client = app.client();
        assert.not.match(await client.page(one), "actions/warn");
        const done = await client.submit(`${one}/actions/warn`, { "interaction[steps]": "1" });
        const html = await client.page(done.headers.get("location")!);
        assert.match(html, "fw-flash-warning");
        assert.match(html, "came to 3");
        const failed = await act("warn", { steps: 2 });
        assert.is(failed.status, 422);
        assert.match(JSON.stringify(failed), "too many");
      },
    );
    can("return_to survives forms and confirmations, and never leads to a deleted record", async () => {
      const client = app.client();
      const back = encodeURIComponent("/admin/authors");
      for (const key of ["review", "destroy"])
        assert.match(
          await client.page(`${one}/actions/${key}?return_to=${back}`),
          'name="return_to" value="/admin/authors"',
        );
      const done = await client.submit(`${one}/actions/review?return_to=${back}`, { "interaction[reason]": "old" });
      assert.is(done.headers.get("location"), "/admin/authors");
      const erased = await client.submit(`${one}/actions/erase`, { return_to: `${one}/edit` });
      assert.is(erased.headers.get("location"), "/admin/blogging/posts");
      const two = "/admin/blogging/posts/2";
      const gone = await client.submit(`${two}/actions/destroy?return_to=${encodeURIComponent(`${two}/edit?x=1`)}`, {});
      assert.is(gone.headers.get("location"), "/admin/blogging/posts");
    });
  });
}

describe("Invalid actions", (it) => {
  const openWith = (from: string, to: string, more: Record<string, string> = {}) =>
    openShop({ [definition]: edited(shopFiles, definition, [from, to]), ...more });
  const refused = async (code: string, from: string, to: string, more?: Record<string, string>) => {
    const error = await openWith(from, to, more).then(
      (app) => app.close().then(() => undefined),
      (thrown: Error) => thrown,
    );
    assert.match(error?.message ?? "it booted", code);
  };

  it("Boot fails with FW_ACTION_PATH for an action whose path leaves the resource", async () => {
    for (const path of ["https://evil.test/", "/admin", "../x", "javascript:alert(1)"])
      await refused(
        "FW_ACTION_PATH",
        "super.configure();",
        `super.configure(); this.action("far", { path: "${path}" });`,
      );
  });
  it("Boot fails with FW_ACTION_URL for an action whose url is no other site's, or stands beside what leads elsewhere", async () => {
    for (const options of [
      '{ url: "/admin" }',
      '{ url: "javascript:alert(1)" }',
      '{ url: "//evil.test" }',
      '{ url: "https://" }',
      '{ url: "https://a.test", path: "x" }',
      '{ url: "https://a.test", method: "post" }',
      '{ url: "https://a.test", confirmation: true }',
      '{ path: "edit", newTab: true, turboFrame: "own" }',
    ])
      await refused("FW_ACTION_URL", "super.configure();", `super.configure(); this.action("far", ${options});`);
  });
  it("An action leads to another site, in a tab of its own, for those whom the policy permits it", async () => {
    const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
    const action = 'this.action("status_page", { url: "https://status.test/?a=1&b=2", newTab: true });';
    const permit = "  canStatusPage() {\n    return true;\n  }\n  canPublish() {";
    const files = { [policy]: edited(shopFiles, policy, ["  canPublish() {", permit]) };
    const app = await openWith("super.configure();", `super.configure(); ${action}`, files);
    try {
      await databaseOf(app.application)
        .knex("blogging_posts")
        .insert({ title: "A", body: "b", ...stamps });
      const link = 'href="https://status.test/?a=1&amp;b=2"';
      for (const path of ["/admin/blogging/posts", one]) {
        const html = await (await app.request(path)).text();
        assert.match(html, link);
        assert.match(html, 'target="_blank" rel="noopener noreferrer"');
      }
      assert.is((await app.request(`${one}/actions/status_page`)).status, 404);
    } finally {
      await app.close();
    }
  });
  it("Boot fails for an input that chooses a record of no known model", async () => {
    const file = `${folder}/tidy_posts.ts`;
    await refused("belongs to no", "super.configure();", "super.configure();", {
      [file]: edited(shopFiles, file, [
        /(class TidyPosts[^{]*\{)/,
        '$1 static override attributes = { owner: { as: "association" } };',
      ]),
    });
  });
  it("Boot fails for an interaction's input of an unknown type or a select without choices", async () => {
    const file = `${folder}/tidy_posts.ts`;
    for (const [input, why] of [
      ['{ as: "intger" }', 'Did you mean "integer"'],
      ['{ as: "select" }', "no choices"],
    ] as const)
      await refused(why, "super.configure();", "super.configure();", {
        [file]: edited(shopFiles, file, [
          "async execute",
          `static override attributes = { days: ${input} }; async execute`,
        ]),
      });
  });
});

describe("Texts of interactions", (it) => {
  it("They are in the person's language", async () => {
    const german = { "config/locales/de.json": '{ "application": { "name": "Laden" } }' };
    const app = await openShop({ ...changes, ...german });
    try {
      await databaseOf(app.application)
        .knex("blogging_posts")
        .insert({ title: "First", body: "start", ...stamps });
      const greeted = async (language: string) => {
        const headers = { accept: "application/json", "content-type": "application/json", "accept-language": language };
        const answer = await app.request(`${one}/actions/greet`, { method: "POST", headers, body: "{}" });
        return ((await answer.json()) as { data: { message: string } }).data.message;
      };
      assert.is(await greeted("en"), "New First");
      assert.is(await greeted("de"), "First anlegen");
    } finally {
      await app.close();
    }
  });
});
