import { type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture, edited, withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { deletionFiles } from "./deletions_app.ts";

/** Posts with a paper, deleted by somebody who is found again. */
const plain = copyFixture("files");
const concern = "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts";
const migration = "db/migrate/20260401000000_create_framewright_deletions.ts";
const files = {
  ...plain,
  [migration]: deletionFiles[migration]!,
  [concern]: edited(plain, concern, ['{ name: "Somebody" }', '{ id: 1, name: "Somebody" }']),
  "plugins.config.ts": withPlugin(plain["plugins.config.ts"]!, "undo()", "undo"),
};
const routes = "packages/admin_portal/config/routes.ts";
/** The same with prices, whose key is of two columns, and orders that go with them without a model. */
const priceFiles = {
  ...files,
  "db/migrate/20260402000000_create_prices.ts": `export async function up({ knex }) {
    await knex.schema.createTable("prices", (t) => { t.string("Place", 20).notNullable(); t.integer("Day").notNullable(); t.integer("Amount"); t.primary(["Place", "Day"]); });
    await knex.schema.createTable("orders", (t) => { t.string("Place", 20); t.integer("Day"); t.foreign(["Place", "Day"]).references(["Place", "Day"]).inTable("prices").onDelete("cascade"); });
  }`,
  "app/models/price.ts": `import { Model } from "framewright/plugins/database";
export default class Price extends Model("prices") { static override idColumn = ["Place", "Day"]; }`,
  "app/policies/price_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class PricePolicy extends Policy {
  override canRead() { return true; }
  override canCreate() { return true; }
  override canDestroy() { return true; }
  override permittedAttributesForRead() { return ["Place", "Day", "Amount"] as never[]; }
}`,
  [routes]: edited(files, routes, [
    "  routes.registerResource(Author);",
    "  routes.registerResource(Author);\n  routes.registerResource(Price);",
  ]).replace(/^/, 'import Price from "#app/models/price.ts";\n'),
};
const posts = "/customer/1/posts";
const room = globalThis as { noPosts?: boolean; unseen?: string };
type Row = Record<string, unknown>;
type Visit = (path: string, init?: RequestInit) => Promise<Response>;

/** The form of a page whose action matches: where it goes to, and its hidden fields. */
function formOf(html: string, action: RegExp): { url: string; body: URLSearchParams } | undefined {
  const form = [...html.matchAll(/<form\b[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(([, url]) =>
    action.test(url!),
  );
  if (!form) return undefined;
  const fields = [...form[2]!.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
  const body = new URLSearchParams(
    fields.map(([, name, value]) => [name!, value!.replaceAll("&amp;", "&")] as [string, string]),
  );
  return { url: form[1]!.replaceAll("&amp;", "&"), body };
}
const undoOn = (html: string) => formOf(html, /\/deletions\/[0-9a-f-]{36}\/undo$/);
const flashOf = (html: string) =>
  [...html.matchAll(/<div class="fw-flash [^>]*>.*?<p>(.*?)<\/p>/gs)].map(([, text]) => text!.replaceAll("&#39;", "'"));

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Undoing deletions, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(deletionFiles, await database.values());
        await knex()("notes").delete();
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        for (const table of ["attachments", "comments", "bookmarks", "labels", "ledger_lines", "posts"])
          await knex()(table).delete();
        await knex()("framewright_deletions").delete();
        try {
          await body();
        } finally {
          delete room.noPosts;
          delete room.unseen;
        }
      });
    /** A person with cookies. */
    const visitor = (user: number | undefined = 1): Visit => {
      const cookies = new Map<string, string>();
      return async (path, init = {}) => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const headers = new Headers({ cookie, ...(init.headers as Record<string, string>) });
        if (user !== undefined) headers.set("x-user", String(user));
        const answer = await app.request(path, { ...init, headers });
        for (const line of answer.headers.getSetCookie())
          cookies.set(...(line.split(";")[0]!.split(/=(.*)/, 2) as [string, string]));
        return answer;
      };
    };
    const post = (visit: Visit, { url, body }: { url: string; body: URLSearchParams }) =>
      visit(url, { method: "POST", body });
    const next = async (visit: Visit, answer: Response) => {
      assert.is(answer.status, 303);
      return (await visit(answer.headers.get("location")!)).text();
    };
    /** Deletes a record by the form that asks whether it is meant, and gives the page after it. */
    const deleted = async (visit: Visit, path: string) => {
      const asked = await (await visit(`${path}/actions/destroy`)).text();
      return next(visit, await post(visit, formOf(asked, new RegExp(`${path}$`))!));
    };
    const inserted = async (title: string, more: Row = {}): Promise<number> => {
      const row = { title, status: "live", organization_id: 1, author_id: 1, category_id: 1 };
      const times = { created_at: "2026-01-02 03:04:05.678", updated_at: "2026-02-03 04:05:06.789" };
      return Number((await knex()("posts").insert({ ...row, ...times, ...more }))[0]);
    };
    const rowsOf = (table: string): Promise<Row[]> => knex()(table).orderBy("id");

    can("A record is restored with its key, with what nobody is shown, and with what went with it", async () => {
      const cls = databaseOf(app.application).model("Post").class;
      const values = {
        title: "Whole",
        status: "live",
        organization_id: 1,
        secret: "sealed",
        reference: "R-1",
        details: { a: [1] },
      };
      const made = await cls.query().insert({ ...values, amount: "12.50", mark: Buffer.from([0, 255, 7]) } as never);
      const id = Number((made as unknown as Row).id);
      await knex()("posts")
        .where({ id })
        .update({ lock_version: 7, stage: null, updated_at: "2026-02-03 04:05:06.789" });
      for (const one of [1, 2]) await knex()("comments").insert({ id: one + 10, title: `Comment ${one}`, post_id: id });
      await knex()("comments").where({ id: 11 }).update({ reply_to_id: null });
      await knex()("attachments").insert({ id: 31, name: "File", comment_id: 12 });
      await knex()("bookmarks").insert({ id: 41, name: "Mark", post_id: id });
      await knex()("labels").insert({ id: 51, name: "Label", post_id: id });
      const tables = ["posts", "comments", "attachments", "bookmarks", "labels"];
      const all = async () => JSON.stringify(await Promise.all(tables.map(rowsOf)));
      const secretOf = async () => ((await cls.query().findById(id)) as unknown as Row).secret;
      const before = JSON.parse(await all());

      const ann = visitor();
      const asked = await (await ann(`${posts}/${id}/actions/destroy`)).text();
      assert.match(asked, "You can undo this for 10 minutes.");
      assert.not.match(asked, "can&#39;t be undone");
      const after = await deleted(ann, `${posts}/${id}`);
      assert.equal(flashOf(after), ["Whole was deleted. You can undo this for 10 minutes."]);
      assert.equal([(await rowsOf("comments")).length, (await rowsOf("attachments")).length], [0, 0]);
      const stored = JSON.stringify(await rowsOf("framewright_deletions"));
      assert.not.match(stored, /Whole|sealed|Comment/);

      const undone = await post(ann, undoOn(after)!);
      assert.is(undone.headers.get("location"), posts);
      assert.equal(flashOf(await next(ann, undone)), ["Whole was restored."]);
      const now = JSON.parse(await all());
      assert.is(await secretOf(), "sealed");
      for (const rows of [before[0], now[0]]) for (const row of rows) delete row.secret; // encrypted anew
      assert.equal(now, before);
      assert.equal(await rowsOf("framewright_deletions"), []);
    });

    can(
      "The question about several sums what goes with them, and says for this selection whether it can be undone",
      async () => {
        const ids = [await inserted("First"), await inserted("Second")];
        for (const [at, id] of [61, 62, 63].entries())
          await knex()("comments").insert({ id, title: `Comment ${id}`, post_id: ids[at % 2] });
        const ann = visitor();
        const question = async (some: readonly number[]) =>
          (await ann(`${posts}/bulk/destroy?${some.map((id) => `ids[]=${id}`).join("&")}`)).text();
        const asked = await question(ids);
        assert.match(asked, "Delete 2 posts?");
        assert.match(asked, /3 comments will be deleted with them\..*You can undo this for 10 minutes\./s);
        assert.not.match(asked, "can&#39;t be undone");
        await knex()("ledger_lines").insert({ id: 61, post_id: ids[0] });
        const lost = await question(ids);
        assert.match(lost, "This can&#39;t be undone.");
        assert.not.match(lost, "You can undo");
        assert.match(await (await ann(`${posts}/${ids[0]}/actions/destroy`)).text(), "This can&#39;t be undone.");
        assert.match(
          await (await ann(`${posts}/${ids[1]}/actions/destroy`)).text(),
          "You can undo this for 10 minutes.",
        );
        for (const table of ["ledger_lines", "comments"]) await knex()(table).whereIn("post_id", ids).delete();
        await knex()("posts").whereIn("id", ids).delete();
      },
    );

    can("It is done once, in whichever tab, also when two are faster than each other", async () => {
      const id = await inserted("Once");
      const ann = visitor();
      const form = undoOn(await deleted(ann, `${posts}/${id}`))!;
      const answers = await Promise.all([post(ann, form), post(ann, form)]);
      assert.equal(
        answers.map(({ status }) => status),
        [303, 303],
      );
      assert.is((await rowsOf("posts")).length, 1);
      await ann(posts);
      await knex()("posts").delete();
      const late = await next(ann, await post(ann, form));
      assert.equal(flashOf(late), ["This can't be undone any more: it was undone already, or its time is over."]);
      assert.is(undoOn(late), undefined);
      assert.equal(await rowsOf("posts"), []);
    });

    can(
      "It is for the person who deleted, in that tenant and at that list, and its key is no secret of others",
      async () => {
        const id = await inserted("Mine");
        const ann = visitor();
        const form = undoOn(await deleted(ann, `${posts}/${id}`))!;
        const key = form.url.split("/").at(-2)!;
        for (const [user, list] of [
          [3, posts],
          [2, posts.replace("/1/", "/2/")],
          [1, "/customer/1/comments"],
        ] as const) {
          const other = visitor(user);
          const token = formOf(await (await other(`${list}/new`)).text(), new RegExp(`${list}$`));
          const body = new URLSearchParams({ authenticity_token: token?.body.get("authenticity_token") ?? "" });
          const csrf = /name="csrf-token" content="([^"]*)"/.exec(await (await other(list)).text())?.[1] ?? "";
          await other(`${list}/deletions/${key}/undo`, { method: "POST", body, headers: { "x-csrf-token": csrf } });
        }
        assert.is((await visitor(undefined)(form.url, { method: "POST", body: form.body })).status >= 400, true);
        assert.is((await ann(form.url, { method: "POST", body: new URLSearchParams() })).status, 403);
        assert.is((await ann(form.url)).status, 405);
        assert.equal(await rowsOf("posts"), []);
        assert.equal(flashOf(await next(ann, await post(ann, form))), ["Mine was restored."]);
        assert.equal((await rowsOf("posts")).length, 1);
      },
    );

    can("The policy decides when it is deleted and when that is undone", async () => {
      const ann = visitor();
      room.noPosts = true;
      assert.is(undoOn(await deleted(ann, `${posts}/${await inserted("Not mine to make")}`)), undefined);
      assert.equal(await rowsOf("framewright_deletions"), []);
      delete room.noPosts;
      const page = await deleted(ann, `${posts}/${await inserted("Mine")}`);
      room.noPosts = true;
      assert.is((await post(ann, undoOn(page)!)).status, 403);
      delete room.noPosts;
      room.unseen = "live";
      const refused = await next(ann, await post(ann, undoOn(page)!));
      assert.equal(flashOf(refused), ["Mine could not be restored: you would not see it here."]);
      assert.equal(await rowsOf("posts"), []);
      delete room.unseen;
      assert.equal(flashOf(await next(ann, await post(ann, undoOn(refused)!))), ["Mine was restored."]);
    });

    can("What stands against it by now is named, and it can be tried again", async () => {
      const ann = visitor();
      const page = await deleted(ann, `${posts}/${await inserted("Taken", { reference: "R-7" })}`);
      const rival = await inserted("Rival", { reference: "R-7" });
      const refused = await next(ann, await post(ann, undoOn(page)!));
      assert.equal(flashOf(refused), ["Taken could not be restored: its values are no longer accepted."]);
      assert.not.match(refused, /reference|R-7/i); // nobody is shown it
      await knex()("posts").where({ id: rival }).delete();
      assert.equal(flashOf(await next(ann, await post(ann, undoOn(refused)!))), ["Taken was restored."]);

      const id = await inserted("Replaced");
      const other = await deleted(ann, `${posts}/${id}`);
      await inserted("In its place", { id });
      const kept = await next(ann, await post(ann, undoOn(other)!));
      assert.equal(flashOf(kept), ["Replaced could not be restored: another record has taken its place."]);
      assert.is((await knex()("posts").where({ id }).first()).title, "In its place");

      await knex()("users").insert({ id: 77, name: "Gone soon" });
      const third = await deleted(ann, `${posts}/${await inserted("Orphan", { author_id: 77 })}`);
      await knex()("users").where({ id: 77 }).delete();
      assert.equal(flashOf(await next(ann, await post(ann, undoOn(third)!))), [
        "Orphan could not be restored: Author must be chosen.",
      ]);
    });

    can("What was linked to another record meanwhile stays there", async () => {
      const ann = visitor();
      const other = await inserted("Other");
      const id = await inserted("Marked");
      for (const one of [41, 42]) await knex()("bookmarks").insert({ id: one, name: "Mark", post_id: id });
      const page = await deleted(ann, `${posts}/${id}`);
      await knex()("bookmarks").where({ id: 42 }).update({ post_id: other });
      await post(ann, undoOn(page)!);
      assert.equal(
        (await rowsOf("bookmarks")).map(({ post_id }) => post_id),
        [id, other],
      );
    });

    can("After ten minutes it is too late, and what was kept is deleted", async () => {
      const ann = visitor();
      const page = await deleted(ann, `${posts}/${await inserted("Late")}`);
      const [{ expires_at }] = (await rowsOf("framewright_deletions")) as [{ expires_at: string }];
      const minutes = (Date.parse(`${expires_at.replace(" ", "T")}Z`) - Date.now()) / 60_000;
      assert.ok(minutes > 9 && minutes <= 10, String(minutes));
      await knex()("framewright_deletions").update({ expires_at: "2026-01-01 00:00:00.000" });
      assert.match(flashOf(await next(ann, await post(ann, undoOn(page)!)))[0]!, "its time is over");
      assert.equal(await rowsOf("posts"), []);
      await deleted(ann, `${posts}/${await inserted("Young")}`);
      await app.application.kernel.service("undo").sweep();
      assert.is((await rowsOf("framewright_deletions")).length, 1);
    });

    can("It is not offered where it could not restore all of it, nor to programs", async () => {
      const ann = visitor();
      const lines = await inserted("With lines");
      await knex()("ledger_lines").insert({ post_id: lines });
      assert.is(undoOn(await deleted(ann, `${posts}/${lines}`)), undefined);
      const many = await inserted("Many");
      await knex()("bookmarks").insert(Array.from({ length: 201 }, () => ({ name: "Mark", post_id: many })));
      assert.is(undoOn(await deleted(ann, `${posts}/${many}`)), undefined);
      const [letter] = await knex()("letters").insert({ name: "Sent" });
      assert.is(undoOn(await deleted(ann, `/customer/1/letters/${letter}`)), undefined);
      const csrf = /name="csrf-token" content="([^"]*)"/.exec(await (await ann(posts)).text())![1]!;
      const headers = { accept: "application/json", "x-csrf-token": csrf };
      const id = await inserted("By a program");
      assert.is((await ann(`${posts}/${id}`, { method: "DELETE", headers })).status, 204);
      assert.equal(await rowsOf("posts"), []);
      assert.equal(await rowsOf("framewright_deletions"), []);
    });

    can("Records that were deleted together are restored together, and the list is as it was", async () => {
      const ann = visitor();
      const ids = [await inserted("One"), await inserted("Two", { reference: "R-2" }), await inserted("Three")];
      const list = `${posts}?sort=title`;
      const html = await (await ann(list)).text();
      assert.match(html, "/bulk/destroy");
      const query = ids.map((id) => `ids[]=${id}`).join("&");
      const asked = formOf(
        await (await ann(`${posts}/bulk/destroy?${query}&return_to=${encodeURIComponent(list)}`)).text(),
        /\/bulk\/destroy/,
      )!;
      const after = await next(ann, await post(ann, asked));
      assert.equal(flashOf(after), ["Deleted 3. You can undo this for 10 minutes."]);
      assert.equal(await rowsOf("posts"), []);
      const rival = await inserted("Rival", { reference: "R-2" });
      const part = await post(ann, undoOn(after)!);
      assert.is(part.headers.get("location"), list);
      const partly = await next(ann, part);
      assert.equal(flashOf(partly), [
        "2 records were restored. Two could not be restored: its values are no longer accepted.",
      ]);
      await knex()("posts").where({ id: rival }).delete();
      assert.equal(flashOf(await next(ann, await post(ann, undoOn(partly)!))), ["Two was restored."]);
      assert.equal(
        (await rowsOf("posts")).map(({ id }) => id),
        ids,
      );
    });
  });

  describe(`Deletions without undo, on ${database.name}`, (it, { after }) => {
    after(async () => database.clean());
    it.unless(
      database.skip,
      "An application that does not ask for it has no button, no route and no table",
      async () => {
        const files = { ...deletionFiles };
        delete files["db/migrate/20260401000000_create_framewright_deletions.ts"];
        files["plugins.config.ts"] = files["plugins.config.ts"]!.replace("undo(), ", "");
        const app = await openTenants(files, await database.values());
        try {
          const headers = { "x-user": "1" };
          await databaseOf(app.application).knex("notes").delete();
          const opened = await app.request(`${posts}/1/actions/destroy`, { headers });
          const html = await opened.text();
          assert.match(html, "This can&#39;t be undone.");
          assert.not.ok(app.application.routes().some(({ path }) => path.includes("deletions")));
        } finally {
          await app.close();
        }
      },
    );
  });

  describe(`Deletions of records with files, on ${database.name}`, (it, { after }) => {
    after(async () => database.clean());
    it.unless(
      database.skip,
      "One whose files are deleted is not offered to be restored, one without files is",
      async () => {
        const app = await openMigrated(writeApp(files), await database.values());
        try {
          const client = app.client();
          const list = "/admin/blogging/posts";
          const { knex } = databaseOf(app.application);
          const paper = { key: "00/0000", filename: "a.txt", type: "text/plain", bytes: 1 };
          const offered = async (values: Row) => {
            const [id] = await knex("blogging_posts").insert({
              title: "A",
              ...values,
              created_at: new Date(),
              updated_at: new Date(),
            });
            await client.submit(`${list}/${id}/actions/destroy`, {}, new RegExp(`action="${list}/${id}"`));
            const html = await client.page(list);
            assert.match(flashOf(html)[0]!, "was deleted.");
            return undoOn(html) !== undefined;
          };
          assert.is(await offered({}), true);
          assert.is(await offered({ paper: JSON.stringify(paper) }), false);
        } finally {
          await app.close();
        }
      },
    );

    it.unless(
      database.skip,
      "A record with a key of several columns is restored, and not offered where a foreign key refers to it",
      async () => {
        const app = await openMigrated(writeApp(priceFiles), await database.values());
        try {
          const client = app.client();
          const { knex } = databaseOf(app.application);
          const list = "/admin/prices";
          await knex("prices").insert([
            { Place: "Rome", Day: 1, Amount: 7 },
            { Place: "Bern", Day: 2, Amount: 8 },
          ]);
          await knex("orders").insert({ Place: "Bern", Day: 2 });
          const destroy = async (key: string) => {
            await client.submit(`${list}/${key}/actions/destroy`, {}, new RegExp(`action="${list}/${key}"`));
            const html = await client.page(list);
            assert.match(flashOf(html)[0]!, "was deleted.");
            return undoOn(html);
          };
          const { url, body } = (await destroy("Rome~1"))!;
          assert.equal(await knex("prices").select("Place"), [{ Place: "Bern" }]);
          await client.request(url, { method: "POST", body });
          assert.equal(await knex("prices").where({ Place: "Rome" }).select("Day", "Amount"), [{ Day: 1, Amount: 7 }]);
          assert.is(await destroy("Bern~2"), undefined);
          assert.equal(await knex("orders"), []);
        } finally {
          await app.close();
        }
      },
    );
  });
}
