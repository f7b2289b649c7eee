import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { MARKS, openPermits } from "./permits_app.ts";

// Whatever reads a column or a label on somebody's behalf asks the policy of the portal for the column and for the record.

const json = { accept: "application/json" };
const member = { "x-user": "1" };
/** Somebody with a browser, whom the portal knows. */
class Member extends Client {
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    return super.request(path, { ...init, headers: { ...(init.headers as Record<string, string>), ...member } });
  }
}
const persons: Record<string, Record<string, string>> = {
  guest: {},
  member,
  "program (guest)": json,
  "program (member)": { ...member, ...json },
};

/** Pages and answers below /public/1 that show records; none has a mark. */
const shown = {
  list: "/permits",
  "list by page": "/permits?page=1&per_page=1",
  record: "/permits/3",
  "record with a hidden citizen": "/permits/2",
  "list of what refers to hidden records": "/documents",
  "record that refers to a hidden record": "/documents/1",
  dashboard: "/board",
  "card with a table of what refers to hidden records": "/dashboards/main/cards/papers",
  "card with a list": "/dashboards/main/cards/permits",
  "card with hidden columns": "/dashboards/main/cards/columns",
  "association panel": "/permits/3/nested_documents",
  "panel below a citizen": "/citizens/11/nested_permits",
  "form of a record": "/permits/2/edit",
  "form of a record that refers to a hidden one": "/documents/1/edit",
  "typeahead of records": "/documents/typeahead/permit?q=a3",
  "typeahead without a text": "/documents/typeahead/permit",
  "typeahead of a hidden record": "/permits/typeahead/citizen?q=With",
  "search of the portal": "/_search?q=a3%40example.com",
  "search of the portal by a hidden record": "/_search?q=Draftstreet",
  export: "/permits.csv",
  "export of what refers to hidden records": "/documents.csv",
  "question of a deletion": "/documents/1/actions/destroy",
  "question of a bulk deletion": "/documents/bulk/destroy?ids[]=1",
};
/** Questions by a hidden column or record: they find as much as one by something that there is not, or are refused. */
const probes: Record<string, readonly [path: string, nothing: string]> = {
  search: ["/permits?q=a3%40example.com", "/permits?q=zz9%40example.com"],
  "search by name": ["/permits?q=Ada%20Hidden", "/permits?q=Nobody%20Here"],
  "filter by a column": ["/permits?filter[email]=a3%40example.com", "/permits?filter[email]=zz"],
  "filter by the beginning of a column": ["/permits?filter[email][begins]=a3", "/permits?filter[email][begins]=zz"],
  "filter by a column, in a group": [
    "/permits?filter[any][1][email][contains]=a3",
    "/permits?filter[any][1][email][contains]=zz",
  ],
  "filter by a column, none of": [
    "/permits?filter[none][1][email]=a3%40example.com",
    "/permits?filter[none][1][email]=zz",
  ],
  "filter of its own name, none of": [
    "/permits?match=none&filter[mail]=a3%40example.com",
    "/permits?match=none&filter[mail]=zz",
  ],
  "filter of its own name": ["/permits?filter[mail]=a3%40example.com", "/permits?filter[mail]=zz"],
  "filter of several inputs": ["/permits?filter[dear][over]=600", "/permits?filter[dear][over]=90000"],
  "filter by a hidden record": ["/permits?filter[citizen]=12", "/permits?filter[citizen]=99"],
  "filter by a hidden record, by operator": [
    "/permits?filter[citizen][any][]=12",
    "/permits?filter[citizen][any][]=99",
  ],
  "filter by a hidden record, left out": ["/permits?filter[citizen][not]=12", "/permits?filter[citizen][not]=99"],
  "filter by a hidden record, none of": [
    "/permits?filter[none][1][citizen]=12",
    "/permits?filter[none][1][citizen]=99",
  ],
  "filter by a hidden record, none left out": [
    "/permits?match=none&filter[citizen][not]=12",
    "/permits?match=none&filter[citizen][not]=99",
  ],
  "filter by another resource's hidden record": ["/documents?filter[permit]=1", "/documents?filter[permit]=99"],
  scope: ["/permits?scope=expensive", "/permits?scope=nowhere"],
  sort: ["/permits?sort=fee", "/permits?sort=nothing"],
  "sort of its own name": ["/permits?sort=dearest", "/permits?sort=nothing"],
};

for (const database of await databases()) {
  describe(`What reads for somebody, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openPermits({}, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const ask = async (path: string, headers: Record<string, string>, at = "/public/1") => {
      const answer = await app.request(`${at}${path}`, { headers });
      return { status: answer.status, text: await answer.text() };
    };
    /** The records that an answer names, by their numbers and titles. */
    const named = ({ text }: { text: string }) =>
      [...new Set(text.match(/(?<![\w-])P-\d(?![\w-])|Plan of \w+/g) ?? [])].sort();

    for (const [person, headers] of Object.entries(persons)) {
      can(`A ${person} sees the lists of the portal`, async () => {
        assert.equal(named(await ask("/permits", headers)), ["P-2", "P-3"]);
        assert.equal(named(await ask("/documents", headers)), ["Plan of one", "Plan of three"]);
      });
      for (const [reader, path] of Object.entries(shown))
        can(`${reader}: nothing hidden is shown to a ${person}`, async () => {
          const { text, status } = await ask(path, headers);
          assert.ok(status < 500, `${status} ${text.slice(0, 300)}`);
          const sent = decodeURIComponent(path);
          for (const mark of [...MARKS.columns, ...MARKS.records])
            if (!sent.includes(mark)) assert.not.match(text, mark, `${path} (${status})`);
        });
      for (const [reader, [path, nothing]] of Object.entries(probes))
        can(`${reader}: nothing hidden is found by a ${person}`, async () => {
          const asked = await ask(path, headers);
          const other = await ask(nothing, headers);
          assert.is(asked.status, other.status, path);
          assert.equal(named(asked), named(other), path);
        });
    }
    can("Staff find by what is hidden from others", async () => {
      const found = await ask("/permits?q=a3%40example.com", member, "/staff/1");
      assert.equal(named(found), ["P-3"]);
      assert.match((await ask("/documents/1", member, "/staff/1")).text, "a1@example.com · Draftstreet 1");
      assert.equal(named(await ask("/permits?filter[citizen]=12", member, "/staff/1")), ["P-2"]);
      assert.equal(named(await ask("/permits?scope=expensive", member, "/staff/1")), ["P-2"]);
    });
    can("Cards show the records that are not hidden", async () => {
      assert.match((await ask("/dashboards/main/cards/papers", member)).text, "Plan of three");
      assert.match((await ask("/dashboards/main/cards/permits", member)).text, "Permit 3");
      assert.match((await ask("/dashboards/main/cards/columns", member)).text, "P-3");
    });
    can("A list takes one statement for each association whose policy hides records, and none for others", async () => {
      const { knex } = databaseOf(app.application);
      const countOf = async (path: string, at?: string) => {
        const seen: string[] = [];
        const note = ({ sql }: { sql: string }) =>
          void (/^select .*from .(citizens|permits)/.test(sql) && seen.push(sql));
        knex.on("query", note);
        await ask(path, { ...member, ...json }, at);
        knex.removeListener("query", note);
        return seen.filter((sql) => /withdrawn|state/.test(sql)).length;
      };
      assert.ok((await countOf("/documents")) <= 2);
      assert.is(await countOf("/documents", "/staff/1"), 0);
    });
    can("The record behind a hidden reference is answered as one that is not there", async () => {
      assert.is((await ask("/permits/1", member)).status, 404);
    });
    can("A hidden reference is null for programs, and named as such on pages", async () => {
      const { data } = JSON.parse((await ask("/documents/1", { ...member, ...json })).text);
      assert.equal(data, { id: 1, title: "Plan of one", permit: null, citizen: null });
      assert.match((await ask("/documents/1", member)).text, "Not visible to you");
      assert.match((await ask("/documents", member)).text, "Not visible to you");
    });
    can("A title is made of permitted columns", async () => {
      assert.match((await ask("/permits/3", member)).text, "Permit 3");
      const { data } = JSON.parse((await ask("/documents/3", { ...member, ...json })).text);
      assert.equal(data.permit, { id: 3, label: "Permit 3" });
    });
    can("A form that is saved untouched keeps the stored keys", async () => {
      const answer = await new Member(app.url).submit("/public/1/documents/1/edit", {}, /action="[^"]*documents\/1"/);
      assert.is(answer.status, 303, await answer.text());
      const row = await databaseOf(app.application).knex("documents").where({ id: 1 }).first();
      assert.equal([row.permit_id, row.citizen_id], [1, 12]);
    });
    can("A program that changes something else, or sends back what it read, keeps the stored keys", async () => {
      const patch = async (document: object) =>
        (
          await app.request("/public/1/documents/1", {
            method: "PATCH",
            headers: { ...member, ...json, "content-type": "application/json" },
            body: JSON.stringify({ document }),
          })
        ).status;
      assert.is(await patch({ title: "Plan of one" }), 200);
      assert.is(await patch({ title: "Plan of one", permit: null, citizen: null }), 200);
      const row = await databaseOf(app.application).knex("documents").where({ id: 1 }).first();
      assert.equal([row.permit_id, row.citizen_id], [1, 12]);
      assert.is(await patch({ permit: 1 }), 422);
    });
  });
}
