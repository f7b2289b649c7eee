import { serialize } from "node:v8";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const list = "/customer/1/shipments";
const ann = { "x-user": "1" };
const headersOf = (html: string) =>
  [...html.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]+)/g)].map(([, words]) => words!.trim());

for (const database of await databases()) {
  describe(`A list that nothing is said of, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(wideFiles, await database.values());
        const { knex } = databaseOf(app.application);
        await knex("shipments").insert([...shipments(1, "ALP"), ...shipments(2, "BAL")]);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const page = async (query = "") => (await app.request(list + query, { headers: ann })).text();
    /** The numbers of the rows that a query finds, or the status of the refusal. */
    const found = async (query: string, headers: Record<string, string> = ann, path = list) => {
      const answer = await app.request(`${path}?${query}&sort=id`, {
        headers: { ...headers, accept: "application/json" },
      });
      const { data } = (await answer.json()) as { data?: { id: number }[] };
      return data?.map(({ id }) => Number(id) % 1000) ?? answer.status;
    };

    can("It shows seven columns at most that tell most, the label first and the time of creation last", async () => {
      const shown = headersOf(await page());
      assert.equal(shown, ["Reference", "Status", "Fee", "Due on", "Author", "Category", "Created at"]);
      const json = (await (await app.request(`${list}.json`, { headers: ann })).json()) as { data: object[] };
      assert.is(Object.keys(json.data[0]!).length, 17, "JSON has all that the policy permits, and the id");
      assert.match(await page(), `<a class="fw-row-link" href="${list}/1004?_list">ALP-004</a>`);
    });

    can(
      "The search looks in the columns of one line that the person may read, and takes the text literally",
      async () => {
        assert.equal(await found("q=swift"), [2]);
        assert.equal(await found("q=desk3@"), [3]);
        assert.equal(await found("q=50%25_off"), [1]);
        assert.equal(await found("q=%25_%25"), []);
        assert.equal(await found("q=BAL-00"), [], "another tenant's");
        assert.equal(await found("q=hidden-ALP"), [], "a column that nobody may read");
        assert.equal(await found("q=long note"), [], "texts of several lines are left out");
        assert.match(await page(), 'type="search"');
        assert.match(await page("?q=Swift"), "ALP-002");
      },
    );

    can("Choices are alternatives, and rows without a value are one of them", async () => {
      assert.equal(await found("filter[status]=sent"), [2]);
      assert.equal(await found("filter[status][any][]=sent&filter[status][any][]=packed"), [1, 2]);
      assert.equal(await found("filter[status][any][]=sent&filter[status][empty]=1"), [2, 3]);
      assert.equal(await found("filter[status][empty]=1"), [3]);
      assert.equal(await found("filter[status][empty]=0"), [1, 2, 4]);
      assert.equal(await found("filter[status][not]=draft"), [1, 2, 3]);
      assert.equal(await found("filter[status][any][]="), [1, 2, 3, 4], "nothing was filled in");
      assert.equal(await found("filter[author]=1"), [1]);
      assert.equal(await found("filter[author][not]=3"), [1]);
      assert.equal(await found("filter[category][empty]=1"), [3]);
      assert.equal(await found("filter[fragile]=1"), [1, 3]);
    });

    can("Numbers, amounts and days have two ends, which both belong to what is found", async () => {
      assert.equal(await found("filter[weight][from]=2&filter[weight][to]=3"), [2, 3]);
      assert.equal(await found("filter[weight][from]=3"), [3, 4]);
      assert.equal(await found("filter[fee][to]=2.00"), [1, 2]);
      assert.equal(await found("filter[fee][empty]=1"), [4]);
      assert.equal(await found("filter[due_on][from]=2026-03-02&filter[due_on][to]=2026-03-04"), [2, 4]);
      assert.equal(
        await found("filter[sent_at][from]=2026-03-02&filter[sent_at][to]=2026-03-02"),
        [2],
        "the whole day",
      );
      assert.equal(await found("filter[due_on]=2026-03-01"), [1]);
    });

    can("Days that move with the calendar are those of today", async () => {
      const { knex } = databaseOf(app.application);
      const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      await knex("shipments")
        .where({ id: 1001 })
        .update({ due_on: day(0) });
      await knex("shipments")
        .where({ id: 1002 })
        .update({ due_on: day(-6) });
      await knex("shipments")
        .where({ id: 1004 })
        .update({ due_on: day(-7) });
      assert.equal(await found("filter[due_on][in]=today"), [1]);
      assert.equal(await found("filter[due_on][in]=last_7_days"), [1, 2]);
      assert.equal(await found(`filter[due_on][in]=last_30_days&filter[due_on][to]=${day(-1)}`), [2, 4]);
      assert.equal(await found("filter[due_on][in]=before_today"), [2, 4]);
      assert.equal(await found("filter[due_on][in]=next_7_days"), [1]);
      assert.is(await found("filter[due_on][in]=next_century"), 422);
    });

    can("What is not offered is refused, as what does not exist is", async () => {
      for (const query of [
        ...["filter[secret_token]=x", "filter[secret_token][contains]=x", "filter[never]=x", "filter[never][any][]=x"],
        ...["filter[weight][like]=1", "filter[weight][any][]=1", "filter[weight][from]=abc"],
        ...[
          "filter[weight][from][]=1",
          "filter[status][empty]=2",
          "filter[status][any][x][y]=1",
          "filter[due_on][from]=soon",
        ],
        ...["filter[extra][empty]=1", "filter[organization]=2", "filter[fragile][contains]=1"],
      ])
        assert.is(await found(query), 422, query);
      const [absent, hidden] = await Promise.all(
        ["never", "secret_token"].map(async (name) => {
          const headers = { ...ann, accept: "application/json" };
          return (await app.request(`${list}?filter[${name}][from]=1`, { headers })).text();
        }),
      );
      assert.is(hidden, absent);
    });

    can(
      "Columns are chosen in the address, and stay while the list is sorted, narrowed and leafed through",
      async () => {
        const chosen = "columns=status%2Cnote%2Creference";
        const html = await page("?columns=status,note,reference&per_page=2&q=ALP");
        assert.equal(headersOf(html), ["Status", "Note", "Reference"]);
        for (const link of [
          `?q=ALP&amp;sort=reference&amp;${chosen}`,
          `?q=ALP&amp;${chosen}&amp;page=2&amp;per_page=2`,
        ])
          assert.match(html, `href="${list}${link}"`);
        assert.match(html, '<input type="hidden" name="columns" value="status,note,reference">');
        assert.match(html, `<td><a class="fw-row-link" href="${list}/1004?_list=`);
        assert.equal(headersOf(await page("?columns[]=note&columns[]=status&columns[]=note")), ["Note", "Status"]);
        const usual = await page("?columns=reference,status,fee,due_on,author,category,created_at");
        assert.not.match(usual, /[?;"]columns=/, "the list's own are not carried along");
        assert.equal(headersOf(await page("?columns=")), headersOf(await page()));
      },
    );

    can("JSON has the chosen columns and the id", async () => {
      const answer = await app.request(`${list}.json?columns=note,status`, { headers: ann });
      const { data } = (await answer.json()) as { data: object[] };
      assert.equal(Object.keys(data[0]!), ["id", "note", "status"]);
    });

    can("Columns that the person may not read are refused as those that do not exist are", async () => {
      const headers = { ...ann, accept: "application/json" };
      const texts = await Promise.all(
        ["secret_token", "never", "organization", "__proto__"].map(async (name) => {
          const answer = await app.request(`${list}?columns=reference,${name}`, { headers });
          assert.is(answer.status, 422, name);
          return answer.text();
        }),
      );
      assert.is(new Set(texts).size, 1);
      for (const query of ["columns[a]=b", "columns[][a]=b", "columns=,"])
        assert.is((await app.request(`${list}?${query}`, { headers })).status, 422, query);
      const led = await app.request(`${list}?columns=secret_token&q=ALP`, { headers: ann });
      assert.is(led.headers.get("location"), `${list}?q=ALP`);
    });

    can("The columns that the person may read are offered, those that are shown first", async () => {
      const open = await page("/list/options?show=columns&columns=status,note");
      const boxes = [...open.matchAll(/name="columns\[\]" value="(\w+)"( checked)?/g)];
      assert.equal(
        boxes.slice(0, 3).map(([, name, checked]) => [name, checked !== undefined]),
        [
          ["status", true],
          ["note", true],
          ["reference", false],
        ],
      );
      assert.is(boxes.length, 16);
      assert.not.match(open, 'type="hidden" name="columns"');
    });

    can("The search that is drawn once is that of the general way, but for what it carries", async () => {
      const formOf = (html: string) => /<form class="fw-find".*?<\/form>/s.exec(html)?.[0];
      const once = formOf(await page());
      const general = formOf(await page("?sort=weight"))?.replace(
        '<input type="hidden" name="sort" value="weight">',
        "",
      );
      assert.match(once ?? "", 'type="search"');
      assert.is(once, general);
    });

    can("A page without a character beyond Latin-1 is a string of one byte a character", async () => {
      const raw = { method: "GET", url: `${list}?per_page=2`, headers: { host: "localhost", ...ann }, rawHeaders: [] };
      const { body } = await app.application.answer(raw as never);
      assert.match(String(body), "fw-row-actions");
      assert.match(String(body), 'aria-label="Page 2"');
      const [tag] = serialize(body)
        .subarray(2)
        .filter((byte) => byte !== 0);
      assert.is(String.fromCharCode(tag!), '"', "as V8 marks such a string; one of two bytes is marked c");
    });

    can("Filters open as a page and in their frame, and what is on is a link that takes it away", async () => {
      const closed = await page();
      assert.match(closed, `href="${list}/list/options?show=add" data-popover="fw-options"`);
      assert.not.match(closed, '<turbo-frame id="fw-options');
      const headers = { ...ann, "turbo-frame": "fw-options" };
      const framed = await (await app.request(`${list}/list/options?show=set&q=A&field=status`, { headers })).text();
      assert.match(framed, /^<turbo-frame id="fw-options"><form class="fw-condition"/);
      assert.match(framed, '<input type="hidden" name="q" value="A">');
      const query = "filter[status][any][]=sent&filter[weight][from]=1&filter[author]=3&sort=-weight";
      const on = await page(`?${query}`);
      for (const part of ["<span>Status</span> Sent", "<span>Weight</span> from 1", "<span>Author</span> Cat"])
        assert.match(on, part);
      for (const [field, was, part] of [
        ["status", "any", 'name="value[]" value="sent" checked'],
        ["weight", "from", 'name="value" value="1"'],
        ["author", "is", '<option value="3" selected>Cat</option>'],
      ]) {
        const form = await page(`/list/options?show=set&${query}&field=${field}&was=${was}`);
        assert.match(form, part!);
        assert.match(form, '<input type="hidden" name="sort" value="-weight">');
      }
      const many = Array.from({ length: 8 }, (_, at) => `filter[author][any][]=${at + 1}`).join("&");
      assert.match(await page(`?${many}`), /Ann Alpine or .* or 3 more/);
      const without = `${list}?filter[weight][from]=1&filter[author]=3&sort=-weight`;
      const links = [...on.matchAll(/class="fw-chip-remove" href="([^"]+)"/g)].map(([, url]) =>
        decodeURIComponent(url!.replaceAll("&amp;", "&")),
      );
      assert.ok(links.includes(without), links.join("\n"));
    });
  });
}

describe("A list of which something is said", (it) => {
  const opened = async (
    definition: string,
    body: (app: TestApp) => Promise<void>,
    more: Record<string, string> = {},
  ) => {
    const file = "app/definitions/shipment_definition.ts";
    const files = {
      ...wideFiles,
      [file]: edited(wideFiles, file, ["super.configure();", `super.configure(); ${definition}`]),
    };
    const app = await openTenants({ ...files, ...more }, {});
    try {
      await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      await body(app);
    } finally {
      await app.close();
    }
  };
  const status = async (app: TestApp, query: string, headers: Record<string, string> = ann) =>
    (await app.request(`${list}?${query}`, { headers: { ...headers, accept: "application/json" } })).status;

  it("A definition takes the search and a filter away, and keeps a column that it names", () =>
    opened(
      `this.search(false); this.filter("status", false); this.column("note"); this.column("updated_at");
       this.column("weight", { condition: () => false }); this.filter("carrier");`,
      async (app) => {
        assert.is(await status(app, "q=Swift"), 422);
        assert.is(await status(app, "filter[status]=sent"), 422);
        assert.is(await status(app, "filter[weight][from]=1"), 422, "hidden from some people");
        assert.is(await status(app, "filter[carrier][contains]=wif"), 200);
        const html = await (await app.request(list, { headers: ann })).text();
        const shown = headersOf(html);
        assert.ok(shown.includes("Note") && shown.includes("Updated at"), shown.join());
        assert.is(shown.includes("Weight"), false);
        assert.not.match(html, 'type="search"');
        assert.match(html, 'name="filter[carrier]"');
      },
    ));
  it("A policy with a list of its own decides which columns there are, in its order", () => {
    const file = "app/policies/shipment_policy.ts";
    const own = 'override permittedAttributesForIndex() { return ["note", "weight", "reference", "updated_at"]; }';
    const policy = edited(wideFiles, file, ["override canRead()", `${own} override canRead()`]);
    return opened(
      "",
      async (app) => {
        const html = await (await app.request(list, { headers: ann })).text();
        assert.equal(headersOf(html), ["Note", "Weight", "Reference", "Updated at"]);
        assert.is(await status(app, "filter[status]=sent"), 422, "not permitted in the list");
      },
      { [file]: policy },
    );
  });
});
