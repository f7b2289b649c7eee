import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Client, openTestApplication, type SentFile, type TestApplication } from "framewright/testing";
import Citizen from "#app/models/citizen.ts";
import Fee from "#app/models/fee.ts";
import Holiday from "#app/models/holiday.ts";
import Inspection from "#app/models/inspection.ts";
import Municipality from "#app/models/municipality.ts";
import MunicipalityStaff from "#app/models/municipality_staff.ts";
import Note from "#app/models/note.ts";
import Parcel from "#app/models/parcel.ts";
import Permit from "#app/models/permit.ts";
import Staff from "#app/models/staff.ts";
import Surveyor from "#app/models/surveyor.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const guest = "bea@example.com";

describe("permits of towns", () => {
  let app: TestApplication;
  let clerk: Client;
  let inspector: Client;
  const permitOf = (number: string) => app.query(Permit).findOne({ number }).throwIfNotFound();

  before(async () => {
    app = await openTestApplication();
    for (const name of ["Alder", "Birch"]) await app.query(Municipality).insert({ name, time_zone: "Europe/Berlin" });
    for (const role of ["clerk", "inspector"] as const) {
      const { id } = await app.query(Staff).insert({ email: `${role}@example.com`, account_status: "verified" });
      await app.query(MunicipalityStaff).insert({ staff_id: id, municipality_id: 1, role });
    }
    clerk = await app.signIn("staff", "clerk@example.com");
    inspector = await app.signIn("staff", "inspector@example.com");
    await app.query(Citizen).insert({ email: guest, account_status: "verified" });
  });
  after(() => app.close());

  it("are applied for by a guest, whose address is confirmed by a mailed code", async () => {
    const bea = app.client();
    let page = (await bea.request("/apply")).headers.get("location")!;
    const step = async (fields: Record<string, string | SentFile>) => {
      const answer = await bea.submit(page, fields);
      assert.equal(answer.status, 303, await answer.text());
      page = answer.headers.get("location")!;
    };
    await step({ "wizard[municipality]": "1" });
    await step({ "wizard[kind]": "house" });
    await step({ "wizard[floors]": "2" });
    await step({ "wizard[list][0][district]": "North", "wizard[list][0][plot]": "12/3" });
    await step({ "wizard[plan]": { name: "plan.png", content: PNG } });
    await step({ "wizard[applicant]": "Bea", "wizard[email]": guest });
    const code = /\b\d{6}\b/.exec((await app.mails()).at(-1)!.text)![0];
    await step({ "wizard[applicant]": "Bea", "wizard[email]": guest, "wizard[_code_email]": code });
    await step({});
    assert.match(await bea.page(page), /has the number \d{4}-0001/);
    const [parcel] = await app.query(Parcel).where("permit_id", 1);
    assert.equal(parcel?.plot, "12/3");
  });
  it("have plans with thumbnails, and rows of parcels in their form", async () => {
    await app.mails();
    type Shown = { data: { plans: { url: string; thumbnails: { small: string } }[] } };
    const { plans } = (await clerk.json<Shown>("/city/alder/permits/1")).body.data;
    for (const path of [plans[0]!.url, plans[0]!.thumbnails.small])
      assert.match((await clerk.request(path)).headers.get("content-type")!, /^image/);
    assert.equal((await inspector.request(plans[0]!.url)).status, 200);
    assert.equal((await app.client().request(plans[0]!.url)).status, 303);
    const row = { "permit[parcels][1][district]": "North", "permit[parcels][1][plot]": "12/4" };
    assert.equal((await clerk.submit("/city/alder/permits/1/edit", row)).status, 303);
    assert.equal(await app.query(Parcel).where("permit_id", 1).resultSize(), 2);
  });
  it("are due after 20 working days without the holidays of the town", async () => {
    await app.query(Holiday).insert({ municipality_id: 1, day: "2027-01-06", name: "Epiphany" });
    const values = { kind: "garage", applicant: "Cleo", email: "cleo@example.com", received_on: "2027-01-04" } as const;
    assert.equal((await app.query(Permit).insert({ ...values, municipality_id: 1 })).due_on, "2027-02-02");
    assert.equal((await app.query(Permit).insert({ ...values, municipality_id: 2 })).due_on, "2027-02-01");
  });
  it("are approved by clerks alone, once all fees are paid", async () => {
    const act = (who: Client, action: string, fields = {}) =>
      who.submit(`/city/alder/permits/1/actions/${action}`, fields);
    const fee = await app.query(Fee).insert({ permit_id: 1, label: "Review", amount: "120.00" });
    assert.equal((await inspector.request("/city/alder/permits/1/actions/review")).status, 403);
    assert.equal((await act(clerk, "review")).status, 303);
    assert.doesNotMatch(await clerk.page("/city/alder/permits/1"), /actions\/approve/);
    const json = { method: "POST", headers: { accept: "application/json", "x-csrf-token": await tokenOf(clerk) } };
    const refused = await clerk.request("/city/alder/permits/1/transitions/approve.json", json);
    assert.match(await refused.text(), /Not all fees are paid/);
    await app.query(Fee).findById(fee.id).patch({ paid: true });
    assert.match(await clerk.page("/city/alder?cards=inline"), /€120.00/);
    assert.equal((await act(clerk, "approve")).status, 303);
    assert.match((await app.mails()).at(-1)!.text, /is now: Approved/);
    assert.match(await clerk.page("/city/alder/permits/1/print/permit"), /Bea may begin/);
  });
  it("are seen by their citizens alone, with public notes", async () => {
    await app.query(Note).insert([
      { permit_id: 1, body: "Secret" },
      { permit_id: 1, body: "Welcome", internal: false },
    ]);
    const bea = await app.signIn("citizen", guest);
    const page = await bea.page("/citizen/permits/1");
    assert.match(page, /Welcome/);
    assert.doesNotMatch(page, /Secret/);
    assert.match(await bea.page("/citizen/_notifications"), /approved/);
    assert.equal((await bea.request("/citizen/permits/2")).status, 404);
    assert.equal((await bea.request("/citizen/notes/1")).status, 404);
    assert.equal((await bea.request("/citizen/permits/1/edit")).status, 403);
  });
  it("are a board and a list that is exported and imported, and several are approved at once", async () => {
    const csv = await (await clerk.request("/city/alder/permits/export.csv")).text();
    assert.match(csv, /Bea/);
    assert.match(await clerk.page("/city/alder/permits?shape=board"), /fw-lane/);
    assert.match(await clerk.page("/city/alder/permits?q=Cleo"), /Save view/);
    await app.query(Fee).insert({ permit_id: 2, label: "Review", amount: "60.00" });
    for (const action of ["review", "approve"])
      assert.equal((await clerk.submit(`/city/alder/permits/bulk/${action}?ids[]=2`, {})).status, 303);
    assert.equal((await permitOf((await app.query(Permit).findById(2))!.number!)).status, "in_review");
  });
  it("have inspections in a calendar, which a surveyor's program writes", async () => {
    await app.query(Inspection).insert({ permit_id: 1, at: new Date("2027-03-04T09:00:00Z") });
    assert.match(await clerk.page("/city/alder/inspections?shape=calendar.month.2027-03-01"), /2027-03-04/);
    await app.query(Surveyor).insert({ email: "gis@example.com", account_status: "verified", municipality_id: 1 });
    const gis = await app.signIn("surveyor", "gis@example.com");
    assert.equal((await gis.json("/api/alder/inspections")).status, 200);
    assert.equal((await gis.json("/api/birch/inspections")).status, 404);
  });
  it("are in German", async () => {
    const page = await (await clerk.request("/city/alder/permits", { headers: { "accept-language": "de" } })).text();
    for (const text of ["Bauanträge", "Genehmigt", "Eingereicht"]) assert.ok(page.includes(text), text);
  });
});

const tokenOf = async (client: Client) =>
  /name="csrf-token" content="([^"]+)"/.exec(await client.page("/city/alder"))![1]!;
