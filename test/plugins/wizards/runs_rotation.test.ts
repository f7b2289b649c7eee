import { join } from "node:path";
import { writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { openRunsApp, type RunsApp, runsFiles, whereTo } from "./runs_app.ts";

const RUNS = "framewright_wizard_runs";
const secrets = ["first-secret-", "second-secret-"].map((word) => word.repeat(6));
const [first, second] = secrets as [string, string];

for (const base of await databases()) {
  describe(`A new SECRET_KEY_BASE, on ${base.name}`, (it, { after }) => {
    after(() => base.clean());
    type Open = (current: string, previous?: string) => Promise<RunsApp>;
    const story = (sentence: string, tell: (open: Open) => Promise<void>) =>
      it.unless(base.skip, sentence, async () => {
        const root = writeApp(runsFiles);
        const values: Record<string, string> = {
          DATABASE_URL: `sqlite:${join(root, "storage/runs.sqlite3")}`,
          ...(await base.values()),
        };
        let opened: RunsApp | undefined;
        try {
          await tell(async (current, previous) => {
            await opened?.close();
            const keys = { SECRET_KEY_BASE: current, ...(previous ? { SECRET_KEY_BASE_PREVIOUS: previous } : {}) };
            opened = await openRunsApp({ ...values, ...keys }, {}, root);
            values.migrated = "yes";
            return opened;
          });
        } finally {
          await opened?.close();
        }
      });
    const identities = async (app: RunsApp) => (await app.rows(RUNS)).map(({ identity }) => identity);

    story(
      "Open runs, encrypted answers and tokens are found by the previous SECRET_KEY_BASE and stored under the new one",
      async (open) => {
        let app = await open(first);
        await app.as(1, "GET", "/office/order");
        await app.send(1, "/office/order/what", { name: "Pen" });
        const path = (await app.as(1, "GET", "/office/import")).headers.get("location")!;
        await app.send(1, path, { url: "a.csv" });
        const before = await identities(app);
        app = await open(second, first);
        assert.is(whereTo(await app.as(1, "GET", "/office/order")), "303 /office/order/secret");
        assert.is((await app.as(1, "GET", path)).status, 200);
        const after = await identities(app);
        assert.is(after.filter((identity) => before.includes(identity)).length, 0);
        app = await open(second);
        assert.is(whereTo(await app.as(1, "GET", "/office/order")), "303 /office/order/secret");
        assert.is(whereTo(await app.send(1, "/office/order/secret", {})), "303 /office/ordered");
        assert.equal(
          (await app.rows("companies")).map(({ name }) => name),
          ["Pen"],
        );
        assert.is(whereTo(await app.send(1, path.replace("source", "options"), {})), "303 /office/imported");
      },
    );

    story("A one-time wizard stays completed under a new SECRET_KEY_BASE", async (open) => {
      let app = await open(first);
      await app.as(1, "GET", "/office/onboard");
      await app.send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
      await app.send(1, "/office/onboard/people", { count: "3" });
      await app.send(1, "/office/onboard/review");
      const launched = async () => whereTo(await app.as(1, "GET", "/office/onboard"));
      const done = await launched();
      app = await open(second, first);
      assert.is(await launched(), done);
      app = await open(second);
      assert.is(await launched(), done);
      assert.is((await app.rows(RUNS)).length, 1);
    });

    story("A new SECRET_KEY_BASE without the previous one starts new runs without an error", async (open) => {
      let app = await open(first);
      await app.as(1, "GET", "/office/order");
      await app.send(1, "/office/order/what", { name: "Pen" });
      app = await open(second);
      assert.is(whereTo(await app.as(1, "GET", "/office/order")), "303 /office/order/what");
      assert.is((await app.as(1, "GET", "/office/order/runs")).status, 200);
      assert.is((await app.rows(RUNS)).length, 2);
    });
  });
}
