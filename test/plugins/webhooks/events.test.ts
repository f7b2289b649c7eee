import { readFileSync } from "node:fs";
import { join } from "node:path";
import { databases } from "../../support/databases.ts";
import { edited, editedText } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openTenants, signedIn, tenantFiles } from "../scoping/tenants.ts";
import { hooksOf, Person, post, Receiver, type Rows, Story, webhookFiles } from "./webhooks_app.ts";

const tables = readFileSync(join(import.meta.dirname, "../../../plugins/wizards/schema.liquid"), "utf8");
const definition = "app/definitions/post_definition.ts";
const base = webhookFiles();
const policy = "app/policies/post_policy.ts";
/** Posts that a wizard renames, and categories of which nothing is sent. */
const files: Record<string, string> = {
  ...base,
  "db/migrate/20260401000004_create_framewright_wizards.ts": `export async function up(db) {\n${tables}}\nexport async function down() {}\n`,
  "app/wizards/rename_wizard.ts": `import { anchored, fail, steps, succeed, Wizard } from "framewright/plugins/wizards";
    import Post from "#app/models/post.ts";
    const flow = steps().step("name", {}, (f) => f.string("title", { required: true }));
    export default class RenameWizard extends Wizard(flow, { anchored: anchored({ with: Post }) }) {
      async execute() {
        await (this.anchor as Post).$query(this.transaction).patch({ title: this.data.name!.title });
        return this.data.name!.title === "Wrong" ? fail({ title: ["Not this one."] }) : succeed();
      }
    }`,
  "plugins.config.ts": editedText(
    base["plugins.config.ts"]!,
    [/^import /, 'import { personalData } from "framewright/plugins/personal_data";\nimport '],
    ["...standard, widening", "...standard, widening, personalData()"],
  ),
  [definition]: edited(
    tenantFiles,
    definition,
    ["import type Post", 'import RenameWizard from "../wizards/rename_wizard.ts";\nimport type Post'],
    ['this.scope("widest");', 'this.scope("widest");\n    this.wizard("rename", RenameWizard);'],
  ),
  [policy]: base[policy]!.replace("  canSend() {", "  canRename() { return true; }\n  canSend() {"),
  "app/models/category.ts": edited(tenantFiles, "app/models/category.ts", [
    /extends Model\("categories"\) \{/,
    "$&\n  static webhooks = false;",
  ]),
};

for (const database of await databases({ withPostgres: true })) {
  describe(`What webhooks hear of, on ${database.name}`, (it, { before, after }) => {
    let story: Story;
    let receiver: Receiver;
    if (database.skip === undefined) {
      before(async () => {
        receiver = await Receiver.open();
        const app = await openTenants(files, await database.values());
        story = new Story(app, await signedIn(app));
      });
      after(async () => {
        await story.app.close();
        await receiver.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const model = (name: string) => story.app.application.constants.get(name).value as Rows;
    const typesAt = (path: string) => receiver.of(path).map(({ json }) => [json.type, json.data.id]);

    can(
      "A record that belongs to a tenant by others is that tenant's, also where it is deleted along with these",
      async () => {
        const own = await story.create("ann", receiver.url("/nested"), [
          "comment.created",
          "comment.updated",
          "comment.deleted",
          "attachment.deleted",
        ]);
        const others = await story.create(
          "bob",
          receiver.url("/others"),
          ["comment.created", "comment.updated", "comment.deleted"],
          2,
        );
        const { body } = await story.send("ann", "/customer/1/posts", {
          post: { title: "With comments", status: "live", author: 1 },
        });
        const { id } = body.data;
        const made = await story.send("ann", "/customer/1/comments", { comment: { title: "Nested", post: id } });
        assert.is(made.status, 201, made.text);
        const key = String(made.body.data.id);
        await model("Comment").query().findById(made.body.data.id).patch({ title: "By code" });
        await story.work();
        await story.send("ann", post(1, id), undefined, "DELETE");
        await story.work();
        assert.equal(typesAt("/nested").slice(0, 2), [
          ["comment.created", key],
          ["comment.updated", key],
        ]);
        const states = (await story.sent("ann", own.path)).map(({ event, state, reason }) => [event, state, reason]);
        assert.equal(states[0], ["comment.deleted", "withheld", "record"]); // a plugin narrows comments, and no policy says more
        assert.equal(receiver.of("/others"), []);
        for (const { path } of [own, others])
          await story.send(path === own.path ? "ann" : "bob", path, undefined, "DELETE");
      },
    );

    can(
      "An action is heard of where it changes the record, by form and JSON, also of several rows; what is chosen alone is sent",
      async () => {
        const hook = await story.create("ann", receiver.url("/actions"), ["post.action.send", "post.action.publish"]);
        const made: number[] = [];
        for (const title of ["A", "B"])
          made.push(
            (await story.send("ann", "/customer/1/posts", { post: { title, status: "live", author: 1 } })).body.data.id,
          );
        await new Person(story.app.url, story.known.ann).submit(`${post(1, made[0])}/actions/send`, {});
        await story.send("ann", post(1, made[1]), { post: { title: "Only changed" } }, "PATCH");
        await story.work();
        assert.equal(typesAt("/actions"), [["post.action.send", String(made[0])]]);
        await story.send("ann", hook.path, undefined, "DELETE");
      },
    );

    can("A wizard that is completed is heard of once, with what it wrote, and one that fails is not", async () => {
      const hook = await story.create("ann", receiver.url("/wizard"), [
        "wizard.rename_wizard.completed",
        "post.updated",
      ]);
      const run = async (title: string) => {
        const client = new Person(story.app.url, story.known.ann);
        const step = (await client.request(`${post(1)}/wizards/rename`)).headers.get("location")!;
        return (await client.submit(step, { "wizard[title]": title })).status;
      };
      assert.is(await run("Wrong"), 422);
      await story.work();
      assert.equal(receiver.of("/wizard"), []);
      assert.is(await run("Renamed"), 303);
      await story.work();
      const got = receiver.of("/wizard").map(({ json }) => json);
      assert.equal(got.map(({ type }) => type).sort(), ["post.updated", "wizard.rename_wizard.completed"]);
      const finished = got.find(({ type }) => type.startsWith("wizard."))!;
      assert.is(finished.data.wizard, "RenameWizard");
      assert.is(typeof finished.data.run, "number");
      await story.send("ann", hook.path, undefined, "DELETE");
    });

    can(
      "What can't be read in the portal is not offered, nor what its model leaves out; who can't be let in by a job gets none",
      async () => {
        const { meta } = (await story.send("ann", hooksOf())).body;
        const names = meta!.events as string[];
        assert.ok(names.includes("note.created") && names.includes("wizard.rename_wizard.completed"), names.join());
        assert.ok(!names.some((name) => /^(?:category|membership)\./.test(name)), names.join());
      },
    );

    can(
      "The page offers events by the names of resources, keeps what was typed, shows the secret, and takes all actions",
      async () => {
        const client = new Person(story.app.url, story.known.ann);
        const wrong = await client.submit(
          `${hooksOf()}/new`,
          { url: "https://10.0.0.1/", description: "Typed" },
          /class="fw-form"/,
        );
        const text = await wrong.text();
        assert.is(wrong.status, 422);
        for (const part of [
          "This address is not on the internet",
          "Choose at least one event",
          'value="Typed"',
          "State changed",
          "Action: Publish",
        ])
          assert.match(text, part);
        const made = await client.submit(
          `${hooksOf()}/new`,
          { url: receiver.url("/page"), "events[]": "post.updated" },
          /class="fw-form"/,
        );
        assert.equal([made.status, made.headers.get("cache-control")], [201, "no-store"]);
        const [, secret] = /<code class="fw-webhook-secret">(whsec_[^<]+)</.exec(await made.text())!;
        assert.ok(secret);
        const [{ id }] = (await story.send("ann", hooksOf())).body.data as unknown as [{ id: number }];
        const at = `${hooksOf()}/${id}`;
        for (const button of ["test", "rotate", "disable", "enable"]) {
          const { status } = await client.submit(at, {}, new RegExp(`action="${at}/${button}"`));
          assert.is(status, button === "rotate" ? 201 : 303, button);
          await story.work();
        }
        const sent = (await story.sent("ann", at))[0]!;
        assert.is((await client.submit(at, {}, new RegExp(`action="${at}/deliveries/${sent.id}/replay"`))).status, 303);
        await story.work();
        assert.equal(
          [receiver.of("/page").length, (await story.page("ann", `${at}/deliveries/${sent.id}`)).status],
          [2, 200],
        );
        const changed = await client.submit(
          `${at}/edit`,
          { description: "Changed", "events[]": "post.created" },
          /class="fw-form"/,
        );
        assert.is(changed.status, 303);
        const { events, description } = (await story.send("ann", at)).body.data;
        assert.equal([events, description], [["post.created"], "Changed"]);
        assert.is((await client.submit(at, { _method: "delete" }, new RegExp(`action="${at}"`))).status, 303);
        assert.is((await story.send("ann", at)).status, 404);
      },
    );

    can(
      "A person's webhooks are in their export without secrets, and go with all they sent when the person is erased",
      async () => {
        const hook = await story.create("cat", receiver.url("/erased"), ["post.updated"], 2);
        await story.send("cat", `${hook.path}/test`, {});
        await story.work();
        const personal = story.app.application.kernel.service("personal_data");
        const chunks: Buffer[] = [];
        for await (const chunk of personal.export("user", 3)) chunks.push(chunk);
        const zip = Buffer.concat(chunks).toString("latin1");
        assert.match(zip, "webhooks.json");
        const stored = async () => {
          const tables = ["webhooks", "webhook_events", "webhook_deliveries", "webhook_tries"];
          const rows = tables.map((name) => story.knex(`framewright_${name}`).select("*"));
          return (await Promise.all(rows)).map((all) => all.length);
        };
        assert.equal(await stored(), [1, 1, 1, 1]);
        await (await personal.erase("user", 3)).emitEvents();
        assert.equal(await stored(), [0, 0, 0, 0]);
      },
    );
  });
}
