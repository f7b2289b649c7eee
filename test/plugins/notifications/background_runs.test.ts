import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { backgroundFiles } from "../resources/background_app.ts";
import { openTenants } from "../scoping/tenants.ts";
import { notificationsMigration, withNotifications } from "./notifications_app.ts";

// The end of work in the background is told to the person who started it.

const files = { ...backgroundFiles, ...withNotifications(backgroundFiles), ...notificationsMigration };
const headers = { accept: "application/json", "content-type": "application/json" };

describe("Notifications of runs in the background", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openTenants(files);
  });
  after(() => app.close());
  const start = async (user: string) => {
    const answer = await app.request("/customer/1/posts/actions/mark", {
      method: "POST",
      headers: { ...headers, "x-user": user },
      body: JSON.stringify({ interaction: { label: "a" } }),
    });
    assert.is(answer.status, 202);
    return answer.headers.get("location")!;
  };
  const rows = () => databaseOf(app.application).knex("framewright_notifications").orderBy("id");

  it("The person who started one is notified of its end, in its tenant, with the counts and a link to its page", async () => {
    const url = await start("1");
    await app.application.kernel.service("jobs").drain();
    const [row, ...others] = await rows();
    assert.equal(others, []);
    assert.equal(
      [row.owner_type, row.owner_id, row.tenant, row.url, row.kind],
      ["users", "1", "organizations/1", url, "success"],
    );
    assert.equal([row.title, row.body], ["Mark finished: 1 post", null]);
    const page = await app.request("/customer/1/_notifications", { headers: { accept: "text/html", "x-user": "1" } });
    assert.match(await page.text(), "Mark finished: 1 post");
    const foreign = await app.request("/customer/1/_notifications.json", { headers: { ...headers, "x-user": "3" } });
    assert.equal(((await foreign.json()) as { data: unknown[] }).data, []);
  });
  it("One that refused records says how many; one that was cancelled notifies nobody", async () => {
    const { knex } = databaseOf(app.application);
    await knex("framewright_notifications").delete();
    await knex("posts").insert({ id: 50, title: "Locked", organization_id: 1 });
    await start("1");
    await app.application.kernel.service("jobs").drain();
    const [row] = await rows();
    assert.equal([row.kind, row.body], ["warning", "One was refused."]);
    await knex("framewright_notifications").delete();
    const location = await start("1");
    const cancelled = await app.request(`${location}/cancel`, {
      method: "POST",
      headers: { ...headers, "x-user": "1" },
      body: "{}",
    });
    assert.is(cancelled.status, 200);
    await app.application.kernel.service("jobs").drain();
    const left = await rows();
    assert.ok(left.length === 0 || left[0].kind !== "danger", "it ended before it was cancelled, or nobody is told");
  });
});
