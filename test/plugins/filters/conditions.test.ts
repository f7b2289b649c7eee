import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { shipments, wideFiles } from "../resources/wide_app.ts";
import { openTenants } from "../scoping/tenants.ts";

const list = "/customer/1/shipments";
const ann = { "x-user": "1" };
const migration = "db/migrate/20260301000000_create_shipments.ts";
const files = {
  ...wideFiles,
  [migration]: edited(wideFiles, migration, ['t.integer("weight");', 't.integer("weight"); t.time("opens_at");']),
  "app/policies/shipment_policy.ts": edited(
    wideFiles,
    "app/policies/shipment_policy.ts",
    [
      "override canCreate() { return true; }",
      "override canCreate() { return true; } override canDestroy() { return true; } override canExport() { return true; }",
    ],
    ["permittedAttributesForRead() { return [", 'permittedAttributesForRead() { return ["opens_at", '],
    ["permittedAttributesForCreate() { return [", 'permittedAttributesForCreate() { return ["opens_at", '],
  ),
  "app/definitions/shipment_definition.ts": edited(wideFiles, "app/definitions/shipment_definition.ts", [
    "super.configure();",
    'super.configure(); this.action("destroy", { bulk: true }); this.filter("odd", { as: "boolean", apply: (query, value) => value === "1" ? query.whereRaw("weight % 2 = 1") : query });',
  ]),
};

for (const database of await databases()) {
  describe(`Conditions of a list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        await knex()("shipments").insert([...shipments(1, "ALP"), ...shipments(2, "BAL")]);
        await knex()("shipments").where({ id: 1002 }).update({ carrier: "Äther 50%_off", note: "swift as a dart" });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const ask = (path: string, init: RequestInit = {}) =>
      app.request(path, { ...init, headers: { ...ann, ...(init.headers as object) } });
    /** The numbers of the rows that a query finds, or the status of the refusal. */
    const found = async (query: string) => {
      const answer = await ask(`${list}.json?${query}&sort=id`);
      const { data } = (await answer.json()) as { data?: { id: number }[] };
      return data?.map(({ id }) => Number(id) % 1000) ?? answer.status;
    };

    can("Texts are compared as a whole, by their beginning, their end and a part, whatever the case", async () => {
      assert.equal(await found("filter[reference][begins]=alp-00"), [1, 2, 3, 4]);
      assert.equal(await found("filter[reference][ends]=3"), [3]);
      assert.equal(await found("filter[reference][contains]=lp-004"), [4]);
      assert.equal(await found("filter[reference][is]=Alp-001"), [1]);
      assert.equal(await found("filter[reference][not]=alp-001"), [2, 3, 4]);
      assert.equal(await found("filter[carrier][is]=DART"), [1]);
      assert.equal(await found("filter[carrier][not]=dart"), [2, 3, 4], "no value is another one");
      assert.equal(await found("filter[carrier][empty]=1"), [3, 4]);
      assert.equal(await found("filter[carrier][empty]=0"), [1, 2]);
      assert.equal(await found("filter[note][contains]=AS A"), [2], "long texts too");
      for (const text of ["äther", "Äther", "ÄTHER"]) {
        const named = encodeURIComponent(text);
        assert.equal(await found(`filter[carrier][begins]=${named}`), [2], text);
        assert.equal(await found(`filter[carrier][contains]=${named}`), [2], text);
        assert.equal(await found(`q=${named}`), [2], text);
        assert.equal(await found(`filter[carrier][is]=${named} 50%25_OFF`), [2], text);
      }
    });
    can("Wildcards stand for themselves", async () => {
      assert.equal(await found("filter[carrier][contains]=50%25_"), [2]);
      for (const sign of ["%25", "_", "D%25", "D_rt", "[d]art", "D*", "?art", "!D", "Ä*", "[Ä]"])
        assert.equal(await found(`filter[carrier][begins]=${sign}`), [], sign);
      assert.equal(await found("filter[carrier][ends]=%25_off"), [2]);
      assert.equal(await found("filter[carrier][ends]=%25off"), []);
    });
    can("Several values of a choice are left out together", async () => {
      assert.equal(await found("filter[status][not][]=packed&filter[status][not][]=sent"), [3, 4]);
      assert.equal(await found("filter[author][not][]=1"), [2, 3, 4]);
      assert.equal(await found("filter[fragile][is]=1"), [1, 3]);
      assert.equal(await found("filter[weight][is]=3"), [3]);
      assert.equal(await found("filter[due_on][is]=2026-03-02"), [2]);
      assert.equal(await found("filter[sent_at][is]=2026-03-02"), [2], "the whole day");
    });

    can("Times of a day have two ends, and are equal with and without seconds", async () => {
      for (const [id, opens_at] of [
        [1001, "08:00"],
        [1002, "09:30:00"],
        [1003, "17:45:10"],
      ] as const) {
        const headers = { ...ann, accept: "application/json", "content-type": "application/json" };
        const body = JSON.stringify({ shipment: { opens_at } });
        const answer = await app.request(`${list}/${id}`, { method: "PATCH", headers, body });
        assert.is(answer.status, 200, await answer.text());
      }
      assert.equal(await found("filter[opens_at][from]=08:30&filter[opens_at][to]=17:45:10"), [2, 3]);
      assert.equal(await found("filter[opens_at][is]=08:00"), [1]);
      assert.equal(await found("filter[opens_at][is]=08:00:00"), [1]);
      assert.equal(await found("filter[opens_at][is]=09:30"), [2]);
      assert.equal(await found("filter[opens_at][to]=09:30"), [1, 2]);
      assert.equal(await found("filter[opens_at][empty]=1"), [4]);
      assert.is(await found("filter[opens_at][from]=25:00"), 422);
    });

    can("Any of the conditions is enough, or none of them may hold", async () => {
      const both = "filter[reference][ends]=1&filter[weight][from]=4";
      assert.equal(await found(both), []);
      assert.equal(await found(`${both}&match=all`), []);
      assert.equal(await found(`${both}&match=any`), [1, 4]);
      assert.equal(await found(`${both}&match=none`), [2, 3]);
      assert.equal(await found("filter[weight][from]=2&filter[weight][to]=3&match=any"), [2, 3], "a range is one");
      assert.equal(await found("filter[reference][ends]=1&filter[reference][contains]=004&match=any"), [1, 4]);
      assert.equal(await found("filter[status]=packed&match=none"), [2, 3, 4], "a row without a value has another one");
      assert.equal(await found("filter[status][not]=packed&match=none"), [1]);
      assert.equal(await found("filter[odd]=1&match=none"), [2, 4], "the definition's own");
      assert.equal(await found("filter[odd]=0&filter[weight]=1&match=any"), [1, 2, 3, 4], "which narrows nothing");
      assert.equal(await found("match=any"), [1, 2, 3, 4]);
      assert.is(await found("match=some"), 422);
    });
    can("Groups stand in each other", async () => {
      const group = "filter[any][1][reference][ends]=1&filter[any][1][weight][from]=4";
      assert.equal(await found(group), [1, 4]);
      assert.equal(await found(`${group}&filter[fragile]=1`), [1]);
      assert.equal(await found(`${group}&filter[any][2][status]=packed&filter[any][2][status][any][]=draft`), 422);
      assert.equal(await found(`${group}&filter[any][2][status]=draft`), [4]);
      assert.equal(await found(`${group}&filter[none][1][status]=draft`), [1]);
      assert.equal(
        await found("match=any&filter[weight]=2&filter[all][1][status]=draft&filter[all][1][weight][from]=4"),
        [2, 4],
      );
      assert.equal(
        await found(
          "filter[any][1][weight]=2&filter[any][1][all][1][status]=draft&filter[any][1][all][1][weight][from]=4",
        ),
        [2, 4],
      );
      assert.equal(
        await found("filter[any][1][reference][begins]=BAL&filter[any][1][weight]=1"),
        [1],
        "one's own tenant",
      );
      assert.equal(await found("filter[any][1][weight]=&filter[none]="), [1, 2, 3, 4], "nothing was filled in");
    });
    can("Too many conditions, and groups too deep in each other, are refused with a sentence", async () => {
      const many = Array.from({ length: 51 }, (_, at) => `filter[any][${at}][weight]=1`).join("&");
      const deep = "filter[any][1][any][1][any][1][weight]=1";
      for (const [query, sentence] of [
        [many, "a list takes 50 conditions at most."],
        [deep, "groups of conditions stand in each other 2 deep at most."],
      ] as const) {
        const answer = await ask(`${list}.json?${query}`);
        assert.is(answer.status, 400);
        assert.match(await answer.text(), sentence);
        assert.is((await ask(`${list}?${query}`)).status, 400, "no redirect either");
      }
      assert.is(await found(`${deep}&filter[any][1][any][1][any][1][any][1][any][1][any][1][any][1][x]=1`), 400);
    });

    can("What is not offered is refused in groups as what does not exist is", async () => {
      const refusal = async (query: string) => {
        const answer = await ask(`${list}.json?${query}`);
        assert.is(answer.status, 422, query);
        return answer.text();
      };
      for (const part of ["is", "begins", "contains", "ends", "empty", "not", "from", "any"]) {
        const texts = await Promise.all(
          ["secret_token", "never", "__proto__x", "organization"].flatMap((name) => [
            refusal(`filter[${name}][${part}]=1`),
            refusal(`filter[any][1][${name}][${part}]=1`),
            refusal(`filter[none][1][all][1][${name}][${part}]=1`),
          ]),
        );
        assert.is(new Set(texts).size, 1, part);
      }
      for (const query of ["filter[weight][begins]=1", "filter[reference][from]=a", "filter[fragile][contains]=1"])
        assert.match(await refusal(query), "can't be filtered by");
      for (const query of ["filter[any][1][weight]=abc", "filter[any]=1", "filter[any][][]=1"]) await refusal(query);
      const led = await ask(`${list}?filter[any][1][secret_token][begins]=h&q=ALP`);
      assert.is(led.headers.get("location"), `${list}?q=ALP`);
    });

    can("Pages, exports, totals of the count and neighbours have the same conditions", async () => {
      const query = "match=any&filter[reference][ends]=1&filter[weight][from]=4";
      const html = await (await ask(`${list}?${query}`)).text();
      assert.match(html, "2 shipments");
      assert.match(html, /ALP-001/);
      assert.not.match(html, /ALP-002/);
      const csv = await (await ask(`${list}/export.csv?${query}`)).text();
      assert.match(csv, /ALP-001[\s\S]*ALP-004|ALP-004[\s\S]*ALP-001/);
      assert.not.match(csv, /ALP-00[23]/);
      const from = `${list}/1004?_list=${encodeURIComponent(query)}`;
      const record = await (await ask(from)).text();
      assert.match(record, /rel="next" href="\/customer\/1\/shipments\/1001\?/);
      assert.not.match(record, /rel="next" href="\/customer\/1\/shipments\/100[23]/);
    });
    can("The bar of selected rows carries the conditions of the list", async () => {
      const query = "match=any&filter[carrier]=Dart&filter[all][1][reference][ends]=4&filter[all][1][weight][from]=4";
      const html = await (await ask(`${list}?${query}`)).text();
      const form = /<form id="fw-bulk".*?<\/form>/s.exec(html)![0];
      const carried = [...form.matchAll(/type="hidden" name="((?:match|filter)[^"]*)" value="([^"]*)"/g)];
      const sent = new URLSearchParams(carried.map(([, name, value]) => [name!, value!] as [string, string]));
      assert.is(decodeURIComponent(String(sent)), query);
      const address = /formaction="([^"]+)"/.exec(form)![1]!.replaceAll("&amp;", "&");
      assert.is(decodeURIComponent(address), `${list}/bulk/destroy?${query}`);
    });
  });
}

describe("A credential that a policy permits in the list", (it) => {
  it("It can't be filtered by, not even where the definition declares it, but by an apply of its own", async () => {
    const policy = "app/policies/shipment_policy.ts";
    const definition = "app/definitions/shipment_definition.ts";
    const app = await openTenants(
      {
        ...wideFiles,
        [policy]: edited(wideFiles, policy, [
          'permittedAttributesForRead() { return ["reference"',
          'permittedAttributesForRead() { return ["secret_token", "tracking_code", "reference"',
        ]),
        [definition]: edited(wideFiles, definition, [
          "super.configure();",
          'super.configure(); this.filter("secret_token"); this.field("tracking_code", { as: "password" }); this.filter("tracking_code", { apply: (query, value) => query.where("tracking_code", value) });',
        ]),
      },
      {},
    );
    try {
      await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      const status = async (query: string) => (await app.request(`${list}.json?${query}`, { headers: ann })).status;
      for (const query of [
        ...["filter[secret_token]=hidden-ALP-1", "filter[secret_token][begins]=h", "filter[secret_token][is]=h"],
        ...["filter[none][1][secret_token][begins]=h", "filter[any][1][secret_token][empty]=1"],
        "filter[tracking_code][begins]=5",
      ])
        assert.is(await status(query), 422, query);
      assert.is(await status("filter[tracking_code]=50"), 200);
      const fields = await (await app.request(`${list}/list/options`, { headers: ann })).text();
      assert.not.match(fields, /field=(secret_token|tracking_code)/);
    } finally {
      await app.close();
    }
  });
});
