import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { task, taskFiles } from "../resources/tasks_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const tasks = "/customer/1/tasks";
const ann = { "x-user": "1" };
const cat = { "x-user": "3" };
const config = withPlugin(tenantFiles["plugins.config.ts"]!, "grouping()", "grouping");
const open = (line: string, values: Record<string, string>, more: Record<string, string> = {}) =>
  openTenants({ ...taskFiles(line), "plugins.config.ts": config, ...more }, values);

/** The groups of a page: what each is called with the number of its rows, and the titles of those that are shown. */
function groupsIn(html: string): [string, string[]][] {
  const bodies = html.slice(html.indexOf("<tbody>"), html.lastIndexOf("</tbody>")).split("</tbody><tbody>");
  return bodies.map((body) => {
    const head = /<th scope="rowgroup">(.*?)<\/th>/s.exec(body)![1]!.replaceAll(/<[^>]*>/g, "");
    return [head, [...body.matchAll(/class="fw-row-link"[^>]*>([^<]*)</g)].map(([, title]) => title!)];
  });
}

for (const database of await databases({ withPostgres: true })) {
  describe(`A list in groups, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await open('this.column("fee", { total: "sum" });', await database.values());
        await databaseOf(app.application)
          .knex("tasks")
          .insert([
            ...[1, 2, 3].map((id) => task(id, { status: "done", author_id: 1, fee_cents: 100 * id })),
            task(4, { status: "open", author_id: 3, urgent: false }),
            task(5, { title: "Hidden", status: "busy" }),
            task(6, { status: "open", author_id: 1, fee_cents: null }),
            task(90, { title: "Of Baltic", status: "open" }, 2),
            ...Array.from({ length: 14 }, (_, at) => task(20 + at, { status: "busy", author_id: 2, urgent: false })),
          ]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, run: () => Promise<void>) => it.unless(database.skip, sentence, run);
    const get = async (query: string, headers: Record<string, string> = ann) => {
      const answer = await app.request(`${tasks}?${query}`, { headers });
      return { status: answer.status, text: await answer.text() };
    };

    can("Choices stand in their order, with the number of rows and their totals, ten rows each", async () => {
      const { text } = await get("shape=groups.status&sort=title");
      const groups = groupsIn(text);
      assert.equal(
        groups.map(([head]) => head),
        ["Open 2", "Busy 14", "Done 3"],
      );
      assert.equal(groups[2]![1], ["Task 1", "Task 2", "Task 3"]);
      assert.is(groups[1]![1].length, 10);
      assert.match(text, /data-total="fee"><small>Sum<\/small> <span[^>]*>[^<]*6\.00/, "of the third group");
      assert.match(text, /shape=groups\.status[^"]*&amp;group=busy">All 14 of Busy</);
      assert.not.match(text, /Hidden|Of Baltic/);
      assert.match((await get("")).text, "?shape=groups");
    });

    can("One group has its own page, with all of its rows", async () => {
      assert.equal(groupsIn((await get("shape=groups.status&group=busy")).text)[0]![1].length, 14);
      const { text } = await get("shape=groups.status&group=busy&per_page=5&page=3&sort=title");
      assert.equal(groupsIn(text), [["Busy 14", ["Task 30", "Task 31", "Task 32", "Task 33"]]]);
      assert.match((await get("shape=groups.status&group=busy&per_page=5")).text, "Next rows of Busy");
      for (const wrong of [
        "shape=groups.status&group=nothing",
        "shape=groups.title",
        "shape=groups.nothing",
        "shape=groups.status.x",
      ])
        assert.is((await get(wrong)).status, 404, wrong);
    });

    can("Records, yes and no, and what has no value are groups; search and filters hold", async () => {
      assert.equal(
        groupsIn((await get("shape=groups.author")).text).map(([head]) => head),
        ["Bob Baltic 14", "Ann Alpine 4", "Cat 1"],
      );
      assert.equal(
        groupsIn((await get("shape=groups.urgent")).text).map(([head]) => head),
        ["No 15", "Yes 4"],
      );
      assert.equal(
        groupsIn((await get("shape=groups.status&q=Task+2")).text).map(([head]) => head),
        ["Busy 10", "Done 1"],
      );
      assert.equal(
        groupsIn((await get("shape=groups.status&filter[urgent]=1")).text).map(([head]) => head),
        ["Open 1", "Done 3"],
      );
      await databaseOf(app.application).knex("tasks").where({ id: 4 }).update({ author_id: null });
      assert.equal(groupsIn((await get("shape=groups.author")).text).at(-1)![0], "None 1");
      await databaseOf(app.application).knex("tasks").where({ id: 4 }).update({ author_id: 3 });
    });

    can("What the person may not read is neither grouped by nor in a total", async () => {
      assert.not.match((await get("shape=groups.status", cat)).text, "data-total");
      const json = (await get("shape=groups.status", { ...ann, accept: "application/json" })).text;
      assert.is((JSON.parse(json) as { data: object[] }).data.length, 19);
    });
  });
}

describe("What lists are grouped by", (it) => {
  const refused = async (line: string, pattern: RegExp) => {
    const error = await open(line, {}).then(
      (app) => app.close(),
      (cause: Error) => cause,
    );
    assert.match((error as Error).message, pattern);
  };
  it("What the policy hides is offered to nobody, and neither are records of which it hides some", async () => {
    const files = taskFiles("");
    const policy = "app/policies/task_policy.ts";
    const hidden = await open(
      "",
      {},
      {
        [policy]: edited(files, policy, [
          '"serial", "status", "fee", "hours", "weight", "due_on", "starts_at", "urgent", "note", "door_token", "author"',
          '"serial", "fee"',
        ]),
      },
    );
    try {
      for (const name of ["status", "author", "urgent", "post"])
        assert.ok(
          [404, 303].includes((await hidden.request(`${tasks}?shape=groups.${name}`, { headers: ann })).status),
          name,
        );
      assert.not.match(await (await hidden.request(tasks, { headers: ann })).text(), "shape=groups");
    } finally {
      await hidden.close();
    }
    const scoped = await open(
      "",
      {},
      {
        "app/policies/user_policy.ts": edited(tenantFiles, "app/policies/user_policy.ts", [
          "extends Policy<User> {",
          'extends Policy<User> {\n  override relationScope(query) { return query.where("name", "<>", "Cat"); }',
        ]),
      },
    );
    try {
      await databaseOf(scoped.application).knex("tasks").insert(task(1));
      assert.is((await scoped.request(`${tasks}?shape=groups.author`, { headers: ann })).status, 404);
      assert.is((await scoped.request(`${tasks}?shape=groups.status`, { headers: ann })).status, 200);
    } finally {
      await scoped.close();
    }
  });
  it("A definition says what is offered, or nothing; what can't be grouped by is refused at boot", async () => {
    const app = await open('this.grouping({ by: ["author"] });', {});
    await databaseOf(app.application).knex("tasks").insert(task(1));
    assert.is((await app.request(`${tasks}?shape=groups`, { headers: ann })).status, 200);
    assert.is((await app.request(`${tasks}?shape=groups.status`, { headers: ann })).status, 404);
    await app.close();
    await refused('this.grouping({ by: ["title"] });', /FW_GROUPING_NAME.*"title", which rows can't be grouped by/);
    await refused('this.grouping({ by: "status" } as never);', /FW_GROUPING_SHAPE.*no list of names/);
    await refused("this.grouping({ on: 1 } as never);", /FW_GROUPING_SHAPE.*the option "on"/);
  });
});
