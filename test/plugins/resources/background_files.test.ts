import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { as } from "../wizards/mounts_support.ts";
import { backgroundFiles } from "./background_app.ts";

const path = "app/interactions/mark_posts.ts";
const files: Record<string, string> = {
  ...backgroundFiles,
  "plugins.config.ts": edited(
    backgroundFiles,
    "plugins.config.ts",
    ["import { i18n }", 'import { storage } from "framewright/plugins/storage";\nimport { i18n }'],
    ["  resources(),", '  storage({ directory: "stored" }),\n  resources(),'],
  ),
  [path]: edited(
    backgroundFiles,
    path,
    ['{ as: "string", required: true }', '{ as: "file", required: true, accept: [".txt"] }'],
    ["label: values.label", 'label: values.label!.filename + " " + values.label!.bytes.length'],
  ),
};
const posts = "/customer/1/posts";
const ann = { "x-user": "1" };

for (const database of await databases()) {
  describe(`Files of interactions in the background, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        await knex()("posts").insert({ title: "Second", status: "live", organization_id: 1, author_id: 1 });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const knex = () => databaseOf(app.application).knex;
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("marks").delete();
        await story();
      });
    const stored = () =>
      existsSync(join(app.root, "stored"))
        ? readdirSync(join(app.root, "stored"), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
        : [];
    const start = (content: string, filename = "note.txt") => {
      writeFileSync(join(app.root, filename), content);
      return as(app.client(), 1).submit(`${posts}/actions/mark`, {
        "interaction[label]": { path: join(app.root, filename) },
      });
    };
    const shown = async (url: string) => {
      const answer = await app.request(url, { headers: { ...ann, accept: "application/json" } });
      return ((await answer.json()) as { data: { state: string; done: number; problems: { text: string }[] } }).data;
    };
    const ended = async (url: string) => {
      for (let tries = 0; tries < 400; tries++) {
        const run = await shown(url);
        if (!["waiting", "running"].includes(run.state)) return run;
        await sleep(25);
      }
      throw new Error("the run did not end in 10 s");
    };

    can(
      "A file is carried to the job, which has it for each record, and is deleted once the run has ended",
      async () => {
        const content = "a line\n".repeat(20_000); // more than what stays in memory
        const answer = await start(content);
        assert.is(answer.status, 303);
        const run = await ended(answer.headers.get("location")!);
        assert.equal([run.state, run.done], ["done", 2]);
        const labels = (await knex()("marks")).map(({ label }: { label: string }) => label);
        assert.equal(labels, ["note.txt 140000", "note.txt 140000"]);
        for (let tries = 0; tries < 100 && stored().length > 0; tries++) await sleep(20); // once its run is over
        assert.equal(stored(), []);
      },
    );
    can("One that is not accepted is refused before anything is stored", async () => {
      const answer = await start("x", "note.exe");
      assert.is(answer.status, 422);
      assert.equal(stored(), []);
    });
    can(
      "A run that is cancelled, and one whose file is gone, leave nothing; the page says what is missing",
      async () => {
        const runs = app.application.kernel.service("background_runs");
        const enqueue = runs.enqueue.bind(runs);
        runs.enqueue = async () => undefined; // its job comes later
        const cancelled = (await start("one")).headers.get("location")!;
        assert.is(stored().length, 1);
        const headers = { ...ann, accept: "application/json", "content-type": "application/json" };
        await app.request(`${cancelled}/cancel`, { method: "POST", headers, body: "{}" });
        assert.equal([(await shown(cancelled)).state, stored().length], ["cancelled", 0]);
        const missing = (await start("two")).headers.get("location")!;
        const [file] = stored();
        await app.application.kernel
          .service("storage")
          .delete(join(file!.parentPath, file!.name).split("/stored/")[1]!);
        runs.enqueue = enqueue;
        await enqueue(Number(missing.split("/").at(-1)));
        const run = await ended(missing);
        assert.is(run.state, "failed");
        assert.match(run.problems[0]!.text, "a file that it was started with is not stored any more");
        assert.equal(await knex()("marks"), []);
      },
    );
  });
}
