import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

const policy = "app/policies/shipment_policy.ts";
const definition = "app/definitions/shipment_definition.ts";
/** Dan has no list; nobody opens a shipment of the carrier "Closed". */
const files: Record<string, string> = {
  ...wideFiles,
  [policy]: edited(wideFiles, policy, [
    "override canCreate",
    `override canUpdate() { return true; }
  override canDestroy() { return true; }
  override canIndex() { return this.user?.id !== 3; }
  override canShow() { return this.record?.carrier !== "Closed"; }
  override canCreate`,
  ]),
  [definition]: edited(wideFiles, definition, [
    "super.configure();",
    `super.configure(); this.perPage = 3; this.sort("author", { by: "name" });
    this.sort("loudest", { using: (query, direction) => query.orderBy("weight", direction === "asc" ? "desc" : "asc") });
    this.scope("light", { apply: (query) => query.where("weight", "<", 4) });`,
  ]),
};
const list = "/customer/1/shipments";
const as = (id: number) => ({ "x-user": String(id) });
const ann = as(1);

for (const database of await databases()) {
  describe(`The records before and after one in its list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        const { knex } = databaseOf(app.application);
        const more = Array.from({ length: 4 }, (_, at) => ({
          ...shipments(1, "ALP")[3]!,
          weight: 9 - at,
          fee_cents: 5,
        }));
        const rows = more.map((row, at) => ({ ...row, id: 1005 + at, reference: `ALP-00${5 + at}`, carrier: "Other" }));
        await knex("shipments").insert([...shipments(1, "ALP"), ...rows, ...shipments(2, "BAL")]);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const page = async (path: string, headers: Record<string, string> = ann) =>
      (await app.request(path, { headers })).text();
    const unescaped = (url: string) => url.replaceAll("&amp;", "&");
    const linksOf = (html: string) => {
      const nav = /<nav class="fw-neighbours".*?<\/nav>/s.exec(html)?.[0];
      const of = (rel: string) => new RegExp(`rel="${rel}" href="([^"]*)"`).exec(nav ?? "")?.[1];
      const back = /href="([^"]*)"/.exec(nav ?? "")?.[1];
      return nav === undefined ? undefined : { prev: of("prev"), next: of("next"), back: back && unescaped(back) };
    };
    /** The ids that "next" leads through from the first row of a list on, and those that "previous" leads back through. */
    const walk = async (query: string) => {
      const first = /class="fw-row-link" href="([^"]*)"/.exec(await page(list + query))?.[1];
      const idOf = (url: string) => Number(/shipments\/(\d+)/.exec(url)?.[1]);
      const there: number[] = [];
      const again: number[] = [];
      let last = first;
      for (let url = first; url; url = linksOf(await page(url))?.next) {
        there.push(idOf(url));
        last = url;
        if (there.length > 20) throw new Error("no end");
      }
      for (let url = last; url; url = linksOf(await page(url))?.prev) {
        again.push(idOf(url));
        if (again.length > 20) throw new Error("no end");
      }
      assert.equal([...again].reverse(), there, query);
      return there;
    };
    /** What the list itself has, page by page. */
    const listed = async (query: string) => {
      const answer = await app.request(`${list}.json${query}${query === "" ? "?" : "&"}per_page=50`, { headers: ann });
      return ((await answer.json()) as { data: { id: number }[] }).data.map(({ id }) => id);
    };

    can("lead through the list in its order, filtered, searched and in its scope, over its pages", async () => {
      for (const query of [
        "",
        "?sort=reference",
        "?sort=-status,weight",
        "?sort=due_on",
        "?sort=-fee",
        "?filter[status]=draft&sort=weight",
        "?filter[status][any][]=draft&filter[status][any][]=sent&sort=carrier",
        "?q=ALP-00&sort=carrier",
        "?scope=light&sort=-id",
      ])
        assert.equal(await walk(query), await listed(query), query);
    });
    can("lead through an order that has no cursors, page by page", async () => {
      for (const query of ["?sort=loudest", "?sort=-loudest", "?sort=author"])
        assert.equal(await walk(query), await listed(query), query);
    });
    can(
      "are not looked for where the record was not opened from a list, and cost two statements where it was",
      async () => {
        const statements: string[] = [];
        databaseOf(app.application).knex.on("query", ({ sql }: { sql: string }) => void statements.push(sql));
        const count = async (path: string) => {
          statements.length = 0;
          const html = await page(path);
          return { html, count: statements.length };
        };
        await count(`${list}/1002`);
        const plain = await count(`${list}/1002`);
        const inList = await count(`${list}/1002?_list=sort%3Dweight`);
        assert.equal(linksOf(plain.html), undefined);
        const isSlow = process.env.FW_DATABASE_FAST === "off"; // an instance has no stored row: it is read
        assert.equal(inList.count - plain.count, isSlow ? 3 : 2);
        assert.equal(linksOf(inList.html)?.back, `${list}?sort=weight`);
      },
    );
    can("are those of the tenant and of what the person may open, whatever the address says", async () => {
      assert.equal(
        (await walk("?sort=id")).every((id) => id < 2000),
        true,
      );
      const { knex } = databaseOf(app.application);
      await knex("shipments").where({ id: 1002 }).update({ carrier: "Closed" });
      const { next, prev } = linksOf(await page(`${list}/1001?_list=sort%3Did`))!;
      assert.ok(next?.startsWith(`${list}/1003?`), next);
      assert.equal(prev, undefined);
      assert.equal((await app.request(`${list}/1002?_list=sort%3Did`, { headers: ann })).status, 403);
      await knex("shipments").where({ id: 1002 }).update({ carrier: "Swift" });
    });
    can("are none of a list that the person does not have, and of what is no list", async () => {
      for (const query of [
        "_list=sort%3Dsecret_token",
        "_list=filter%5Bsecret_token%5D%3Dhidden-ALP-1",
        "_list=scope%3Dnone",
        "_list=page%3D0",
        "_list=columns%3Dsecret_token",
        "_list=%25E0%25A4",
        "_list[]=sort",
        "_list[sort]=id",
        `_list=q%3D${"a".repeat(1100)}`,
      ]) {
        const answer = await app.request(`${list}/1001?${query}`, { headers: ann });
        assert.equal([query, answer.status], [query, 200]);
        assert.equal(linksOf(await answer.text()), undefined, query);
      }
      assert.equal(linksOf(await page(`${list}/1001?_list=`, as(3))), undefined, "canIndex() is false");
      assert.equal((await app.request("/customer/2/shipments/1001?_list", { headers: as(2) })).status, 404);
      assert.equal(linksOf(await page(`${list}/1001?_list=sort%3Dloudest%26page%3D999999`))?.next, undefined);
    });
    can("are there for a record that the list no longer has", async () => {
      const links = linksOf(await page(`${list}/1002?_list=filter%5Bstatus%5D%3Ddraft%26sort%3Dweight`))!;
      assert.ok(links.next?.startsWith(`${list}/1004?`), links.next);
      const unordered = linksOf(await page(`${list}/1002?_list=filter%5Bstatus%5D%3Ddraft%26sort%3Dloudest`))!;
      assert.equal([unordered.next, unordered.prev], [undefined, undefined]);
    });
    can("stay when the record is edited, and the list when it is deleted", async () => {
      const html = await page(`${list}/1008?_list=sort%3Dreference%26page%3D3`);
      const edit = unescaped(/href="([^"]*\/edit[^"]*)"/.exec(html)![1]!);
      assert.equal(
        new URL(edit, "http://x").searchParams.get("return_to"),
        `${list}/1008?_list=sort%3Dreference%26page%3D3`,
      );
      const confirm = unescaped(/href="([^"]*\/actions\/destroy[^"]*)"/.exec(html)![1]!);
      const asked = await page(confirm);
      assert.match(asked, /name="return_to" value="\/customer\/1\/shipments\?sort=reference&amp;page=3"/);
    });
    can("are carried by the rows of people who are signed in alone", async () => {
      assert.match(
        await page(`${list}?sort=-weight&page=2`),
        /fw-row-link" href="[^"]*\?_list=sort%3D-weight%26page%3D2"/,
      );
      assert.equal(linksOf(await page(`${list}/1002?_list`)), linksOf(await page(`${list}/1002?_list=`)));
      assert.ok(linksOf(await page(`${list}/1002?_list`)));
      assert.match(await page(list), /fw-row-link" href="\/customer\/1\/shipments\/\d+\?_list"/);
    });
  });
}
