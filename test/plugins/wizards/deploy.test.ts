import { join } from "node:path";
import { writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { editedText } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openRunsApp, type RunsApp, runsFiles, whereTo } from "./runs_app.ts";

const RUNS = "framewright_wizard_runs";
const EVENTS = "framewright_wizard_events";

/** The wizard of yesterday, and that of today; everything around it stays. */
const travel = (steps: string): Record<string, string> => ({
  "app/wizards/order_wizard.ts": `import { steps, succeed, Wizard } from "framewright/plugins/wizards";
    import Company from "#app/models/company.ts"; import Invoice from "#app/models/invoice.ts";
    const flow = steps()${steps}.review();
    export default class OrderWizard extends Wizard(flow, { concurrencyKey: (run) => run.currentUser }) {
      async execute() { await this.query(Company).insert({ name: JSON.stringify(this.data).slice(0, 30) } as never); return succeed().withRedirect("/office/ordered"); }
    }`,
});
const trip = `.step("trip", {}, (f) => f.string("city", { presence: true }).string("days"))`;
const pay = `.step("pay", {}, (f) => f.string("card", { presence: true })).onSubmit("pay", async ({ persist }) => { await persist("invoice", Invoice, { number: "N1" }); })`;
const yesterday = travel(`${trip}${pay}.step("extras", {}, (f) => f.string("meal"))`);

for (const base of await databases({ mysqlInSoak: true })) {
  describe(`A deployment while runs are open, on ${base.name}`, (it, { after }) => {
    after(() => base.clean());

    /** Goes on yesterday's steps to the review, then tells the story on today's. */
    const story = (sentence: string, today: string, tell: (app: RunsApp) => Promise<void>, upTo = "review") =>
      it.unless(base.skip, sentence, async () => {
        const root = writeApp({ ...runsFiles, ...yesterday });
        const values = { DATABASE_URL: `sqlite:${join(root, "storage/runs.sqlite3")}`, ...(await base.values()) };
        const old = await openRunsApp(values, {}, root);
        await old.as(1, "GET", "/office/order");
        await old.send(1, "/office/order/trip", { city: "Rome", days: "7" });
        await old.send(1, "/office/order/pay", { card: "4242" });
        if (upTo === "review") await old.send(1, "/office/order/extras", { meal: "pasta" });
        await old.close();
        const app = await openRunsApp({ ...values, migrated: "yes" }, travel(today));
        try {
          await tell(app);
        } finally {
          await app.close();
        }
      });
    const row = async (app: RunsApp) => (await app.rows(RUNS))[0]!;
    const data = async (app: RunsApp) => JSON.parse(String((await row(app)).data)) as Record<string, unknown>;
    const done = (app: RunsApp) => app.send(1, "/office/order/review").then(whereTo);

    const payment = editedText(pay, [/"pay"/g, '"payment"'], ["{},", '{ was: "pay" },']);
    story(
      "A renamed step keeps its answers, its persisted record and its old URL",
      `${trip}${payment}.step("extras", {}, (f) => f.string("meal"))`,
      async (app) => {
        assert.is(whereTo(await app.as(1, "GET", "/office/order")), "303 /office/order/review");
        assert.is(whereTo(await app.as(1, "GET", "/office/order/pay")), "303 /office/order/payment");
        assert.is(whereTo(await app.send(1, "/office/order/pay", { card: "1111" })), "303 /office/order/extras");
        assert.equal((await data(app)).payment, { card: "1111" });
        assert.equal((await app.rows("invoices")).length, 1, "changed, not made again");
        assert.is(await done(app), "303 /office/ordered");
      },
    );

    story(
      "A removed step is skipped, its URL redirects onward, and the run completes without it",
      `${trip}${pay}`,
      async (app) => {
        const before = await row(app);
        assert.is(whereTo(await app.as(1, "GET", "/office/order/extras")), "303 /office/order/review");
        assert.is(whereTo(await app.send(1, "/office/order/extras", { meal: "soup" })), "303 /office/order/review");
        assert.equal(await row(app), before, "looking changes nothing");
        assert.is(await done(app), "303 /office/ordered");
        assert.match(String((await app.rows("companies"))[0]!.name), /Rome/);
        assert.ok((await app.rows(EVENTS)).some(({ kind }) => kind === "migrated"));
      },
    );

    story(
      "A run whose current step was removed continues at the next one",
      `${trip}${pay}`,
      async (app) => {
        assert.is(whereTo(await app.as(1, "GET", "/office/order")), "303 /office/order/review");
        assert.is(await done(app), "303 /office/ordered");
      },
      "extras",
    );

    story(
      "A run answers a new required step before it can be completed",
      `${trip}.step("visa", {}, (f) => f.string("number", { presence: true }))${pay}.step("extras", {}, (f) => f.string("meal"))`,
      async (app) => {
        assert.is(whereTo(await app.as(1, "GET", "/office/order")), "303 /office/order/visa");
        assert.is((await app.as(1, "GET", "/office/order/visa")).status, 200);
        assert.is(
          whereTo(await app.send(1, "/office/order/extras", { meal: "soup" })),
          "303 /office/order/visa",
          "a page that was open over the deploy",
        );
        assert.equal((await data(app)).extras, { meal: "soup" });
        assert.is(await done(app), "303 /office/order/visa");
        assert.is(whereTo(await app.send(1, "/office/order/visa", { number: "V1" })), "303 /office/order/pay");
        assert.is(await done(app), "303 /office/ordered");
      },
    );

    story(
      "A value whose field changed type is kept where it can be converted",
      `${editedText(trip, ['string("days")', 'integer("days")'])}${pay}.step("extras", {}, (f) => f.string("meal"))`,
      async (app) => {
        await app.send(1, "/office/order/extras", { meal: "soup" });
        assert.equal((await data(app)).trip, { city: "Rome", days: 7 });
        assert.is((await app.send(1, "/office/order/review")).status, 303);
      },
    );

    story(
      "A value that can't be converted to the new type is dropped and has to be entered again",
      `${editedText(trip, ['string("city", { presence: true })', 'integer("city", { presence: true })'])}${pay}.step("extras", {}, (f) => f.string("meal"))`,
      async (app) => {
        assert.is(whereTo(await app.as(1, "GET", "/office/order")), "303 /office/order/trip");
        assert.is(await done(app), "303 /office/order/trip");
        assert.is(whereTo(await app.send(1, "/office/order/trip", { city: "9", days: "7" })), "303 /office/order/pay");
        assert.is(await done(app), "303 /office/ordered");
      },
    );

    const visa = `${trip}.step("visa", {}, (f) => f.string("number", { presence: true }).password("code"))`;
    const today = travel(`${visa}${pay}.step("extras", {}, (f) => f.string("meal").string("seat"))`);
    it.unless(base.skip, "Two releases serve at once: each leaves alone what only the other one asks for", async () => {
      const root = writeApp({ ...runsFiles, ...yesterday });
      const settings = { DATABASE_URL: `sqlite:${join(root, "storage/runs.sqlite3")}`, ...(await base.values()) };
      await (await openRunsApp(settings, {}, root)).close();
      /** What one of the releases does, then the other one. */
      const on = async (release: Record<string, string>, tell: (app: RunsApp) => Promise<void>) => {
        const app = await openRunsApp({ ...settings, migrated: "yes" }, release);
        try {
          await tell(app);
        } finally {
          await app.close();
        }
      };
      const values = async (app: RunsApp, step: string) => {
        const { data } = (await (await app.as(1, "GET", `/office/order/${step}`)).json()) as {
          data: { values: object };
        };
        return data.values;
      };
      await on(today, async (app) => {
        await app.as(1, "GET", "/office/order");
        await app.send(1, "/office/order/trip", { city: "Rome" });
        await app.send(1, "/office/order/visa", { number: "V1", code: "hush-hush" });
        await app.send(1, "/office/order/pay", { card: "4242" });
        await app.send(1, "/office/order/extras", { meal: "pasta", seat: "12A" });
      });
      await on(yesterday, async (app) => {
        assert.is(whereTo(await app.as(1, "GET", "/office/order")), "303 /office/order/review");
        assert.is(whereTo(await app.send(1, "/office/order/extras", { meal: "soup" })), "303 /office/order/review");
        assert.not.match(String((await row(app)).data), /hush-hush|"V1/, "sealed, though its wizard has no secret");
      });
      await on(today, async (app) => {
        assert.is(
          whereTo(await app.as(1, "GET", "/office/order")),
          "303 /office/order/review",
          "nothing is asked again",
        );
        assert.equal(await values(app, "visa"), { number: "V1" });
        assert.equal(await values(app, "extras"), { meal: "soup", seat: "12A" }, "the last answer counts");
        await app.send(1, "/office/order/visa", { number: "V2" });
        assert.is(whereTo(await app.as(1, "GET", "/office/order")), "303 /office/order/pay");
        await app.send(1, "/office/order/pay", { card: "4242" });
      });
      await on(yesterday, async (app) => {
        assert.is(await done(app), "303 /office/ordered", "it completes without them");
        assert.is((await row(app)).data, null);
      });
    });

    story(
      "A run whose steps were removed can be cancelled together with its persisted records",
      `.step("trip", {}, (f) => f.string("city"))`,
      async (app) => {
        assert.is((await app.send(1, "/office/order/trip", {}, "cancel")).status, 303);
        assert.equal(await app.rows("invoices"), []);
        assert.equal(await app.rows(RUNS), []);
      },
    );
  });
}
