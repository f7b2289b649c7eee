import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "./tenants.ts";

const routes = "packages/customer_portal/config/routes.ts";
/** A portal that serves the tenant itself as its only organization, at /customer/1/organization. */
const changes = {
  [routes]: edited(
    tenantFiles,
    routes,
    ["[Organization, User,", "[User,"],
    [
      "routes.registerResource(Post",
      "routes.registerResource(Organization, { singular: true }); routes.registerResource(Post",
    ],
  ),
};
const base = "/customer/1/organization/nested_posts";

for (const database of await databases({ withPostgres: true })) {
  describe(`Records below a singular tenant on ${database.name}`, (it) => {
    it.unless(
      database.skip,
      "Records below a singular tenant are edited, published, created and deleted under their own ids",
      async () => {
        const app = await openTenants(changes, await database.values());
        try {
          const { knex } = databaseOf(app.application);
          for (const id of [3, 4])
            await knex("posts").insert({ id, title: `Post ${id}`, status: "live", organization_id: 1 });
          const client = app.client();
          const request = client.request.bind(client);
          client.request = (path, init = {}) => {
            const headers = new Headers(init.headers);
            headers.set("x-user", "1");
            return request(path, { ...init, headers });
          };
          const titles = () => knex("posts").where({ organization_id: 1 }).orderBy("id").pluck("title");
          const html = await client.page(`${base}/3`);
          for (const [, url] of html.matchAll(/(?:href|action)="([^"]*nested_posts\/[^"]+)"/g))
            assert.match(url!, /^\/customer\/1\/organization\/nested_posts\/3(\/|$)/);
          const saved = await client.submit(`${base}/3/edit`, { "post[title]": "Changed" }, /nested_posts/);
          assert.is(saved.headers.get("location"), `${base}/3`);
          const published = await client.submit(`${base}/3/actions/publish`, {}, /nested_posts/);
          assert.is(published.headers.get("location"), `${base}/3`);
          assert.equal(await titles(), ["Post Alpine", "Changed", "Post 4"]);
          const made = await client.submit(
            `${base}/new`,
            { "post[title]": "New", "post[organization]": "2" },
            /nested_posts/,
          );
          const { id } = (await knex("posts").where({ title: "New", organization_id: 1 }).first()) as { id: number };
          assert.is(made.headers.get("location"), `${base}/${id}`);
          assert.is((await client.submit(`${base}/4/actions/destroy`, {}, /nested_posts/)).status, 303);
          assert.equal(await titles(), ["Post Alpine", "Changed", "New"]);
          assert.is((await client.request(`${base}/2`)).status, 404); // another tenant's
        } finally {
          await app.close();
          await database.clean();
        }
      },
    );
  });
}
