import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { openTenants } from "../scoping/tenants.ts";
import { bulkAlone, wholeFiles } from "./bulk_app.ts";

const posts = "/customer/1/posts";
const ann = { "x-user": "1" };
const json = { accept: "application/json", "content-type": "application/json" };
const room = globalThis as { published?: number[] };
interface Turns {
  done: number[];
  refused: { id: number | string; reason: string }[];
  failed: { id: number; reason: string }[];
}

for (const database of await databases()) {
  describe(`Actions on selected rows, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const insert = async (titles: readonly string[], organization_id = 1) => {
      const ids: number[] = [];
      for (const title of titles) {
        const row = { title, status: "live", organization_id, author_id: 1, category_id: 1 };
        ids.push(Number((await knex()("posts").insert(row))[0]));
      }
      return ids;
    };
    const statuses = async (ids: readonly number[]) =>
      (await knex()("posts").whereIn("id", ids).orderBy("id").pluck("status")) as string[];
    const send = (path: string, body: unknown, headers: Record<string, string> = ann) =>
      app.request(path, { method: "POST", headers: { ...headers, ...json }, body: JSON.stringify(body) });
    const turns = async (path: string, body: unknown): Promise<Turns> => {
      const answer = await send(path, body);
      const text = await answer.text();
      assert.is(answer.status, 200, text);
      return (JSON.parse(text) as { data: Turns }).data;
    };
    /** A person with cookies. */
    const visitor = () => {
      const cookies = new Map<string, string>();
      return async (path: string, init: RequestInit = {}) => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const answer = await app.request(path, { ...init, headers: { ...ann, cookie, ...init.headers } });
        for (const line of answer.headers.getSetCookie())
          cookies.set(...(line.split(";")[0]!.split("=", 2) as [string, string]));
        return answer;
      };
    };
    const field = (html: string, name: string) =>
      new RegExp(`name="${name.replace(/[[\]]/g, "\\$&")}" value="([^"]*)"`).exec(
        html.slice(html.lastIndexOf("<form")),
      )![1]!;
    const chosen = (ids: readonly (number | string)[]) => ids.map((id) => `ids[]=${id}`).join("&");
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("marks").delete();
        await knex()("posts").whereNotIn("id", [1, 2]).delete();
        room.published = [];
        await story();
      });
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(wholeFiles, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }

    can(
      "Each selected record is authorised and done by itself, and what was refused is named by its reason",
      async () => {
        const [one, never, locked, full, broken, last] = await insert([
          "One",
          "Never",
          "Locked",
          "Full",
          "Broken",
          "Last",
        ]);
        const ids = [one!, never!, locked!, full!, broken!, last!];
        assert.equal(await turns(`${posts}/bulk/publish`, { ids: [...ids, one] }), {
          done: [one!, last!],
          refused: [
            { id: never!, reason: "condition" },
            { id: locked!, reason: "policy" },
          ],
          failed: [
            { id: full!, reason: "There is no room." },
            { id: broken!, reason: "An error occurred." },
          ],
        });
        assert.equal(await statuses(ids), ["published", "live", "live", "live", "live", "published"]);
        assert.equal(room.published, [one, last]);
      },
    );

    can("The form of a grave action has a button that looks so", async () => {
      const [one] = await insert(["One"]);
      const form = await (await visitor()(`${posts}/${one}/actions/label`)).text();
      assert.match(form.slice(form.indexOf("<main")), /<button class="btn btn-danger">Label<\/button>/);
    });

    can("An interaction that stops leaves what comes after the first that fails", async () => {
      const ids = await insert(["One", "Full", "Two", "Locked"]);
      const [one, full, two, locked] = ids as [number, number, number, number];
      const stopped = (id: number) => ({ id: String(id), reason: "stopped" });
      assert.equal(await turns(`${posts}/bulk/halt`, { ids }), {
        done: [one],
        refused: [stopped(two), stopped(locked)],
        failed: [{ id: full, reason: "There is no room." }],
      });
      assert.equal(await statuses(ids), ["halted", "live", "live", "live"]);
      assert.equal(await turns(`${posts}/bulk/halt`, { ids: [locked, two] }), {
        done: [],
        refused: [{ id: locked, reason: "policy" }, stopped(two)],
        failed: [],
      });
    });

    can("What a rule of the model refuses is named by the label of its field", async () => {
      const [one, taken] = await insert(["One", "Taken"]);
      assert.equal(await turns(`${posts}/bulk/give`, { ids: [one, taken] }), {
        done: [one!],
        refused: [],
        failed: [{ id: taken!, reason: "Author has enough posts" }],
      });
    });

    can("A visitor of a test sends all the keys that a form has under one name", async () => {
      const [one, two] = await insert(["One", "Two"]);
      const ben = new Client(app.url);
      const { request } = ben;
      ben.request = (path, init = {}) => request.call(ben, path, { ...init, headers: { ...ann, ...init.headers } });
      const answer = await ben.submit(`${posts}/bulk/label?${chosen([one!, two!])}`, { "interaction[label]": "seen" });
      assert.is(answer.status, 303);
      assert.equal(await statuses([one!, two!]), ["seen", "seen"]);
    });

    can("An interaction that rolls back does all of the selected records or none", async () => {
      const ids = await insert(["One", "Two", "Full", "Three"]);
      const [one, two, full, three] = ids as [number, number, number, number];
      const stopped = (id: number) => ({ id: String(id), reason: "stopped" });
      assert.equal(await turns(`${posts}/bulk/whole`, { ids }), {
        done: [],
        refused: [stopped(one), stopped(two), stopped(three)],
        failed: [{ id: String(full), reason: "There is no room." }],
      });
      assert.equal(await statuses(ids), ["live", "live", "live", "live"]);
      assert.equal(room.published, []);
      assert.equal(await turns(`${posts}/bulk/whole`, { ids: [one, two, three] }), {
        done: [one, two, three],
        refused: [],
        failed: [],
      });
      assert.equal(await statuses(ids), ["whole", "whole", "live", "whole"]);
      assert.equal(room.published, [one, two, three]);
      assert.is((await send(`${posts}/bulk/whole`, { all: true })).status, 422);
      const visit = visitor();
      const question = await (await visit(`${posts}/bulk/whole?${chosen([one, full])}`)).text();
      assert.match(question, /All of them are done, or none\./);
    });

    can("An id that is foreign, hidden, malformed or of nobody is refused as one and the same", async () => {
      const [own, hidden] = await insert(["Own", "Hidden one"]);
      const [foreign] = await insert(["Foreign"], 2);
      const strange = [hidden, foreign, 999999, "x", "1 or 1=1", "0", "-1", "1e3", "99999999999999999999"];
      const { done, refused } = await turns(`${posts}/bulk/publish`, { ids: [...strange, own] });
      assert.equal(done, [own!]);
      assert.equal(
        refused,
        strange.map((id) => ({ id: String(id), reason: "gone" })),
      );
      assert.equal(await statuses([hidden!, foreign!]), ["live", "live"]);
      const question = async (id: unknown) =>
        (await (await visitor()(`${posts}/bulk/publish?${chosen([own!, id as number])}`)).text()).replaceAll(
          String(id),
          "ID",
        );
      assert.match(await question(foreign), "Publish 1 post?");
      assert.is((await question(hidden)).includes("Hidden one"), false);
    });

    can("Several are deleted after a question, what is needed stays, and the list is as it was", async () => {
      const ids = await insert(["A", "B", "Locked"]);
      const browse = visitor();
      const list = await (await browse(`${posts}?filter[title]=A&sort=title`)).text();
      assert.match(list, `name="ids[]" value="${ids[0]}" form="fw-bulk" aria-label="Select A"`);
      const back = field(
        list.slice(0, list.lastIndexOf("</form>", list.indexOf("fw-bulk-actions") + 9999)),
        "return_to",
      );
      assert.match(back, "filter");
      const asked = await browse(
        `${posts}/bulk/destroy?${chosen(ids)}&return_to=${encodeURIComponent(back.replaceAll("&amp;", "&"))}`,
      );
      const html = await asked.text();
      assert.is(asked.status, 200, html);
      assert.match(html, "Delete 3 posts?");
      assert.match(html, "You may not delete Locked. This can&#39;t be undone.");
      const body = new URLSearchParams({
        authenticity_token: field(html, "authenticity_token"),
        return_to: field(html, "return_to").replaceAll("&amp;", "&"),
      });
      for (const id of ids) body.append("ids[]", String(id));
      const answer = await browse(`${posts}/bulk/destroy`, { method: "POST", body });
      assert.is(answer.status, 303);
      assert.is(answer.headers.get("location"), `${posts}?filter[title]=A&sort=title`);
      const after = await (await browse(posts)).text();
      assert.match(after, "Deleted 2. 1 was not allowed: Locked.");
      assert.equal(await statuses(ids), ["live"]);
      const again = await browse(`${posts}/bulk/destroy`, { method: "POST", body }); // sent twice
      assert.is(again.status, 303);
      assert.match(await (await browse(posts)).text(), "1 was not allowed: Locked. 2 were not found any more.");
    });

    can("A form is sent with its token alone, and the token of a button is in no address", async () => {
      const [id] = await insert(["A"]);
      const browse = visitor();
      const list = await (await browse(posts)).text();
      const button = /<button[^>]*formaction="[^"]*bulk\/stamp"[^>]*>/.exec(list)![0];
      assert.match(button, 'formmethod="post"');
      const token = /value="([^"]+)"/.exec(button)![1]!;
      assert.is(list.match(/formmethod="post"/g)!.length, 1);
      const body = (authenticity_token: string) => new URLSearchParams({ authenticity_token, "ids[]": String(id) });
      assert.is((await browse(`${posts}/bulk/stamp`, { method: "POST", body: body("x") })).status, 403);
      assert.is((await browse(`${posts}/bulk/publish`, { method: "POST", body: body(token) })).status, 403);
      assert.equal(await statuses([id!]), ["live"]);
      assert.is((await browse(`${posts}/bulk/stamp`, { method: "POST", body: body(token) })).status, 303);
      assert.equal(await statuses([id!]), ["published"]);
    });

    can("A form that asks for values keeps what was selected, also when it is refused", async () => {
      const ids = await insert(["A", "B"]);
      const browse = visitor();
      const html = await (await browse(`${posts}/bulk/label?${chosen(ids)}&q=A`)).text();
      assert.match(html, "2 selected records");
      assert.match(html, `action="${posts}/bulk/label?q=A"`);
      for (const id of ids) assert.match(html, `name="ids[]" value="${id}"`);
      const body = new URLSearchParams({ authenticity_token: field(html, "authenticity_token") });
      for (const id of ids) body.append("ids[]", String(id));
      const refused = await browse(`${posts}/bulk/label`, { method: "POST", body });
      assert.is(refused.status, 422);
      const again = await refused.text();
      for (const id of ids) assert.match(again, `name="ids[]" value="${id}"`);
      body.set("interaction[label]", "red");
      assert.is((await browse(`${posts}/bulk/label`, { method: "POST", body })).status, 303);
      assert.equal(await statuses(ids), ["red", "red"]);
      assert.is((await send(`${posts}/bulk/label`, { ids, interaction: {} })).status, 422);
    });

    can("Nothing selected, too many, a wrong shape, another action and a forbidden one are refused", async () => {
      const browse = visitor();
      const nothing = await browse(`${posts}/bulk/publish`);
      assert.is(nothing.headers.get("location"), posts);
      assert.match(await (await browse(posts)).text(), "Select at least one row first.");
      assert.is((await send(`${posts}/bulk/publish`, {})).status, 422);
      assert.is((await send(`${posts}/bulk/publish`, { ids: "1" })).status, 422);
      assert.is((await send(`${posts}/bulk/publish`, { ids: [{ id: 1 }] })).status, 422);
      assert.is(
        (await send(`${posts}/bulk/publish`, { ids: Array.from({ length: 1001 }, (_, at) => at + 1) })).status,
        422,
      );
      for (const key of ["edit", "mark", "constructor", "nothing"])
        assert.is((await send(`${posts}/bulk/${key}`, { ids: [1] })).status, 404, key);
      assert.is((await send(`${posts}/bulk/secret`, { ids: [1] })).status, 403);
      assert.not.match(await (await browse(posts)).text(), "bulk/secret");
      assert.is((await browse(`${posts}/bulk/publish?ids[]=1&return_to=https://evil.example`)).status, 200);
    });

    can("Below a parent the parent's records alone can be selected", async () => {
      const [own] = await insert(["Own"]);
      await knex()("categories").insert({ name: "Other" });
      const other = Number((await knex()("categories").max("id as id").first())!.id);
      const [outside] = await insert(["Outside"]);
      await knex()("posts").where({ id: outside }).update({ category_id: other });
      const nested = "/customer/1/categories/1/nested_posts";
      assert.match(await (await visitor()(nested)).text(), `formaction="${nested}/bulk/publish"`);
      const { done, refused } = await turns(`${nested}/bulk/publish`, { ids: [own, outside] });
      assert.equal([done, refused], [[own!], [{ id: String(outside), reason: "gone" }]]);
      assert.is((await send("/customer/1/categories/999/nested_posts/bulk/publish", { ids: [own] })).status, 404);
    });

    const ended = async (answer: Response) => {
      assert.is(answer.status, 202, await answer.clone().text());
      for (let tries = 0; tries < 400; tries++) {
        const shown = await app.request(answer.headers.get("location")!, { headers: { ...ann, accept: json.accept } });
        const { data } = (await shown.json()) as {
          data: { state: string; total: number; done: number; refused: number; failed: number };
        };
        if (!["waiting", "running"].includes(data.state)) return [data.total, data.done, data.refused, data.failed];
        await sleep(50);
      }
      throw new Error("the run did not end in 20 s");
    };
    can("All that match, very many, and interactions of jobs are done by a run in the background", async () => {
      const ids = await insert(["Red", "Red", "Locked", "Blue", "Hidden one"]);
      await insert(["Red"], 2);
      const filtered = `${posts}/bulk/publish?filter[title]=Red`;
      assert.equal(await ended(await send(filtered, { all: true })), [2, 2, 0, 0]);
      assert.equal(await statuses(ids), ["published", "published", "live", "live", "live"]);
      const fruit = await insert(["Plum", "Pear", "Fig", "Date"]);
      const foreign = await insert(["Plum"], 2);
      const group = "filter[any][1][title][begins]=pl&filter[any][1][title][ends]=IG";
      assert.equal(await ended(await send(`${posts}/bulk/publish?${group}`, { all: true })), [2, 2, 0, 0]);
      assert.equal(await statuses([...fruit, ...foreign]), ["published", "live", "published", "live", "live"]);
      const others = "filter[title][contains]=a&filter[none][1][title][begins]=P";
      assert.equal(await ended(await send(`${posts}/bulk/publish?${others}`, { all: true })), [1, 1, 0, 0]);
      assert.equal(await statuses([...fruit, ...foreign]), ["published", "live", "published", "published", "live"]);
      const many = [...Array.from({ length: 100 }, (_, at) => 500_000 + at), ids[3], ids[4]];
      assert.equal(await ended(await send(`${posts}/bulk/stamp`, { ids: many })), [102, 1, 101, 0]);
      assert.equal(await statuses(ids), ["published", "published", "live", "published", "live"]);
      const marked = await ended(
        await send(`${posts}/bulk/mark_one`, { ids: [ids[0], ids[2]], interaction: { label: "x" } }),
      );
      assert.equal(marked, [2, 1, 1, 0]);
      assert.is(Number((await knex()("marks").first()).post), ids[0]);
      assert.equal(await ended(await send(`${posts}/bulk/destroy?filter[title]=Red`, { all: true })), [2, 2, 0, 0]);
      assert.equal(await statuses(ids), ["live", "published", "live"]);
      const halting = await insert(["Halt", "Full", "Halt too", "Halt"]);
      const halted = [...halting, ...Array.from({ length: 97 }, (_, at) => 600_000 + at)];
      assert.equal(await ended(await send(`${posts}/bulk/halt`, { ids: halted })), [101, 1, 99, 1]);
      assert.equal(await statuses(halting), ["halted", "live", "live", "live"], "a run stops as well");
      const blue = await insert(Array.from({ length: 101 }, () => "Navy"));
      const browse = (path: string, init: RequestInit = {}) =>
        app.request(path, { ...init, headers: { ...init.headers, ...ann, cookie: cookies } });
      let cookies = "";
      const form = await app.request(`${posts}/bulk/destroy?filter[title]=Navy&all=1`, { headers: ann });
      cookies = form.headers
        .getSetCookie()
        .map((line) => line.split(";")[0])
        .join("; ");
      const question = await form.text();
      assert.match(question, "This can&#39;t be undone.");
      assert.match(question, /<label[^>]*>Type 101 to confirm<\/label><input[^>]*name="_count"/);
      const authenticity_token = /name="authenticity_token" value="([^"]+)"/.exec(
        question.slice(question.indexOf("data-confirmation")),
      )![1]!;
      const confirm = (_count: string) =>
        browse(`${posts}/bulk/destroy?filter[title]=Navy`, {
          method: "POST",
          body: new URLSearchParams({ authenticity_token, all: "1", _count }),
        });
      for (const wrong of ["", "100", "1010"]) {
        const again = await confirm(wrong);
        assert.is(again.status, 422);
        assert.match(await again.text(), "does not match: there are 101");
      }
      assert.is((await statuses(blue)).length, 101);
      assert.is((await confirm("1 01")).status, 303);
      for (let tries = 0; tries < 400 && (await statuses(blue)).length > 0; tries++) await sleep(50);
      assert.equal(await statuses(blue), []);
      const [berlin] = await insert(["Europe/Berlin", "UTC"]);
      const opened = await app.request(posts, { headers: ann });
      const token = /name="csrf-token" content="([^"]*)"/.exec(await opened.text())![1]!;
      const cookie = [...opened.headers.getSetCookie().map((line) => line.split(";")[0]), "fw_zone=Europe/Berlin"];
      const there = { ...ann, cookie: cookie.join("; "), "x-csrf-token": token };
      const zoned = await send(`${posts}/bulk/stamp?filter[zone]=1`, { all: true }, there);
      assert.equal(await ended(zoned), [1, 1, 0, 0], "the list is that of the person's time zone");
      assert.equal(await statuses([berlin!]), ["published"]);
      assert.is((await send("/guest/1/posts/bulk/publish", { all: true }, {})).status, 403);
    });
  });
}

describe("Actions on selected rows, without jobs", (it) => {
  it("All can't be selected, and the answer says what is missing; a list without such actions is as it was", async () => {
    const app = await openTenants(bulkAlone, {});
    const page = async (path: string) => (await app.request(path, { headers: ann })).text();
    const html = await page(`${posts}?per_page=1`);
    assert.match(html, "data-select-page");
    assert.not.match(html, "data-bulk-all");
    const headers = { ...ann, ...json };
    const answer = await app.request(`${posts}/bulk/publish`, { method: "POST", headers, body: '{"all":true}' });
    assert.is(answer.status, 422);
    assert.match(await answer.text(), "fw:background:install");
    assert.not.match(await page("/customer/1/comments"), /fw-bulk|fw-select/);
    assert.is((await app.request("/customer/1/comments/bulk/destroy?ids[]=1", { headers: ann })).status, 404);
    assert.is((await app.request(`${posts}/background_runs/1`, { headers: ann })).status, 404);
    await app.close();
  });
});
