import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { hiddenIn, Person } from "../resources/fields_app.ts";
import { openTenants } from "../scoping/tenants.ts";
import { place, treeFiles } from "./tree_app.ts";

const places = "/customer/1/places";
const ann = { "x-user": "1" };
const namesIn = (html: string) =>
  [...html.matchAll(/<div class="fw-tree-row"><a class="fw-row-link"[^>]*>([^<]*)</g)].map(([, name]) => name);

for (const database of await databases({ withPostgres: true })) {
  describe(`A list as a tree, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(treeFiles(""), await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, run: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("places").update({ parent_id: null });
        await knex()("places").delete();
        for (const row of [
          place(1, "Europe", null),
          place(2, "Asia", null),
          place(3, "Germany", 1),
          place(4, "Berlin", 3),
          place(5, "Austria", 1),
          place(6, "Hidden", 1),
          place(7, "Below hidden", 6),
          place(90, "Of Baltic", null, 2),
          place(91, "Below Baltic", 90, 2),
        ])
          await knex()("places").insert(row);
        await run();
      });
    const get = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await app.request(`${places}?${query}`, { headers: { ...ann, ...headers } });
      return { status: answer.status, text: await answer.text() };
    };
    const write = async (method: string, path: string, body: object) => {
      const answer = await app.request(path, {
        method,
        headers: { ...ann, accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({ place: body }),
      });
      return { status: answer.status, text: await answer.text() };
    };

    can(
      "The top is shown, with how many stand below each; what stands below a hidden record is at the top",
      async () => {
        const { text } = await get("shape=tree");
        assert.equal(namesIn(text), ["Asia", "Below hidden", "Europe"]);
        assert.match(text, /aria-label="Below Europe: 2"/);
        assert.match(text, /<turbo-frame id="fw-tree-1" src="[^"]*shape=tree\.1"[^>]*loading="lazy"/);
        assert.not.match(text, /Hidden<|Baltic/);
        assert.match(text, "kind 1");
        assert.match((await get("")).text, "?shape=tree");
      },
    );

    can("A branch is a page with its path, and a frame of the page above", async () => {
      const { text } = await get("shape=tree.3");
      assert.equal(namesIn(text), ["Berlin"]);
      assert.match(text, /<li><a href="[^"]*shape=tree\.1">Europe<\/a><\/li>\s*<li aria-current="true">Germany<\/li>/);
      const frame = (await get("shape=tree.1", { "turbo-frame": "fw-tree-1" })).text;
      assert.equal(namesIn(frame), ["Austria", "Germany"]);
      assert.match(frame, '<turbo-frame id="fw-tree-1"');
      assert.not.match(frame, "fw-tree-path");
      for (const id of ["6", "90", "99", "x", "1.2", ""]) assert.is((await get(`shape=tree.${id}`)).status, 404, id);
    });

    can("A search finds records wherever they stand", async () => {
      assert.equal(namesIn((await get("shape=tree&q=er")).text), ["Berlin", "Germany"]);
      assert.equal(namesIn((await get("shape=tree&filter[kind]=kind+4")).text), ["Berlin"]);
    });

    can("A record can't be put below itself, by a form or by JSON, and nothing is stored", async () => {
      for (const parent of [1, 4]) {
        const { status, text } = await write("PATCH", `${places}/1`, { parent });
        assert.is(status, 422);
        assert.match(text, "nor one below it");
      }
      assert.is((await knex()("places").where({ id: 1 }).first("parent_id")).parent_id, null);
      assert.is((await write("PATCH", `${places}/3`, { parent: 2 })).status, 200);
      assert.is((await write("PATCH", `${places}/3`, { parent: null })).status, 200);
      assert.is((await write("POST", places, { name: "France", parent: 1 })).status, 201);
    });

    const parentOf = async (id: number) => (await knex()("places").where({ id }).first("parent_id")).parent_id;
    const move = /action="\/customer\/1\/places\/4\/tree"/;
    can("Without scripts, a record is moved by its menu, as far as its branch goes", async () => {
      const client = new Person(app.url, 1);
      const page = await client.page(`${places}?shape=tree.3`);
      assert.match(page, /name="place\[parent\]" value="1">Out of Germany</);
      const answer = await client.submit(`${places}?shape=tree.3`, { "place[parent]": "1" }, move);
      assert.is(answer.status, 303);
      assert.match(answer.headers.get("location")!, "shape=tree.3");
      assert.is(await parentOf(4), 1);
      const top = await client.page(`${places}?shape=tree.1`);
      assert.match(top, /name="place\[parent\]" value="">Out of Europe</);
      assert.match(top, /value="5">Below Austria</);
      assert.not.match(await client.page(`${places}?shape=tree&q=er`), /places\/\d+\/tree"/);
    });
    can("Of two people who move a record, the second is refused, and told why", async () => {
      const [ann, bob] = [new Person(app.url, 1), new Person(app.url, 1)];
      const page = await ann.page(`${places}?shape=tree.3`);
      const form = /<form[^>]*places\/4\/tree".*?<\/form>/s.exec(page)![0];
      await bob.submit(`${places}?shape=tree.3`, { "place[parent]": "1" }, move);
      const body = new URLSearchParams({ ...hiddenIn(form), "place[parent]": "2" });
      const refused = await ann.request(`${places}/4/tree`, {
        ...{ method: "POST", body },
        headers: { accept: "application/json", origin: app.url },
      });
      assert.is(refused.status, 409);
      assert.match(await refused.text(), "Somebody else moved this record");
      assert.is(await parentOf(4), 1);
    });

    can("Of two moves at once that would close a circle, one is refused", async () => {
      const answers = await Promise.all([
        write("PATCH", `${places}/1`, { parent: 2 }),
        write("PATCH", `${places}/2`, { parent: 1 }),
      ]);
      const rows = await knex()("places").whereIn("id", [1, 2]).orderBy("id").select("parent_id");
      assert.is(rows.filter(({ parent_id }) => parent_id !== null).length, 1, JSON.stringify(answers));
      assert.equal(answers.map(({ status }) => status).sort(), [200, 422]);
    });
  });
}

describe("What a tree is declared with", (it) => {
  const refused = async (line: string, pattern: RegExp) => {
    const error = await openTenants(treeFiles(line), {}).then(
      (app) => app.close(),
      (cause: Error) => cause,
    );
    assert.match((error as Error).message, pattern);
  };
  it("A parent of another model, and facts that are not there, are refused at boot; false is none", async () => {
    await refused('this.tree({ parent: "organization" });', /FW_TREE_PARENT.*Name one of these: parent/);
    await refused('this.tree({ facts: ["knd"] } as never);', /FW_TREE_FACT.*Did you mean "kind"/);
    await refused("this.tree({ by: 1 } as never);", /FW_TREE_SHAPE.*the option "by"/);
    const app = await openTenants(treeFiles("this.tree(false);"), {});
    assert.not.match(await (await app.request(places, { headers: ann })).text(), "shape=tree");
    await app.close();
  });
});
