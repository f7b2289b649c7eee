import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { backgroundFiles, withoutJobs } from "./background_app.ts";

interface Run {
  id: number;
  state: string;
  total: number;
  done: number;
  refused: number;
  failed: number;
  reasons: Record<string, number>;
  problems: { record: string | null; text: string }[];
}
const posts = "/customer/1/posts";
const room = globalThis as { ended?: { run: Run; url: string; account?: { id: number } }[]; marked?: number[] };
const ann = { "x-user": "1" };
const json = { accept: "application/json", "content-type": "application/json" };

for (const database of await databases()) {
  describe(`Interactions in the background, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const jobs = () => app.application.kernel.service("jobs");
    const background = () => app.application.kernel.service("background_runs");
    const start = async (path = `${posts}/actions/mark`, label = "red", headers: Record<string, string> = ann) =>
      app.request(path, {
        method: "POST",
        headers: { ...headers, ...json },
        body: JSON.stringify({ interaction: { label } }),
      });
    const shown = async (url: string, headers: Record<string, string> = ann) => {
      const answer = await app.request(url, { headers: { ...headers, accept: "application/json" } });
      return ((await answer.json()) as { data: Run }).data;
    };
    const ended = async (answer: Response): Promise<Run> => {
      const url = answer.headers.get("location")!;
      for (let tries = 0; tries < 400; tries++) {
        const run = await shown(url);
        if (!["waiting", "running"].includes(run.state)) return run;
        await sleep(25);
      }
      throw new Error("the run did not end in 10 s");
    };
    const marks = async () => (await knex()("marks").orderBy("post").select("post")).map(({ post }) => Number(post));
    const insert = async (titles: readonly string[], organization_id = 1) => {
      for (const title of titles)
        await knex()("posts").insert({ title, status: "live", organization_id, author_id: 1 });
      return (await knex()("posts").where({ organization_id }).orderBy("id").select("id")).map(({ id }) => Number(id));
    };
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("marks").delete();
        await knex()("posts").whereNotIn("id", [1, 2]).delete();
        await knex()("users").update({ may_mark: true, closed: false });
        Object.assign(room, { ended: [], marked: [] });
        await story();
      });
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(backgroundFiles, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }

    can(
      "A list's interaction runs once on each of its records, of this tenant alone, and the hook hears of it",
      async () => {
        const ids = await insert(["Second", "Third", "Never"]);
        await insert(["Foreign"], 2);
        const answer = await start();
        assert.is(answer.status, 202);
        const run = await ended(answer);
        const { state, total, done, refused, failed } = run;
        assert.equal(
          { state, total, done, refused, failed },
          { state: "done", total: 3, done: 3, refused: 0, failed: 0 },
        );
        assert.equal(await marks(), ids.slice(0, 3));
        await jobs().drain();
        assert.equal(room.marked, ids.slice(0, 3));
        assert.is(room.ended?.length, 1);
        assert.is(room.ended![0]!.url, answer.headers.get("location"));
        assert.is(room.ended![0]!.account?.id, 1);
      },
    );

    can("The search and the filters of the list that it was started from decide which records it is for", async () => {
      const ids = await insert(["Wanted", "Other", "Wanted"]);
      const list = await app.request(`${posts}?filter[title]=Wanted`, { headers: ann });
      const link = /href="([^"]*actions\/mark\?[^"]*)"/.exec(await list.text())?.[1]?.replaceAll("&amp;", "&");
      assert.ok(link, "the list's button carries the filter");
      const form = await (await app.request(link!, { headers: ann })).text();
      assert.match(form, "2 records of the list");
      assert.is((await ended(await start(link))).done, 2);
      assert.equal(await marks(), [ids[1], ids[3]]);
      assert.is((await start(`${posts}/actions/mark?filter[secret]=1`)).status, 422);
    });

    can("What can't be done to one record is counted by its reason, and the others are done", async () => {
      const ids = await insert(["Locked", "Full", "Broken", "Last"]);
      const run = await ended(await start());
      assert.equal([run.done, run.refused, run.failed], [2, 1, 2]);
      assert.equal(run.reasons, { policy: 1 });
      assert.equal(
        run.problems.map(({ record, text }) => [Number(record), text]),
        [
          [ids[2], "There is no room for a mark."],
          [ids[3], "An error occurred."],
        ],
      );
      assert.equal(await marks(), [ids[0], ids[4]], "what a failed one wrote is undone");
    });

    can("A form starts it, leads to its page, and the page shows it with and without JavaScript", async () => {
      const cookies = new Map<string, string>();
      const browse = async (path: string, init: RequestInit = {}) => {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
        const answer = await app.request(path, { ...init, headers: { ...ann, cookie, ...init.headers } });
        for (const line of answer.headers.getSetCookie())
          cookies.set(...(line.split(";")[0]!.split("=", 2) as [string, string]));
        return answer;
      };
      const form = await (await browse(`${posts}/1/actions/mark_one`)).text();
      const token = /name="authenticity_token" value="([^"]+)"[\s\S]*?interaction\[label\]/.exec(
        form.slice(form.lastIndexOf("<form")),
      )![1]!;
      const body = new URLSearchParams({
        authenticity_token: token,
        "interaction[label]": "blue",
        "interaction[day]": "2026-03-01T10:00",
      });
      const answer = await browse(`${posts}/1/actions/mark_one`, { method: "POST", body });
      assert.is(answer.status, 303);
      const url = answer.headers.get("location")!;
      assert.match(url, /^\/customer\/1\/posts\/background_runs\/\d+$/);
      assert.is((await ended(answer)).done, 1);
      const page = await (await browse(url)).text();
      assert.match(page, "1 of 1");
      assert.not.match(page, 'http-equiv="refresh"');
      const [mark] = await knex()("marks").select("post", "label", "day");
      assert.equal({ ...mark, post: Number(mark.post) }, { post: 1, label: "blue", day: "2026-03-01T10:00:00.000Z" });
      await knex()("framewright_background_runs").update({ state: "running" });
      assert.match(await (await browse(url)).text(), 'http-equiv="refresh"');
      const frame = await (await browse(url, { headers: { "turbo-frame": "background-run" } })).text();
      assert.is(frame.match(/<turbo-frame/g)?.length, 1);
      assert.match(frame, 'data-refresh="2"');
      const headers = { "turbo-frame": "modal" };
      const inDialog = await browse(`${posts}/1/actions/mark_one`, { method: "POST", body, headers });
      assert.is(inDialog.status, 201);
      const run = /data-closes data-location="([^"]+)"/.exec(await inDialog.text())?.[1] ?? "";
      assert.match(run, /^\/customer\/1\/posts\/background_runs\/\d+$/);
    });

    can("An invalid value is refused when it is started, and nothing is stored", async () => {
      const before = await knex()("framewright_background_runs").count("* as n").first();
      const answer = await app.request(`${posts}/actions/mark`, {
        method: "POST",
        headers: { ...ann, ...json },
        body: "{}",
      });
      assert.is(answer.status, 422);
      assert.equal(await knex()("framewright_background_runs").count("* as n").first(), before);
    });

    can("Another person, another tenant and a guest do not find a run", async () => {
      const answer = await start();
      const url = answer.headers.get("location")!;
      await ended(answer);
      const status = async (path: string, headers: Record<string, string>, method = "GET") =>
        (
          await app.request(path, {
            method,
            headers: { ...headers, ...json },
            ...(method === "POST" ? { body: "{}" } : {}),
          })
        ).status;
      for (const [path, headers] of [
        [url, { "x-user": "3" }],
        [url.replace("/customer/1", "/customer/2"), { "x-user": "3" }],
        [url.replace("/customer/1", "/customer/2"), ann],
        [url.replace(/\d+$/, "999999"), ann],
        [url.replace(/\d+$/, "x"), ann],
      ] as const) {
        assert.is(await status(path, headers), 404, path);
        assert.is(await status(`${path}/cancel`, headers, "POST"), 404, path);
      }
      assert.is(await status(url, ann), 200);
      const guest = await app.request("/guest/1/posts/actions/mark", {
        method: "POST",
        headers: json,
        body: '{"interaction":{"label":"x"}}',
      });
      assert.ok([401, 403].includes(guest.status), String(guest.status));
    });

    can("What it was started with can't be read in the table, and is deleted with its end", async () => {
      const before = await start(`${posts}/actions/mark`, "a-secret-label");
      const [row] = await knex()("framewright_background_runs").orderBy("id", "desc").limit(1);
      assert.not.match(JSON.stringify(row), "a-secret-label");
      await ended(before);
      const [after] = await knex()("framewright_background_runs").orderBy("id", "desc").limit(1);
      assert.is(after.content, null);
    });

    can("Rights that are taken away midway refuse the records from there on, each by its kind", async () => {
      for (const [title, kind] of [
        ["Forbid", "policy"],
        ["Leave", "entry"],
        ["Close", "account"],
      ] as const) {
        await knex()("posts").whereNotIn("id", [1, 2]).delete();
        await knex()("marks").delete();
        await knex()("users").update({ may_mark: true, closed: false });
        const ids = await insert(["Second", title, "Third", "Fourth"]);
        const answer = await start();
        await jobs().drain();
        await knex()("users").update({ closed: false });
        if (title === "Leave") await knex()("memberships").insert({ user_id: 1, organization_id: 1 });
        const { state, done, refused, reasons } = await shown(answer.headers.get("location")!);
        assert.equal({ state, done, refused, reasons }, { state: "done", done: 3, refused: 2, reasons: { [kind]: 2 } });
        assert.equal(await marks(), ids.slice(0, 3));
      }
    });

    can("A closed account starts nothing", async () => {
      await knex()("users").where({ id: 1 }).update({ closed: true });
      const a = await start();
      assert.is(a.status, 403, await a.text());
    });

    can("A cancelled run does no further record", async () => {
      await insert(Array.from({ length: 150 }, () => "Slow"));
      const answer = await start();
      const url = answer.headers.get("location")!;
      while ((await shown(url)).done < 20) await sleep(2);
      const cancelled = await app.request(`${url}/cancel`, {
        method: "POST",
        headers: { ...ann, ...json },
        body: "{}",
      });
      const { data } = (await cancelled.json()) as { data: Run };
      assert.is(data.state, "cancelled");
      assert.ok(data.done >= 20 && data.done < 151, String(data.done));
      await jobs().drain();
      assert.is((await marks()).length, data.done);
      assert.is(room.ended?.length, 1);
    });

    can(
      "A list says what a person's open runs at it are doing, and a page lists them, for that person alone",
      async () => {
        await knex()("framewright_background_runs").delete();
        await insert(Array.from({ length: 30 }, () => "Slow"));
        const cookie = { ...ann, cookie: "fw_runs=1" };
        const list = async (headers: Record<string, string>) => app.request(posts, { headers });
        const started = await start();
        assert.match(started.headers.get("set-cookie") ?? "", "fw_runs=1");
        const url = new URL(started.headers.get("location")!, app.url).pathname;
        assert.match(await (await list(cookie)).text(), url);
        assert.not.match(await (await list(ann)).text(), url, "only where the browser has started one");
        assert.not.match(await (await list({ "x-user": "2", cookie: "fw_runs=1" })).text(), url);
        const { id } = await ended(started);
        const after = await list(cookie);
        assert.not.match(await after.text(), url);
        assert.ok(after.headers.getSetCookie().some((line) => line.startsWith("fw_runs=;")));
        const runs = async (headers: Record<string, string>) => {
          const answer = await app.request(`${posts}/background_runs`, {
            headers: { ...headers, accept: "application/json" },
          });
          return ((await answer.json()) as { data?: Run[] }).data?.map((run) => run.id);
        };
        assert.is((await runs(ann))?.[0], id);
        assert.is((await runs({ "x-user": "2" }))?.length ?? 0, 0);
        assert.match(await (await app.request(`${posts}/background_runs`, { headers: ann })).text(), url);
        assert.ok([401, 403].includes((await app.request(`${posts}/background_runs`)).status));
      },
    );

    can("The sweep gives a run that lost its job a new one, and deletes old ones", async () => {
      const answer = await start();
      const { id } = await ended(answer);
      const table = () => knex()("framewright_background_runs");
      await jobs().drain();
      await background().sweep(Date.now() + 20 * 60_000);
      assert.is((await table().where({ id })).length, 1);
      await background().sweep(Date.now() + 31 * 86_400_000);
      assert.is((await table().where({ id })).length, 0);
    });
  });
}

describe("Interactions in the background that can't work", (it) => {
  const refused = async (changes: Record<string, string>): Promise<string> => {
    try {
      await (await openTenants({ ...backgroundFiles, ...changes })).close();
    } catch (error) {
      return (error as Error).message;
    }
    return "";
  };
  const path = "app/interactions/mark_posts.ts";
  it("An application without jobs does not boot, and says what to do", async () => {
    assert.match(
      await refused({ "plugins.config.ts": withoutJobs }),
      /FW_BACKGROUND_JOBS: MarkPosts .*fw:background:install/,
    );
  });
  it("An application whose interaction asks for a file without a storage, or answers with one, does not boot", async () => {
    const file = edited(backgroundFiles, path, ['{ as: "string", required: true }', '{ as: "file" }']);
    assert.match(await refused({ [path]: file }), /FW_BACKGROUND_FILE: MarkPosts .*"label"/);
    const download = edited(backgroundFiles, path, [
      "static override inBackground",
      "static override download = true; static override inBackground",
    ]);
    assert.match(await refused({ [path]: download }), "FW_BACKGROUND_DOWNLOAD");
  });
});
