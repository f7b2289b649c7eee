import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { backgroundFiles } from "./background_app.ts";
import { slugFiles } from "./slugs_app.ts";

type Row = Record<string, unknown>;
const posts = "/customer/1/posts";
const policy = "app/policies/post_policy.ts";
const slugs = slugFiles('t.string("slug").unique();');
const files = { ...backgroundFiles, ...slugs, [policy]: backgroundFiles[policy] ?? tenantFiles[policy]! };

for (const database of await databases())
  describe(`Background runs on records with slugs, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        await knex()("posts").where({ id: 1 }).update({ slug: "hello" });
        await knex()("posts").insert({ id: 9, title: "Other", status: "live", slug: "other", organization_id: 1 });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const headers = { "x-user": "1", accept: "application/json", "content-type": "application/json" };
    const start = async (path: string) => {
      const body = JSON.stringify({ interaction: { label: "red" } });
      const answer = await app.request(path, { method: "POST", headers, body });
      assert.is(answer.status, 202, await answer.text());
      return answer.headers.get("location")!;
    };
    const ended = async (url: string): Promise<Row> => {
      for (let tries = 0; tries < 400; tries++) {
        const { data } = (await (await app.request(url, { headers })).json()) as { data: Row };
        if (!["waiting", "running"].includes(String(data.state))) return data;
        await sleep(25);
      }
      throw new Error("the run did not end in 10 s");
    };
    const marks = async () => (await knex()("marks").pluck("post")).map(Number).sort();

    it.unless(database.skip, "It is done to the record, and to those of a list", async () => {
      const one = await ended(await start(`${posts}/hello/actions/mark_one`));
      assert.equal([one.state, one.done], ["done", 1]);
      assert.equal(await marks(), [1]);
      assert.is((await ended(await start(`${posts}/actions/mark`))).done, 2);
      await knex()("marks").delete();
    });
    it.unless(database.skip, "A record that has the address of another by now is left alone", async () => {
      const url = await start(`${posts}/hello/actions/mark_one`);
      await knex()("posts").where({ id: 1 }).update({ slug: "renamed" });
      await knex()("posts").where({ id: 9 }).update({ slug: "hello" });
      const run = await ended(url);
      assert.is(Number(run.done) + Number(run.refused), 1);
      assert.not.ok((await marks()).includes(9));
    });
  });
