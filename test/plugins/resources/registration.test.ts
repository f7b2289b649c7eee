import type { FramewrightError } from "framewright/kernel";
import { addFiles, openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { edited, editedText } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, openMigrated, shopFiles, withShop } from "../../support/shop.ts";

const routesFile = "packages/admin_portal/config/routes.ts";
const imports = `import { AdminPortal } from "../lib/engine.ts"; import Author from "#app/models/author.ts";
  import Post from "#packages/blogging/app/models/blogging/post.ts"; import Comment from "#packages/blogging/app/models/blogging/comment.ts"; import Note from "#packages/blogging/app/models/blogging/note.ts"; void [Author, Post, Comment, Note];`;
const routes = (body: string) => ({
  [routesFile]: `${imports} export default AdminPortal.routes.draw((routes) => { ${body} });`,
});
const policyFile = "packages/blogging/app/policies/blogging/post_policy.ts";
const definitionFile = "packages/blogging/app/definitions/blogging/post_definition.ts";
const definition = (body: string) => ({
  [definitionFile]: `import { Interaction, ResourceDefinition, succeed } from "framewright/plugins/resources"; void [Interaction, succeed];
    export default class PostDefinition extends ResourceDefinition { override configure() { ${body} } }`,
});

/** Boots a shop with changed files, and gives the error that it ends in. */
async function failsWith(code: string, changes: Record<string, string>): Promise<FramewrightError> {
  const root = writeApp(shopFiles);
  const app = await openMigrated(root);
  await app.close();
  addFiles(root, changes);
  // another folder, so that Node reads the changed files anew
  const again = writeApp({ ...shopFiles, ...changes });
  const values = { DATABASE_URL: `sqlite:${root}/storage/test.sqlite3` };
  return (await throwsCode(code, async () => (await openApp(again, { values })).close())) as FramewrightError;
}

const namesOf = (app: TestApp) => app.application.routes().flatMap(({ name }) => name ?? []);

describe("The predicate of an action", (it) => {
  it("Boot fails with FW_ACTION_PREDICATE for an action whose predicate no policy of its model has", async () => {
    const { message } = await failsWith("FW_ACTION_PREDICATE", {
      [policyFile]: edited(shopFiles, policyFile, ["canPublish", "canPublsh"]),
    });
    for (const part of ['"publish"', "PostPolicy", "canPublish()"]) assert.match(message, part);
  });
});

describe("The macro registerResource", (it) => {
  it("registerResource draws nested routes for every association whose target is registered", () =>
    withShop(routes("routes.registerResource(Post); routes.registerResource(Comment);"), async (app) => {
      assert.ok(namesOf(app).includes("blogging_post_nested_comments"));
      assert.is(namesOf(app).includes("blogging_post_nested_note"), false);
    }));
  it("registerResource draws nested routes only for the listed associations, and none for []", async () => {
    await withShop(
      routes(
        `routes.registerResource(Post, { associations: ["note"] }); routes.registerResource(Comment); routes.registerResource(Note);`,
      ),
      async (app) => {
        assert.equal(
          namesOf(app).filter((name) => name.includes("nested")),
          [
            "blogging_post_nested_note",
            "new_blogging_post_nested_note",
            "edit_blogging_post_nested_note",
            "blogging_post_nested_note",
            "blogging_post_nested_note",
            "blogging_post_nested_note",
          ],
        );
      },
    );
    await withShop(
      routes(`routes.registerResource(Post, { associations: [] }); routes.registerResource(Comment);`),
      async (app) => {
        assert.equal(
          namesOf(app).filter((name) => name.includes("nested")),
          [],
        );
      },
    );
  });
  it("Boot fails with FW_ASSOCIATION_UNROUTABLE for an unknown or belongsTo association, or an unregistered target", async () => {
    const unknown = await failsWith(
      "FW_ASSOCIATION_UNROUTABLE",
      routes(`routes.registerResource(Post, { associations: ["coments"] }); routes.registerResource(Comment);`),
    );
    assert.match(unknown.message, /Blogging::Post.*"coments".*Did you mean "comments"/);
    const belongsTo = await failsWith(
      "FW_ASSOCIATION_UNROUTABLE",
      routes(`routes.registerResource(Post, { associations: ["author"] }); routes.registerResource(Author);`),
    );
    assert.match(belongsTo.message, /belongs to/);
    const absent = await failsWith(
      "FW_ASSOCIATION_UNROUTABLE",
      routes(`routes.registerResource(Post, { associations: ["comments"] });`),
    );
    assert.match(absent.message, /Blogging::Comment, which is not registered/);
  });
  it('Boot fails with FW_ASSOCIATIONS_UNDECLARED where nestedAssociationRoutes is "declared" and none are listed', async () => {
    const plugins = edited(shopFiles, "plugins.config.ts", [
      "resources()",
      `resources({ nestedAssociationRoutes: "declared" })`,
    ]);
    const error = await failsWith("FW_ASSOCIATIONS_UNDECLARED", { "plugins.config.ts": plugins });
    assert.match(error.message, /Blogging::Post.*comments, note/);
  });
  it("singular: true draws routes without an id, which answer 404 for no record and 500 for two", () =>
    withShop(routes("routes.registerResource(Note, { singular: true, associations: [] });"), async (app) => {
      const shapes = app.application
        .routes()
        .filter(({ resource }) => resource)
        .map(({ verb, path }) => `${verb} ${path}`);
      for (const shape of [
        "GET /admin/blogging/note",
        "GET /admin/blogging/note/new",
        "GET /admin/blogging/note/edit",
        "POST /admin/blogging/note",
        "PATCH /admin/blogging/note",
        "DELETE /admin/blogging/note",
      ]) {
        assert.ok(shapes.includes(shape), shape);
      }
      assert.is(
        shapes.some((shape) => shape.includes(":id")),
        false,
      );
      const accept = { accept: "application/json" };
      assert.is((await app.request("/admin/blogging/note", { headers: accept })).status, 404);
      const { knex } = databaseOf(app.application);
      const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
      const [post] = await knex("blogging_posts").insert({ title: "p", ...stamps });
      await knex("blogging_notes").insert({ title: "only", post_id: post });
      assert.is((await app.request("/admin/blogging/note", { headers: accept })).status, 200);
      const [second] = await knex("blogging_posts").insert({ title: "q", ...stamps });
      await knex("blogging_notes").insert({ title: "two", post_id: second });
      assert.is((await app.request("/admin/blogging/note", { headers: accept })).status, 500);
    }));
  it("Boot fails for a class that is no model, for a resource registered twice and for an unknown option", async () => {
    await failsWith("FW_RESOURCE_MODEL", routes("routes.registerResource(class Nope {} as never);"));
    await failsWith("FW_RESOURCE_TAKEN", routes("routes.registerResource(Post); routes.registerResource(Post);"));
    const root = 'routes.registerResource(Post); routes.root({ to: "blogging/posts#index" });';
    assert.match((await failsWith("FW_RESOURCE_ROUTE", routes(root))).message, "GET /");
    const error = await failsWith(
      "FW_RESOURCE_OPTION",
      routes("routes.registerResource(Post, { singuler: true } as never);"),
    );
    assert.match(error.message, /Did you mean "singular"/);
  });
  it("The error of an unregistered resource names its portal or config/routes.ts as the place to register it", async () => {
    const tell = (Base: string, imports: string) =>
      `${imports} import Author from "#app/models/author.ts";
      export default class TellController extends ${Base} { index() { try { return this.json({ url: this.resourceUrlFor(Author) }); } catch (error) { return this.json({ message: (error as Error).message }); } } }`;
    const changes = {
      ...routes('routes.registerResource(Post, { associations: [] }); routes.get("tell", { to: "tell#index" });'),
      "config/routes.ts": edited(shopFiles, "config/routes.ts", [
        "routes.mount(",
        'routes.get("tell", { to: "tell#index" }); routes.mount(',
      ]),
      "packages/admin_portal/app/controllers/admin_portal/tell_controller.ts": tell(
        "Controller(BaseController)",
        'import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts";',
      ),
      "app/controllers/tell_controller.ts": tell(
        "concern(BaseController, PublicAccess)",
        'import { BaseController, concern } from "framewright"; import { PublicAccess } from "framewright/plugins/portals";',
      ),
    };
    await withShop(changes, async (app) => {
      const message = async (path: string) => ((await app.client().json(path)).body as { message: string }).message;
      assert.match(await message("/admin/tell"), "fw generate fw:res:conn Author --dest=admin_portal");
      assert.match(
        await message("/tell"),
        "Add routes.registerResource(Author) to config/routes.ts, or name the portal",
      );
    });
  });
  it("resourceUrlFor makes URLs of records, classes, actions, parents and other portals, and fails for unknown ones", async () => {
    const controller = `import ResourceController from "../resource_controller.ts"; import Author from "#app/models/author.ts"; import Post from "#packages/blogging/app/models/blogging/post.ts"; import Comment from "#packages/blogging/app/models/blogging/comment.ts";
      export default class PostsController extends ResourceController {
        report() {
          const post = Post.fromJson({}) as Post; post.id = 5; const comment = Comment.fromJson({}) as Comment; comment.id = 6;
          const url = (...args: Parameters<typeof this.resourceUrlFor>) => { try { return this.resourceUrlFor(...args); } catch (error) { return (error as { code: string }).code; } };
          return this.json({ list: url(Post as never), show: url(post as never), edit: url(post as never, { action: "edit" }), fresh: url(Post as never, { action: "new" }), json: url(post as never, { format: "json" }),
            nested: url(comment as never, { parent: post as never }), nestedNew: url(Comment as never, { parent: post as never, action: "new" }), preview: url(post as never, { action: "preview" }), report: url(Post as never, { action: "report" }),
            nameless: url(post as never, { action: "nameless" }), unknown: url(post as never, { action: "nonsense" }), author: url(Author as never), publish: url(post as never, { action: "publish" }), tidy: url(Post as never, { action: "tidy", query: { a: 1 } }), wrongOfRecord: url(Post as never, { action: "publish" }), wrongOfList: url(post as never, { action: "tidy" }),
            named: url("comments", { parent: post as never }), namedNew: url("comments", { parent: post as never, action: "new" }), orphan: url("comments"), noAssociation: url("comment", { parent: post as never }),
            other: url(Post as never, { portal: "OtherPortal" }), query: url(Post as never, { query: { q: "a b" } }) });
        }
      }`;
    const other = {
      "packages/other_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const OtherPortal = definePortal("OtherPortal");`,
      "packages/other_portal/config/routes.ts": `import { OtherPortal } from "../lib/engine.ts"; import Post from "#packages/blogging/app/models/blogging/post.ts"; export default OtherPortal.routes.draw((routes) => routes.registerResource(Post, { associations: [] }));`,
      "packages/other_portal/app/controllers/other_portal/resource_controller.ts": `import { concern } from "framewright"; import { PortalController, PublicAccess } from "framewright/plugins/portals"; import { ResourceController as Base } from "framewright/plugins/resources"; export default class ResourceController extends concern(Base, PortalController, PublicAccess) {}`,
      "config/routes.ts": `import { drawRoutes } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts"; import { OtherPortal } from "#packages/other_portal/lib/engine.ts";
        export default drawRoutes((routes) => { routes.mount(AdminPortal, { at: "/admin" }); routes.mount(OtherPortal, { at: "/other" }); });`,
    };
    const drawn = `routes.registerResource(Post, {}, (r) => { r.member((m) => { m.get("preview", { as: "preview" }); m.get("nameless"); }); r.collection((c) => c.get("report", { as: "report" })); }); routes.registerResource(Comment);`;
    await withShop(
      {
        ...routes(drawn),
        ...other,
        "packages/admin_portal/app/controllers/admin_portal/blogging/posts_controller.ts": editedText(controller, [
          "report() {",
          "preview() {} nameless() {} report() {",
        ]),
      },
      async (app) => {
        const urls = (await (
          await app.request("/admin/blogging/posts/report", { headers: { accept: "application/json" } })
        ).json()) as Record<string, string>;
        const posts = "/admin/blogging/posts";
        assert.equal(urls, {
          list: posts,
          show: `${posts}/5`,
          edit: `${posts}/5/edit`,
          fresh: `${posts}/new`,
          json: `${posts}/5.json`,
          nested: `${posts}/5/nested_comments/6`,
          nestedNew: `${posts}/5/nested_comments/new`,
          preview: `${posts}/5/preview`,
          report: `${posts}/report`,
          nameless: "FW_RESOURCE_ACTION_URL",
          unknown: "FW_RESOURCE_ACTION_URL",
          author: "FW_RESOURCE_UNREGISTERED",
          publish: `${posts}/5/actions/publish`,
          tidy: `${posts}/actions/tidy?a=1`,
          wrongOfRecord: "FW_RESOURCE_ACTION_SUBJECT",
          wrongOfList: "FW_RESOURCE_ACTION_SUBJECT",
          named: `${posts}/5/nested_comments`,
          namedNew: `${posts}/5/nested_comments/new`,
          orphan: "FW_RESOURCE_SUBJECT",
          noAssociation: "FW_RESOURCE_PARENT",
          other: "/other/blogging/posts",
          query: `${posts}?q=a%20b`,
        });
        const { kernel, constants } = app.application;
        const there = (options: object) =>
          kernel.service("resources").urlFor(constants.get("Blogging::Post").value as never, options);
        assert.match(
          there({ portal: "AdminPortal", action: "tidy" }),
          /^http:\/\/localhost:\d+\/admin\/blogging\/posts\/actions\/tidy$/,
        );
        assert.throws(() => there({}), "FW_RESOURCE_UNREGISTERED");
        assert.throws(() => there({ actoin: "edit" } as never), "FW_RESOURCE_URL_OPTION");
      },
    );
  });
});

describe("The classes of a resource", (it) => {
  it("Boot fails for a definition with a misspelt name, type, scope, option or macro, or without super.configure()", async () => {
    assert.match(
      (await failsWith("FW_DEFINITION_NAME", definition(`super.configure(); this.input("titel", {});`))).message,
      /titel.*"title"/,
    );
    assert.match(
      (await failsWith("FW_DEFINITION_TYPE", definition(`super.configure(); this.input("body", { as: "markdwn" });`)))
        .message,
      /"markdown"/,
    );
    await failsWith("FW_DEFINITION_NAME", definition(`super.configure(); this.scope("alive");`));
    await failsWith("FW_DEFINITION_SUPER", definition(""));
    for (const key of ["export", "import", "search", "share_views", "shareViews", "read", "update"])
      await failsWith("FW_ACTION_KEY", definition(`super.configure(); this.action("${key}", { path: "elsewhere" });`));
    await failsWith("FW_ACTION_TARGET", definition(`super.configure(); this.action("fly", { label: "Fly" });`));
    await failsWith("FW_ACTION_OPTION", definition(`super.configure(); this.action("edit", { lable: "x" } as never);`));
    for (const [option, value] of [
      ["condition", "true"],
      ["category", '"weird"'],
      ["label", "() => 1"],
      ["position", '"x"'],
      ["recordAction", "0"],
    ]) {
      const text = definition(`super.configure(); this.action("edit", { ${option}: ${value} } as never);`);
      assert.match(
        (await failsWith("FW_ACTION_VALUE", text)).message,
        `gives the action "edit" a wrong ${option}: expected `,
      );
    }
    for (const [call, option, suggestion] of [
      [`this.input("title", { hints: "x" } as never);`, "hints", "hint"],
      [`this.field("title", { lable: "x" } as never);`, "lable", "label"],
      [`this.display("title", { templat: "x" } as never);`, "templat", "template"],
      [`this.column("title", { edti: true } as never);`, "edti", "edit"],
      [`this.fieldset("Main", ["title"], { txet: "x" } as never);`, "txet", "text"],
      [`this.tab("Main", ["title"], { conditoin: () => true } as never);`, "conditoin", "condition"],
    ] as const) {
      const { message } = await failsWith("FW_DEFINITION_OPTION", definition(`super.configure(); ${call}`));
      assert.match(message, `the unknown option "${option}". Did you mean "${suggestion}"?`);
    }
    assert.match(
      (
        await failsWith(
          "FW_WORD_UNKNOWN",
          definition(`super.configure(); (this as never as { wizard(): void }).wizard();`),
        )
      ).message,
      /PostDefinition calls "wizard".*wizards\(\)/,
    );
  });
  it("Boot fails with FW_ACTION_BULK for an action that can't be done to each of several rows", async () => {
    const refused: Record<string, string> = {
      "no interaction": `this.action("edit", { bulk: true });`,
      "about the list": `this.action("destroy", { resourceAction: true, bulk: true } as never);`,
      "a download": `this.action("fly", { bulk: true, interaction: class Fly extends Interaction { static override download = true; async execute() { return succeed(); } } });`,
    };
    for (const [why, body] of Object.entries(refused)) {
      const { message } = await failsWith("FW_ACTION_BULK", definition(`super.configure(); ${body}`));
      assert.match(message, new RegExp(`PostDefinition.*${why}`));
    }
  });
  it("A definition with actions on selected rows serves a singular resource too, which has no rows", () =>
    withShop(
      {
        ...definition(`super.configure(); this.action("destroy", { bulk: true });`),
        ...routes("routes.registerResource(Post, { singular: true, associations: [] });"),
      },
      async (app) => {
        const paths = app.application.routes().map(({ path }) => path);
        assert.ok(paths.includes("/admin/blogging/post"));
        assert.equal(
          paths.filter((path) => path.includes("/bulk/")),
          [],
        );
      },
    ));
  it("Boot fails with FW_CONTROLLER_OPEN for a portal's controller without PortalController or a mode of access", async () => {
    const open = {
      "packages/admin_portal/app/controllers/admin_portal/dashboard_controller.ts": `import { BaseController } from "framewright"; export default class DashboardController extends BaseController { index() { return this.json({}); } }`,
    };
    assert.match((await failsWith("FW_CONTROLLER_OPEN", open)).message, /DashboardController.*PortalController/);
    const half = {
      "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts": `import { concern, type ControllerClass } from "framewright"; import { PortalController } from "framewright/plugins/portals"; export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController);`,
    };
    assert.match((await failsWith("FW_CONTROLLER_OPEN", half)).message, /PublicAccess, CurrentUser or Authlib/);
  });
  it("A policy without methods denies reading and creating, and hides the resource from the dashboard", () =>
    withShop(
      {
        "packages/blogging/app/policies/blogging/note_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class NotePolicy extends Policy {}`,
      },
      async (app) => {
        const json = { accept: "application/json", "content-type": "application/json" };
        assert.is((await app.request("/admin/blogging/notes", { headers: json })).status, 403);
        assert.is(
          (
            await app.request("/admin/blogging/notes", {
              method: "POST",
              headers: json,
              body: `{"blogging_note":{"title":"x"}}`,
            })
          ).status,
          403,
        );
        assert.is(/>Notes</.test(await (await app.request("/admin")).text()), false);
      },
    ));
  it("A policy that permits an attribute which the model does not have makes its list answer 500", () =>
    withShop(
      {
        [policyFile]: `import { Policy } from "framewright/plugins/resources"; export default class PostPolicy extends Policy { override canRead() { return true; } override permittedAttributesForRead() { return ["titel"]; } canPublish() { return true; } canTidy() { return true; } }`,
      },
      async (app) => {
        assert.is((await app.request("/admin/blogging/posts")).status, 500);
      },
    ));
});

describe("The routes of a portal", (it) => {
  it("Boot fails for two routes of one shape or name, an unknown controller or action, or an invalid pattern", async () => {
    assert.match(
      (
        await failsWith(
          "FW_ROUTE_TAKEN",
          routes(`routes.get("a/:x", { to: "dashboard#index" }); routes.get("a/:y", { to: "dashboard#index" });`),
        )
      ).message,
      /GET \/a\/:y/,
    );
    await failsWith(
      "FW_ROUTE_NAME_TAKEN",
      routes(
        `routes.get("a", { to: "dashboard#index", as: "x" }); routes.get("b", { to: "dashboard#index", as: "x" });`,
      ),
    );
    assert.match(
      (await failsWith("FW_CONTROLLER_UNKNOWN", routes(`routes.get("a", { to: "dashbord#index" });`))).message,
      /packages\/admin_portal\/app\/controllers\/admin_portal\/dashbord_controller\.ts/,
    );
    assert.match(
      (await failsWith("FW_ACTION_UNKNOWN", routes(`routes.get("a", { to: "dashboard#indx" });`))).message,
      /"index"/,
    );
    for (const pattern of ["a b", "../x", "x/..", "./x"])
      await failsWith("FW_ROUTE_PATTERN", routes(`routes.get("${pattern}", { to: "dashboard#index" });`));
  });
  it("A constraint that refuses a mount answers for every path below it, whether or not the path exists", async () => {
    const constrained = {
      "config/routes.ts": `import { drawRoutes, redirectReply } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts";
      export default drawRoutes((routes) => routes.constraints(async (request) => request.header("x-key") === "open" || redirectReply("/login"), (r) => r.mount(AdminPortal, { at: "/admin" })));`,
    };
    await withShop(constrained, async (app) => {
      for (const path of ["/admin", "/admin/blogging/posts", "/admin/nonsense"]) {
        const answer = await app.request(path);
        assert.is(answer.status, 303, path);
        assert.is(answer.headers.get("location"), "/login");
      }
      assert.is((await app.request("/admin", { headers: { "x-key": "open" } })).status, 200);
      assert.is((await app.request("/admin/nonsense", { headers: { "x-key": "open" } })).status, 404);
      assert.is((await app.request("/administrator")).status, 404);
    });
  });
  it("A constraint covers routes and resources that are drawn within it, nested ones among them, and the list of routes names them", async () => {
    const open = 'async (request: any) => request.header("x-key") === "open" || redirectReply("/login")';
    const constrained = {
      ...routes(`routes.root({ to: "dashboard#index" });
        routes.registerResource(Post); routes.constraints(${open}, (r) => { r.registerResource(Comment); r.get("closed", { to: "dashboard#index" }); }); routes.registerResource(Author);`),
      "config/routes.ts": `import { drawRoutes, redirectReply } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts";
        export default drawRoutes((routes) => { routes.mount(AdminPortal, { at: "/admin" });
          routes.constraints(${open}, (r) => { r.get("report", { action: (controller) => controller.json({ report: true }), controller: AppController }); }); });
        import { BaseController, concern } from "framewright"; import { PublicAccess } from "framewright/plugins/portals"; class AppController extends concern(BaseController, PublicAccess) {}`,
    };
    constrained[routesFile] = `import { redirectReply } from "framewright"; ${constrained[routesFile]}`;
    await withShop(constrained, async (app) => {
      const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
      await databaseOf(app.application)
        .knex("blogging_posts")
        .insert({ id: 1, title: "p", ...stamps });
      const closed = [
        "/report",
        "/admin/closed",
        "/admin/blogging/comments",
        "/admin/blogging/posts/1/nested_comments",
      ];
      for (const path of [...closed, "/admin/blogging/posts", "/admin"]) {
        const isClosed = closed.includes(path);
        const answer = await app.request(path);
        assert.is(answer.status, isClosed ? 303 : 200, path);
        if (isClosed) assert.is(answer.headers.get("location"), "/login");
        assert.is((await app.request(path, { headers: { "x-key": "open" } })).status, 200, path);
        const listed = app.application
          .routes()
          .find((one) => one.verb === "GET" && one.path.replace(/:\w+/, "1") === path);
        assert.is(listed?.constrained, isClosed, path);
      }
      const posted = await app.request("/admin/blogging/comments", {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/json" },
        body: "{}",
      });
      assert.is(posted.status, 303);
    });
  });
});
