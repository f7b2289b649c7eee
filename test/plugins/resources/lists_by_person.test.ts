import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// Scopes, filters, searches and sorts that look at who asks, in which tenant, below which record.

const definition = "app/definitions/post_definition.ts";
const changes = {
  "app/filters/between.ts": `import type { Query } from "framewright/plugins/database";
import type { FilterGroup } from "framewright/plugins/resources";
export default class Between implements FilterGroup<never, "from" | "to"> {
  readonly inputs = { from: {}, to: {} };
  readonly #column: string;
  constructor(column: string) { this.#column = column; }
  apply(query: Query, { from, to }: { from?: string; to?: string }) {
    if (from !== undefined) query.where(this.#column, ">=", from);
    if (to !== undefined) query.where(this.#column, "<=", to);
  }
}`,
  [definition]: edited(
    tenantFiles,
    definition,
    ["import type Post from", 'import Between from "../filters/between.ts";\nimport type Post from'],
    [
      'this.scope("widest");',
      `const idOf = (user: unknown) => (user as { id: number } | undefined)?.id ?? 0;
    this.scope("mine", { apply: (query, { currentUser }) => query.where("author_id", idOf(currentUser)) });
    this.scope("bobs", { label: "Only Bob's", condition: ({ currentUser }) => idOf(currentUser) === 2, apply: (query) => query.where("author_id", 2) });
    this.scope("by_cat", { count: true, apply: (query) => query.where("title", "like", "%Cat") });
    this.defaultScope("mine");
    this.filter("here", { as: "boolean", apply: (query, value, { currentScopedEntity, portal }) => value === "1" ? query.where("title", "like", \`%\${(currentScopedEntity as { name: string }).name} \${portal}%\`) : query });
    this.filter("secret", { label: "Of whom", condition: ({ currentUser }) => idOf(currentUser) === 2, choices: ({ currentUser }) => [{ value: String(idOf(currentUser)), label: "My own" }], apply: (query, value) => query.where("author_id", Number(value)) });
    this.filter("written", { inputs: { by: { choices: ["1", "2", "3"] }, about: { label: "About whom" } }, condition: ({ currentUser }) => idOf(currentUser) !== 2,
      apply: (query, { by, about }) => { if (by) query.where("author_id", Number(by)); if (about) query.orWhere("title", "like", \`%\${about}%\`); } });
    this.filter("titled", new Between("title"));
    this.sort("own_first", { using: (query, direction, { currentUser }) => query.orderByRaw(\`case when author_id = ? then 0 else 1 end \${direction}\`, [idOf(currentUser)]) });`,
    ],
  ),
};
const row = (title: string, author_id: number, organization_id: number) => ({ title, author_id, organization_id });

for (const database of await databases()) {
  describe(`Lists that look at who asks, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(changes, await database.values());
        const { knex } = databaseOf(app.application);
        for (const table of ["attachments", "notes", "comments", "posts"]) await knex(table).delete();
        await knex("posts").insert([
          row("Alpine of Ann", 1, 1),
          row("Alpine of Cat", 3, 1),
          row("Alpine CustomerPortal of Cat", 3, 1),
          row("Baltic of Cat", 3, 2),
          row("Baltic of Bob", 2, 2),
        ]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const asked = (path: string, user: number, accept = "application/json") =>
      app.request(path, { headers: { accept, "x-user": String(user) } });
    const titles = async (path: string, user: number) => {
      const answer = await asked(path, user);
      if (answer.status !== 200) return answer.status;
      return ((await answer.json()) as { data: { title: string }[] }).data.map(({ title }) => title);
    };
    const page = async (path: string, user: number) => (await asked(path, user, "text/html")).text();

    can("A tab counts what the person may see of it, whatever else is asked of the list", async () => {
      const tab = (count: number) => `>By cat <span class="fw-count">${count}</span>`;
      assert.match(await page("/customer/1/posts", 1), tab(2));
      assert.match(await page("/customer/1/posts?q=nothing&scope=by_cat&filter[here]=1", 3), tab(2));
      assert.match(await page("/customer/2/posts?scope=all", 3), tab(1));
      assert.not.match(await page("/customer/2/posts", 3), /Mine <span class="fw-count"/);
    });

    can("A default scope narrows to the person who asks, and scope=all shows all of the tenant", async () => {
      assert.equal(await titles("/customer/1/posts?sort=id", 1), ["Alpine of Ann"]);
      assert.equal(await titles("/customer/1/posts?sort=id", 3), ["Alpine of Cat", "Alpine CustomerPortal of Cat"]);
      assert.equal(await titles("/customer/2/posts?sort=id", 3), ["Baltic of Cat"]);
      assert.is(((await titles("/customer/1/posts?scope=all", 1)) as string[]).length, 3);
      assert.is(await titles("/customer/1/posts?scope=nonsense", 1), 422);
    });
    can("The tab of the default scope is active without a parameter, and the others keep their own", async () => {
      const mine = await page("/customer/1/posts", 3);
      assert.match(mine, 'aria-current="page" href="/customer/1/posts">Mine</a>');
      assert.match(mine, 'href="/customer/1/posts?scope=all"');
      const all = await page("/customer/1/posts?scope=all&sort=title", 3);
      assert.match(all, "scope=all&amp;sort=-title");
      assert.match(all, '<input type="hidden" name="scope" value="all">');
    });
    can("A scope and a filter whose condition is false are neither shown nor taken", async () => {
      assert.match(await page("/customer/2/posts", 2), "Only Bob&#39;s");
      assert.not.match(await page("/customer/2/posts", 3), "Only Bob");
      assert.equal(await titles("/customer/2/posts?scope=bobs", 2), ["Baltic of Bob"]);
      assert.is(await titles("/customer/2/posts?scope=bobs", 3), 422);
      assert.match(await page("/customer/2/posts", 2), '<option value="2">Of whom: My own</option>');
      assert.not.match(await page("/customer/2/posts", 3), "Of whom");
      assert.equal(await titles("/customer/2/posts?scope=all&filter[secret]=2", 2), ["Baltic of Bob"]);
      assert.is(await titles("/customer/2/posts?scope=all&filter[secret]=2", 3), 422);
    });
    can("A filter of several inputs narrows by those that are filled in, in a group of its own", async () => {
      const at = "/customer/1/posts?scope=all&sort=id&";
      assert.equal(await titles(`${at}filter[written][by]=1`, 1), ["Alpine of Ann"]);
      assert.is(((await titles(`${at}filter[written][by]=1&filter[written][about]=%25`, 1)) as string[]).length, 3);
      assert.is(((await titles(`${at}filter[written][by]=&filter[written][about]=`, 1)) as string[]).length, 3);
      assert.equal(await titles(`${at}filter[titled][from]=Alpine%20of%20B`, 1), ["Alpine of Cat"]);
      assert.equal(await titles(`${at}filter[titled][from]=Alpine%20of%20B&filter[titled][to]=Alpine%20of%20C`, 1), []);
      for (const query of [
        "filter[written]=1",
        "filter[written][who]=1",
        "filter[written][by][x]=1",
        "filter[titled][toString]=1",
      ])
        assert.is(await titles(at + query, 1), 422, query);
      assert.is(await titles("/customer/2/posts?filter[written][by]=1", 2), 422, "its condition is false");
      const html = await page(`${at}filter[written][by]=1&filter[titled][to]=Beta`, 1);
      assert.match(
        html,
        /<select[^>]*name="filter\[written\]\[by\]" aria-label="Written by">.*<option value="1" selected>/s,
      );
      assert.match(html, /name="filter\[written\]\[about\]"[^>]*aria-label="About whom"/);
      assert.match(html, /name="filter\[titled\]\[to\]" value="Beta"[^>]*aria-label="Titled to"/);
      assert.match(html, /href="[^"]*filter%5Bwritten%5D%5Bby%5D=1[^"]*filter%5Btitled%5D%5Bto%5D=Beta[^"]*sort=/);
      assert.not.match(await page("/customer/2/posts?scope=all", 2), "filter[written]");
    });

    can("A filter under a name of its own and a sort get the tenant, the portal and the person", async () => {
      assert.equal(await titles("/customer/1/posts?scope=all&filter[here]=1", 1), ["Alpine CustomerPortal of Cat"]);
      assert.equal(((await titles("/customer/1/posts?scope=all&sort=own_first", 1)) as string[])[0], "Alpine of Ann");
      assert.equal(((await titles("/customer/1/posts?scope=all&sort=-own_first", 1)) as string[])[2], "Alpine of Ann");
      assert.equal(await titles("/customer/1/posts?scope=all&filter[title]=x", 1), []);
    });
  });
}

describe("Lists without a tab of all records", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const without = ['this.defaultScope("mine")', 'this.defaultScope("mine", { all: false })'] as const;
    app = await openTenants({ ...changes, [definition]: edited(changes, definition, without) });
  });
  after(async () => {
    await app?.close();
  });

  it("The tab is left out, and the address still leads to all of them", async () => {
    const page = async (path: string) => (await app.request(path, { headers: { "x-user": "1" } })).text();
    const own = await page("/customer/1/posts");
    assert.match(own, ">Mine</a>");
    assert.not.match(own, "scope=all");
    assert.match(await page("/customer/1/posts?scope=all"), /aria-current="page" href="[^"]*scope=all">All<\/a>/);
  });
});
