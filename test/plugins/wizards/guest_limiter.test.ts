import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openWizards, portalRoutes, wizardFile } from "./mounts_support.ts";
import { whereTo } from "./runs_app.ts";

const files = {
  "app/wizards/guest_wizard.ts": wizardFile("GuestWizard", "anonymous: true", {
    steps: `.step("first", {}, (f) => f.string("title", { presence: true })).step("second", {}, (f) => f.string("note"))
      .onSubmit("first", ({ data, fail }) => { if (data.first.title === "refused") fail("Not you"); })`,
  }),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(GuestWizard, { at: "signup" });`,
    `import GuestWizard from "#app/wizards/guest_wizard.ts";`,
  ),
};
const json = { accept: "application/json", "content-type": "application/json" };

describe("The limit on runs of guests", (it) => {
  const withApp = async (story: (app: TestApp, rows: (table?: string) => Promise<number>) => Promise<void>) => {
    const app = await openWizards(files);
    const rows = async (table = "runs") =>
      (await databaseOf(app.application).knex(`framewright_wizard_${table}`)).length;
    await story(app, rows).finally(() => app.close());
  };
  const statuses = async (app: TestApp, times: number, headers: (index: number) => Record<string, string>) => {
    const found = new Map<number, number>();
    for (let index = 0; index < times; index++) {
      const { status } = await app.request("/signup", { headers: headers(index) });
      found.set(status, (found.get(status) ?? 0) + 1);
    }
    return Object.fromEntries(found);
  };

  it("An IP address can start 100 runs as a guest, whatever cookies it sends, and then gets 429 with Retry-After", async () => {
    await withApp(async (app, rows) => {
      const tricks = [
        () => ({}) as Record<string, string>,
        () => ({ cookie: "fw_session=x" }),
        (index: number) => ({ cookie: `fw_session=${"A".repeat(60)}${index}; __Host-fw_session=x` }),
      ];
      const answered = await statuses(app, 150, (index) => tricks[index % tricks.length]!(index));
      assert.equal(answered, { 303: 100, 429: 50 });
      assert.is(await rows(), 100);
      const refused = await app.request("/signup", { headers: { cookie: "fw_session=x" } });
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
    });
  });

  it("Requests with a valid session that has no guest key count towards the limit each time", async () => {
    await withApp(async (app, rows) => {
      const visitor = app.client();
      await visitor.request("/admin/posts/new", { headers: { "x-user": "1" } });
      const cookie = `fw_session=${visitor.cookie("fw_session")!}`;
      assert.equal(await statuses(app, 120, () => ({ cookie })), { 303: 100, 429: 20 });
      assert.is(await rows(), 100);
    });
  });

  it("Repeated launches with a guest's key use one run and are not limited", async () => {
    await withApp(async (app, rows) => {
      const guest = app.client();
      for (let round = 0; round < 120; round++) assert.is((await guest.request("/signup")).status, 303);
      assert.is(await rows(), 1);
    });
  });

  it("Refused posts of guests create no rows of runs or events", async () => {
    await withApp(async (app, rows) => {
      const guest = app.client();
      await guest.request("/signup");
      assert.is(await rows(), 1);
      for (const cookie of [undefined, "fw_session=x"])
        for (let round = 0; round < 50; round++) {
          const headers = { ...json, ...(cookie ? { cookie } : {}) };
          const body = JSON.stringify({ wizard: { title: "" } });
          const answer = await app.request("/signup/first", { method: "POST", headers, body });
          assert.ok([403, 404].includes(answer.status), String(answer.status));
        }
      for (const title of ["", "refused"])
        for (let round = 0; round < 50; round++)
          assert.is((await guest.submit("/signup/first", { "wizard[title]": title })).status, 422);
      assert.is(await rows(), 1);
      const trail = await rows("events");
      assert.ok(trail <= 1, `${trail} rows of the trail`);
      assert.is(whereTo(await guest.submit("/signup/first", { "wizard[title]": "fine" })), "303 /signup/second");
    });
  });
});
