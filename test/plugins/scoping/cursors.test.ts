import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "./tenants.ts";

// Beyond the numbered pages of a list a cursor leads on; whoever brings it, it leads to the tenant's own rows alone.

const ROWS = 10_060;
const headers = { accept: "application/json", "x-user": "3" };
interface List {
  data: { id: number; title: string }[];
  meta: { next?: string };
}

for (const database of await databases()) {
  describe(`Cursors in a scoped portal on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip) return;
      app = await openTenants({}, await database.values());
      const { knex } = databaseOf(app.application);
      const row = (at: number) => ({
        title: at % 3 === 0 ? "Same" : `${at % 2 === 0 ? "Alpine" : "alpine"} ${at % 97}`,
        status: at % 5 === 0 ? null : "live",
        organization_id: at % 200 === 0 ? 2 : 1,
      });
      for (let at = 0; at < ROWS; at += 300)
        await knex("posts").insert(Array.from({ length: Math.min(300, ROWS - at) }, (_, more) => row(at + more)));
      await knex("posts").where({ organization_id: 2 }).update({ title: "Post Baltic" });
      await knex("posts").insert(Array.from({ length: 200 }, (_, at) => ({ ...row(1), title: `Last ${at}` })));
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const ask = async (path: string): Promise<List> => {
      const answer = await app.request(path, { headers });
      assert.is(answer.status, 200, `${path}: ${await answer.clone().text()}`);
      return (await answer.json()) as List;
    };
    const beyond = async (sort: string): Promise<string> =>
      (await ask(`/customer/1/posts?per_page=100&page=100&sort=${sort}`)).meta.next!;

    can("A cursor leads to the tenant's own rows only, whatever searches, scopes and filters add", async () => {
      for (const sort of ["title", "-status", "status,-title", "-id"]) {
        const next = await beyond(sort);
        for (const more of ["", "&q=x", "&scope=widest", "&filter[status]=x", "&foreign=1"]) {
          const { data } = await ask(`${next}${more}`);
          assert.ok(data.length > 0, `${sort}${more}`);
          for (const { title } of data) assert.not.match(title, /Baltic/, `${sort}${more}`);
        }
      }
    });
    can(
      "A cursor of another tenant's list leads to the requested tenant's rows only, and not past a missing membership",
      async () => {
        const after = new URL(await beyond("-title"), app.url).searchParams.get("after")!;
        const { data } = await ask(`/customer/2/posts?sort=-title&after=${after}`);
        for (const { title } of data) assert.is(title, "Post Baltic");
        const path = `/customer/1/posts?sort=-title&after=${after}`;
        const stranger = await app.request(path, { headers: { ...headers, "x-user": "2" } });
        assert.is(stranger.status, 404);
        for (const [name, sort] of [
          ["comments", "-title"],
          ["posts", "title"],
        ])
          assert.is((await app.request(`/customer/1/${name}?sort=${sort}&after=${after}`, { headers })).status, 422);
      },
    );
    can("A cursor leads on after its row was deleted", async () => {
      const path = "/customer/1/posts?per_page=100&page=100&sort=title";
      const page = await ask(path);
      const { data } = await ask(page.meta.next!);
      const { knex } = databaseOf(app.application);
      await knex("posts")
        .where({ id: page.data.at(-1)!.id })
        .delete();
      assert.equal((await ask(page.meta.next!)).data, data);
    });
  });
}
