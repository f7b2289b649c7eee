import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { as, openWizards, portalRoutes, wizardFile } from "./mounts_support.ts";

const location = (answer: Response) => answer.headers.get("location") ?? "";
const files = {
  "app/wizards/deal_wizard.ts": wizardFile("DealWizard", `concurrencyKey: (run) => run.currentUser`, {
    imports: `import Post from "#app/models/post.ts";`,
    steps: `.step("who", {}, (f) => f.string("name"))
      .step("papers", {}, (f) => f.file("contract", { presence: true, maximum: 50 }).string("note", { length: { maximum: 5 } })
        .group("more", {}, (g) => g.file("annex").string("title"))
        .repeated("photos", {}, (g) => g.file("photo").string("caption", { length: { maximum: 5 } })))
      .review()`,
    body: `async execute() {
      const { contract, more, photos } = this.data.papers;
      const title = [contract?.filename, more.annex?.filename, ...photos.map((one) => one.photo?.filename)].join(" ");
      await this.query(Post).insert({ title } as never);
      return succeed(); }`,
  }),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(DealWizard, { at: "deal" });`,
    `import DealWizard from "#app/wizards/deal_wizard.ts";`,
  ),
};
const decode = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
const formOf = (page: string) => /<form class="fw-form".*?<\/form>/s.exec(page)![0];
/** What the form of a page sends by itself. */
function inputs(page: string): [string, string][] {
  const tags = formOf(page).match(/<input\b[^>]*>/g) ?? [];
  const shown = tags.filter(
    (tag) => !/type="file"/.test(tag) && (!/type="checkbox"/.test(tag) || / checked/.test(tag)),
  );
  const value = (tag: string, name: string) => decode(new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
  return shown.map((tag) => [value(tag, "name"), value(tag, "value")]);
}
const kept = (page: string) =>
  [...formOf(page).matchAll(/class="fw-file-kept">(?:<input[^>]*>)?<span>([^<]*) </g)].map(([, name]) => name);
type Files = Record<string, string>;

/** Sends the form of a page as a browser does: its inputs, what is typed, and files by the name of their input. */
async function sendFrom(client: Client, page: string, typed: Record<string, string>, chosen: Files = {}) {
  const body = new FormData();
  for (const [name, value] of inputs(page)) body.append(name, value);
  for (const [name, value] of Object.entries(typed)) body.set(name, value);
  for (const [name, filename] of Object.entries(chosen))
    body.set(name, new Blob([`of ${filename}`], { type: "application/pdf" }), filename);
  return client.request("/admin/deal/papers", { method: "POST", body });
}
const send = async (client: Client, typed: Record<string, string>, chosen: Files = {}) =>
  sendFrom(client, await client.page("/admin/deal/papers"), typed, chosen);
const bad = { "wizard[note]": "much too long" };
const good = { "wizard[note]": "fine" };
const contract = (filename = "contract.pdf"): Files => ({ "wizard[contract]": filename });

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A file of a step that is not accepted yet, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const stored = new Set<string>();
    before(async () => {
      if (database.skip !== undefined) return;
      app = await openWizards(files, await database.values());
      const storage = app.application.kernel.service("storage");
      const [put, remove] = [storage.put.bind(storage), storage.delete.bind(storage)];
      storage.put = async (file) => {
        const one = await put(file);
        stored.add(one.key);
        return one;
      };
      storage.delete = async (key) => {
        stored.delete(key);
        return remove(key);
      };
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const story = (sentence: string, tell: (client: Client) => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await databaseOf(app.application).knex("framewright_wizard_runs").delete();
        await databaseOf(app.application).knex("posts").where("id", ">", 3).delete();
        stored.clear();
        const client = as(app.client(), 1);
        await client.request("/admin/deal");
        await client.submit("/admin/deal/who", {}, /\/who"/);
        await tell(client);
      });
    const titles = async () =>
      (await databaseOf(app.application).knex("posts").where("id", ">", 3)).map(({ title }) => title as string);
    const finish = async (client: Client) => {
      await client.submit("/admin/deal/review", {}, /\/review"/);
      return (await titles()).at(-1);
    };

    story(
      "A file is named when another field is refused, and used when the form is sent again without it",
      async (client) => {
        const wrong = await send(client, bad, contract());
        assert.is(wrong.status, 422);
        const page = await wrong.text();
        assert.equal(kept(page), ["contract.pdf"]);
        assert.match(page, "Leave empty to keep the current file.");
        assert.not.match(page, 'id="wizard_contract_errors"');
        assert.is(stored.size, 1);
        for (const key of stored) assert.not.match(page, key);
        assert.is(location(await sendFrom(client, page, good)), "/admin/deal/review");
        assert.match(await client.page("/admin/deal/review"), "contract.pdf");
        assert.is(stored.size, 1);
        assert.is(await finish(client), "contract.pdf ");
        assert.is(stored.size, 0);
      },
    );
    story("A file is kept by Back and named when the user returns to the step", async (client) => {
      assert.is(location(await send(client, { ...bad, _direction: "back" }, contract())), "/admin/deal/who");
      assert.is(stored.size, 1);
      await client.submit("/admin/deal/who", {}, /\/who"/);
      const page = await client.page("/admin/deal/papers");
      assert.equal(kept(page), ["contract.pdf"]);
      assert.is(location(await sendFrom(client, page, good)), "/admin/deal/review");
      assert.is(stored.size, 1);
    });
    story("A kept file is replaced by a newly chosen one, and stays where that one is refused", async (client) => {
      await send(client, bad, contract("first.pdf"));
      const second = await (await send(client, bad, contract("second.pdf"))).text();
      assert.equal(kept(second), ["second.pdf"]);
      assert.is(stored.size, 1);
      const refused = await sendFrom(client, second, good, contract(`${"x".repeat(60)}.pdf`));
      assert.is(refused.status, 422);
      const page = await refused.text();
      assert.match(page, 'id="wizard_contract_errors"');
      assert.equal(kept(page), ["second.pdf"]);
      assert.is(location(await sendFrom(client, page, good, contract("third.pdf"))), "/admin/deal/review");
      assert.match(await client.page("/admin/deal/review"), "third.pdf");
      assert.is(stored.size, 1);
    });
    story("A kept file is removed by its checkbox, which stays checked until the step is accepted", async (client) => {
      const annex = { "wizard[more][annex]": "annex.pdf" };
      const first = await (await send(client, bad, { ...contract(), ...annex })).text();
      assert.equal(kept(first), ["contract.pdf", "annex.pdf"]);
      const removed = { "wizard[more][_remove_annex]": "1" };
      const page = await (await sendFrom(client, first, { ...bad, ...removed })).text();
      assert.match(page, /name="wizard\[more\]\[_remove_annex\]" value="1" checked/);
      assert.is(stored.size, 2);
      assert.is(location(await sendFrom(client, page, good)), "/admin/deal/review");
      assert.is(stored.size, 1);
      assert.not.match(await client.page("/admin/deal/review"), "annex.pdf");
    });
    story("A kept file replaces the step's former one once the step is accepted", async (client) => {
      await send(client, good, contract("old.pdf"));
      const page = await (await send(client, bad, contract("new.pdf"))).text();
      assert.equal(kept(page), ["new.pdf"]);
      assert.is(stored.size, 2); // the answers have the old one until then
      assert.match(await client.page("/admin/deal/review"), "old.pdf");
      await sendFrom(client, page, good);
      assert.match(await client.page("/admin/deal/review"), "new.pdf");
      assert.is(stored.size, 1);
    });
    story("A kept file stays with its list entry when other entries are added, removed or refused", async (client) => {
      const photo = (at: number, name: string): Files => ({ [`wizard[photos][${at}][photo]`]: name });
      const one = await (await send(client, { _add: "photos" }, { ...contract(), ...photo(0, "a.png") })).text();
      assert.equal(kept(one), ["contract.pdf", "a.png"]);
      const two = await (await sendFrom(client, one, { _add: "photos" }, photo(1, "b.png"))).text();
      assert.equal(kept(two), ["contract.pdf", "a.png", "b.png"]);
      const wrong = { "wizard[photos][1][caption]": "much too long" };
      const three = await (await sendFrom(client, two, wrong)).text();
      assert.equal(kept(three), ["contract.pdf", "a.png", "b.png"]);
      assert.is(stored.size, 3);
      const four = await (await sendFrom(client, three, { _remove: "photos.0" })).text();
      assert.equal(kept(four), ["contract.pdf", "b.png"]);
      assert.is(stored.size, 2);
      const caption = { "wizard[photos][0][caption]": "fine" };
      assert.is(location(await sendFrom(client, four, { ...good, ...caption })), "/admin/deal/review");
      assert.is(await finish(client), "contract.pdf  b.png");
      assert.is(stored.size, 0);
    });
    story("A kept file survives autosaves", async (client) => {
      const page = await (await send(client, bad, contract())).text();
      const token = /name="csrf-token" content="([^"]+)"/.exec(page)![1]!;
      const put = (fields: Record<string, string>) =>
        client.request("/admin/deal/papers", {
          method: "PUT",
          headers: { "x-csrf-token": token },
          body: new URLSearchParams(fields),
        });
      const typed = Object.fromEntries(inputs(page).filter(([name]) => name.startsWith("wizard[")));
      assert.is((await put({ ...typed, "wizard[note]": "a" })).status, 204);
      assert.is((await put({ "wizard[note]": "b" })).status, 204);
      assert.equal(kept(await client.page("/admin/deal/papers")), ["contract.pdf"]);
      assert.is(stored.size, 1);
    });
    story("A kept file is deleted when the run is cancelled", async (client) => {
      await send(client, bad, contract());
      await client.submit("/admin/deal/papers", { _direction: "cancel" }, /\/papers"/);
      assert.is(stored.size, 0);
    });
    story("A kept file is deleted when the run expires", async (client) => {
      await send(client, bad, contract());
      const { kernel } = app.application;
      const { knex } = databaseOf(app.application);
      await knex("framewright_wizard_runs").update({ expires_at: new Date(Date.now() - 60_000) });
      await kernel.service("wizards").engine.sweep();
      assert.is(stored.size, 0);
    });
    story("A kept file that was never accepted is deleted when the run completes", async (client) => {
      await send(client, good, contract("old.pdf"));
      await send(client, bad, contract("new.pdf"));
      assert.is(stored.size, 2);
      assert.is(await finish(client), "old.pdf ");
      assert.is(stored.size, 0);
    });
    story(
      "A kept file is used by a JSON request, which gets its name, type and size but not its key",
      async (client) => {
        await send(client, bad, contract());
        const { body } = await client.json("/admin/deal/papers");
        const { draft } = body.data as { draft: Record<string, unknown> };
        assert.equal(draft.contract, { filename: "contract.pdf", type: "application/pdf", size: 15 });
        const answer = await fetch(`${app.url}/admin/deal/papers`, {
          method: "POST",
          redirect: "manual",
          headers: { "x-user": "1", accept: "application/json", "content-type": "application/json" },
          body: JSON.stringify({ wizard: { note: "fine" } }),
        });
        assert.is(location(answer), "/admin/deal/review");
      },
    );
    story(
      "A kept file can't be used by another user, by its form reference, its key or forged fields",
      async (client) => {
        const page = await (await send(client, bad, contract())).text();
        const reference = inputs(page).find(([name]) => name === "wizard[_file_contract]")!;
        const [key] = [...stored];
        const bob = as(app.client(), 2);
        await bob.request("/admin/deal");
        await bob.submit("/admin/deal/who", {}, /\/who"/);
        const forged: Record<string, string>[] = [
          { "wizard[_file_contract]": reference[1] },
          { "wizard[_file_contract]": key! },
          { "wizard[_file_contract]": "__proto__" },
          { "wizard[contract][key]": key!, "wizard[contract][filename]": "x" },
          { "wizard[_files][x][key]": key!, "wizard[_file_contract]": "x" },
        ];
        for (const typed of forged) {
          const answer = await send(bob, { ...good, ...typed });
          assert.is(answer.status, 422);
          assert.equal(kept(await answer.text()), []);
          assert.equal(kept(await bob.page("/admin/deal/papers")), []);
        }
        assert.is(stored.size, 1);
      },
    );
  });
}
