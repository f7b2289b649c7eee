import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, bootWith } from "../wizards/mounts_support.ts";
import { openStates, stateFiles } from "./states_app.ts";

const room = globalThis as { stateEvents?: string[] };
interface Answer {
  status: number;
  text: string;
  data: Record<string, unknown>;
}

for (const database of await databases({ withPostgres: true })) {
  describe(`States of records, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openStates(await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const knex = () => databaseOf(app.application).knex;
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("posts").where({ id: 1 }).update({ status: "draft", reason: null });
        await body();
      });
    const send = async (path: string, body?: object, method = body ? "POST" : "GET", user = "1"): Promise<Answer> => {
      const headers = { accept: "application/json", "content-type": "application/json", "x-user": user };
      const answer = await app.request(`/admin${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      return { status: answer.status, text, data: (JSON.parse(text || "{}") as { data?: Answer["data"] }).data ?? {} };
    };
    const page = async (path: string) => (await app.request(`/admin${path}`, { headers: { "x-user": "1" } })).text();
    const become = (status: string) => knex()("posts").where({ id: 1 }).update({ status });
    const stored = async () => (await knex()("posts").where({ id: 1 }).first()) as { status: string; reason: unknown };

    can("A new record begins in the first state, whatever wrote it", async () => {
      const made = await send("/posts.json", { post: { title: "New" } });
      assert.equal([made.status, made.data.status], [201, "draft"]);
      const model = databaseOf(app.application).model("Post").class;
      const record = (await model.query().insert({ title: "By code" } as never)) as unknown as { status: string };
      assert.is(record.status, "draft");
    });
    can("A form and JSON that send another state are refused with the ways to it", async () => {
      const changed = await send("/posts/1.json", { post: { status: "approved" } }, "PATCH");
      assert.is(changed.status, 422);
      assert.match(changed.text, "is changed by submit alone");
      const made = await send("/posts.json", { post: { title: "New", status: "approved" } });
      assert.is(made.status, 422);
      assert.is((await send("/posts/1.json", { post: { title: "Hello", status: "draft" } }, "PATCH")).status, 200);
      await become("approved");
      assert.match((await send("/posts/1.json", { post: { status: "draft" } }, "PATCH")).text, "stays as it is");
    });
    can("Code that writes another state is refused too, and seeds say that they may", async () => {
      const { class: model } = databaseOf(app.application).model("Post");
      const refused = await model
        .query()
        .patch({ status: "approved" } as never)
        .where("id", 1)
        .then(
          () => undefined,
          (error: { fields?: unknown }) => error.fields,
        );
      assert.equal(refused, { status: ["is changed by submit alone"] });
      assert.is((await stored()).status, "draft");
      const { anyState } = await import("framewright/plugins/states");
      await anyState(() =>
        model
          .query()
          .patch({ status: "approved" } as never)
          .where("id", 1),
      );
      assert.is((await stored()).status, "approved");
    });
    can("A transition is an action, with its predicate, its event and its place in JSON", async () => {
      room.stateEvents?.splice(0);
      const html = await page("/posts/1");
      assert.match(html, "/admin/posts/1/actions/submit");
      assert.not.match(html, "/admin/posts/1/actions/approve");
      assert.is((await send("/posts/1/transitions/submit.json", {})).status, 200);
      assert.is((await stored()).status, "submitted");
      assert.equal(room.stateEvents, ["submit of 1 from draft"]);
      assert.is((await send("/posts/1/transitions/approve.json", {}, "POST", "2")).status, 403);
      assert.is((await send("/posts/1/transitions/configure.json", {})).status, 404);
      assert.is((await send("/posts/1/transitions/approve.json", {})).status, 200);
      assert.is((await stored()).status, "approved");
    });
    can("A program that creates a record may send null for its state", async () => {
      const made = await send("/posts.json", { post: { title: "Null", status: null } });
      assert.equal([made.status, /"status":"draft"/.test(made.text)], [201, true], made.text);
    });
    can("What a transition asks for is written with the state, by the rules of its inputs", async () => {
      await become("submitted");
      const without = await send("/posts/1/transitions/reject.json", {});
      assert.equal([without.status, (await stored()).status], [422, "submitted"]);
      const client = as(app.client(), 1);
      const answer = await client.submit("/admin/posts/1/actions/reject", { "interaction[reason]": "Too loud" });
      assert.is(answer.status, 303);
      assert.equal(await stored(), { ...(await stored()), status: "rejected", reason: "Too loud" });
    });
    can(
      "A guard is asked once for all rows of a page, hides the button, and says why to who sends it all the same",
      async () => {
        await become("submitted");
        await knex()("posts").where({ id: 2 }).update({ status: "submitted" });
        const seen: string[] = [];
        knex().on("query", ({ sql }: { sql: string }) => seen.push(sql));
        const html = await page("/posts");
        knex().removeAllListeners("query");
        assert.is(seen.filter((sql) => /comments/.test(sql)).length, 1, seen.join("\n"));
        assert.match(html, "/admin/posts/1/actions/approve");
        assert.not.match(html, "/admin/posts/2/actions/approve");
        const refused = await send("/posts/2/transitions/approve.json", {});
        assert.equal([refused.status, /Nobody has commented on it\./.test(refused.text)], [422, true]);
      },
    );
    can("Of eight at once one wins, and seven are told", async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => send("/posts/1/transitions/submit.json", {})));
      const counts = answers.map(({ status }) => status).sort();
      assert.equal(counts, [200, ...Array.from({ length: 7 }, () => 422)]);
      assert.match(answers.find(({ status }) => status === 422)!.text, "present state");
    });
    can("Lists have a tab, a filter and a pill; forms show the state and do not ask for it", async () => {
      await become("approved");
      const list = await page("/posts?scope=approved");
      assert.match(list, /<a[^>]*scope=submitted[^>]*>/);
      assert.match(list, '<span class="fw-status fw-status-success">Approved</span>');
      assert.not.match(list, "Locked");
      const form = await page("/posts/1/edit");
      assert.match(form, /<output id="post_status"[^>]*>.*Approved/s);
      assert.not.match(form, 'name="post[status]"');
    });
    can("Selected rows are taken through it each by itself", async () => {
      await knex()("posts").where({ id: 2 }).update({ status: "approved" });
      const answer = await send("/posts/bulk/submit.json", { ids: ["1", "2"] });
      assert.is(answer.status, 200, answer.text);
      assert.equal([(await stored()).status, answer.data.done], ["submitted", [1]]);
      assert.match(answer.text, "present state");
    });
    can("A deletion is undone in the state that the record had", async () => {
      await become("approved");
      await knex()("comments").delete();
      const client = as(app.client(), 1);
      const deleted = await client.submit("/admin/posts/1/actions/destroy", {}, /actions\/destroy|posts\/1"/);
      assert.is(deleted.status, 303);
      await client.submit("/admin/posts", {}, /\/deletions\/[^"]+\/undo/);
      assert.is((await stored()).status, "approved");
      await knex()("comments").insert({ title: "Nice", post_id: 1 });
    });
    can(
      "Rows with a state that the model does not name are named by the examination, with how many there are",
      async () => {
        const findings: { what: string; ok: boolean; detail: string }[] = [];
        const examine = () => app.application.kernel.slotHooks("host").examine.promise(findings as never);
        await examine();
        assert.ok(findings.find(({ what }) => what === "states of Post")?.ok);
        await knex()("posts").where({ id: 2 }).update({ status: "archived" });
        findings.splice(0);
        await examine();
        const found = findings.find(({ what }) => what === "states of Post")!;
        assert.equal([found.ok, /1 with "archived"/.test(found.detail)], [false, true], found.detail);
        await knex()("posts").where({ id: 2 }).update({ status: "draft" });
      },
    );
  });
}

describe("States that can't be", (it) => {
  const refusedBy = (changes: Record<string, string>) =>
    bootWith({ ...stateFiles, ...changes }).then(
      () => "",
      (error: Error) => error.message,
    );
  const model = "app/models/post.ts";
  it("A transition that leads nowhere, or asks for no column, is refused at boot with what was meant", async () => {
    const nowhere = edited(stateFiles, model, [
      'draft: { submit: "submitted" }',
      'draft: { submit: "submited" as never }',
    ]);
    assert.match(await refusedBy({ [model]: nowhere }), /FW_STATES_SHAPE: .*"submited".*did you mean "submitted"/);
  });
  it("A transition that is called as an action which resources have is refused at boot", async () => {
    for (const name of ["edit", "destroy", "show", "new"]) {
      const taken = edited(stateFiles, model, ['draft: { submit: "submitted" }', `draft: { ${name}: "submitted" }`]);
      assert.match(await refusedBy({ [model]: taken }), `"${name}" of "draft" is called as an action or a predicate`);
    }
  });
  it("States under another name than states, which nothing would act on, are refused at boot", async () => {
    const misnamed = edited(stateFiles, model, ["static states = states(", "static phases = states("]);
    assert.match(
      await refusedBy({ [model]: misnamed }),
      /FW_STATES_NAME: Post declares static phases = states\("status", …\).*static states/,
    );
  });
  it("Without the plugin's line the boot names it", async () => {
    const config = edited(stateFiles, "plugins.config.ts", ["states(), undo(), heard(),", "undo(),"]);
    assert.match(
      await refusedBy({ "plugins.config.ts": config }),
      /FW_MODEL_PLUGIN: Post has static states.*Add states\(\)/,
    );
  });
});
