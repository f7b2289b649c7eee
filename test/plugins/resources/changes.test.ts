import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BaseModel, Database, ModelClass } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// A plugin that writes a line for each change of a post, whoever writes the post.

const plugins = join(import.meta.dirname, "../../../plugins");
const schema = ["jobs/schema.liquid", "wizards/schema.liquid"]
  .map((file) => readFileSync(join(plugins, file), "utf8"))
  .join("");
const definition = "app/definitions/post_definition.ts";

const files: Record<string, string> = {
  "audit.ts": `import { definePlugin } from "framewright/kernel";
    import type {} from "framewright/plugins/jobs";
    import Post from "./app/models/post.ts";
    export const audit = definePlugin({
      name: "audit",
      requires: ["database", "jobs", "resources"],
      apply({ hooks, services: { jobs, database } }) {
        const user = (by: { user: unknown } | undefined) => (by?.user as { id: number } | undefined)?.id ?? null;
        hooks.database.changing.for(Post).tapPromise("audit", async ({ kind, record, before, changed, by, transaction }) => {
          const [old, now] = [before, record];
          await transaction("lines").insert({
            kind, post: record.$id(), names: changed.join(" "), old: old?.title ?? null, now: now.title,
            user_id: user(by), portal: by?.portal ?? null, wizard: by?.wizard ?? null, job: by?.job ?? null,
          });
        });
        hooks.database.changed.for(Post).tap("audit", ({ record }) => {
          if (record.title === "Broken") throw new Error("no");
        });
        jobs.define("rename", async () => {
          await Post.query().findById(1).patch({ title: "By the job" });
        });
      },
    });`,
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    [
      "import { i18n }",
      'import { jobs } from "framewright/plugins/jobs";\nimport { wizards } from "framewright/plugins/wizards";\nimport { storage } from "framewright/plugins/storage";\nimport { audit } from "./audit.ts";\nimport { i18n }',
    ],
    ["  resources(),", "  resources(),\n  jobs({ poll: 100 }),\n  audit,\n"],
    ["  scoping(),", "  scoping(),\n  storage(),\n  wizards({ sweep: false }),"],
  ),
  "db/migrate/20260102000000_create_lines.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      ${schema}
      await db.createTable("lines", (t) => {
        t.id(); t.bigint("post"); t.bigint("user_id");
        for (const name of ["kind", "names", "old", "now", "portal", "wizard", "job"]) t.string(name);
      });
    }
    export async function down(_db: Schema) {}`,
  "app/wizards/rename_wizard.ts": `import { anchored, steps, succeed, Wizard } from "framewright/plugins/wizards";
    import Post from "#app/models/post.ts";
    const flow = steps().step("name", {}, (f) => f.string("title", { required: true }));
    export default class RenameWizard extends Wizard(flow, { anchored: anchored({ with: Post }) }) {
      async execute() {
        await (this.anchor as Post).$query(this.transaction).patch({ title: this.data.name!.title });
        return succeed();
      }
    }`,
  "app/interactions/publish_post.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
    import type Post from "../models/post.ts";
    export default class PublishPost extends Interaction<Post> {
      async execute() {
        await this.record.$query(this.transaction).patch({ title: "By the interaction" });
        return succeed(this.record);
      }
    }`,
  [definition]: edited(
    tenantFiles,
    definition,
    ["import type Post", 'import RenameWizard from "../wizards/rename_wizard.ts";\nimport type Post'],
    ['this.scope("widest");', 'this.scope("widest");\n    this.wizard("rename", RenameWizard);'],
  ),
};
files["app/policies/post_policy.ts"] = edited(tenantFiles, "app/policies/post_policy.ts", [
  "  canPublish() {",
  "  canRename() {\n    return true;\n  }\n  canPublish() {",
]);

class Ann extends Client {
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    return super.request(path, { ...init, headers: { ...(init.headers as object), "x-user": "1" } });
  }
}

for (const database of await databases()) {
  describe(`The changes of a record by every writer, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const service = (): Database => app.application.kernel.service("database");
    const posts = () => service().model("Post").class as ModelClass;
    /** The lines since the last call. */
    const taken = async () => {
      const { knex } = databaseOf(app.application);
      const lines = await knex("lines").orderBy("id");
      await knex("lines").delete();
      return lines.map(({ id: _, post, user_id, ...rest }) => ({
        ...rest,
        post: Number(post),
        user_id: user_id && Number(user_id),
      }));
    };
    const byAnn = { user_id: 1, portal: "CustomerPortal", wizard: null, job: null };
    const byNobody = { user_id: null, portal: null, wizard: null, job: null };
    const at = "/customer/1/posts/1";
    const renamed = (old: string, now: string, by: object) => [
      { kind: "updated", post: 1, names: "title", old, now, ...by },
    ];
    const json = (path: string, method: string, body?: object) =>
      app.request(path, {
        method,
        headers: { "x-user": "1", accept: "application/json", "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });

    can("A form, JSON, an interaction, a wizard, a job and code each leave one line, with who did it", async () => {
      const client = new Ann(app.url);
      assert.is((await client.submit(`${at}/edit`, { "post[title]": "By the form" })).status, 303);
      assert.equal(await taken(), renamed("Post Alpine", "By the form", byAnn));
      assert.is((await json(at, "PATCH", { post: { title: "By JSON" } })).status, 200);
      assert.equal(await taken(), renamed("By the form", "By JSON", byAnn));
      assert.is((await json(`${at}/actions/publish`, "POST", {})).status, 200);
      assert.equal(await taken(), renamed("By JSON", "By the interaction", byAnn));
      const step = (await client.request(`${at}/wizards/rename`)).headers.get("location")!;
      assert.is((await client.submit(step, { "wizard[title]": "By the wizard" })).status, 303);
      assert.equal(await taken(), renamed("By the interaction", "By the wizard", { ...byAnn, wizard: "RenameWizard" }));
      const jobs = app.application.kernel.service("jobs");
      await jobs.enqueue("rename", {});
      await jobs.drain();
      assert.equal(await taken(), renamed("By the wizard", "By the job", { ...byNobody, job: "rename" }));
      await posts()
        .query()
        .patch({ title: "By code" } as never)
        .where("id", 1);
      assert.equal(await taken(), renamed("By the job", "By code", byNobody));
      const made = await json("/customer/1/posts", "POST", { post: { title: "New" } });
      const { id } = ((await made.json()) as { data: { id: number } }).data;
      const [created] = await taken();
      assert.equal([created!.kind, created!.post, created!.old, created!.now], ["created", id, null, "New"]);
      assert.is((await json(`/customer/1/posts/${id}`, "DELETE")).status, 204);
      const [deleted] = await taken();
      assert.equal([deleted!.kind, deleted!.post, deleted!.now, deleted!.user_id], ["deleted", id, "New", 1]);
    });

    can("What is refused or rolled back leaves no line, and a failing listener changes no answer", async () => {
      assert.is((await json(at, "PATCH", { post: { title: { a: 1 } } })).status, 422);
      assert.is((await json("/customer/1/posts/2", "PATCH", { post: { title: "Foreign" } })).status, 404);
      await service()
        .transaction(async (transaction) => {
          await posts()
            .query(transaction)
            .findById(1)
            .patch({ title: "Undone" } as never);
          throw new Error("no");
        })
        .catch(() => undefined);
      assert.equal(await taken(), []);
      assert.is((await json(at, "PATCH", { post: { title: "Broken" } })).status, 200);
      assert.equal(((await posts().query().findById(1)) as unknown as BaseModel & { title: string }).title, "Broken");
      assert.is((await taken()).length, 1);
    });

    can("Parallel requests are told apart", async () => {
      const send = (user: number, id: number, title: string) =>
        app.request(`/customer/${user}/posts/${id}`, {
          method: "PATCH",
          headers: { "x-user": String(user), accept: "application/json", "content-type": "application/json" },
          body: JSON.stringify({ post: { title } }),
        });
      await Promise.all(
        Array.from({ length: 40 }, (_, at) => send((at % 2) + 1, (at % 2) + 1, `${(at % 2) + 1} ${at}`)),
      );
      const lines = await taken();
      assert.is(lines.length, 40);
      for (const { user_id, post, now } of lines) assert.equal([user_id, post], [Number(now[0]), Number(now[0])]);
    });
  });
}
