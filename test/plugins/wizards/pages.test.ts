import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { PNG } from "../../support/png.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { as, openWizards, portalRoutes, wizardFile } from "./mounts_support.ts";

const location = (answer: Response) => answer.headers.get("location") ?? "";
const steps = `.step("company", { label: "Company", description: "Who you are" }, (f) => f.string("name", { presence: true, length: { maximum: 10 } }).select("plan", ["free", "paid"]).password("secret"))
  .step("billing", { label: "Billing", condition: ({ data }) => data.company?.plan === "paid" }, (f) => f.string("vat", { presence: true }))
  .step("people", { label: "People" }, (f) => f.repeated("invites", { maximum: 3 }, (g) => g.email("email", { presence: true })))
  .step("papers", { label: "Papers" }, (f) => f.file("logo", { accept: ["image/png"], maximum: 100 }).string("note", { length: { maximum: 5 } }))
  .review({ label: "Review" })`;
const body = `async execute() {
  if (this.data.company.name === "Taken") return fail({ base: ["That name is taken"] });
  await this.query(Post).insert({ title: this.data.company.name } as never);
  return succeed().withMessage("Your company is set up"); }`;
const imports = `import Post from "#app/models/post.ts";`;
const setUp = (options = "") =>
  wizardFile("SetUpWizard", `presents: { label: "Set up", description: "In a few steps" }, ${options}`, {
    steps,
    body,
    imports,
  });
const keyed = `concurrencyKey: (run) => run.currentUser`;
const files = (options = keyed): Record<string, string> => ({
  "app/wizards/set_up_wizard.ts": setUp(options),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(SetUpWizard, { at: "setup" });`,
    `import SetUpWizard from "#app/wizards/set_up_wizard.ts";`,
  ),
});
const company = { "wizard[name]": "Acme", "wizard[plan]": "free" };
const at = (step: string) => new RegExp(`action="[^"]*/${step}"`);
const send = (client: Client, step: string, fields: Record<string, string>) =>
  client.submit(`/admin/setup/${step}`, fields, at(step));
const tokenOf = (html: string) => /name="csrf-token" content="([^"]+)"/.exec(html)![1]!;

/** A visitor who has launched it. */
async function begun(app: TestApp, user = 1): Promise<Client> {
  const client = as(app.client(), user);
  await client.request("/admin/setup");
  return client;
}
/** Sends a step as a browser sends a form with files. */
async function sendFile(
  client: Client,
  step: string,
  fields: Record<string, string>,
  file?: { name: string; type: string; bytes: Uint8Array<ArrayBuffer> },
) {
  const page = await client.page(`/admin/setup/${step}`);
  const form = new FormData();
  form.set(
    "authenticity_token",
    /name="authenticity_token" value="([^"]+)"/.exec(page.slice(page.search(at(step))))![1]!,
  );
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (file) form.set("wizard[logo]", new Blob([file.bytes], { type: file.type }), file.name);
  return client.request(`/admin/setup/${step}`, { method: "POST", body: form });
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The pages of a wizard, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip === undefined) app = await openWizards(files(), await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    before.each(async () => {
      if (app) await databaseOf(app.application).knex("framewright_wizard_runs").delete();
    });
    const story = (sentence: string, tell: () => Promise<void>) => it.unless(database.skip, sentence, tell);

    story(
      "A step's page has its fields under wizard[…], its buttons and the current position in the stepper",
      async () => {
        const page = await (await begun(app)).page("/admin/setup/company");
        assert.match(page, /<h1>Set up<\/h1>/);
        assert.match(page, "In a few steps");
        assert.match(page, /<h2 id="fw-wizard-step">Company<\/h2>/);
        assert.match(page, "Who you are");
        assert.match(page, 'name="wizard[name]"');
        assert.match(page, /<nav class="fw-stepper" aria-label="Steps">\s*<ol>/);
        assert.match(page, /<li aria-current="step">\s*<span>[\s\S]*?Company/);
        assert.is([...page.matchAll(/aria-current="step"/g)].length, 1);
        assert.not.match(page, 'value="back"');
        assert.match(page, /name="_direction" value="cancel" data-turbo-confirm="/);
        assert.not.match(page, /\sstyle="|<script>|\son\w+="/);
      },
    );
    story('The first submit button of a step\'s form is "next", so that Enter continues', async () => {
      const client = await begun(app);
      for (const step of ["company"]) {
        const page = await client.page(`/admin/setup/${step}`);
        const form = page.slice(page.search(at(step)));
        const [first] = [...form.matchAll(/<button(?! type="button")[^>]*>/g)];
        assert.match(first![0], /name="_direction" value="next"/);
      }
    });
    story(
      "An invalid step is 422 with what was typed, a summary and each error at its field, but no password",
      async () => {
        const client = await begun(app);
        const answer = await send(client, "company", {
          "wizard[name]": "Far too long a name",
          "wizard[plan]": "paid",
          "wizard[secret]": "hunter2hunter2",
        });
        assert.is(answer.status, 422);
        const page = await answer.text();
        assert.match(page, 'value="Far too long a name"');
        assert.match(page, /<option value="paid"[^>]* selected/);
        assert.match(page, 'class="fw-error-summary"');
        assert.match(page, 'href="#wizard_name"');
        assert.match(page, 'id="wizard_name_errors"');
        assert.not.match(page, "hunter2");
      },
    );
    story("Back keeps what was typed without validating it", async () => {
      const client = await begun(app);
      assert.is(location(await send(client, "company", company)), "/admin/setup/people");
      assert.is(
        location(await send(client, "people", { "wizard[invites][0][email]": "not an address", _direction: "back" })),
        "/admin/setup/company",
      );
      assert.match(await client.page("/admin/setup/company"), 'value="Acme"');
      await send(client, "company", company);
      assert.match(await client.page("/admin/setup/people"), 'value="not an address"');
    });
    story("An answer that makes a conditional step visible leads to it", async () => {
      const client = await begun(app);
      assert.is(
        location(await send(client, "company", { ...company, "wizard[plan]": "paid" })),
        "/admin/setup/billing",
      );
      assert.match(await client.page("/admin/setup/billing"), /<a href="\/admin\/setup\/company">[\s\S]*?Company/);
    });
    story(
      "A hidden or unreached step redirects to the current one with a message, and an unknown one is 404",
      async () => {
        const client = await begun(app);
        for (const step of ["papers", "billing", "review"]) {
          assert.is(location(await client.request(`/admin/setup/${step}`)), "/admin/setup/company", step);
          assert.match(await client.page("/admin/setup/company"), "fw-flash-info");
        }
        assert.is((await client.request("/admin/setup/nothing")).status, 404);
      },
    );
    story("An unknown direction is 422, and a missing one is next", async () => {
      const client = await begun(app);
      assert.is((await send(client, "company", { ...company, _direction: "sideways" })).status, 422);
      const csrf = { "x-csrf-token": tokenOf(await client.page("/admin/setup/company")) };
      const posted = await client.request("/admin/setup/company", {
        method: "POST",
        headers: csrf,
        body: new URLSearchParams(company),
      });
      assert.is(location(posted), "/admin/setup/people");
    });
    story("A POST or PUT without a CSRF token or from another site is 403", async () => {
      const client = await begun(app);
      for (const headers of [{}, { "sec-fetch-site": "cross-site" }] as Record<string, string>[]) {
        const posted = await client.request("/admin/setup/company", {
          method: "POST",
          headers,
          body: new URLSearchParams(company),
        });
        assert.is(posted.status, 403);
        assert.is(
          (await client.request("/admin/setup/company", { method: "PUT", headers, body: new URLSearchParams(company) }))
            .status,
          403,
        );
      }
    });
    story("Entries are added and removed without JavaScript, keeping what was typed", async () => {
      const client = await begun(app);
      await send(client, "company", company);
      const added = await (
        await send(client, "people", { _add: "invites", "wizard[invites][0][email]": "ann@example.com" })
      ).text();
      assert.match(added, 'value="ann@example.com"');
      assert.match(added, 'name="wizard[invites][1][email]"');
      const removed = await (
        await send(client, "people", {
          _remove: "invites.0",
          "wizard[invites][0][email]": "ann@example.com",
          "wizard[invites][1][email]": "bob@example.com",
        })
      ).text();
      assert.not.match(removed, "ann@example.com");
      assert.match(removed, 'value="bob@example.com"');
      const [first] = [...removed.slice(removed.search(at("people"))).matchAll(/<button(?! type="button")[^>]*>/g)];
      assert.match(first![0], /value="next"/);
    });
    story("An autosave by PUT is 204 and shown again, counts as no answer, and is 413 when too large", async () => {
      const client = await begun(app);
      const page = await client.page("/admin/setup/company");
      assert.match(page, "data-autosave");
      assert.match(page, /role="status" data-saved="Saved"/);
      const headers = { "x-csrf-token": tokenOf(page), accept: "application/json" };
      const typed = new URLSearchParams({ "wizard[name]": "Half a na", "wizard[secret]": "hunter2hunter2" });
      const saved = await client.request("/admin/setup/company", { method: "PUT", headers, body: typed });
      assert.is(saved.status, 204);
      const again = await client.page("/admin/setup/company");
      assert.match(again, 'value="Half a na"');
      assert.not.match(again, "hunter2");
      assert.is(location(await client.request("/admin/setup/people")), "/admin/setup/company");
      const big = new URLSearchParams({ "wizard[name]": "x".repeat(300_000) });
      assert.is((await client.request("/admin/setup/company", { method: "PUT", headers, body: big })).status, 413);
    });
    story("The review shows every answer with a link to change it, and finishing shows the message", async () => {
      const client = await begun(app);
      await send(client, "company", { ...company, "wizard[secret]": "hunter2hunter2" });
      await send(client, "people", { "wizard[invites][0][email]": "ann@example.com" });
      assert.match(await client.page("/admin/setup/papers"), 'enctype="multipart/form-data"');
      assert.is(
        location(
          await sendFile(
            client,
            "papers",
            { "wizard[note]": "hi" },
            { name: "logo.png", type: "image/png", bytes: new Uint8Array(PNG) },
          ),
        ),
        "/admin/setup/review",
      );
      const review = await client.page("/admin/setup/review");
      for (const shown of ["Acme", "ann@example.com", "logo.png", "hi"]) assert.match(review, shown);
      assert.not.match(review, "hunter2");
      assert.match(review, /<a href="\/admin\/setup\/company" aria-label="Change: Company">Change<\/a>/);
      assert.not.match(review, "data-autosave");
      const done = await send(client, "review", {});
      assert.is(done.status, 303);
      assert.is(location(done), "/admin");
      assert.match(await client.page("/admin"), "Your company is set up");
      const [made] = await databaseOf(app.application).knex("posts").where({ title: "Acme" });
      assert.ok(made);
    });
    story("A refused file is reported beside the other errors and not stored", async () => {
      const client = await begun(app);
      await send(client, "company", company);
      await send(client, "people", {});
      const stored: string[] = [];
      const storage = app.application.kernel.service("storage");
      const put = storage.put.bind(storage);
      storage.put = async (file) => {
        const kept = await put(file);
        stored.push(kept.key);
        return kept;
      };
      const wrong = await sendFile(
        client,
        "papers",
        { "wizard[note]": "much too long" },
        { name: "a.gif", type: "image/gif", bytes: new Uint8Array(Buffer.from("GIF89a")) },
      );
      assert.is(wrong.status, 422);
      const page = await wrong.text();
      assert.match(page, 'id="wizard_logo_errors"');
      assert.match(page, 'id="wizard_note_errors"');
      assert.not.match(page, "a.gif");
      assert.equal(stored, []);
      storage.put = put;
    });
    story("An error of execute appears on the last step, and a corrected run completes", async () => {
      const client = await begun(app);
      await send(client, "company", { ...company, "wizard[name]": "Taken" });
      await send(client, "people", {});
      await sendFile(client, "papers", {});
      const refused = await send(client, "review", {});
      assert.is(refused.status, 422);
      assert.match(await refused.text(), "That name is taken");
      await send(client, "company", { ...company, "wizard[name]": "Free" });
      assert.is((await send(client, "review", {})).status, 303);
    });
    story("A last step that is sent three times redirects to the same page", async () => {
      const client = await begun(app);
      await send(client, "company", company);
      await send(client, "people", {});
      await sendFile(client, "papers", {});
      const page = await client.page("/admin/setup/review");
      const token = /name="authenticity_token" value="([^"]+)"/.exec(page.slice(page.search(at("review"))))![1]!;
      const post = () =>
        client.request("/admin/setup/review", {
          method: "POST",
          body: new URLSearchParams({ authenticity_token: token }),
        });
      const answers = [await post(), await post(), await post()];
      assert.equal(
        answers.map((answer) => `${answer.status} ${location(answer)}`),
        Array(3).fill("303 /admin"),
      );
    });
    story("A cancel discards the answers and shows a message", async () => {
      const client = await begun(app);
      await send(client, "company", company);
      assert.is(location(await send(client, "people", { _direction: "cancel" })), "/admin");
      assert.match(await client.page("/admin"), "Cancelled");
      assert.is(location(await client.request("/admin/setup")), "/admin/setup/company");
      assert.not.match(await client.page("/admin/setup/company"), "Acme");
    });
    story("A step in JSON has its values without passwords, errors by field, and 303 to the next step", async () => {
      const client = await begun(app);
      const headers = {
        "x-csrf-token": tokenOf(await client.page("/admin/setup/company")),
        accept: "application/json",
        "content-type": "application/json",
      };
      const post = (wizard: object) =>
        client.request("/admin/setup/company", { method: "POST", headers, body: JSON.stringify({ wizard }) });
      const wrong = await post({ name: "", secret: "hunter2hunter2" });
      assert.is(wrong.status, 422);
      const problem = (await wrong.json()) as { code: string; errors: Record<string, string[]> };
      assert.is(problem.code, "FW_INVALID");
      assert.equal(Object.keys(problem.errors), ["name"]);
      assert.is(location(await post({ name: "Acme", plan: "free", secret: "hunter2hunter2" })), "/admin/setup/people");
      const { status, body: shown } = await client.json("/admin/setup/company");
      assert.is(status, 200);
      const data = shown.data as { wizard: string; step: string; steps: { key: string }[]; values: object };
      assert.is(data.wizard, "SetUpWizard");
      assert.is(data.step, "company");
      assert.equal(
        data.steps.map(({ key }) => key),
        ["company", "people", "papers", "review"],
      );
      assert.equal(data.values, { name: "Acme", plan: "free" });
      assert.not.match(JSON.stringify(shown), "hunter2");
      assert.is((await client.json("/admin/setup/nothing")).status, 404);
    });
    story("A wizard that ends in a Turbo frame makes Turbo reload the whole page, on the same site only", async () => {
      const client = await begun(app);
      const inFrame = (path: string) => client.request(path, { headers: { "turbo-frame": "modal" } });
      const csrf = { "x-csrf-token": tokenOf(await client.page("/admin/setup/company")), "turbo-frame": "modal" };
      const cancelled = await client.request("/admin/setup/company", {
        method: "POST",
        headers: csrf,
        body: new URLSearchParams({ _direction: "cancel" }),
      });
      assert.is(location(cancelled), "/admin/setup/completed?to=%2Fadmin");
      const out = await inFrame(location(cancelled));
      assert.is(out.status, 200);
      const page = await out.text();
      assert.match(page, '<meta name="turbo-visit-control" content="reload">');
      assert.match(page, '<turbo-frame id="modal">');
      assert.is(location(await client.request(location(cancelled))), "/admin");
      assert.not.equal(
        location(await client.request("/admin/setup/completed?to=https://evil.test")),
        "https://evil.test",
      );
    });
    story("The answers of one user's run do not appear in another user's run", async () => {
      const [ann, bob] = [await begun(app), await begun(app, 2)];
      await send(ann, "company", { ...company, "wizard[name]": "Ann's" });
      assert.not.match(await bob.page("/admin/setup/company"), "Ann&#39;s");
    });
  });
}
