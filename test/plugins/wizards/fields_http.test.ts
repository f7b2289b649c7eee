import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { pngOf } from "../../support/png.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { as, openWizards, portalRoutes, wizardFile } from "./mounts_support.ts";

// Every kind of field through a browser without JavaScript, from the first page to what execute reads.

const file = "app/wizards/all_wizard.ts";
const all = wizardFile("AllWizard", "", {
  imports: `import Post from "#app/models/post.ts";`,
  steps: `
    .step("people", {}, (f) => f.repeated("invites", { minimum: 1, maximum: 3 }, (g) => g.email("email", { presence: true }).select("role", ["admin", "member"]).file("photo"))
      .group("address", {}, (g) => g.string("city")))
    .step("papers", {}, (f) => f.file("logo", { accept: ["image/png"], maximum: 1000, presence: true }).password("pin", { presence: true }))
    .step("post", { using: Post })
    .review()`,
  body: `async execute() {
    const { people, papers, post } = this.data;
    const title = JSON.stringify({ people, pin: papers.pin, logo: papers.logo?.filename });
    await this.query(Post).insert({ title: post.title } as never);
    await this.query(Post).insert({ title } as never);
    if (papers.logo) this.keep(papers.logo);
    return succeed().withMessage("Well done");
  }`,
});
const model = `import { hasMany, Model } from "framewright/plugins/database";
  export default class Post extends Model("posts") { static override associations = { comments: hasMany() }; static override validations = { title: { presence: true } }; }`;
const routes = portalRoutes(
  `routes.registerWizard(AllWizard, { at: "all" });`,
  `import AllWizard from "#app/wizards/all_wizard.ts";`,
);

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The fields of a wizard's pages, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let ann: Client;
    let base = "";
    before(async () => {
      if (database.skip) return;
      const files = { [file]: all, "app/models/post.ts": model, "packages/admin_portal/config/routes.ts": routes };
      app = await openWizards(files, await database.values());
      ann = as(app.client(), 1);
      const { headers } = await ann.request("/admin/all");
      base = headers.get("location")!.replace(/\/people$/, "");
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const stored = () => {
      const directory = join(app.root, "storage/files");
      if (!existsSync(directory)) return 0;
      return readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("/")).length;
    };
    /** As a browser sends a form with files. */
    async function send(step: string, fields: Record<string, string | File>): Promise<Response> {
      const page = await ann.page(`${base}/${step}`);
      const form = page.match(/<form class="fw-form".*?<\/form>/s)![0];
      const body = new FormData();
      for (const [tag] of form.matchAll(/<input type="(?:hidden|text|email)"[^>]*>/g)) {
        const [, value] = /value="([^"]*)"/.exec(tag)!;
        const [, name] = / name="([^"]*)"/.exec(tag)!;
        if (!(name! in fields)) body.append(name!, value!);
      }
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      return ann.request(`${base}/${step}`, { method: "POST", body });
    }
    const png = (name: string, size = 10) => new File([new Uint8Array(pngOf(size))], name, { type: "image/png" });
    const emails = (page: string) =>
      [...page.matchAll(/value="([^"]*)" id="wizard_invites-\d+-email"/g)].map(([, value]) => value);

    can("Entries are added and removed by buttons, and what was typed is kept", async () => {
      const typed = { "wizard[invites][0][email]": "not yet", "wizard[address][city]": "Bern" };
      const more = await (await send("people", { ...typed, _add: "invites" })).text();
      assert.equal(emails(more), ["not yet", ""]);
      assert.match(more, 'value="Bern"');
      const two = { ...typed, "wizard[invites][1][email]": "b@b.b" };
      assert.equal(emails(await (await send("people", { ...two, _remove: "invites.0" })).text()), ["b@b.b"]);
      assert.equal(emails(await ann.page(`${base}/people`)), ["b@b.b"]);
    });

    can("The errors of an entry refer to its number, not counting blank entries", async () => {
      const answer = await send("people", {
        "wizard[invites][0][email]": "",
        "wizard[invites][1][email]": "nobody",
        "wizard[invites][1][role]": "owner",
      });
      const page = await answer.text();
      assert.is(answer.status, 422);
      assert.match(page, '<a href="#wizard_invites-0-email">');
      assert.equal(emails(page), ["nobody"]);
      assert.match(page, /id="wizard_invites-0-role_errors"/);
    });

    can("Files stay with their entries and are deleted with them", async () => {
      const answer = await send("people", {
        "wizard[invites][0][email]": "a@a.a",
        "wizard[invites][0][role]": "admin",
        "wizard[invites][0][photo]": png("a.png"),
        "wizard[invites][1][email]": "b@b.b",
        "wizard[invites][1][photo]": png("b.png"),
        "wizard[address][city]": "Bern",
      });
      assert.is(answer.headers.get("location"), `${base}/papers`);
      assert.is(stored(), 2);
      assert.match(await ann.page(`${base}/people`), /a\.png <small>.*b\.png <small>/s);
      const less = await send("people", { _remove: "invites.0" });
      assert.match(await less.text(), /b\.png <small>.*fw-entry-removed.*a\.png <small>/s);
      await send("people", { "wizard[address][city]": "Basel", "wizard[invites][0][role]": "member" });
      assert.is(stored(), 1);
      assert.match(await ann.page(`${base}/people`), "b.png <small>");
    });

    can("A file of a wrong type or size is refused and not stored", async () => {
      const text = new File(["x"], "x.txt", { type: "text/plain" });
      const wrong = await send("papers", { "wizard[logo]": text, "wizard[pin]": "1234" });
      assert.is(wrong.status, 422);
      assert.match(await wrong.text(), "must be one of image/png");
      const large = await send("papers", { "wizard[logo]": png("big.png", 1001), "wizard[pin]": "1234" });
      const page = await large.text();
      assert.match(page, "is too large (at most 1 KB)");
      assert.not.match(page, "At most", "the hint says no more than the error");
      assert.is(stored(), 1);
    });

    can("A form can't set a file by its key", async () => {
      const forged = await send("papers", {
        "wizard[logo][key]": "aa/bb",
        "wizard[logo][filename]": "x.png",
        "wizard[pin]": "1",
      });
      assert.is(forged.status, 422);
    });

    can("A stored password is never shown, and a step of a model requires what the model requires", async () => {
      const next = await send("papers", { "wizard[logo]": png("logo.png"), "wizard[pin]": "s3cret" });
      assert.is(next.headers.get("location"), `${base}/post`);
      assert.not.match(await ann.page(`${base}/papers`), "s3cret");
      const back = await send("papers", { "wizard[pin]": "" });
      assert.is(back.headers.get("location"), `${base}/post`, "both stay as they were");
      const blank = await send("post", { "wizard[title]": "" });
      assert.match(await blank.text(), "can&#39;t be blank");
      assert.is((await send("post", { "wizard[title]": "From the model" })).status, 303);
    });

    can("The review shows all answers but passwords, and execute gets them as they were answered", async () => {
      const review = await ann.page(`${base}/review`);
      for (const part of ["b@b.b", "Basel", "logo.png", "••••", "From the model"])
        assert.ok(review.includes(part), part);
      assert.not.match(review, "s3cret");
      const done = await send("review", {});
      assert.is(done.status, 303);
      const titles = await databaseOf(app.application).knex("posts").where("id", ">", 3).orderBy("id").pluck("title");
      assert.is(titles[0], "From the model");
      const { people, pin, logo } = JSON.parse(titles[1] as string);
      assert.equal([people.address, people.invites.length, people.invites[0].role], [{ city: "Basel" }, 1, "member"]);
      assert.equal([pin, logo], ["s3cret", "logo.png"]);
      assert.is(stored(), 1, "the file that execute took stays, the other is gone");
    });
  });
}
