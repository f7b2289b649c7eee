import { createHmac } from "node:crypto";
import type { FramewrightError } from "framewright/kernel";
import { verifyWebhook } from "framewright/plugins/webhooks";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { openTenants, signedIn } from "../scoping/tenants.ts";
import { hooksOf, post, type Received, Receiver, type Rows, Story, webhookFiles } from "./webhooks_app.ts";

/** The signatures as the specification has them, computed apart from the plugin. */
const signatureOf = (secret: string, { headers, body }: Pick<Received, "headers" | "body">): string => {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Webhooks, on ${database.name}`, (it, { before, after }) => {
    let story: Story;
    let receiver: Receiver;
    if (database.skip === undefined) {
      before(async () => {
        receiver = await Receiver.open();
        const app = await openTenants(webhookFiles(), await database.values());
        story = new Story(app, await signedIn(app));
      });
      after(async () => {
        await story.app.close();
        await receiver.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const write = (title: string, more: object = {}) =>
      story.send("ann", "/customer/1/posts", { post: { title, status: "live", author: 1, ...more } });

    can(
      "A record that is created, changed, moved and deleted is sent once each time, signed, in this order",
      async () => {
        const events = ["created", "updated", "moved", "deleted", "action.send"].map((kind) => `post.${kind}`);
        const hook = await story.create("ann", receiver.url("/all"), events);
        const created = await write("Hello", { hidden: "a secret of the house" });
        assert.is(created.status, 201, created.text);
        const { id } = created.body.data;
        const at = post(1, id);
        assert.is((await story.send("ann", at, { post: { title: "Hello again" } }, "PATCH")).status, 200);
        assert.is((await story.send("ann", `${at}/actions/send`, {})).status, 200);
        await story.work();
        assert.is((await story.send("ann", at, undefined, "DELETE")).status, 204);
        await story.work();
        const got = receiver.of("/all");
        assert.equal(
          got.map(({ json }) => json.type),
          ["post.created", "post.updated", "post.updated", "post.moved", "post.action.send", "post.deleted"],
        );
        const [first, second, , moved, action, deleted] = got.map(({ json }) => json.data);
        assert.equal([first!.model, first!.id], ["Post", String(id)]);
        assert.match(String(first!.record!.title), /^Hello/); // as it is when it is sent
        assert.equal(second!.changed, ["title"]);
        assert.equal([moved!.from, moved!.to, action!.action], ["drafted", "sent", "send"]);
        assert.equal(deleted, { model: "Post", id: String(id) });
        for (const one of got) {
          assert.not.match(one.body, /house|hidden|category/);
          assert.is(one.headers["webhook-signature"], signatureOf(hook.secret, one));
          const { id: message, payload } = verifyWebhook({
            secrets: [hook.secret],
            headers: one.headers,
            body: one.body,
          });
          assert.equal([message, payload], [one.headers["webhook-id"], one.json]);
        }
        assert.is(new Set(got.map(({ headers }) => headers["webhook-id"])).size, got.length);
        assert.equal(
          (await story.sent("ann", hook.path)).map(({ state, attempts }) => [state, attempts]),
          got.map(() => ["delivered", 1]),
        );
        await story.later();
        assert.is(receiver.of("/all").length, got.length);
        await story.send("ann", hook.path, undefined, "DELETE");
      },
    );

    can(
      "What is rolled back is not sent, nor what changes only what the person does not see; one transaction is one change",
      async () => {
        const hook = await story.create("ann", receiver.url("/quiet"), [
          "post.created",
          "post.updated",
          "post.deleted",
        ]);
        const { application } = story.app;
        const kernel = application.kernel.service("database");
        const Post = application.constants.get("Post").value as Rows;
        await kernel
          .transaction(async (transaction) => {
            await Post.query(transaction).findById(1).patch({ title: "Never" });
            throw new Error("rolled back");
          })
          .catch(() => undefined);
        await kernel.transaction(async (transaction) => {
          await Post.query(transaction).findById(1).patch({ title: "First" });
          await transaction
            .transaction(async (inner) => {
              await Post.query(inner).findById(1).patch({ status: "undone" });
              throw new Error("undone");
            })
            .catch(() => undefined);
          await Post.query(transaction).findById(1).patch({ title: "Second" });
          const passing = await Post.query(transaction).insert({ title: "Passing", organization_id: 1 });
          await Post.query(transaction).deleteById(passing.id);
        });
        await Post.query().findById(1).patch({ hidden: "only this" });
        await story.work();
        assert.equal(
          receiver.of("/quiet").map(({ json: { type, data } }) => [type, data.changed, data.record!.title]),
          [["post.updated", ["title"], "Second"]],
        );
        const [withheld, updated] = await story.sent("ann", hook.path);
        assert.equal([withheld!.state, withheld!.reason, updated!.state], ["withheld", "hidden", "delivered"]);
        await Post.query().findById(1).patch({ title: "Post Alpine" });
        await story.send("ann", hook.path, undefined, "DELETE");
      },
    );

    can("Another tenant's webhooks are not there, and guests and those who may not have none", async () => {
      const hook = await story.create("ann", receiver.url("/mine"), ["post.updated"]);
      await story.create("bob", receiver.url("/bobs"), ["post.updated"], 2);
      const other = `${hooksOf(2)}/${hook.id}`;
      await story.send("ann", post(1), { post: { title: "Mine" } }, "PATCH");
      await story.work();
      assert.equal([receiver.of("/mine").length, receiver.of("/bobs").length], [1, 0]);
      const { id } = (await story.sent("ann", hook.path))[0]!;
      for (const [method, path] of [
        ["GET", ""],
        ["PATCH", ""],
        ["DELETE", ""],
        ["POST", "/rotate"],
        ["POST", "/test"],
        ["POST", "/replay"],
        ["POST", "/disable"],
        ["POST", "/enable"],
        ["GET", `/deliveries/${id}`],
        ["POST", `/deliveries/${id}/replay`],
      ] as const) {
        const body = method === "GET" ? undefined : {};
        assert.is((await story.send("bob", other + path, body, method)).status, 404, `${method} ${path}`);
        assert.is((await story.send("cat", other + path, body, method)).status, 404, `${method} ${path}`);
        assert.is((await story.send("bob", hook.path + path, body, method)).status, 404, `${method} ${path}`);
      }
      assert.not.match((await story.send("cat", hooksOf(2))).text, "/mine");
      assert.is((await story.app.request(hooksOf(), { headers: { accept: "application/json" } })).status, 401);
      assert.is((await story.send("dan", hooksOf())).status, 404);
      await story.knex("users").where({ id: 3 }).update({ manages: false });
      for (const path of [hooksOf(), hook.path, `${hook.path}/rotate`])
        assert.is((await story.send("cat", path, path.endsWith("rotate") ? {} : undefined)).status, 403);
      assert.not.match((await story.page("cat", "/customer/1/posts")).text, "_webhooks");
      assert.match((await story.page("ann", "/customer/1/posts")).text, `href="${hooksOf()}"`);
      await story.knex("users").where({ id: 3 }).update({ manages: true });
      await story.send("ann", hook.path, undefined, "DELETE");
      assert.is((await story.send("ann", hook.path)).status, 404);
    });

    can(
      "Who lost the role, the tenant or the account gets nothing any more, and managers see it until somebody takes over",
      async () => {
        const hook = await story.create("cat", receiver.url("/cats"), ["post.updated", "post.deleted"]);
        const touch = async (title: string) => {
          await story.send("ann", post(1), { post: { title } }, "PATCH");
          await story.work();
          return (await story.sent("ann", hook.path))[0]!;
        };
        assert.is((await touch("Seen")).state, "delivered");
        const users = story.knex("users").where({ id: 3 });
        await users.clone().update({ manages: false });
        assert.equal([(await touch("Role")).state, (await touch("Role 2")).reason], ["withheld", "person"]);
        await users.clone().update({ manages: true });
        const membership = { user_id: 3, organization_id: 1 };
        await story.knex("memberships").where(membership).delete();
        assert.is((await touch("Tenant")).reason, "person");
        await story.knex("memberships").insert(membership);
        await users.clone().update({ account_status: "closed" });
        assert.is((await touch("Account")).reason, "person");
        await users.clone().update({ account_status: "verified" });
        const shown = (await story.send("ann", hook.path)).body.data as unknown as {
          withheld: { reason: string };
          own: boolean;
        };
        assert.equal([shown.withheld.reason, shown.own], ["person", false]);
        assert.match((await story.page("ann", hook.path)).text, "may no longer do that");
        assert.match((await story.page("ann", hooksOf())).text, "Events withheld");
        assert.equal([(await touch("Sealed")).state, (await touch("Sealed ")).state], ["withheld", "delivered"]);
        assert.equal((await story.sent("ann", hook.path))[1]!.reason, "record");
        assert.match((await story.page("ann", `${hook.path}/edit`)).text, "This webhook sends what Cat may read");
        await story.send("ann", hook.path, { description: "Ann's now" }, "PATCH");
        assert.is((await touch("Sealed")).state, "delivered");
        const got = receiver.of("/cats").map(({ json }) => json.data.record!.title);
        assert.equal(got, ["Seen", "Sealed ", "Sealed"]);
        const bobs = await story.create("bob", receiver.url("/gone"), ["post.deleted"], 2);
        const made = await story.send("bob", "/customer/2/posts", { post: { title: "Baltic too", author: 2 } });
        await story.send("bob", post(2, made.body.data.id), undefined, "DELETE");
        await story.work();
        assert.equal([(await story.sent("bob", bobs.path))[0]!.reason, receiver.of("/gone").length], ["record", 0]);
        await story.send("ann", hook.path, undefined, "DELETE");
        await touch("Post Alpine").catch(() => undefined);
      },
    );

    can(
      "A secret is shown once and stored nowhere as text; a new one is valid beside the earlier one for a day",
      async () => {
        const first = await story.create("ann", receiver.url("/signed"), ["post.updated"]);
        const rotated = await story.send("ann", `${first.path}/rotate`, {});
        const { secret } = rotated.body.data;
        assert.equal([rotated.status, secret !== first.secret], [201, true]);
        await story.send("ann", `${first.path}/test`, {});
        await story.work();
        const [one] = receiver.of("/signed");
        assert.is(one!.headers["webhook-signature"], `${signatureOf(secret, one!)} ${signatureOf(first.secret, one!)}`);
        assert.equal([one!.json.type, one!.json.data], ["webhook.test", { test: true }]);
        for (const valid of [secret, first.secret]) verifyWebhook({ secrets: [valid], ...one! });
        const past = "2026-01-01 00:00:00.000";
        await story.knex("framewright_webhooks").where({ id: first.id }).update({ previous_until: past });
        await story.send("ann", `${first.path}/test`, {});
        await story.work();
        assert.is(
          receiver.of("/signed")[1]!.headers["webhook-signature"],
          signatureOf(secret, receiver.of("/signed")[1]!),
        );
        const texts = await Promise.all([
          ...[hooksOf(), first.path, `${first.path}/edit`].map(async (path) => (await story.page("ann", path)).text),
          ...[hooksOf(), first.path].map(async (path) => (await story.send("ann", path)).text),
          story.knex("framewright_webhooks").select("*").then(JSON.stringify),
          story.knex("framewright_jobs").select("*").then(JSON.stringify),
        ]);
        for (const text of texts)
          for (const one of [secret, first.secret]) assert.not.match(text, one.slice("whsec_".length, -1));
        await story.send("ann", first.path, undefined, "DELETE");
      },
    );

    can("A helper for receivers refuses what is changed, old, or signed by another secret", async () => {
      const [{ secret, ...hook }, other] = [
        await story.create("ann", receiver.url("/verify"), ["post.updated"]),
        `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
      ];
      await story.send("ann", `${hook.path}/test`, {});
      await story.work();
      const { headers, body } = receiver.of("/verify")[0]!;
      const refused = (more: object) => {
        try {
          verifyWebhook({ secrets: [secret], headers, body, ...more });
        } catch (error) {
          return (error as FramewrightError).code;
        }
        return undefined;
      };
      assert.is(refused({}), undefined);
      assert.is(
        refused({ secrets: [other, secret], headers: new Headers(headers as Record<string, string>) }),
        undefined,
      );
      assert.is(refused({ body: Buffer.from(body) }), undefined);
      const old = String(Math.floor(Date.now() / 1000) - 400);
      const resigned = {
        ...headers,
        "webhook-timestamp": old,
        "webhook-signature": signatureOf(secret, { headers: { ...headers, "webhook-timestamp": old }, body }),
      };
      assert.is(refused({ headers: resigned, toleranceSeconds: 500 }), undefined);
      for (const [about, more] of Object.entries({
        body: { body: body.replace("true", "null") },
        secret: { secrets: [other] },
        none: { secrets: [] },
        shape: { secrets: ["not a secret!"] },
        old: { headers: resigned },
        ahead: { headers: { ...headers, "webhook-timestamp": String(Math.floor(Date.now() / 1000) + 400) } },
        time: { headers: { ...headers, "webhook-timestamp": "soon" } },
        id: { headers: { ...headers, "webhook-id": `${headers["webhook-id"]}x` } },
        missing: { headers: {} },
        version: {
          headers: { ...headers, "webhook-signature": String(headers["webhook-signature"]).replace("v1,", "v2,") },
        },
        twice: { headers: { ...headers, "webhook-id": ["a", "b"] } },
      }))
        assert.is(refused(more), "FW_WEBHOOK_SIGNATURE", about);
      await story.send("ann", hook.path, undefined, "DELETE");
    });

    can(
      "What can't be stored is refused with the field and why, and there are so many webhooks and no more",
      async () => {
        const events = ["post.created"];
        const problems = async (body: object) => {
          const answer = await story.send("ann", hooksOf(), body);
          assert.is(answer.status, 422, answer.text);
          return answer.body.errors!;
        };
        assert.equal(Object.keys(await problems({})).sort(), ["events", "url"]);
        for (const url of [
          "",
          7,
          {},
          "ftp://x.example/",
          "receiver",
          "https://ann:pw@x.example/",
          "https://x.example/#a",
          "http://x y/",
          `https://x.example/${"y".repeat(1000)}`,
        ])
          assert.ok((await problems({ url, events })).url, String(url));
        for (const wrong of [
          [],
          "post.vanished",
          [{}],
          null,
          ["membership.created", "post.created"],
          ["organization.secret"],
        ])
          assert.ok((await problems({ url: "https://x.example/", events: wrong })).events, JSON.stringify(wrong));
        assert.ok((await problems({ url: "https://x.example/", events, description: "x".repeat(256) })).description);
        const { body } = await story.send("ann", hooksOf());
        const there = (body.data as unknown as unknown[]).length;
        const names = body.meta!.events as string[];
        assert.ok(names.includes("post.moved") && names.includes("post.action.publish"), names.join());
        for (let left = 20 - there; left > 0; left--) await story.create("ann", "https://x.example/", events);
        const full = await story.send("ann", hooksOf(), { url: "https://x.example/", events });
        assert.equal([full.status, full.body.code], [409, "FW_WEBHOOK_STATE"]);
        assert.match((await story.page("ann", hooksOf())).text, "There can be 20 webhooks");
        await story.create("cat", "https://x.example/", events, 2);
        await story.knex("framewright_webhooks").delete();
        await story.knex("framewright_webhook_events").delete();
      },
    );

    can("The document of the portal describes them", async () => {
      const { text } = await story.send("ann", "/customer/1/openapi.json");
      const { paths, components } = JSON.parse(text) as {
        paths: Record<string, object>;
        components: { schemas: object };
      };
      const own = Object.keys(paths).filter((path) => path.includes("_webhooks"));
      assert.equal(own.length, 9, own.join());
      assert.ok("WebhookDelivery" in components.schemas);
    });
  });
}
