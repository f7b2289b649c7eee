import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { jobsMigration } from "../jobs/support.ts";
import { openWizards, portalRoutes, wizardFile, wizardFiles } from "../wizards/mounts_support.ts";

const plugins = join(import.meta.dirname, "../../../plugins");
const schema = ["confirmed_addresses", "limits"]
  .map((name) => readFileSync(join(plugins, name, "schema.liquid"), "utf8"))
  .join("");
const steps = `.step("contact", { label: "Contact" }, (f) => f.string("name", { presence: true }).field("email", { as: "confirmed_email", presence: true }).boolean("second").field("other", { as: "confirmed_email", condition: ({ values }) => values.second === true }))
  .step("wish", { label: "Wish" }, (f) => f.string("wish")).review()`;
const body = `async execute() { return succeed().withMessage("For " + this.data.contact.email); }`;
const wizard = (name: string, of = steps, run = body) =>
  wizardFile(name, "anonymous: true", {
    steps: of,
    body: run,
    imports: 'import type {} from "framewright/plugins/confirmed_addresses";',
  });
const filesWith = (options: string): Record<string, string> => ({
  "plugins.config.ts": edited(
    wizardFiles,
    "plugins.config.ts",
    ["i18n()", 'i18n({ locales: ["en", "de"] })'],
    ["storage(),", `storage(), jobs({ run: false }), mailer(), limits(), confirmedAddresses(${options}),`],
    [
      "export default",
      `import { confirmedAddresses } from "framewright/plugins/confirmed_addresses";
import { jobs } from "framewright/plugins/jobs";
import { limits } from "framewright/plugins/limits";
import { mailer } from "framewright/plugins/mailer";
export default`,
    ],
  ),
  "app/wizards/apply_wizard.ts": wizard("ApplyWizard"),
  "app/wizards/plain_wizard.ts": wizard(
    "PlainWizard",
    `.step("contact", {}, (f) => f.field("email", { as: "confirmed_email" }).group("at", {}, (g) => g.field("email", { as: "confirmed_email" })))`,
    `async execute() { return succeed().withMessage(JSON.stringify(this.data.contact)); }`,
  ),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(ApplyWizard, { at: "apply" }); routes.registerWizard(PlainWizard, { at: "plain" });`,
    `import ApplyWizard from "#app/wizards/apply_wizard.ts"; import PlainWizard from "#app/wizards/plain_wizard.ts";`,
  ),
  "db/migrate/20260101000002_create_framewright_jobs.ts": jobsMigration,
  "db/migrate/20260101000003_add_codes.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { ${schema} }
    export async function down(): Promise<void> {}`,
});
const location = (answer: Response) => answer.headers.get("location") ?? "";

for (const database of await databases({ withPostgres: true })) {
  describe(`Addresses that guests confirm, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const kernel = () => app.application.kernel;
    if (database.skip === undefined) {
      before(async () => {
        app = await openWizards(filesWith(""), await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, run: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("framewright_limits").delete();
        await run();
      });

    const mails = async () => {
      await kernel().service("jobs").drain();
      return kernel().service("mailer").kept;
    };
    const codesFor = async (address: string) =>
      (await mails()).filter(({ to }) => to === address).map(({ text }) => /^\d{6}$/m.exec(text)![0]);
    const lastCode = async (address: string) => (await codesFor(address)).at(-1)!;
    const visitor = async (path = "/apply") => {
      const guest = app.client();
      assert.is(location(await guest.request(path)), `${path}/contact`);
      return guest;
    };
    const send = (guest: Client, email: string, more: Record<string, string> = {}) =>
      guest.submit("/apply/contact", { "wizard[name]": "Bea", "wizard[email]": email, ...more }, /apply/);
    const withCode = (code: string) => ({ "wizard[_code_email]": code });
    const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    const refused = async (answer: Response, text: string | RegExp) => {
      assert.is(answer.status, 422);
      assert.match(await answer.text(), text);
    };
    const stored = async () => JSON.stringify(await knex()("framewright_wizard_runs").select("data", "drafts"));

    can("A code is mailed, the form comes back filled in, and the right code leads on to the end", async () => {
      const guest = await visitor();
      assert.not.match(await guest.page("/apply/contact"), "_code_email");
      assert.is(location(await send(guest, " bea@Example.COM ")), "/apply/contact");
      const page = await guest.page("/apply/contact");
      assert.match(page, "We mailed a code to bea@example.com");
      assert.match(page, 'value="Bea"');
      assert.match(page, /name="wizard\[_code_email\]"[^>]*autocomplete="one-time-code"/);
      assert.not.match(page, "fw-error-summary");
      const code = await lastCode("bea@example.com");
      assert.is(
        location(await send(guest, "bea@example.com", withCode(` ${code.slice(0, 3)} ${code.slice(3)}`))),
        "/apply/wish",
      );
      const again = await guest.page("/apply/contact");
      assert.match(again, "This address is confirmed.");
      assert.match(again, 'value="bea@example.com"');
      await guest.submit("/apply/wish", { "wizard[wish]": "A boat" }, /apply/);
      assert.match(await guest.page("/apply/review"), "bea@example.com");
      assert.is(location(await guest.submit("/apply/review", {}, /apply/)), "/apply/completed");
      assert.match(await guest.page("/apply/completed"), "For bea@example.com");
    });
    can("Other steps can't be opened or sent, and nothing is stored, before the code was entered", async () => {
      const guest = await visitor();
      await send(guest, "jump@example.com");
      for (const path of ["/apply/wish", "/apply/review"])
        assert.is(location(await guest.request(path)), "/apply/contact");
      const form = await guest.page("/apply/contact");
      const csrf = /name="authenticity_token" value="([^"]+)"/.exec(form)![1]!;
      for (const path of ["/apply/wish", "/apply/review", "/apply/contact"]) {
        const fields = new URLSearchParams({
          authenticity_token: csrf,
          "wizard[name]": "Bea",
          "wizard[email]": "jump@example.com",
          "wizard[wish]": "x",
          _direction: path.endsWith("contact") ? "review" : "next",
        });
        await guest.request(path, { method: "POST", body: fields });
      }
      const [run] = await knex()("framewright_wizard_runs").orderBy("id", "desc").limit(1);
      assert.equal(JSON.parse(run.data ?? "{}"), {});
      assert.is(run.cursor, "contact");
    });
    can("Codes are stored as digests, and appear neither in answers nor in drafts", async () => {
      const guest = await visitor();
      await send(guest, "rest@example.com");
      const code = await lastCode("rest@example.com");
      const rows = JSON.stringify(await knex()("framewright_address_codes").select());
      assert.not.match(rows, code);
      assert.not.match(rows, "rest@example.com");
      await refused(await send(guest, "rest@example.com", { "wizard[name]": "", ...withCode(code) }), "blank");
      assert.not.match(await stored(), code);
      // entered already: the rest of the step is corrected without it
      assert.is(location(await send(guest, "rest@example.com")), "/apply/wish");
      assert.not.match(await stored(), code);
    });
    can("Wrong codes are counted before they are compared: parallel ones, too", async () => {
      const guest = await visitor();
      await send(guest, "guess@example.com");
      const code = await lastCode("guess@example.com");
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => send(guest, "guess@example.com", withCode(other(code)))),
      );
      assert.ok(answers.every(({ status }) => status === 422 || status === 409));
      const [row] = await knex()("framewright_address_codes").orderBy("id", "desc").limit(1);
      assert.is(Number(row.attempts), 5);
      await refused(await send(guest, "guess@example.com", withCode(code)), "wrong codes were entered too often");
      assert.is(location(await send(guest, "guess@example.com", { "wizard[_send_email]": "1" })), "/apply/contact");
      const next = await lastCode("guess@example.com");
      await refused(
        await send(guest, "guess@example.com", withCode(next === code ? other(code) : code)),
        "that code is wrong",
      );
      assert.is(location(await send(guest, "guess@example.com", withCode(next))), "/apply/wish");
    });
    can("Another address needs another code, the same one none; a used code is worth nothing", async () => {
      const guest = await visitor();
      await send(guest, "first@example.com");
      const code = await lastCode("first@example.com");
      // a code for another address than it was mailed to
      assert.is(location(await send(guest, "second@example.com", withCode(code))), "/apply/contact");
      assert.match(await guest.page("/apply/contact"), "not valid any more");
      const second = await lastCode("second@example.com");
      assert.is(location(await send(guest, "second@example.com", withCode(second))), "/apply/wish");
      await refusedTwice();
      async function refusedTwice() {
        assert.is(location(await send(guest, "first@example.com", withCode(second))), "/apply/contact");
        const fresh = await lastCode("first@example.com");
        await refused(
          await send(guest, "first@example.com", withCode(fresh === second ? other(second) : second)),
          "wrong",
        );
      }
      const sent = (await mails()).length;
      assert.is(location(await send(guest, "second@example.com")), "/apply/wish"); // stored, and confirmed before
      assert.is((await mails()).length, sent);
    });
    can("A code of another run is wrong, as is one of another field", async () => {
      const [ann, bob] = [await visitor(), await visitor()];
      await send(ann, "shared@example.com");
      const ofAnn = await lastCode("shared@example.com");
      await send(bob, "shared@example.com");
      const ofBob = await lastCode("shared@example.com");
      if (ofAnn !== ofBob) await refused(await send(bob, "shared@example.com", withCode(ofAnn)), "that code is wrong");
      const both = { "wizard[second]": "1", "wizard[other]": "else@example.com" };
      await send(bob, "shared@example.com", { ...both, ...withCode(ofBob) });
      const forElse = await lastCode("else@example.com");
      await refused(
        await send(bob, "shared@example.com", {
          ...both,
          "wizard[_code_other]": ofBob === forElse ? other(ofBob) : ofBob,
        }),
        "that code is wrong",
      );
      assert.is(
        location(await send(bob, "shared@example.com", { ...both, "wizard[_code_other]": forElse })),
        "/apply/wish",
      );
    });
    can("Two tabs: the right code confirms in either, the last mailed address counts", async () => {
      const guest = await visitor();
      await send(guest, "tabs@example.com");
      const code = await lastCode("tabs@example.com");
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => send(guest, "tabs@example.com", withCode(code))),
      );
      assert.ok(answers.every((answer) => answer.status === 303));
      assert.match(await guest.page("/apply/wish"), "Wish");
      // one tab changes the address while the other enters the code of the one before
      await send(guest, "tab-b@example.com");
      assert.is(
        location(await send(guest, "tab-a@example.com", withCode(await lastCode("tab-b@example.com")))),
        "/apply/contact",
      );
      assert.match(await stored(), "tabs@example.com");
    });
    can("Codes expire, and a new one is mailed for an expired one", async () => {
      const guest = await visitor();
      await send(guest, "late@example.com");
      const code = await lastCode("late@example.com");
      await knex()("framewright_address_codes").update({ expires_at: Date.now() - 1 });
      assert.is(location(await send(guest, "late@example.com", withCode(code))), "/apply/contact");
      assert.is((await codesFor("late@example.com")).length, 2);
      assert.is(
        location(await send(guest, "late@example.com", withCode(await lastCode("late@example.com")))),
        "/apply/wish",
      );
    });
    can("Mails are limited for an address over all runs, for a client and for a run", async () => {
      for (let at = 0; at < 5; at++) await send(await visitor(), "Many@example.com");
      await refused(await send(await visitor(), "many@example.com"), "Try again in 60 minutes");
      assert.is((await codesFor("many@example.com")).length + (await codesFor("Many@example.com")).length, 5);
      await knex()("framewright_limits").delete();
      const guest = await visitor();
      const answers: Response[] = [];
      for (let at = 0; at < 11; at++) answers.push(await send(guest, `run-${at}@example.com`));
      assert.equal(
        answers.map(({ status }) => status),
        [...Array(10).fill(303), 422],
      );
      const rest: Response[] = [];
      for (let at = 0; at < 11; at++) rest.push(await send(await visitor(), `client-${at}@example.com`));
      assert.equal(
        rest.map(({ status }) => status),
        [...Array(10).fill(303), 422],
      );
    });
    can("An unfinished run is resumed with its address, its code and what was typed", async () => {
      const guest = await visitor();
      await send(guest, "later@example.com");
      await guest.request("/apply");
      const page = await guest.page("/apply/contact");
      assert.match(page, 'value="later@example.com"');
      assert.match(page, "_code_email");
      assert.is(
        location(await send(guest, "later@example.com", withCode(await lastCode("later@example.com")))),
        "/apply/wish",
      );
    });
    can("Programs are answered 422 until the code is right; marks and shapes of theirs confirm nothing", async () => {
      const guest = await visitor();
      const page = await guest.page("/apply/contact");
      const token = /name="csrf-token" content="([^"]+)"/.exec(page)![1]!;
      const post = async (values: object) => {
        const headers = { accept: "application/json", "content-type": "application/json", "x-csrf-token": token };
        const text = JSON.stringify({ wizard: { name: "Bea", ...values } });
        const answer = await guest.request("/apply/contact.json", { method: "POST", headers, body: text });
        return { status: answer.status, text: await answer.text() };
      };
      for (const email of [
        { address: "x@example.com", confirmed: true },
        { "Symbol(framewright.confirmed_addresses.confirmed)": true, 0: "x@example.com" },
        [["x@example.com"]],
        true,
        7,
        "x@example.com\u0000",
        "x@example.com\nbcc: y@example.com",
        "not an address",
        `${"a".repeat(250)}@example.com`,
        "Bea <x@example.com>",
        "x@example.com,y@example.com",
      ]) {
        const answer = await post({ email });
        assert.is(answer.status, 422, `${JSON.stringify(email)} ${answer.text}`);
      }
      const asked = await post({ email: ["json@example.com"] });
      assert.is(asked.status, 422);
      assert.match(asked.text, "We mailed a code to json@example.com");
      assert.match((await post({ email: "json@example.com" })).text, "enter the code");
      const code = await lastCode("json@example.com");
      assert.is((await post({ email: "json@example.com", _code_email: { $gt: "" } })).status, 422);
      assert.is((await post({ email: "json@example.com", _code_email: [code] })).status, 422);
      assert.is((await post({ email: "json@example.com", _code_email: code })).status, 303);
      assert.equal(
        (await mails()).filter(({ to }) => /^[xy]@/.test(to)),
        [],
      );
    });
    can("Where nobody confirms it, in a group, every address is refused, and an empty one is none", async () => {
      const guest = await visitor("/plain");
      const plain = (fields: Record<string, string>) => guest.submit("/plain/contact", fields, /plain/);
      await refused(await plain({ "wizard[at][email]": "group@example.com" }), "is not confirmed yet");
      assert.equal(await codesFor("group@example.com"), []);
      assert.is(location(await plain({ "wizard[at][email]": "" })), "/plain/completed");
      assert.match(
        await guest.page("/plain/completed"),
        "{&quot;email&quot;:null,&quot;at&quot;:{&quot;email&quot;:null}}",
      );
    });
    can("Page, errors and mail are in the person's language", async () => {
      const guest = app.client();
      const request = guest.request.bind(guest);
      guest.request = (path, init = {}) => {
        const headers = new Headers(init.headers);
        headers.set("accept-language", "de");
        return request(path, { ...init, headers });
      };
      await guest.request("/apply");
      await send(guest, "deutsch@example.com");
      assert.match(await guest.page("/apply/contact"), "Wir haben einen Code an deutsch@example.com geschickt");
      const mail = (await mails()).find(({ to }) => to === "deutsch@example.com")!;
      assert.match(mail.subject, "Ihr Code für");
      assert.match(mail.text, "Bestätigen Sie mit diesem Code Ihre Adresse deutsch@example.com:");
      assert.match(mail.html!, "Er gilt 15 Minuten.");
      await refused(await send(guest, "deutsch@example.com"), "Geben Sie den Code aus der E-Mail ein");
    });
  });
}

describe("The options of confirmedAddresses()", (it) => {
  it("Digits, minutes and attempts are those of the options, and others are refused at boot", async () => {
    const app = await openWizards(filesWith("{ digits: 8, minutes: 1, attempts: 1 }"));
    const guest = app.client();
    await guest.request("/apply");
    const send = (code?: string) =>
      guest.submit(
        "/apply/contact",
        { "wizard[name]": "B", "wizard[email]": "b@example.com", ...(code ? { "wizard[_code_email]": code } : {}) },
        /apply/,
      );
    await send();
    await app.application.kernel.service("jobs").drain();
    const [mail] = app.application.kernel.service("mailer").kept;
    assert.match(mail!.text, /^\d{8}$/m);
    assert.match(mail!.text, "It is valid for 1 minute.");
    const code = /^\d{8}$/m.exec(mail!.text)![0];
    await send(code.startsWith("1") ? "20000000" : "10000000");
    assert.match(await (await send(code)).text(), "too often");
    await app.close();
    assert.match((await throwsCode("FW_FILE_FAILED", () => openWizards(filesWith("{ digits: 4 }")))).message, "digits");
  });
});
