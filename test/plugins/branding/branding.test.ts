import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { sendForm, upload } from "../attachments/attachments_app.ts";
import { openTenants } from "../scoping/tenants.ts";
import { brandingFiles, logo, page } from "./branding_app.ts";

const as = (id: number) => ({ "x-user": String(id) });
const [ann, bob, cat] = [as(1), as(2), as(3)];
const posts = (tenant: number) => `/customer/${tenant}/posts`;

for (const database of await databases({ withPostgres: true })) {
  describe(`The look of a tenant, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(brandingFiles, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const rows = () => databaseOf(app.application).knex("framewright_branding");
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const get = (path: string, headers: Record<string, string> = ann) => app.request(path, { headers });
    const html = async (path: string, headers = ann) => (await get(path, headers)).text();
    const send = (fields: Record<string, string>, file?: ReturnType<typeof upload>, tenant = 1, headers = ann) =>
      sendForm(app.client(), { page: page(tenant), headers }, [
        ...Object.entries(fields),
        ...(file ? [["logo", file] as const] : []),
      ]);
    const refused = async (answer: Response, text: string) => {
      assert.is(answer.status, 422);
      assert.match(await answer.text(), text);
    };

    can("A person who may gives it a name, a colour and a logo, and its pages have them", async () => {
      assert.match(await html(posts(1)), 'class="fw-brand-mark"');
      assert.match(await html(page(1)), "<h1>Branding</h1>");
      const answer = await send({ name: "Alpine Press", accent: "#7A1F5C" }, upload(logo, "logo.png"));
      assert.is(answer.status, 303, await answer.text());
      const shown = await html(posts(1));
      assert.match(shown, '<span class="fw-brand-name">Alpine Press</span>');
      const [, src] = /<img class="fw-brand-logo" src="([^"]+)" alt=""/.exec(shown)!;
      const [, sheet] = /<link rel="stylesheet" href="([^"]+\/styles\/[^"]+)"/.exec(shown)!;
      const picture = await get(src!);
      assert.equal([picture.status, picture.headers.get("content-type")], [200, "image/png"]);
      assert.equal(Buffer.from(await picture.arrayBuffer()), logo);
      for (const url of [src!, sheet!]) {
        const { headers } = await get(url);
        assert.is(headers.get("cache-control"), "private, max-age=31536000, immutable");
        assert.is(headers.get("x-content-type-options"), "nosniff");
      }
      assert.match(await html(sheet!), "--fw-accent:light-dark(#7a1f5c,");
      assert.is((await get(sheet!.replace(/[^/]+$/, "other"))).headers.get("cache-control"), "private, no-cache");
    });

    can("Another tenant's pages have nothing of it, also for somebody who is in both", async () => {
      const shown = await html(posts(2), cat);
      assert.not.match(shown, /Alpine Press|fw-brand-logo|_branding\/styles/);
      assert.match(await html(posts(1), cat), "Alpine Press");
      const [, src] = /<img class="fw-brand-logo" src="([^"]+)"/.exec(await html(posts(1), cat))!;
      assert.is((await get(src!.replace("/customer/1/", "/customer/2/"), cat)).status, 404);
      assert.is((await get(src!, bob)).status, 404);
      assert.ok([401, 403, 404].includes((await get(src!, {})).status));
    });

    can("Who may not change it has no line in the menu, and is refused", async () => {
      assert.match(await html(posts(1), ann), page(1));
      assert.not.match(await html(posts(2), bob), page(2));
      assert.is((await get(page(2), bob)).status, 403);
      assert.is((await get(page(1), bob)).status, 404);
      assert.ok([401, 403, 404].includes((await get(page(1), {})).status));
    });

    can("Mails that are about it have its name and its colour, others the application's", async () => {
      const { kernel } = app.application;
      const [jobs, mailer, database] = [kernel.service("jobs"), kernel.service("mailer"), databaseOf(app.application)];
      const info = database.models().find(({ table }) => table === "organizations")!;
      const [alpine, baltic] = await Promise.all([1, 2].map((id) => database.readByKey(info, id)));
      const mail = (tenant?: object) => ({
        to: "a@example.com",
        names: ["mails/news"],
        subject: "News",
        locals: {},
        tenant,
      });
      await database.transaction(async (transaction) => {
        for (const tenant of [alpine, baltic, undefined]) await mailer.deliver({ ...mail(tenant), transaction });
      });
      await jobs.drain();
      const [own, ...others] = mailer.kept.slice(-3);
      assert.match(own!.from!, /^Alpine Press <no-reply@/);
      assert.match(own!.text, "News of Alpine Press");
      assert.match(own!.html!, "background: #7a1f5c");
      for (const other of others) {
        assert.not.match(other.from!, "<");
        assert.not.match(other.html! + other.text, /Alpine|7a1f5c/);
      }
    });

    can("What can't be used is refused below its field, and what was typed stays", async () => {
      const before = await rows();
      await refused(await send({ name: "N".repeat(61) }), "Write at most 60 characters");
      await refused(await send({ name: "<b>" }), 'value="&lt;b&gt;"');
      await refused(await send({ accent: "red" }), "Write a colour as #7a1f5c.");
      await refused(await send({ name: "Kept", accent: "#ffd400" }), "The nearest colour that can is #");
      assert.match(await (await send({ name: "Kept", accent: "#ffd400" })).text(), 'value="Kept"');
      for (const [bytes, name] of [
        ['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', "logo.svg"],
        ["<script>alert(1)</script> and some more of it", "logo.png"],
        [Buffer.concat([logo, Buffer.from("<script>alert(1)</script>")]), "logo.png"],
        [Buffer.concat([logo.subarray(0, 40), Buffer.alloc(110_000), logo.subarray(40)]), "logo.png"],
        [Buffer.alloc(0), "logo.png"],
      ] as const) {
        const answer = await send({ name: "Other" }, upload(bytes as Buffer, name));
        if (bytes.length > 0) await refused(answer, "This is no PNG, JPEG or WebP picture of at most 100 KB.");
      }
      const after = (await rows()).map(({ name, logo_hash }) => [name, logo_hash]);
      assert.ok(
        after.every(([name]) => name === "Alpine Press" || name === "Other"),
        JSON.stringify(after),
      );
      assert.is(after.length, before.length);
    });

    can(
      "The picker wins where it was moved, a logo stays until it is removed, and all of it goes at once",
      async () => {
        await send({ name: "Alpine", accent: "#7a1f5c", picked: "#1f5c7a", picked_was: "#7a1f5c" });
        const [row] = await rows();
        assert.equal([row!.name, row!.accent, typeof row!.logo], ["Alpine", "#1f5c7a", "string"]);
        await send({ name: "", accent: "", remove_logo: "1" });
        assert.not.match(await html(posts(1)), /fw-brand-logo|_branding\/styles/);
        assert.is((await send({ reset: "1" })).status, 303);
        assert.equal(await rows(), []);
      },
    );
  });
}
