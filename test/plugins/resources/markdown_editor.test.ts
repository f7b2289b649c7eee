import { dangersOf } from "../../host/html_reading.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { Person } from "./fields_app.ts";
import { openMarkdown } from "./markdown_app.ts";
import { task } from "./tasks_app.ts";

const tasks = "/customer/1/tasks";
const note = { "task[note]": "## Plan\n\n**bold** <b>x</b> [x](javascript:alert(1))", _preview: "task[note]" };

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Markdown in forms, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const person = (id = 1) => new Person(app.url, id);
    /** What the form of a page is answered, with these values; saying what stands in the preview. */
    async function send(client: Client, page: string, fields: Record<string, string>, match?: RegExp) {
      const answer = await client.submit(page, fields, match);
      const html = await answer.text();
      const place = /<div class="fw-editor-preview"[^>]*>(.*?)<\/div>\s*<\/div>/s.exec(html);
      return { status: answer.status, html, place: place?.[0], preview: place?.[1] };
    }
    if (database.skip === undefined) {
      before(async () => {
        app = await openMarkdown(await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("tasks").delete();
        await knex()("tasks").insert([task(1), task(2, { title: "Locked" }), task(3, {}, 2)]);
        await story();
      });
    const stored = async () => (await knex()("tasks").where({ id: 1 }).first()).note;

    can(
      "A field of Markdown has buttons that wait for the script, a preview, and a page that saves with Enter",
      async () => {
        const html = await person().page(`${tasks}/1/edit`);
        assert.match(html, /<div class="fw-editor" data-markdown="\/assets\/markdown-[^"]+\.js"/);
        assert.match(html, /<div class="fw-editor-marks" role="group" aria-label="Format" hidden>/);
        assert.match(html, /data-mark="bold" aria-label="Bold" aria-controls="task_note" title="Bold \(Ctrl\+B\)"/);
        assert.match(html, /name="_preview" value="task\[note\]" formnovalidate/);
        const form = html.slice(html.indexOf('class="fw-form"'));
        assert.match(/<button[^>]*>/.exec(form)![0], /tabindex="-1" aria-hidden="true"/);
        assert.not.match(await person().page("/customer/1/posts/1/edit"), /fw-editor|markdown-/);
        const script = await app.request(/data-markdown="([^"]+)"/.exec(html)![1]!);
        assert.is(script.status, 200);
      },
    );

    can("Without JavaScript the form comes back with the preview, what was typed, and nothing saved", async () => {
      const { status, html, place, preview } = await send(person(), `${tasks}/1/edit`, { ...note, "task[title]": "" });
      assert.is(status, 422, html);
      assert.match(preview!, "<h4>Plan</h4>");
      assert.match(preview!, "<strong>bold</strong> &lt;b&gt;x&lt;/b&gt;");
      assert.equal(dangersOf(preview!), []);
      assert.match(place!, /role="region" tabindex="-1" aria-label="Preview: Note" id="task_note_preview" autofocus/);
      assert.match(html, "## Plan\n\n**bold** &lt;b&gt;x&lt;/b&gt;");
      assert.not.match(html, /fw-error-summary/);
      assert.is(await stored(), "Read me");
      const made = await send(person(), `${tasks}/new`, { ...note, "task[title]": "New" });
      assert.match(made.preview!, "<h4>Plan</h4>");
      assert.is(Number((await knex()("tasks").count({ n: "*" }))[0]!.n), 3);
    });

    can("The forms of an interaction, of a wizard and of a cell have it as well, and do nothing yet", async () => {
      const ask = await send(person(), "/customer/1/posts/1/actions/ask", {
        "interaction[title]": "# Heading",
        _preview: "interaction[title]",
      });
      assert.match(ask.preview!, "<h3>Heading</h3>");
      const page = "/customer/1/posts/1/wizards/question";
      const client = person();
      const first = (await client.request(page)).headers.get("location")!;
      const step = await send(
        client,
        first,
        { "wizard[title]": "# Heading", _preview: "wizard[title]" },
        /fw-form|wizard/,
      );
      assert.is(step.status, 422, step.html);
      assert.match(step.preview!, "<h3>Heading</h3>");
      const cell = await send(person(), `${tasks}/1/cells/note`, note, /fw-cell-form/);
      assert.match(cell.preview!, "<h4>Plan</h4>");
      assert.is(await stored(), "Read me");
    });

    can(
      "Nobody previews what they may not write: another's field, a hidden one, a record out of reach, a guest",
      async () => {
        const cat = await send(person(3), `${tasks}/1/edit`, note);
        assert.equal([cat.status, cat.preview], [422, undefined]);
        assert.not.match(cat.html, "<strong>bold</strong>");
        const without = await send(person(), `${tasks}/1/edit`, { ...note, "task[title]": "Without" });
        assert.equal([without.status, without.preview], [422, undefined]);
        const other = await send(person(), `${tasks}/1/edit`, {
          ...note,
          _preview: "task[internal]",
          "task[internal]": "# x",
        });
        assert.equal([other.status, other.preview], [422, ""]);
        const ann = person();
        const token = /name="csrf-token" content="([^"]+)"/.exec(await ann.page(tasks))![1]!;
        const post = (client: Client, path: string, headers: Record<string, string> = {}) =>
          client.request(path, { method: "POST", headers, body: new URLSearchParams({ ...note, _method: "patch" }) });
        const known = { "x-csrf-token": token };
        assert.is((await post(ann, `${tasks}/2`, known)).status, 403);
        assert.is((await post(ann, `${tasks}/3`, known)).status, 404);
        assert.is((await post(ann, "/customer/2/tasks/3", known)).status, 404);
        assert.is((await post(ann, `${tasks}/1`)).status, 403, "no token");
        assert.is.not((await post(new Client(app.url), `${tasks}/1`, known)).status, 422);
        assert.is(await stored(), "Read me");
      },
    );

    can(
      "A guest who may fill in the form has the buttons and no preview, and one that is asked for saves nothing",
      async () => {
        const guest = new Client(app.url);
        const page = await guest.page("/guest/1/tasks/new");
        assert.match(page, "data-markdown=");
        assert.not.match(page, /_preview/);
        const { status, html } = await send(guest, "/guest/1/tasks/new", { ...note, "task[title]": "By a guest" });
        assert.is(status, 422);
        assert.not.match(html, "<strong>bold</strong>");
        assert.is(Number((await knex()("tasks").count({ n: "*" }))[0]!.n), 3);
      },
    );

    can("A long text is shown as it was typed, and one beyond what a form may send is refused", async () => {
      const long = await send(person(), `${tasks}/1/edit`, { ...note, "task[note]": `# ${"x".repeat(50_000)}` });
      assert.match(long.preview!, '<div class="fw-prose"># x');
      const huge = await send(person(), `${tasks}/1/edit`, { ...note, "task[note]": "x".repeat(2_000_000) });
      assert.is(huge.status, 413);
      const empty = await send(person(), `${tasks}/1/edit`, { ...note, "task[note]": " " });
      assert.match(empty.preview!, "There is nothing to show yet.");
    });
  });
}
