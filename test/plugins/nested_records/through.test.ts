import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { fieldsOf } from "../../support/form_fields.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { openTags, tagFiles } from "../scoping/tags_app.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { as } from "../wizards/mounts_support.ts";
import { asAnn, openPermits, permitFiles } from "./permits_app.ts";
import { rowsFiles } from "./tenancy_files.ts";

const path = { permit: "app/models/permit.ts", routes: "packages/admin_portal/config/routes.ts" };
const policyOf = (name: string) => `app/policies/${name}_policy.ts`;

/** Permits have inspectors, by assignments with a role, in an order. */
const files: Record<string, string> = {
  "db/migrate/20260101000004_create_assignments.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.createTable("inspectors", (t) => { t.id(); t.string("name").notNull(); });
      await db.createTable("assignments", (t) => { t.id(); t.belongsTo("permit", { null: false }); t.belongsTo("inspector", { null: false }); t.string("role"); t.integer("position").notNull().default(0); t.index(["permit_id", "inspector_id"], { unique: true }); });
    }
    export async function down(db: Schema) { await db.dropTable("assignments"); await db.dropTable("inspectors"); }`,
  "app/models/inspector.ts": `import { Model } from "framewright/plugins/database";
    export default class Inspector extends Model("inspectors") { toLabel() { return this.name; } }`,
  "app/models/assignment.ts": `import { belongsTo, Model } from "framewright/plugins/database";
    export default class Assignment extends Model("assignments") { static override associations = { permit: belongsTo(), inspector: belongsTo() }; static override validations = { role: { length: { maximum: 10 } } }; }`,
  [path.permit]: edited(permitFiles, path.permit, [
    'site: hasOne({ dependent: "destroy" })',
    'site: hasOne({ dependent: "destroy" }), assignments: hasMany({ dependent: "destroy" }), inspectors: hasMany({ through: "assignments" })',
  ]),
  [policyOf("permit")]: permitFiles[policyOf("permit")]!.replaceAll('"site"', '"site","inspectors"'),
  [policyOf("inspector")]: permitFiles[policyOf("owner")]!.replaceAll("Owner", "Inspector")
    .replaceAll("owner.ts", "inspector.ts")
    .replaceAll('"name","parcel"', '"name"')
    .replace(/\}\s*$/, 'override relationScope(query) { return query.where("inspectors.name", "<>", "Hidden"); } }'),
  [policyOf("assignment")]: permitFiles[policyOf("owner")]!.replaceAll("Owner", "Assignment")
    .replaceAll("owner.ts", "assignment.ts")
    .replaceAll('"name","parcel"', '"inspector","role"')
    .replace("canUpdate() { return true; }", 'canUpdate() { return this.record?.role !== "locked"; }'),
  "app/definitions/permit_definition.ts": edited(permitFiles, "app/definitions/permit_definition.ts", [
    'this.column("lines");',
    'this.column("lines"); this.column("inspectors"); this.repeated("inspectors", { fields: ["role"], order: "position", maximum: 3 });',
  ]),
  [path.routes]: edited(
    permitFiles,
    path.routes,
    [
      "routes.registerResource(Owner);",
      "routes.registerResource(Owner); routes.registerResource(Inspector); routes.registerResource(Assignment);",
    ],
    [
      "import Permit",
      'import Inspector from "#app/models/inspector.ts"; import Assignment from "#app/models/assignment.ts"; import Permit',
    ],
  ),
};
/** Tags of posts as rows, in portals of tenants. */
const tagRows: Record<string, string> = {
  "plugins.config.ts": rowsFiles["plugins.config.ts"]!,
  "app/policies/tagging_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class TaggingPolicy extends Policy { override canRead() { return true; } override canCreate() { return true; } override canUpdate() { return true; } override canDestroy() { return true; }
      override permittedAttributesForCreate() { return ["tag"]; } override permittedAttributesForRead() { return ["tag"]; } }`,
  "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    import type {} from "framewright/plugins/nested_records";
    import type Post from "../models/post.ts";
    export default class PostDefinition extends ResourceDefinition<Post> {
      override configure() { super.configure(); this.repeated("tags", {}); this.column("tags"); }
    }`,
  ...Object.fromEntries(
    ["customer_portal", "domain_portal", "guest_portal"].map((portal) => {
      const at = `packages/${portal}/config/routes.ts`;
      const all = { ...tenantFiles, ...tagFiles };
      const text = edited(
        all,
        at,
        ["import User from", 'import Tagging from "#app/models/tagging.ts";\nimport User from'],
        ["Organization, ", "Organization, Tagging, "],
      );
      return [at, text];
    }),
  ),
};
const chosenOnly = edited(files, "app/definitions/permit_definition.ts", [
  '{ fields: ["role"], order: "position", maximum: 3 }',
  "{ collapsed: true }",
]);

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows of a has-many through others, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let client: Client;
    before(async () => {
      if (database.skip !== undefined) return;
      app = await openPermits(await database.values(), files);
      client = as(app.client(), 1);
      await knex()("inspectors").insert(["Ada", "Bo", "Cy", "Hidden"].map((name, index) => ({ id: index + 1, name })));
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = () => databaseOf(app.application).knex;
    const rows = async () => {
      const found = await knex()("assignments").where({ permit_id: 1 }).orderBy("position").orderBy("id");
      return found.map(({ inspector_id, role }) => [Number(inspector_id), role]);
    };
    const reset = async (...given: [number, string | null][]) => {
      await knex()("assignments").delete();
      for (const [index, [inspector_id, role]] of given.entries())
        await knex()("assignments").insert({ id: index + 1, permit_id: 1, inspector_id, role, position: index + 1 });
    };
    const patch = (inspectors: unknown) => asAnn(app).json("/permits/1.json", { permit: { inspectors } }, "PATCH");
    const form = async () => fieldsOf(await client.page("/admin/permits/1/edit"));
    const send = (fields: Record<string, string>) =>
      client.request("/admin/permits/1", { method: "POST", body: new URLSearchParams(fields) });

    can("JSON writes the rows in between, and has them with the record at the other end", async () => {
      await reset();
      const { status, body } = await patch([{ inspector: 2, role: "lead" }, { inspector: 1 }]);
      assert.is(status, 200, JSON.stringify(body));
      assert.equal(await rows(), [
        [2, "lead"],
        [1, null],
      ]);
      const [first] = body.data.inspectors;
      assert.equal([first.inspector.label, first.role], ["Bo", "lead"]);
      const changed = await patch([{ id: first.id, role: "second" }, { inspector: 3 }]);
      assert.is(changed.status, 200);
      assert.equal(await rows(), [
        [2, "second"],
        [1, null],
        [3, null],
      ]);
      await patch([{ id: first.id, _destroy: true }]);
      assert.equal((await rows()).length, 2);
      assert.is((await knex()("inspectors")).length, 4, "the record at the other end stays");
    });

    can("A form chooses the record at the other end, with the columns of the row", async () => {
      await reset([1, "lead"]);
      const html = await client.page("/admin/permits/1/edit");
      assert.match(html, /<select[^>]* name="permit\[inspectors\]\[0\]\[inspector\]"/);
      assert.not.match(html, "Hidden");
      const saved = await send({
        ...(await form()),
        "permit[inspectors][1][inspector]": "2",
        "permit[inspectors][1][role]": "new",
        "permit[inspectors][2][inspector]": "",
      });
      assert.is(saved.status, 303);
      assert.equal(await rows(), [
        [1, "lead"],
        [2, "new"],
      ]);
      const shown = await client.page("/admin/permits/1");
      assert.match(shown, /fw-rows-table.*Ada.*lead.*Bo.*new/s);
      assert.match(await client.page("/admin/permits"), /Ada.*, .*Bo/s);
    });

    const refused: [string, unknown, string][] = [
      ["a record that the person may not see", [{ inspector: 4 }], "inspectors.0.inspector"],
      ["a record that is not there", [{ inspector: 99 }], "inspectors.0.inspector"],
      ["no record", [{ role: "lead" }], "inspectors.0.inspector"],
      ["one record twice", [{ inspector: 2 }, { inspector: 2 }], "inspectors.1.inspector"],
      ["one that is there already", [{ inspector: 1 }], "inspectors.0.inspector"],
      ["what a rule of the row refuses", [{ inspector: 2, role: "x".repeat(11) }], "inspectors.0.role"],
      [
        "more than there may be",
        [{ inspector: 2 }, { inspector: 3 }, { inspector: 1 }, { inspector: 2 }],
        "inspectors",
      ],
      ["ids in the place of rows", [1, 2], "inspectors"],
    ];
    for (const [what, sent, at] of refused)
      can(`${what} is refused at its place, and nothing is written`, async () => {
        await reset([1, "lead"]);
        const { status, errors } = await patch(sent);
        assert.equal([status, Object.keys(errors ?? {})], [422, [at]], JSON.stringify(errors));
        assert.equal(await rows(), [[1, "lead"]]);
      });

    can("Two rows exchange their records, which a unique index has once", async () => {
      await reset([1, "lead"], [2, null]);
      const { status, body } = await patch([
        { id: 1, inspector: 2 },
        { id: 2, inspector: 1 },
      ]);
      assert.is(status, 200, JSON.stringify(body));
      assert.equal(await rows(), [
        [2, "lead"],
        [1, null],
      ]);
    });

    can("A row that may not be changed is shown with its record, and the others are put in order", async () => {
      await reset([1, "locked"], [2, "lead"]);
      const html = await client.page("/admin/permits/1/edit");
      assert.match(html, /<dd>(<[^>]*>)*Ada/);
      const fields = await form();
      assert.is(fields["permit[inspectors][0][inspector]"], undefined);
      assert.is((await send({ ...fields, "permit[inspectors][1][role]": "moved" })).status, 303);
      assert.equal(await rows(), [
        [1, "locked"],
        [2, "moved"],
      ]);
    });
  });

  describe(`Records chosen as rows, on ${database.name}`, (it) => {
    it.unless(database.skip, "Without fields, a row is the record that is chosen, and called by its name", async () => {
      const app = await openPermits(await database.values(), {
        ...files,
        "app/definitions/permit_definition.ts": chosenOnly,
      });
      try {
        const { knex } = databaseOf(app.application);
        await knex("inspectors").insert([{ id: 1, name: "Ada" }]);
        const made = await asAnn(app).json("/permits.json", { permit: { title: "T", inspectors: [{ inspector: 1 }] } });
        assert.is(made.status, 201, JSON.stringify(made.body));
        const html = await asAnn(app).page(`/permits/${made.body.data.id}/edit`);
        assert.match(html, /<span class="fw-row-label">Ada</);
        assert.not.match(html, "[inspectors][0][role]");
      } finally {
        await app.close();
        await database.clean();
      }
    });

    it.unless(database.skip, "A record or row of another tenant is refused as one that is not there", async () => {
      const app = await openTags(await database.values(), tagRows);
      try {
        const { knex } = databaseOf(app.application);
        const send = async (tags: unknown) => {
          const headers = { accept: "application/json", "content-type": "application/json", "x-user": "1" };
          const body = JSON.stringify({ post: { tags } });
          const answer = await app.request("/customer/1/posts/1", { method: "PATCH", headers, body });
          return { status: answer.status, text: await answer.text() };
        };
        const [foreign, missing] = [await send([{ tag: 2 }]), await send([{ tag: 99 }])];
        assert.is(foreign.status, 422);
        assert.is(foreign.text, missing.text);
        await knex("taggings").insert({ id: 2, post_id: 2, tag_id: 2, organization_id: 2 });
        assert.is((await send([{ id: 2, tag: 1 }])).text, (await send([{ id: 99, tag: 1 }])).text);
        const made = await send([{ tag: 1 }]);
        assert.is(made.status, 200, made.text);
        const rows = await knex("taggings").where({ post_id: 1 }).orderBy("id");
        assert.equal(
          rows.map(({ tag_id, organization_id }) => [Number(tag_id), Number(organization_id)]),
          [
            [2, 2],
            [1, 1],
          ],
        );
        for (const at of ["/posts/1/edit", "/posts/new", "/posts/1", "/posts/1.json", "/posts"]) {
          const answer = await app.request(`/customer/1${at}`, { headers: { "x-user": "1" } });
          assert.is(answer.status, 200, at);
          assert.not.match(await answer.text(), "Baltic", at);
        }
      } finally {
        await app.close();
        await database.clean();
      }
    });
  });
}

describe("Rows of a has-many through others that can't be rows", (it) => {
  it("are refused at boot, in a sentence that says what to do", async () => {
    const through = 'hasMany({ through: "parcels" })';
    const wrong = {
      [path.permit]: edited(permitFiles, path.permit, [
        'site: hasOne({ dependent: "destroy" })',
        `site: hasOne({ dependent: "destroy" }), owners: ${through}`,
      ]),
      "app/definitions/permit_definition.ts": edited(permitFiles, "app/definitions/permit_definition.ts", [
        'this.column("lines");',
        'this.repeated("owners", { fields: ["name"] });',
      ]),
    };
    const problem = await openPermits({}, wrong).then(
      async (app) => app.close().then(() => "it booted"),
      (error: Error) => error.message,
    );
    assert.match(problem, /FW_ROWS_THROUGH: PermitDefinition.*"owners".*Declare the rows of "parcels"/);
  });
});
