import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { shipments, wideFiles } from "./wide_app.ts";

interface Found {
  data: { label: string; url: string; records: { id: number; label: string; line?: string; url: string }[] }[];
  meta: { unsearched: string[]; actions?: { label: string; url: string }[]; headings?: Record<string, string> };
}
/** The fixture's posts have a search of their own, which finds them all. */
const shipmentsIn = ({ data }: Found) =>
  data.flatMap(({ label, records }) => (label === "Shipments" ? records.map((one) => one.label) : []));
const path = "/customer/1/_search";
const json = { accept: "application/json" };
const ann = { "x-user": "1" };
const bob = { "x-user": "2" };

for (const database of await databases()) {
  describe(`The search of a portal, on ${database.name}`, (it, { before, after }) => {
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
    const find = async (term: string, headers: Record<string, string> = ann, at = path) => {
      const answer = await app.request(`${at}?${new URLSearchParams({ q: term })}`, {
        headers: { ...headers, ...json },
      });
      return answer.status === 200 ? ((await answer.json()) as Found) : answer.status;
    };
    const labels = (found: Found | number) => (typeof found === "number" ? found : shipmentsIn(found));

    can("It finds the latest records of each resource, with links to them and to the list", async () => {
      const found = (await find("ALP-00")) as Found;
      const group = found.data.find(({ label }) => label === "Shipments")!;
      assert.equal(group.url, "/customer/1/shipments?q=ALP-00");
      assert.equal(group.records[0], {
        id: 1004,
        label: "ALP-004",
        url: "/customer/1/shipments/1004",
        line: "Cat · Shared",
      });
      assert.equal(found.meta, { unsearched: [] });
      assert.equal(labels(await find("swift")), ["ALP-002"]);
      assert.equal(labels(await find("50%_off")), ["ALP-001"], "the text is taken literally");
      assert.equal(labels(await find("   ")), []);
      assert.equal(labels(await find("x".repeat(5000))), []);
    });

    can("Before anything is typed it has what the person may create", async () => {
      const { meta } = (await find("")) as Found;
      assert.ok(
        meta.actions!.some(({ label, url }) => label === "New shipment" && url === "/customer/1/shipments/new"),
      );
      assert.equal(meta.headings, { actions: "Actions", recent: "Recent", switch: "Switch to {{name}}" });
      assert.is(((await find("ALP")) as Found).meta.actions, undefined);
    });

    can("Another tenant's records, and columns that nobody may read, are not found", async () => {
      assert.equal(labels(await find("BAL-00")), []);
      assert.equal(labels(await find("hidden-ALP")), []);
      assert.is(await find("ALP", bob), (await app.request("/customer/1/shipments", { headers: bob })).status);
      assert.is(await find("ALP", {}), (await app.request("/customer/1/shipments", { headers: json })).status);
    });

    can("It is a page of its own without JavaScript, and each page of the portal links to it", async () => {
      const page = await (await app.request(`${path}?q=ALP-002`, { headers: ann })).text();
      assert.match(page, '<a class="fw-row-link" href="/customer/1/shipments/1002">ALP-002</a>');
      assert.match(page, 'value="ALP-002"');
      const odd = await (await app.request(`${path}?q=%3Cb%3E`, { headers: ann })).text();
      assert.not.match(odd, "<b>");
      assert.match(
        await (await app.request("/customer/1/shipments", { headers: ann })).text(),
        `href="${path}" data-palette`,
      );
      assert.is((await app.request(`${path}?q[a]=b`, { headers: ann })).status, 200);
    });
  });

  describe(`The search of a portal and its policies, on ${database.name}`, (it) => {
    it.unless(database.skip, "Who may not search a list, or not see its records, finds none of them", async () => {
      const policy = "app/policies/shipment_policy.ts";
      const open = async (said: string) =>
        openTenants(
          { ...wideFiles, [policy]: wideFiles[policy]!.replace("override canCreate", `${said}\n  override canCreate`) },
          await database.values(),
        );
      for (const [said, expected] of [
        ["override canSearch() { return false; }", []],
        ["override canIndex() { return false; }", []],
        ["override canShow() { return this.record === undefined || this.record.id !== 1002; }", ["ALP-001"]],
      ] as const) {
        const app = await open(said);
        try {
          await databaseOf(app.application).knex("shipments").insert(shipments(1, "ALP").slice(0, 2));
          const answer = await app.request(`${path}?q=ALP`, { headers: { ...ann, ...json } });
          assert.equal(shipmentsIn((await answer.json()) as Found), expected, said);
        } finally {
          await app.close();
          await database.clean();
        }
      }
    });
  });
}
