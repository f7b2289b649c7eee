import { dangersOf } from "../../host/html_reading.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { filledRows } from "../../support/filled_rows.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { Person } from "./fields_app.ts";
import { task, taskFiles } from "./tasks_app.ts";

const [policy, posts] = ["app/policies/task_policy.ts", "app/policies/post_policy.ts"];
const tasks = taskFiles('this.action("finish", { interaction: Finish });');
/** Posts whose page has their tasks, which Cat may not search and of which "Locked" is not changed and "Kept" not deleted. */
const files: Record<string, string> = {
  ...tasks,
  "app/definitions/task_definition.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
${tasks["app/definitions/task_definition.ts"]!.replace(
  "export default",
  `class Finish extends Interaction {
  async execute() { await (this as any).record.$query(this.transaction).patch({ status: "done" }); return succeed(); }
}
export default`,
)}`,
  [policy]: edited(tasks, policy, [
    "override canCreate",
    `canFinish() { return this.record?.status !== "done"; }
  override canSearch() { return !this.isCat; }
  override canDestroy() { return this.record?.title !== "Kept"; }
  override canCreate`,
  ]),
};
const page = "/customer/1/posts/1";
const ann = { "x-user": "1" };
const cat = { "x-user": "3" };
const frame = { "turbo-frame": "panel-tasks-list" };

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The lists on the page of a record, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const { knex } = { knex: () => databaseOf(app.application).knex };
    if (database.skip === undefined) {
      before(async () => {
        const { tenantFiles } = await import("../scoping/tenants.ts");
        const shown = edited(tenantFiles, posts, [
          'return ["comments", "note"];',
          'return ["comments", "note", "tasks"] as never;',
        ]);
        app = await openTenants({ ...files, [posts]: shown }, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("tasks").delete();
        const rows = Array.from({ length: 12 }, (_, at) => task(at + 1, { post_id: 1, hours: 20 - at }));
        await knex()("tasks").insert([
          ...rows,
          task(21, { title: "Other post" }),
          task(22, { title: "Hidden", post_id: 1 }),
          task(23, { title: "Baltic" }, 2),
        ]);
        await story();
      });
    const get = async (path: string, headers: Record<string, string> = ann) => {
      const answer = await app.request(path, { headers });
      const html = await answer.text();
      assert.is(answer.status, 200, html);
      return html;
    };
    const panelIn = (html: string) =>
      /<turbo-frame id="panel-tasks-list"[^>]*>(.*?)<\/turbo-frame>/s.exec(html)?.[1] ?? "";
    const rowsOf = (html: string) =>
      [
        ...panelIn(html).matchAll(
          /class="fw-row-link" href="[^"]*\/nested_tasks\/(\d+)"|<td(?: data-label="Title")?><a [^>]*href="[^"]*\/(\d+)"/g,
        ),
      ].map(([, a, b]) => Number(a ?? b));
    const ask = async (query: string, headers?: Record<string, string>) =>
      rowsOf(await get(`${page}?${query}`, headers));

    can(
      "A page shows the latest rows, their number, a search, headings that sort, and the first of its pages",
      async () => {
        const html = await get(page);
        assert.equal(rowsOf(html), [12, 11, 10, 9, 8]);
        assert.match(html, '<h2 id="panel-tasks">Tasks <span class="fw-count">12</span></h2>');
        const panel = panelIn(html);
        assert.match(
          panel,
          `<form class="fw-toolbar" method="get" action="${page}#panel-tasks" role="search" aria-label="Search: Tasks" data-turbo-frame="panel-tasks-list">`,
        );
        assert.match(
          panel,
          `href="${page}?tasks%5Bsort%5D=title#panel-tasks" title="Sort by Title" data-turbo-frame="panel-tasks-list">`,
        );
        assert.match(
          panel,
          `rel="next" href="${page}?tasks%5Bpage%5D=2#panel-tasks" data-turbo-frame="panel-tasks-list">`,
        );
        assert.match(panel, '<nav class="fw-pager" aria-label="Pages: Tasks">');
        assert.not.match(panel, /<script|style=/);
        assert.equal(dangersOf(panel), []);
        assert.not.match(html, /id="panel-note-list"/, "a single record is no list");
      },
    );

    can("Without scripts the address of the page searches, sorts and leafs through one list", async () => {
      assert.equal(await ask("tasks[q]=Task 1"), [12, 11, 10, 1]);
      assert.equal(await ask("tasks[sort]=hours"), [12, 11, 10, 9, 8]);
      assert.equal(await ask("tasks[sort]=-hours&tasks[page]=2"), [6, 7, 8, 9, 10]);
      assert.equal(await ask("tasks[page]=3"), [2, 1]);
      assert.equal(await ask("tasks[page]=99"), [2, 1], "the last one in place of one behind it");
      const html = await get(`${page}?tasks[q]=Task 1&tasks[sort]=-title`);
      assert.match(html, '<span class="fw-count">12</span>');
      const panel = panelIn(html);
      assert.match(panel, 'name="tasks[q]"');
      assert.match(panel, 'value="Task 1"');
      assert.match(panel, '<input type="hidden" name="tasks[sort]" value="-title">');
      assert.match(panel, 'aria-sort="descending"');
      assert.match(panel, `tasks%5Bq%5D=Task%201&amp;tasks%5Bsort%5D=title#panel-tasks`);
      assert.match(panelIn(await get(`${page}?tasks[q]=nothing`)), "Nothing matches");
    });

    can("In its frame the list is answered alone", async () => {
      const html = await get(`${page}?tasks[q]=Task 12`, { ...ann, ...frame });
      assert.match(html, /^<turbo-frame id="panel-tasks-list">/);
      assert.equal(rowsOf(html), [12]);
      assert.not.match(html, /fw-panel-header|<dl|panel-comments/);
      assert.match(await get(page, { ...ann, "turbo-frame": "panel-posts-list" }), "fw-panel-header");
    });

    can("Rows have the actions of their list, as the policy allows them, and these lead back to the page", async () => {
      await knex()("tasks").where({ id: 12 }).update({ title: "Locked" });
      await knex()("tasks").where({ id: 11 }).update({ title: "Kept", status: "done" });
      const html = filledRows(await get(page));
      const actions = (id: number) => {
        const row = new RegExp(`<tr>(?:(?!</tr>).)*/${id}["/?](?:(?!</tr>).)*</tr>`, "s").exec(panelIn(html))![0];
        return [...row.matchAll(/aria-label="(\w+): [^"]*"|>(Finish)</g)].map(([, name, text]) => name ?? text).sort();
      };
      assert.equal(actions(12), ["Delete", "Finish"]);
      assert.equal(actions(11), ["Edit"]);
      assert.equal(actions(10), ["Delete", "Edit", "Finish"]);
      const back = `return_to=${encodeURIComponent(page)}`;
      assert.match(panelIn(html), `nested_tasks/10/edit?${back}"`);
      assert.match(panelIn(html), `nested_tasks/10/actions/destroy?${back}"`);
      assert.match(html, /id="fw-icon-trash"|<i class="icon i-trash">/);
      const person = new Person(app.url, 1);
      const done = await person.submit(`${page}/nested_tasks/10/edit?${back}`, { "task[title]": "Renamed" });
      assert.equal([done.status, done.headers.get("location")], [303, page]);
      const gone = await person.submit(`${page}/nested_tasks/9/actions/destroy?${back}`, {}, /nested_tasks\/9"/);
      assert.equal([gone.status, gone.headers.get("location")], [303, page]);
      assert.equal(await knex()("tasks").where({ id: 9 }).pluck("id"), []);
    });

    can(
      "What is not offered is left out: a search by who may not, a column that is not listed, a filter, a malformed value",
      async () => {
        const first = [12, 11, 10, 9, 8];
        assert.equal(await ask("tasks[q]=Task 1", cat), first);
        assert.not.match(panelIn(await get(page, cat)), 'type="search"');
        for (const query of [
          "tasks[sort]=note",
          "tasks[sort]=door_token",
          "tasks[sort]=internal",
          "tasks[sort]=title;drop",
          "tasks[sort][a]=title",
          "tasks[q][]=x",
          "tasks[page]=-1",
          "tasks[page]=x",
          "tasks[scope]=all",
          "tasks[per_page]=100",
          "tasks[filter][status]=done",
          "tasks=1",
          "tasks[]=1",
          "nested_tasks[q]=Task 1",
          "__proto__[q]=x",
        ])
          assert.equal(await ask(query), first, query);
        assert.equal(await ask("tasks[sort]=fee", cat), first, "she reads no fee");
      },
    );

    can("A list stays within its parent, its tenant and what the person may see", async () => {
      for (const term of ["Hidden", "Other", "Baltic", "sesame", "not for reading", "%", "_", "' OR 1=1 --"])
        assert.equal(await ask(`tasks[q]=${encodeURIComponent(term)}`), [], term);
      for (const known of [{}, { "x-user": "2" }])
        assert.is.not(
          (await app.request(`${page}?tasks[q]=Task`, { headers: { ...known, ...frame } as never })).status,
          200,
        );
      assert.is(
        (await app.request("/customer/1/posts/2?tasks[q]=Baltic", { headers: { ...ann, ...frame } })).status,
        404,
      );
    });

    can("Nobody pays for a list that nothing is asked of: the same statements with and without it", async () => {
      const statements: string[] = [];
      const note = ({ sql }: { sql: string }) => statements.push(sql);
      const count = async (path: string, headers = ann) => {
        await get(path, headers);
        statements.length = 0;
        knex().on("query", note);
        await get(path, headers);
        knex().removeListener("query", note);
        return statements.filter((sql) => sql.includes("tasks")).length;
      };
      assert.is(await count(page), 2, "rows and their number");
      assert.is(await count(`${page}?tasks[sort]=title`), 2);
      assert.is(await count(`${page}?tasks[q]=Task`, { ...ann, ...frame }), 2);
    });
  });
}
