import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { openRunsApp, type RunsApp, runsFiles, whereTo } from "./runs_app.ts";

const wizard = {
  "app/wizards/order_wizard.ts": `import { fail, steps, succeed, Wizard } from "framewright/plugins/wizards"; import Company from "#app/models/company.ts";
    const flow = steps()
      .step("what", {}, (f) => f.string("name", { presence: true }))
      .step("papers", { condition: ({ data }) => data.what?.name !== "None" }, (f) => f.file("logo"))
      .review();
    export default class OrderWizard extends Wizard(flow, { concurrencyKey: (run) => run.currentUser }) {
      async execute() {
        const { name } = this.data.what;
        if (name === "Failing") return fail({}, "No");
        const logo = this.data.papers?.logo;
        await this.query(Company).insert({ name, made_by: name === "Kept" && logo ? this.keep(logo) : null } as never);
        return succeed().withRedirect("/office/ordered");
      }
    }`,
};

for (const base of await databases()) {
  describe(`Files of runs, on ${base.name}`, (it, { after }) => {
    after(() => base.clean());
    const story = (sentence: string, tell: (app: RunsApp, stored: () => string[]) => Promise<void>) =>
      it.unless(base.skip, sentence, async () => {
        const root = writeApp({ ...runsFiles, ...wizard });
        const app = await openRunsApp(await base.values(), {}, root);
        const folder = join(root, "storage/files");
        const stored = () =>
          existsSync(folder)
            ? readdirSync(folder, { recursive: true })
                .filter((path) => String(path).length > 5)
                .map(String)
            : [];
        try {
          await tell(app, stored);
        } finally {
          await app.close();
        }
      });

    /** Opens the form of the step, as a browser does; what it gives sends a file with it. */
    const open = async (app: RunsApp) => {
      const visitor = app.client();
      const headers = { "x-user": "1" };
      const html = await (await visitor.request("/office/order/papers", { headers })).text();
      const form = [...html.matchAll(/<form\b[^>]*method="post"[^>]*>.*?<\/form>/gs)].find(([text]) =>
        text.includes("wizard[logo]"),
      )![0];
      return (bytes: string) => {
        const body = new FormData();
        body.set("authenticity_token", /name="authenticity_token" value="([^"]*)"/.exec(form)![1]!);
        body.set("wizard[logo]", new Blob([bytes], { type: "image/png" }), "logo.png");
        return visitor.request("/office/order/papers", { method: "POST", headers, body });
      };
    };
    const upload = async (app: RunsApp, bytes: string) => (await open(app))(bytes);
    const begin = async (app: RunsApp, name: string) => {
      await app.as(1, "GET", "/office/order");
      await app.send(1, "/office/order/what", { name });
    };

    story("A run's file is kept while the run is open, and a new one replaces it", async (app, stored) => {
      await begin(app, "Pen");
      assert.is(whereTo(await upload(app, "first")), "303 /office/order/review");
      const [first] = stored();
      assert.is(whereTo(await upload(app, "second")), "303 /office/order/review");
      assert.is(stored().length, 1);
      assert.is.not(stored()[0], first);
      await app.send(1, "/office/order/papers", {});
      assert.is(stored().length, 1, "sent without one, the step keeps its file");
    });

    story(
      "A run's file is deleted with a hidden step, a cancel or the completion, unless execute keeps it",
      async (app, stored) => {
        await begin(app, "Pen");
        await upload(app, "pruned");
        await app.send(1, "/office/order/what", { name: "None" });
        assert.equal(stored(), []);
        await app.send(1, "/office/order/what", { name: "Pen" });
        await upload(app, "cancelled");
        await app.send(1, "/office/order/review", {}, "cancel");
        assert.equal(stored(), []);
        await begin(app, "Failing");
        await upload(app, "stays");
        assert.is((await app.send(1, "/office/order/review")).status, 422);
        assert.is(stored().length, 1);
        await app.send(1, "/office/order/what", { name: "Pen" });
        assert.is(whereTo(await app.send(1, "/office/order/review")), "303 /office/ordered");
        assert.equal(stored(), []);
        await begin(app, "Kept");
        await upload(app, "kept");
        assert.is(whereTo(await app.send(1, "/office/order/review")), "303 /office/ordered");
        const [, kept] = await app.rows("companies");
        assert.equal(
          stored().filter((path) => path.length > 10),
          [String(kept!.made_by)],
        );
      },
    );

    story("A file sent after the run completed is not left in storage", async (app, stored) => {
      await begin(app, "Pen");
      await upload(app, "in time");
      const send = await open(app);
      let late: Promise<Response> | undefined;
      app.moments.locked = async () => {
        late ??= send("late");
        await sleep(400); // it is stored by now, where there is more than one connection, and waits for the row
      };
      assert.is(whereTo(await app.send(1, "/office/order/review")), "303 /office/ordered");
      assert.is(whereTo(await late!), "303 /office/ordered");
      assert.equal(stored(), []);
    });
  });
}
