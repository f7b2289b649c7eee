import { isBuiltInPredicate, Policy } from "framewright/plugins/resources";
import { edited, editedText } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, bootWith, openWizards, portalRoutes, wizardFile, wizardFiles } from "./mounts_support.ts";

const classes = `import ConfigureWizard from "../wizards/configure_wizard.ts"; import ImportWizard from "../wizards/import_wizard.ts"; import GuestWizard from "../wizards/guest_wizard.ts"; import ViaWizard from "../wizards/via_wizard.ts"; import OnboardWizard from "../wizards/onboard_wizard.ts"; import TourWizard from "../wizards/tour_wizard.ts";`;
const more = {
  "app/wizards/guest_wizard.ts": wizardFile("GuestWizard", "anonymous: true"),
  "app/wizards/via_wizard.ts": wizardFile("ViaWizard", `anchored: anchored({ via: "favourite" })`),
  "app/wizards/tour_wizard.ts": wizardFile(
    "TourWizard",
    `presents: { label: "Tour" }, anchored: anchored({ with: Post }), oneTime: true`,
    { imports: `import Post from "#app/models/post.ts";` },
  ),
};
const definition = (lines: string, name = "Post") => ({
  ...more,
  [`app/definitions/${name.toLowerCase()}_definition.ts`]: `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; ${classes}
    export default class ${name}Definition extends ResourceDefinition { override configure() { super.configure(); ${lines} } }`,
});
const refused = (code: string, lines: string, name?: string) =>
  throwsCode(code, () => bootWith(definition(lines, name)));
const links = (html: string, path: string) =>
  [...html.matchAll(new RegExp(`<a [^>]*href="${path}"[^>]*>`, "g"))].map(([tag]) => tag);

describe("The macro wizard of definitions", (it) => {
  it("An anchored wizard is linked on the record's page and its row, and any other in the header of the list", async () => {
    const app = await openWizards();
    const ann = as(app.client(), 1);
    const [list, show] = [await ann.page("/admin/posts"), await ann.page("/admin/posts/1")];
    assert.is(links(show, "/admin/posts/1/wizards/configure").length, 1);
    assert.is(links(list, "/admin/posts/1/wizards/configure").length, 1);
    assert.is(links(list, "/admin/posts/wizards/intake").length, 1);
    assert.is(links(show, "/admin/posts/wizards/intake").length, 0);
    assert.match(show, /Configure/);
    await app.close();
  });
  it("The link of a launch has no step in its path and is not prefetched", async () => {
    const app = await openWizards();
    const [link] = links(await as(app.client(), 1).page("/admin/posts/1"), "/admin/posts/1/wizards/configure");
    assert.match(link!, /data-turbo-prefetch="false"/);
    await app.close();
  });
  it("recordAction: false removes the link from the page, and collectionRecordAction: false from the rows", async () => {
    const lines = `this.wizard("configure", ConfigureWizard, { recordAction: false }); this.wizard("tour", TourWizard, { collectionRecordAction: false });`;
    const policy = edited(wizardFiles, "app/policies/post_policy.ts", [
      "canVia()",
      "canTour() { return true; } canVia()",
    ]);
    const app = await openWizards({ ...definition(lines), "app/policies/post_policy.ts": policy });
    const ann = as(app.client(), 1);
    const [list, show] = [await ann.page("/admin/posts"), await ann.page("/admin/posts/1")];
    assert.is(links(show, "/admin/posts/1/wizards/configure").length, 0);
    assert.is(links(list, "/admin/posts/1/wizards/configure").length, 1);
    assert.is(links(show, "/admin/posts/1/wizards/tour").length, 1);
    assert.is(links(list, "/admin/posts/1/wizards/tour").length, 0);
    await app.close();
  });
  it("A wizard takes the label, icon, category, frame and confirmation of an action", async () => {
    const app = await openWizards(
      definition(`this.wizard("configure", ConfigureWizard, { label: "Set it up", icon: "wand", category: "primary", open: "dialog" });
        this.wizard("intake", ImportWizard, { confirmation: "Really import?" });`),
    );
    const ann = as(app.client(), 1);
    const show = await ann.page("/admin/posts/1");
    const [link] = links(show, "/admin/posts/1/wizards/configure");
    assert.match(link!, /data-turbo-frame="modal"/);
    assert.match(link!, /btn-primary/);
    assert.match(show, /Set it up/);
    const list = await ann.page("/admin/posts");
    assert.is(links(list, "/admin/posts/wizards/intake").length, 0);
    assert.is(links(list, "/admin/posts/actions/intake").length, 1);
    const asked = await ann.page("/admin/posts/actions/intake");
    assert.match(asked, /Really import\?/);
    assert.match(asked, /<form[^>]*method="get" action="\/admin\/posts\/wizards\/intake"/);
    await app.close();
  });
  it("FW_WIZARD_FLAG refuses a flag that does not apply to the wizard, with a suggestion for a misspelt one", async () => {
    for (const lines of [
      `this.wizard("configure", ConfigureWizard, { resourceAction: true });`,
      `this.wizard("intake", ImportWizard, { recordAction: false } as never);`,
      `this.wizard("intake", ImportWizard, { collectionRecordAction: true } as never);`,
      `this.wizard("via", ViaWizard, { recordAction: true } as never);`,
      `this.wizard("intake", ImportWizard, { layout: "basic" } as never);`,
      `this.wizard("intake", ImportWizard, { path: "elsewhere" } as never);`,
      `this.wizard("intake", ImportWizard, { lable: "x" } as never);`,
    ])
      await refused("FW_WIZARD_FLAG", lines);
    const error = await refused("FW_WIZARD_FLAG", `this.wizard("intake", ImportWizard, { lable: "x" } as never);`);
    assert.match(error.message, /PostDefinition sets the option lable of the wizard "intake".*did you mean "label"/);
  });
  it("FW_WIZARD_BULK refuses bulk wizards", async () => {
    for (const option of ["bulk", "bulkAction", "bulk_action"])
      await refused("FW_WIZARD_BULK", `this.wizard("intake", ImportWizard, { ${option}: true } as never);`);
  });
  it("FW_WIZARD_KEY refuses taken or invalid keys, and FW_WIZARD_CLASS a class that is no wizard", async () => {
    await refused("FW_WIZARD_KEY", `this.wizard("edit", ConfigureWizard);`);
    await refused("FW_WIZARD_KEY", `this.wizard("set-up", ConfigureWizard);`);
    for (const name of Object.getOwnPropertyNames(Policy.prototype).filter((one) => /^can[A-Z]/.test(one))) {
      const key = name
        .slice(3)
        .replace(/(?!^)[A-Z]/g, "_$&")
        .toLowerCase();
      assert.ok(isBuiltInPredicate(key), `${name} permits something else, and "${key}" could be a key`);
      const error = await refused("FW_WIZARD_KEY", `this.wizard("${key}", ConfigureWizard);`);
      if (!["new", "show", "edit", "destroy"].includes(key)) assert.match(error.message, name);
    }
    await refused("FW_WIZARD_CLASS", `this.wizard("intake", class Import {} as never);`);
  });
  it("A wizard whose condition is false is 404 at its launch and its steps, and what was completed keeps its page", async () => {
    const app = await openWizards(
      definition(
        `this.wizard("configure", ConfigureWizard, { condition: ({ record }) => (record as { title?: string } | undefined)?.title !== "Shut", description: "Sets it up." });`,
      ),
    );
    const ann = as(app.client(), 1);
    const { knex } = databaseOf(app.application);
    const base = "/admin/posts/1/wizards/configure";
    const title = (text: string) => knex("posts").where({ id: 1 }).update({ title: text });
    await title("Shut");
    assert.is(links(await ann.page("/admin/posts/1"), base).length, 0);
    assert.is((await ann.request(base)).status, 404);
    assert.is((await ann.json(base)).status, 404);
    await title("Open");
    assert.is((await ann.request(base)).status, 303);
    const form = await ann.page(`${base}/first`);
    const token = /name="csrf-token" content="([^"]+)"/.exec(form)![1]!;
    const fields = { "wizard[title]": "Shut" };
    await title("Shut");
    assert.is((await ann.request(`${base}/first`)).status, 404);
    const send = (method: string, step: string, more: Record<string, string> = {}) =>
      ann.request(`${base}/${step}`, {
        method,
        headers: { "x-csrf-token": token },
        body: new URLSearchParams({ ...fields, ...more }),
      });
    assert.is((await send("POST", "first")).status, 404);
    assert.is((await send("PUT", "first")).status, 404);
    await title("Open");
    assert.is((await send("POST", "first")).status, 303);
    const last = await send("POST", "second", { "wizard[note]": "n" });
    assert.is(last.status, 303);
    assert.is((await knex("posts").where({ id: 1 }).first("title")).title, "Shut");
    assert.is(
      (await send("POST", "second")).headers.get("location"),
      last.headers.get("location"),
      "sent twice, answered once",
    );
    assert.is((await ann.request(base)).status, 404);
    await app.close();
  });
  it("FW_WIZARD_PUBLIC refuses an anonymous wizard, and FW_WIZARD_ANCHOR one anchored with another model", async () => {
    await refused("FW_WIZARD_PUBLIC", `this.wizard("guest", GuestWizard);`);
    const error = await refused("FW_WIZARD_ANCHOR", `this.wizard("configure", ConfigureWizard);`, "Comment");
    assert.match(error.message, /CommentDefinition mounts ConfigureWizard, which is anchored with Post/);
  });
  it("The policy predicate of a wizard's key decides on its link, launch and steps", async () => {
    const app = await openWizards();
    const ann = as(app.client(), 1);
    assert.is(links(await ann.page("/admin/posts"), "/admin/posts/2/wizards/configure").length, 0);
    assert.is((await ann.request("/admin/posts/2/wizards/configure")).status, 403);
    assert.is((await ann.request("/admin/posts/2/wizards/configure/first")).status, 403);
    assert.is((await ann.json("/admin/posts/2/wizards/configure/first")).status, 403);
    await app.close();
  });
  it("FW_POLICY_PREDICATE refuses a wizard whose predicate the policy does not define", async () => {
    const error = await refused("FW_POLICY_PREDICATE", `this.wizard("nobody_said", ImportWizard);`);
    assert.match(error.message, "PostPolicy.canNobodySaid()");
  });
  it("A wizard of a record out of scope, of no record or of an unknown key is 404", async () => {
    const app = await openWizards();
    const ann = as(app.client(), 1);
    for (const path of [
      "posts/3/wizards/configure",
      "posts/99/wizards/configure",
      "posts/3/wizards/configure/first",
      "posts/x/wizards/configure",
      "posts/1/wizards/nothing",
      "posts/1/wizards/intake",
      "posts/wizards/configure",
    ])
      assert.is((await ann.request(`/admin/${path}`)).status, 404, path);
    await app.close();
  });
  it("The link of a one-time wizard is hidden once its user completed it or its condition fails", async () => {
    const lines = `this.wizard("tour", TourWizard, { condition: ({ record }) => (record as unknown as { title: string }).title !== "Locked" }); this.wizard("onboard", OnboardWizard);`;
    const policy = edited(wizardFiles, "app/policies/post_policy.ts", [
      "canVia()",
      "canTour() { return true; } canVia()",
    ]);
    const app = await openWizards({ ...definition(lines), "app/policies/post_policy.ts": policy });
    await databaseOf(app.application).knex("posts").insert({ id: 4, title: "Other" });
    const [ann, bob] = [as(app.client(), 1), as(app.client(), 2)];
    const tours = async (of: typeof ann) => {
      const list = await of.page("/admin/posts");
      return [1, 2, 4].filter((id) => links(list, `/admin/posts/${id}/wizards/tour`).length > 0);
    };
    assert.equal(await tours(ann), [1, 4]);
    await walk(ann, "/admin/posts/1/wizards/tour");
    assert.equal(await tours(ann), [4]);
    assert.equal(await tours(bob), [1, 4]);
    assert.is(links(await ann.page("/admin/posts/1"), "/admin/posts/1/wizards/tour").length, 0);
    assert.is(links(await bob.page("/admin/posts/1"), "/admin/posts/1/wizards/tour").length, 1);
    assert.is(links(await ann.page("/admin/posts"), "/admin/posts/wizards/onboard").length, 1);
    await walk(ann, "/admin/posts/wizards/onboard");
    assert.is(links(await ann.page("/admin/posts"), "/admin/posts/wizards/onboard").length, 0);
    assert.is(links(await bob.page("/admin/posts"), "/admin/posts/wizards/onboard").length, 1);
    await app.close();
  });
  it("A wizard anchored via a method is served on the list, and FW_WIZARD_VIA refuses a missing method", async () => {
    const controller = `import ResourceController from "./resource_controller.ts"; import Post from "#app/models/post.ts";
      export default class PostsController extends ResourceController { favourite() { return Post.query().findById(1); } }`;
    const path = "packages/admin_portal/app/controllers/admin_portal/posts_controller.ts";
    const app = await openWizards({ ...definition(`this.wizard("via", ViaWizard);`), [path]: controller });
    const ann = as(app.client(), 1);
    assert.is(
      (await ann.request("/admin/posts/wizards/via")).headers.get("location"),
      "/admin/posts/wizards/via/first",
    );
    assert.is(links(await ann.page("/admin/posts"), "/admin/posts/wizards/via").length, 1);
    await app.close();
    await refused("FW_WIZARD_VIA", `this.wizard("via", ViaWizard);`);
  });
  it("A wizard of a singular resource has a path without an id", async () => {
    const app = await openWizards({
      "packages/admin_portal/config/routes.ts": editedText(portalRoutes(""), [
        "routes.registerResource(Post);",
        "routes.registerResource(Post, { singular: true });",
      ]),
      "packages/admin_portal/app/controllers/admin_portal/posts_controller.ts": `import ResourceController from "./resource_controller.ts"; import Post from "#app/models/post.ts";
        export default class PostsController extends ResourceController { override async singularRecord() { return (await Post.query().findById(1)) as never; } }`,
    });
    const ann = as(app.client(), 1);
    assert.is(links(await ann.page("/admin/post"), "/admin/post/wizards/configure").length, 1);
    assert.is(
      (await ann.request("/admin/post/wizards/configure")).headers.get("location"),
      "/admin/post/wizards/configure/first",
    );
    await walk(ann, "/admin/post/wizards/configure");
    assert.match(await ann.page("/admin/post"), "Configured");
    await app.close();
  });
  it("A wizard anchored with two models is served on both", async () => {
    const model = (name: string) => ({
      [`app/definitions/${name.toLowerCase()}_definition.ts`]: `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import BothWizard from "../wizards/both_wizard.ts";
        export default class ${name}Definition extends ResourceDefinition { override configure() { super.configure(); this.wizard("review", BothWizard); } }`,
    });
    const policy = edited(wizardFiles, "app/policies/post_policy.ts", [
      "canVia()",
      "canReview() { return true; } canVia()",
    ]);
    const app = await openWizards({
      ...model("Post"),
      ...model("Comment"),
      "app/policies/post_policy.ts": policy,
      "app/wizards/both_wizard.ts": wizardFile("BothWizard", `anchored: anchored({ with: [Post, Comment] })`, {
        imports: `import Post from "#app/models/post.ts"; import Comment from "#app/models/comment.ts";`,
        body: `async execute() { return succeed().withMessage(this.anchor.constructor.name); }`,
      }),
    });
    const ann = as(app.client(), 1);
    for (const [path, name] of [
      ["posts", "Post"],
      ["comments", "Comment"],
    ] as const) {
      await walk(ann, `/admin/${path}/1/wizards/review`);
      assert.match(await ann.page(`/admin/${path}/1`), `<p>${name}</p>`);
    }
    await app.close();
  });
  it("A wizard of a nested record is served below its own parent only", async () => {
    const wizards = {
      "app/wizards/review_wizard.ts": wizardFile("ReviewWizard", `anchored: anchored({ with: Comment })`, {
        imports: `import Comment from "#app/models/comment.ts";`,
      }),
      "app/definitions/comment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import ReviewWizard from "../wizards/review_wizard.ts";
        export default class CommentDefinition extends ResourceDefinition { override configure() { super.configure(); this.wizard("review", ReviewWizard); } }`,
    };
    const app = await openWizards(wizards);
    const ann = as(app.client(), 1);
    const nested = "/admin/posts/1/nested_comments/1/wizards/review";
    assert.is(links(await ann.page("/admin/posts/1/nested_comments/1"), nested).length, 1);
    assert.is((await ann.request(nested)).headers.get("location"), `${nested}/first`);
    assert.is((await ann.request(`${nested}/first`)).status, 200);
    assert.is((await ann.request("/admin/posts/2/nested_comments/1/wizards/review")).status, 404);
    await app.close();
  });
});

/** Goes through a wizard to its end. */
async function walk(client: ReturnType<typeof as>, path: string): Promise<void> {
  await client.request(path);
  await client.submit(`${path}/first`, { "wizard[title]": "x" }, /\/first"/);
  assert.is((await client.submit(`${path}/second`, {}, /\/second"/)).status, 303);
}
