import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { shipments, wideFiles } from "../resources/wide_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const list = "/customer/1/shipments";
const ann = { "x-user": "1" };

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`What is opened at the head of a list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(wideFiles, await database.values());
        await databaseOf(app.application)
          .knex("shipments")
          .insert([...shipments(1, "ALP"), ...shipments(2, "BAL")]);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const ask = (path: string, headers: Record<string, string> = {}) =>
      app.request(list + path, { headers: { ...ann, ...headers } });
    const page = async (path: string) => (await ask(path)).text();
    /** Where the form of a condition leads; the status where it leads nowhere. */
    const set = async (query: string) => {
      const answer = await ask(`/list/options?show=set&${query}`);
      const to = answer.headers.get("location");
      return to === null ? answer.status : decodeURIComponent(to.slice(list.length));
    };
    const chipsOf = (html: string) =>
      (/<ul class="fw-chips".*?<\/ul>(?=<a class="btn btn-ghost|<div|<\/div>)/s.exec(html)?.[0] ?? "")
        .replaceAll(/<svg.*?<\/svg>|<i [^>]*><\/i>/gs, "")
        .replaceAll("<ul aria-label", " (<ul aria-label")
        .replaceAll("</ul></li>", ")")
        .replaceAll(/<\/li>|<\/a>/g, " ")
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll(/\s+/g, " ")
        .replaceAll(/ (?=\))/g, "")
        .replaceAll(/\( /g, "(")
        .trim();

    can("The fields that the person may filter by are listed, and no other", async () => {
      const html = await page("/list/options?q=A&show=add");
      const fields = [...html.matchAll(/q=A&amp;show=set&amp;field=(\w+)/g)].map(([, name]) => name);
      assert.equal(fields, [
        ...["reference", "note", "carrier", "contact_email", "status", "weight", "fee", "fragile", "due_on"],
        ...["sent_at", "tracking_code", "author", "category", "created_at", "updated_at"],
      ]);
      for (const none of ["secret_token", "never", "extra", "organization", "__proto__"])
        assert.is(await set(`field=${none}&operator=is&value=x`), 404, none);
    });
    can("A condition that is sent is in the address of the list", async () => {
      const cases: Record<string, string> = {
        "field=reference&operator=begins&value=Al": "?filter[reference][begins]=Al",
        "field=reference&operator=not&value=50%25": "?filter[reference][not]=50%",
        "field=carrier&operator=filled&value=rest": "?filter[carrier][empty]=0",
        "field=status&operator=any&value[]=sent&value[]=draft":
          "?filter[status][any][]=sent&filter[status][any][]=draft",
        "field=status&operator=any&value[]=sent&empty=1": "?filter[status][any][]=sent&filter[status][empty]=1",
        "field=status&operator=not&value[]=sent&empty=1": "?filter[status][not][]=sent",
        "field=author&operator=not&value[]=&value[]=3": "?filter[author][not][]=3",
        "field=weight&operator=between&value=1&until=3": "?filter[weight][from]=1&filter[weight][to]=3",
        "field=weight&operator=to&value=3&until=9": "?filter[weight][to]=3",
        "field=due_on&operator=in&days=this_week&value=2026-01-01": "?filter[due_on][in]=this_week",
        "field=fragile&operator=is&value=0": "?filter[fragile][is]=0",
        "q=A&sort=-weight&columns=weight&field=weight&operator=is&value=2":
          "?q=A&filter[weight][is]=2&sort=-weight&columns=weight",
      };
      for (const [query, address] of Object.entries(cases)) assert.is(await set(query), address, query);
    });
    can("A value that is missing or does not fit is named, and what was typed stays", async () => {
      for (const query of [
        ...["field=weight&operator=is&value=", "field=status&operator=any", "field=due_on&operator=in&days="],
        ...["field=weight&operator=between&value=1&until=", "field=weight&operator=begins&value=1"],
        "field=created_at&operator=empty",
      ]) {
        const answer = await ask(`/list/options?show=set&${query}`);
        assert.is(answer.status, 422, query);
        assert.match(await answer.text(), "Enter a value.");
      }
      const answer = await ask("/list/options?show=set&field=weight&operator=from&value=abc");
      assert.is(answer.status, 422);
      const html = await answer.text();
      assert.match(html, "This value does not fit the field.");
      assert.match(html, 'name="value" value="abc"');
      assert.match(html, '<option value="from" selected>');
      assert.is(await set("field=author&operator=any&value[]=1abc"), 422);
    });
    can("A condition is changed in its place, and a second one of its operator stands beside it", async () => {
      const on = "filter[reference][begins]=Al&filter[weight][from]=1";
      assert.is(
        await set(`${on}&field=reference&was=begins&operator=ends&value=1`),
        "?filter[weight][from]=1&filter[reference][ends]=1",
      );
      assert.is(
        await set(`${on}&field=weight&was=from&operator=empty`),
        "?filter[reference][begins]=Al&filter[weight][empty]=1",
      );
      assert.is(
        await set("filter[status]=sent&field=status&operator=empty"),
        "?filter[status][any][]=sent&filter[status][empty]=1",
      );
      const twice = await set("filter[reference][contains]=A&field=reference&operator=contains&value=B");
      assert.is(twice, "?filter[reference][contains]=A&filter[all][1][reference][contains]=B");
      assert.is(chipsOf(await page(String(twice))), "All of these Reference contains “A” Reference contains “B”");
      const either = await set("match=any&filter[reference][contains]=A&field=reference&operator=contains&value=B");
      assert.is(either, "?match=any&filter[reference][contains]=A&filter[any][1][reference][contains]=B");
    });
    can("Groups are added, filled, changed and taken away", async () => {
      const one = await set("filter[fragile]=1&place=any.new&field=weight&operator=is&value=1");
      assert.is(one, "?filter[fragile]=1&filter[any][1][weight][is]=1");
      const group = "filter[fragile]=1&filter[any][1][weight][is]=1";
      const two = await set(`${group}&place=any.1&field=reference&operator=ends&value=3`);
      assert.is(two, `?${group}&filter[any][1][reference][ends]=3`);
      const inner = await set(`${String(two).slice(1)}&place=any.1.none.new&field=status&operator=empty`);
      assert.is(inner, `${two}&filter[any][1][none][1][status][empty]=1`);
      const html = await page(String(inner));
      assert.is(
        chipsOf(html),
        "All of these Fragile Yes (Any of these Weight 1 Reference ends with “3” (None of these Status empty))",
      );
      const addresses = [...html.matchAll(/class="fw-chip-remove" href="([^"]+)"/g)].map(([, url]) =>
        decodeURIComponent(url!.replaceAll("&amp;", "&")).slice(list.length),
      );
      assert.equal(addresses, [
        String(inner).replace("filter[fragile]=1&", ""),
        String(inner).replace("filter[any][1][weight][is]=1&", ""),
        String(inner).replace("filter[any][1][reference][ends]=3&", ""),
        String(two),
      ]);
      const options = await page(`/list/options?show=group&${String(inner).slice(1)}&place=any.1`);
      const links = [...options.matchAll(/href="([^"]+)" data-turbo-frame="_top"/g)].map(([, url]) =>
        decodeURIComponent(url!.replaceAll("&amp;", "&")).slice(list.length),
      );
      assert.equal(links, [
        String(inner),
        String(inner).replaceAll("[any][1]", "[all][1]"),
        String(inner).replaceAll("[any][1]", "[none][1]"),
        "?filter[fragile]=1",
      ]);
      assert.match(options, 'aria-current="true">Any of these');
      const top = await page(`/list/options?show=group&${group}`);
      assert.match(top.replaceAll("&amp;", "&"), `href="${list}?match=any&filter%5Bfragile%5D=1`);
      assert.match(top, `href="${list}" data-turbo-frame="_top">Clear all`);
      assert.is((await ask("/list/options?show=group&place=any.3")).status, 404);
      assert.not.match(
        await page(`/list/options?show=add&${String(inner).slice(1)}&place=any.1.none.1`),
        "Add a group",
      );
      assert.match(await page("/list/options?show=add&place=any.1"), "place=any.1.all.new");
      assert.is(await set("place=x.1&field=weight&operator=is&value=1"), "?filter[weight][is]=1", "no place at all");
    });
    can("Numbers are entered in the person's form", async () => {
      const answer = await ask(
        "/list/options?show=set&field=fee&operator=between&value=0,5&until=1,5&_number_value=de&_number_until=de",
      );
      const address = decodeURIComponent(answer.headers.get("location") ?? "");
      assert.is(address, `${list}?filter[fee][from]=0.5&filter[fee][to]=1.5`);
    });
  });
}

describe("A filter that stands beside the search", (it) => {
  it("It is a chip where operators say it, and where any or none have to be met", async () => {
    const file = "app/definitions/shipment_definition.ts";
    const changed = edited(wideFiles, file, ["super.configure();", 'super.configure(); this.filter("status");']);
    const app = await openTenants({ ...wideFiles, [file]: changed }, {});
    try {
      await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP"));
      const page = async (query: string) => (await app.request(`${list}?${query}`, { headers: ann })).text();
      const select = /<select[^>]*name="filter\[status\]"/;
      const plain = await page("filter[status]=sent&filter[weight][from]=1");
      assert.match(plain, select);
      assert.not.match(plain, "<span>Status</span>");
      for (const query of ["filter[status][any][]=sent", "match=any&filter[status]=sent&filter[weight][from]=1"]) {
        const html = await page(query);
        assert.not.match(html, select, query);
        assert.match(html, "<span>Status</span> Sent", query);
      }
      assert.match(await page("match=any&filter[weight][from]=1"), select);
    } finally {
      await app.close();
    }
  });
});

describe("What guests are offered at the head of a list", (it) => {
  const file = "app/definitions/post_definition.ts";
  const declared = {
    ...tenantFiles,
    [file]: edited(tenantFiles, file, ["super.configure();", 'super.configure(); this.filter("title");']),
  };
  for (const [what, files, fields] of [
    ["nothing, where the definition declares nothing", tenantFiles, undefined],
    ["what the definition declares, and no columns", declared, ["title"]],
  ] as const)
    it(`It is ${what}`, async () => {
      const app = await openTenants(files, {});
      try {
        const ask = (path: string) => app.request(`/guest/1/posts${path}`);
        const html = await (await ask("")).text();
        assert.is(/data-popover/.test(html), fields !== undefined);
        const opened = await ask("/list/options");
        assert.is(opened.status, fields === undefined ? 404 : 200);
        const offered = [...(await opened.text()).matchAll(/show=set&amp;field=(\w+)/g)].map(([, name]) => name);
        assert.equal(offered, fields ?? []);
        for (const show of ["columns", "display", "set&field=author&operator=is&value=1"])
          assert.is((await ask(`/list/options?show=${show}`)).status, 404, show);
        const set = await ask("/list/options?show=set&field=title&operator=begins&value=Al");
        assert.is(set.status, fields === undefined ? 404 : 303);
        const found = await (await ask("?filter[title][begins]=alp")).text();
        assert.is(/fw-chip/.test(found), fields !== undefined);
      } finally {
        await app.close();
      }
    });
});
