import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openShop, shopFiles } from "../../support/shop.ts";

const migration = "db/migrate/20260101000000_create_tables.ts";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const files = {
  [migration]: edited(shopFiles, migration, ['t.integer("position");', 't.integer("position"); t.json("extra");']),
  [policy]: edited(shopFiles, policy, ['"position"', '"position", "extra"']),
};
const posts = "/admin/blogging/posts";
const headers = { accept: "application/json", "content-type": "application/json" };

for (const database of await databases({ withPostgres: true })) {
  describe(`JSON typed into a field, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (!database.skip) app = await openShop(files, await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const send = async (extra: string) => {
      const body = JSON.stringify({ blogging_post: { title: "T", extra } });
      const answer = await app.request(posts, { method: "POST", headers, body });
      const told = (await answer.json()) as { data?: { id: number }; errors?: object };
      return { status: answer.status, ...told };
    };

    can("JSON typed into a field is stored as its value, without __proto__ and constructor", async () => {
      for (const extra of [{ a: [1, { b: null }] }, ["x"], "text", 7, true]) {
        const { data } = await send(JSON.stringify(extra));
        const answer = await app.request(`${posts}/${data!.id}`, { headers });
        assert.equal(((await answer.json()) as { data: { extra: unknown } }).data.extra, extra);
      }
      const { data } = await send(`{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}},"a":1}`);
      const answer = await app.request(`${posts}/${data!.id}`, { headers });
      assert.match(await answer.text(), '"extra":{"a":1}');
    });
    can(
      "JSON typed into a field is refused with too many values, too deep, with lone surrogates or malformed",
      async () => {
        const many = { extra: ["has too many values"] };
        const wrong = { extra: ["is not valid JSON"] };
        const keys = Array.from({ length: 60_000 }, (_, at) => `"k${at}":${at}`).join();
        const refused: [string, object][] = [
          [`{${keys}}`, many],
          [`[${"1,".repeat(100_000)}1]`, many],
          ["[".repeat(20) + "]".repeat(20), wrong],
          ["[".repeat(200_000) + "]".repeat(200_000), wrong],
          ['{"a":"\\ud800"}', wrong],
          ['{"\\ud800":1}', wrong],
          ["{", wrong],
        ];
        for (const [extra, errors] of refused) {
          const told = await send(extra);
          assert.equal([told.status, told.errors], [422, errors], extra.slice(0, 40));
        }
      },
    );
  });
}
