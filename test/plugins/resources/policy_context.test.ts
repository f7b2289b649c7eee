import { type Policy, type PolicyContext, policyReport } from "../../../plugins/resources/index.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, shopFiles, withShop } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// What a policy looks up once a request: here whether somebody has written anything in the tenant.

const policy = "app/policies/post_policy.ts";
const comments = "app/policies/comment_policy.ts";
const counted = globalThis as { prepared?: string[] };
const changes = {
  "lib/policies.ts": `import { Policy, type PolicyPreparation } from "framewright/plugins/resources";
    import type { BaseModel } from "framewright/plugins/database";
    import Post from "../app/models/post.ts";
    export interface Written { count: number }
    export class WritersPolicy<M extends BaseModel> extends Policy<M, { id: number } | undefined, Written> {
      static override async prepare({ user, entityScope, query, request, services }: PolicyPreparation): Promise<Written> {
        if (!request.path.startsWith("/") || services.database?.model("Post").constant !== "Post" || services.mailer) throw new Error("something is missing");
        const { id } = (user ?? { id: 0 }) as { id: number };
        (globalThis as { prepared?: string[] }).prepared?.push(\`\${id} in \${(entityScope as { name: string }).name}\`);
        if (id === 4) throw new Error("prepare is broken");
        return { count: await query(Post).where("author_id", id).resultSize() };
      }
    }`,
  [policy]: edited(
    tenantFiles,
    policy,
    ['import { Policy } from "framewright/plugins/resources"', 'import { WritersPolicy } from "../../lib/policies.ts"'],
    ["extends Policy<Post>", "extends WritersPolicy<Post>"],
    ["canRead() {\n    return true;", "canRead() {\n    return this.context.count > 0;"],
    ["canPublish() {\n    return true;", "canPublish() {\n    return this.context.count > 1;"],
  ),
  [comments]: edited(
    tenantFiles,
    comments,
    ['import { Policy } from "framewright/plugins/resources"', 'import { WritersPolicy } from "../../lib/policies.ts"'],
    ["extends Policy<Comment>", "extends WritersPolicy<Comment>"],
  ),
};

for (const database of await databases()) {
  describe(`The context of policies, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(changes, await database.values());
        const { knex } = databaseOf(app.application);
        await knex("posts").update({ author_id: null });
        await knex("posts").insert([
          { title: "By Ann", author_id: 1, organization_id: 1 },
          { title: "By Cat", author_id: 3, organization_id: 2 },
          { title: "By Cat too", author_id: 3, organization_id: 2 },
        ]);
      });
      after(async () => {
        counted.prepared = undefined;
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const asked = async (path: string, user: number, accept = "application/json") => {
      counted.prepared = [];
      const answer = await app.request(path, { headers: { accept, "x-user": String(user) } });
      return { status: answer.status, text: await answer.text(), prepared: counted.prepared };
    };

    can(
      "A policy looks up its context once a request, within the tenant, whatever the rows, panels and policies that share it",
      async () => {
        for (const accept of ["application/json", "text/html"]) {
          const list = await asked("/customer/1/posts", 1, accept);
          assert.equal([list.status, list.prepared], [200, ["1 in Alpine"]]);
          const record = await asked("/customer/1/posts/1", 1, accept);
          assert.equal([record.status, record.prepared], [200, ["1 in Alpine"]]);
        }
      },
    );
    can("Decisions follow from the context of each request", async () => {
      assert.is((await asked("/customer/1/posts", 3)).status, 403, "Cat wrote nothing there");
      assert.is((await asked("/customer/2/posts", 3)).status, 200);
      assert.match((await asked("/customer/2/posts/2", 3, "text/html")).text, "/actions/publish");
      assert.not.match((await asked("/customer/1/posts/1", 1, "text/html")).text, "/actions/publish");
    });
    can("Nothing is decided where the context can't be looked up", async () => {
      await databaseOf(app.application).knex("memberships").insert({ user_id: 4, organization_id: 1 });
      const broken = await asked("/customer/1/posts", 4);
      assert.is(broken.status, 500);
      assert.not.match(broken.text, "By Ann");
    });
    can(
      "What is reported of a policy depends on its context as soon as a predicate reads it, by whatever means",
      async () => {
        const { registry } = app.application.kernel.service("resources");
        const post = registry.of("CustomerPortal").get("Post")!;
        const answersOf = (methods: object) => {
          class Changed extends (post.policyClass as unknown as { new (context: PolicyContext): Policy }) {}
          Object.assign(Changed.prototype, { canExport: () => true, ...methods });
          const registration = Object.create(post, { policyClass: { value: Changed } }) as typeof post;
          const { actions, unknown } = policyReport(registration, [{ label: "user", user: {} }]);
          const found = Object.fromEntries(actions.map(({ name, answers }) => [name, answers[0]]));
          return { index: found.index, export: found.export, unknown: unknown.map(({ list }) => list) };
        };
        type Self = { context: unknown };
        const whole = { reads: ["context"] };
        assert.equal(
          answersOf({
            canRead(this: Self) {
              return this.context !== undefined;
            },
            permittedAttributesForIndex(this: Self) {
              return this.context ? ["title"] : [];
            },
          }),
          { index: whole, export: "yes", unknown: ["Index"] },
        );
        assert.equal(answersOf({ canRead: () => true }).index, "yes");
        assert.equal(answersOf({}).index, { reads: ["context.count"] });
      },
    );
    can("A policy that is asked without its context refuses to decide", async () => {
      const { kernel } = app.application;
      const { registry } = kernel.service("resources");
      const { policyClass } = registry.of("CustomerPortal").get("Post")!;
      const elsewhere = { request: {}, currentUser: { id: 1 }, currentScopedEntity: undefined };
      assert.throws(
        () => kernel.service("resources").policy(elsewhere as never, policyClass, undefined),
        "FW_POLICY_UNPREPARED",
      );
    });
  });
}

describe("The context of policies in a portal of guests", (it) => {
  it("A guest's policy gets the request and the services of a plugin, and decides by them", async () => {
    const concern = "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts";
    const changes = {
      [concern]: edited(
        shopFiles,
        concern,
        ["{ CurrentUser,", "{ PublicAccess,"],
        [/CurrentUser\(.*\),\n/, "PublicAccess,\n"],
      ),
      "lib/flags.ts": `import { definePlugin } from "framewright/kernel";
        declare module "framewright/kernel" {
          interface Slots { flags: { service: { isOn(name: string): boolean } } }
        }
        export const flags = () => definePlugin({
          name: "flags",
          provides: "flags",
          apply: () => ({ isOn: (name) => name === "authors" }),
        });`,
      "plugins.config.ts": edited(
        shopFiles,
        "plugins.config.ts",
        ["export default", 'import { flags } from "./lib/flags.ts";\nexport default'],
        ["resources(),\n]", "resources(), flags()]"],
      ),
      "app/policies/author_policy.ts": `import { Policy, type PolicyPreparation } from "framewright/plugins/resources";
        import type {} from "../../lib/flags.ts";
        export default class AuthorPolicy extends Policy<any, undefined, { isOn: boolean }> {
          static override async prepare({ user, request, services }: PolicyPreparation) {
            const flag = request.query.get("flag");
            return { isOn: user === undefined && services.flags?.isOn(String(flag)) === true };
          }
          override canRead() { return this.context.isOn; }
          override permittedAttributesForRead() { return ["name"]; }
        }`,
    };
    await withShop(changes, async (app) => {
      const now = new Date();
      const ada = { name: "Ada", email: "ada@example.com", created_at: now, updated_at: now };
      await databaseOf(app.application).knex("authors").insert(ada);
      const statuses = async (path: string) => (await app.client().json(path)).status;
      assert.is(await statuses("/admin/authors?flag=authors"), 200);
      assert.is(await statuses("/admin/authors/1?flag=authors"), 200);
      assert.is(await statuses("/admin/authors?flag=posts"), 403);
      assert.is(await statuses("/admin/authors"), 403);
    });
  });
});
