import type { TestApp } from "../support/apps.ts";
import { corpus } from "../support/corpora/index.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { openShop } from "../support/shop.ts";

const posts = "/admin/blogging/posts";
const json = { accept: "application/json", "content-type": "application/json" };
const fields = ["title", "body", "author", "price", "published", "published_at", "due_on", "position"];
const values = corpus("values").map(({ sent, name }) => ({ text: sent, name }));

for (const database of await databases()) {
  describe(`Values of every kind on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop({}, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const send = async (method: string, path: string, body: string) => {
      const answer = await app.request(path, { method, headers: json, body });
      return { status: answer.status, text: await answer.text() };
    };

    can(
      "Every JSON value is stored or refused by the name of its field, and lists of stored values can be read",
      async () => {
        const wrong: string[] = [];
        for (const field of fields) {
          for (const { text, name } of values) {
            const title = field === "title" ? "" : `"title":"x",`;
            const { status, text: answer } = await send(
              "POST",
              posts,
              `{"blogging_post":{${title}"${field}":${text}}}`,
            );
            if (status === 422 && !Object.hasOwn((JSON.parse(answer) as { errors: object }).errors, field))
              wrong.push(`${field} is not named: ${name}`);
            if (status !== 201 && status !== 422) wrong.push(`${status} for ${field}: ${name}`);
          }
        }
        assert.equal(wrong, []);
        for (const path of [posts, `${posts}.json`, `${posts}?per_page=100&sort=published_at`])
          assert.ok((await app.request(path)).status < 500, path);
        const list = await app.request(`${posts}?per_page=100`, { headers: { accept: "application/json" } });
        assert.is(list.status, 200);
      },
    );
    can(
      "Any value in a search, filter, sort or page parameter is answered, refused, or left out of the list",
      async () => {
        const wrong: string[] = [];
        for (const { text, name } of values.filter(({ text }) => text.length < 5000)) {
          const value = JSON.parse(text) as unknown;
          const sent = encodeURIComponent(
            (typeof value === "string" ? value : JSON.stringify(value)).replaceAll(/\p{Surrogate}/gu, "?"),
          );
          for (const where of ["q=", "filter[status]=", "scope=", "sort=", "page=", "filter="]) {
            const page = await app.request(`${posts}?${where}${sent}`, { redirect: "manual" });
            if (![200, 303, 400].includes(page.status)) wrong.push(`${page.status} for ${where}${name}`);
            const json = await app.request(`${posts}?${where}${sent}`, { headers: { accept: "application/json" } });
            if (![200, 400, 422].includes(json.status)) wrong.push(`${json.status} for ${where}${name} in JSON`);
          }
          const { status } = await app.request(`${posts}/typeahead/author?q=${sent}`);
          if (status !== 200 && status !== 422 && status !== 400) wrong.push(`${status} for typeahead ${name}`);
        }
        assert.equal(wrong, []);
      },
    );
  });
}
