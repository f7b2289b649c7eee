import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openWizards, portalRoutes, wizardFile } from "./mounts_support.ts";
import { requests } from "./runs_app.ts";

const files = {
  "app/wizards/every_wizard.ts": wizardFile("EveryWizard", "", {
    steps: `.step("every", { label: "<b>Every</b>", description: "<i>x</i>" }, (f) => f.string("name", { label: "<u>Name</u>" }).text("body").markdown("notes").url("site").json("raw").integer("count").decimal("amount").money("price").boolean("yes")
      .date("day").datetime("at").time("hour").select("plan", ["free", "paid"]).password("pin").file("logo")
      .group("address", {}, (g) => g.string("city").password("code")).repeated("invites", { maximum: 3 }, (g) => g.string("email").file("photo").repeated("tags", {}, (h) => h.string("tag"))))
      .step("next", {}, (f) => f.string("x")).review()`,
    body: `async execute() { return succeed(); }`,
  }),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(EveryWizard, { at: "every" });`,
    `import EveryWizard from "#app/wizards/every_wizard.ts";`,
  ),
};
const wrong: unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  "",
  "x",
  [],
  [[]],
  {},
  { a: 1 },
  [{ a: [] }],
  { 0: "x" },
  { 0: { 0: {} } },
  { key: "aa/".padEnd(43, "a"), filename: "x", type: "y", size: 1 },
  [null, 1, "x", []],
  { _list: "1" },
  { bytes: [] },
  "\u0000file:0",
  "\ud800",
  "x\ude00y",
  { "\ud800": "x" },
  [["\ud83d\ud83d"]],
  "x".repeat(70_000),
  { "1e3": {} },
  { 9999: { email: "x" } },
];
/** Half of a surrogate pair, which is no text that could be stored. */
const isHalf = (value: unknown): boolean => /\\ud[89a-f]/i.test(JSON.stringify(value));
const names = [
  "name",
  "body",
  "notes",
  "site",
  "raw",
  "count",
  "amount",
  "price",
  "yes",
  "day",
  "at",
  "hour",
  "plan",
  "pin",
  "logo",
  "address",
  "invites",
];

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Answers of wrong shapes, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let { as } = requests("");
    let base = "";
    before(async () => {
      if (database.skip) return;
      app = await openWizards(files, await database.values());
      ({ as } = requests(app.url));
      base = (await as(1, "GET", "/admin/every")).headers.get("location")!.replace(/\/every$/, "");
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    it.unless(
      database.skip,
      "Values of wrong shapes are never a server error in any field, by POST, PUT, JSON or page",
      async () => {
        const odd: string[] = [];
        const stored = async () => databaseOf(app.application).knex("framewright_wizard_runs").orderBy("id");
        const look = async (what: string, answer: Response, allowed: number[]) => {
          if (!allowed.includes(answer.status))
            odd.push(`${what}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
        };
        for (const [index, value] of wrong.entries()) {
          const whole = Object.fromEntries(names.map((name) => [name, value]));
          const within = {
            address: { city: value, code: value },
            invites: [{ email: value, photo: value, tags: value }],
          };
          const refused = isHalf(value) ? [422] : undefined;
          const before = await stored();
          for (const wizard of [whole, within]) {
            const what = `${index} ${JSON.stringify(wizard).slice(0, 60)}`;
            await look(`POST ${what}`, await as(1, "POST", `${base}/every`, { wizard }), refused ?? [303, 413, 422]);
            await look(`PUT ${what}`, await as(1, "PUT", `${base}/every`, { wizard }), refused ?? [204, 413]);
            await look(`JSON ${what}`, await as(1, "GET", `${base}/every`), [200]);
            await look(`page ${what}`, await fetch(`${app.url}${base}/every`, { headers: { "x-user": "1" } }), [200]);
          }
          for (const body of [
            { wizard: value },
            { _direction: value },
            { _add: value, wizard: { invites: value } },
            { _remove: value, wizard: { invites: value } },
          ])
            await look(
              `POST ${index} ${Object.keys(body)[0]}`,
              await as(1, "POST", `${base}/every`, body),
              refused ?? [303, 422],
            );
          if (refused) assert.equal(await stored(), before);
        }
        assert.equal(odd, []);
      },
    );
    it.unless(
      database.skip,
      "A small draft can't make a page of many megabytes, and drafts that are too large are 413",
      async () => {
        const invites = (length: number) => ({ invites: Array.from({ length }, () => ({ email: "x" })) });
        assert.is((await as(1, "PUT", `${base}/every`, { wizard: invites(4900) })).status, 204);
        assert.is((await as(1, "PUT", `${base}/every`, { wizard: invites(5000) })).status, 413);
        const page = await fetch(`${app.url}${base}/every`, { headers: { "x-user": "1" } });
        assert.ok((await page.text()).length < 200_000);
        const wizard = { name: "x".repeat(300_000) };
        assert.is((await as(1, "PUT", `${base}/every`, { wizard })).status, 413);
      },
    );
  });
}
