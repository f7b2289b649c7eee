import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { cellsOf } from "./export_app.ts";
import { Exporter, exportRunFiles, settings, shipment } from "./export_runs_app.ts";
import { list, room } from "./import_app.ts";
import { sheetOf } from "./read_sheet.ts";

const ROWS = 700;
const HOUR = 3_600_000;
interface Shown {
  state: string;
  done: number;
  total: number;
  file: { url: string; filename: string } | null;
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Exports in the background, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const ann = () => new Exporter(app, 1);
    const drain = () => app.application.kernel.service("jobs").drain();
    const files = () =>
      readdirSync(join(app.root, "storage/files"), { recursive: true }).filter((name) =>
        /[0-9a-f]{40}$/.test(`${name}`),
      ).length;
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await app.application.kernel.service("background_runs").sweep(Date.now() + 25 * HOUR);
        await knex()("framewright_background_runs").delete();
        await knex()("framewright_jobs").delete();
        await knex()("framewright_notifications").delete();
        await knex()("users").where({ id: 1 }).update({ closed: false, may_import: true, name: "Ann Alpine" });
        room.ended = [];
        await story();
      });
    /** Later, for everything that looks at the clock. */
    const later = async (milliseconds: number, story: () => Promise<void>) => {
      const { now } = Date;
      Date.now = () => now() + milliseconds;
      try {
        await story();
      } finally {
        Date.now = now;
      }
    };
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(exportRunFiles, { ...(await database.values()), LOG_LEVEL: "silent" });
        for (const tenant of [1, 2])
          for (let at = 0; at < ROWS; at += 50)
            await knex()("shipments").insert(
              Array.from({ length: 50 }, (_, index) => shipment(tenant * 10_000 + at + index, tenant)),
            );
        await knex()("comments").insert(Array.from({ length: 5 }, (_, at) => ({ title: `Alpine ${at}`, post_id: 1 })));
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }

    can("A long list is offered to a person as work, with progress, and then a file that is the list", async () => {
      const path = `${list}/export.csv?filter[weight][from]=10100&sort=-reference&columns=reference,note`;
      const offer = await ann().page(path);
      assert.match(offer, "The list has more than 3 rows.");
      assert.match(offer, "for 24 hours");
      assert.is((await knex()("framewright_background_runs")).length, 0, "a GET starts nothing");
      const person = ann();
      const url = await person.prepare(path);
      const waiting = await person.page(url);
      assert.match(waiting, "Waiting");
      assert.match(waiting, "0 of 600");
      assert.match(waiting, `${url}/cancel`);
      assert.is((await person.get(`${url}/file`)).status, 404);
      await drain();
      const page = await person.ended(url);
      assert.match(page, "The file can be downloaded until");
      assert.match(page, `href="${url}/file" data-turbo="false"`);
      assert.not.match(page, "staged/");
      const answer = await person.get(`${url}/file`);
      assert.is(answer.status, 200);
      assert.is(answer.headers.get("content-type"), "text/csv; charset=utf-8");
      assert.match(answer.headers.get("content-disposition")!, 'attachment; filename="shipments-');
      assert.match(answer.headers.get("cache-control")!, "no-store");
      const text = await answer.text();
      assert.is(text, await (await person.get(path, "text/csv")).text(), "a program is sent the same at once");
      const [head, ...rows] = cellsOf(text.replace("\uFEFF", ""));
      assert.equal(head, ["Reference", "Note"]);
      assert.is(rows.length, 600);
      assert.equal(rows[0], ["S-10699", "'=1+1"]);
      assert.equal(room.ended, [url]);
      const told = await knex()("framewright_notifications").select("title", "body", "url", "owner_id", "tenant");
      assert.equal(told.map(Object.values), [
        ["Export finished: 600 shipments", "The file can be downloaded.", url, "1", "organizations/1"],
      ]);
      assert.is(files(), 1);
    });

    can("Few rows, a program and HEAD are sent the file at once, as before", async () => {
      const few = await ann().get(`${list}/export.csv?filter[weight][from]=10697`);
      assert.is(few.headers.get("content-type"), "text/csv; charset=utf-8");
      assert.is(cellsOf((await few.text()).replace("\uFEFF", "")).length, 4);
      const all = await ann().get(`${list}/export.jsonl`, "*/*");
      assert.is((await all.text()).split("\n").length - 1, ROWS);
      const head = await app.request(`${list}/export.csv`, {
        method: "HEAD",
        headers: { "x-user": "1", accept: "text/html" },
      });
      assert.is(head.headers.get("content-type"), "text/csv; charset=utf-8");
    });

    can("A second click leads to the first run, also from another tab, and another list has its own", async () => {
      const person = ann();
      const offer = await person.page(`${list}/export.csv`);
      const [first] = await person.press(offer);
      const [second] = await person.press(offer);
      assert.is(first!.headers.get("location"), second!.headers.get("location"));
      assert.is(await ann().prepare(), first!.headers.get("location"));
      assert.ok((await person.prepare(`${list}/export.jsonl`)) !== first!.headers.get("location"));
      assert.is((await knex()("framewright_background_runs")).length, 2);
      await drain();
      assert.is(files(), 2);
      const atOnce = await person.press(offer, 6);
      assert.is(new Set(atOnce.map(({ headers }) => headers.get("location"))).size, 1, "all at the same instant");
      assert.is((await knex()("framewright_background_runs")).length, 3);
      await drain();
      assert.ok((await person.prepare()) !== first!.headers.get("location"), "a new one, once it has ended");
    });

    can("A program leaves it to a job, and is told where the file is", async () => {
      const person = ann();
      const asked = await person.post(`${list}/export.jsonl?sort=reference`, { authorization: "Bearer program" });
      assert.is(asked.status, 202, await asked.clone().text());
      const url = asked.headers.get("location")!;
      const shown = async () => (await (await person.get(url, "application/json")).json()) as { data: Shown };
      assert.equal((await shown()).data.file, null);
      await drain();
      const { data } = await shown();
      assert.equal([data.state, data.done, data.total, data.file?.url], ["done", ROWS, ROWS, `${url}/file`]);
      assert.match(data.file!.filename, /^shipments-.*\.jsonl$/);
      assert.not.match(JSON.stringify(data), "staged/");
      const lines = (await (await person.get(data.file!.url)).text()).split("\n");
      assert.is(lines.length - 1, ROWS);
      assert.is(Number(JSON.parse(lines[0]!).weight), 10_000);
    });

    can("A spreadsheet is prepared as well", async () => {
      const person = ann();
      const url = await person.prepare(`${list}/export.xlsx?sort=reference&columns=reference,weight`);
      await drain();
      assert.match(await person.page(url), "700");
      const answer = await person.get(`${url}/file`);
      assert.match(answer.headers.get("content-disposition")!, ".xlsx");
      const rows = sheetOf(Buffer.from(await answer.arrayBuffer()));
      assert.is(rows.length, ROWS + 1);
      assert.equal(rows[1], [{ text: "S-10000" }, { number: 10_000, format: "General" }]);
    });

    can("Guests, other people, another tenant and guessed ids get neither the page nor the file", async () => {
      const url = await ann().prepare();
      await drain();
      const id = Number(url.split("/").at(-1));
      for (const [user, base] of [
        [0, list],
        [2, list],
        [2, "/customer/2/shipments"],
        [3, list],
        [3, "/customer/2/shipments"],
        [4, list],
      ] as const)
        for (const end of ["", "/file"]) {
          const { status } = await new Exporter(app, user).get(`${base}/background_runs/${id}${end}`);
          assert.ok([401, 403, 404].includes(status), `${user} ${base}${end}: ${status}`);
        }
      for (const guess of [id + 1, id - 1, "0", "-1", "1e0", `${id}%00`, "99999999999999999999"])
        assert.ok([400, 404].includes((await ann().get(`${list}/background_runs/${guess}/file`)).status), `${guess}`);
      assert.is((await ann().get(`/customer/1/comments/background_runs/${id}/file`)).status, 404, "another list");
      for (const user of [0, 2, 4]) {
        const { status } = await new Exporter(app, user).post(`${list}/export.csv`, { authorization: "Bearer x" });
        assert.ok([401, 403, 404].includes(status), `${user} starts one: ${status}`);
      }
      const forged = await app.request(`${list}/export.csv`, { method: "POST", headers: { "x-user": "1" } });
      assert.is(forged.status, 403, "without the form's token");
      assert.is((await ann().get(`${url}/file`)).status, 200);
    });

    can("What the person may see when it runs is what the file has, and its rows are the tenant's", async () => {
      const url = await ann().prepare();
      await knex()("users").where({ id: 1 }).update({ name: "Narrow" });
      await drain();
      const [head, ...rows] = cellsOf((await ann().page(`${url}/file`)).replace("\uFEFF", ""));
      assert.equal(head, ["Reference"]);
      assert.is(rows.length, ROWS);
      assert.ok(rows.every(([reference]) => reference!.startsWith("S-10")));
    });

    can("A right, a membership or an account that is gone before it runs makes no file", async () => {
      const { id: membership, ...row } = await knex()("memberships").where({ user_id: 1 }).first();
      for (const [take, give, reason] of [
        [
          () => knex()("users").where({ id: 1 }).update({ may_import: false }),
          () => knex()("users").update({ may_import: true }),
          "The list may not be seen any more",
        ],
        [
          () => knex()("memberships").where({ user_id: 1 }).delete(),
          () => knex()("memberships").insert(row),
          "The account may not enter here any more",
        ],
        [
          () => knex()("users").where({ id: 1 }).update({ closed: true }),
          () => knex()("users").update({ closed: false }),
          "The account may not act any more",
        ],
      ] as const) {
        const url = await ann().prepare();
        await take();
        await drain();
        assert.is(files(), 0, reason);
        await give();
        const page = await ann().page(url);
        assert.match(page, "Stopped");
        assert.match(page, reason);
        assert.is((await ann().get(`${url}/file`)).status, 404);
      }
      assert.ok(membership);
    });

    can(
      "A right, a membership or an account that is gone afterwards keeps the file from being downloaded",
      async () => {
        const url = await ann().prepare();
        await drain();
        const file = () => ann().get(`${url}/file`);
        await knex()("users").where({ id: 1 }).update({ may_import: false });
        assert.is((await file()).status, 403);
        await knex()("users").where({ id: 1 }).update({ may_import: true, closed: true });
        assert.is((await file()).status, 404);
        await knex()("users").where({ id: 1 }).update({ closed: false });
        const { id, ...row } = await knex()("memberships").where({ user_id: 1 }).first();
        await knex()("memberships").where({ id }).delete();
        assert.ok([403, 404].includes((await file()).status));
        await knex()("memberships").insert(row);
        assert.is((await file()).status, 200);
      },
    );

    can("After its time the file can't be downloaded, and is deleted", async () => {
      const url = await ann().prepare();
      await drain();
      const background = app.application.kernel.service("background_runs");
      await background.sweep(Date.now() + 23 * HOUR);
      assert.is((await ann().get(`${url}/file`)).status, 200);
      await later(24 * HOUR + 1000, async () => {
        assert.is((await ann().get(`${url}/file`)).status, 404, "it has not been deleted yet");
        assert.is(files(), 1);
        assert.match(await ann().page(url), "can&#39;t be downloaded any more");
        await background.sweep();
        assert.is(files(), 0);
      });
      assert.match(await ann().page(url), "can&#39;t be downloaded any more");
      assert.is((await ann().get(`${url}/file`)).status, 404);
    });

    can("It can be cancelled, and nobody prepares files without end", async () => {
      const person = ann();
      const url = await person.prepare();
      await person.press(await person.page(url));
      await drain();
      assert.match(await person.page(url), "Cancelled");
      assert.is(files(), 0);
      for (let at = 0; at < 10; at++) await person.prepare(`${list}/export.csv?filter[weight][from]=${at}`);
      assert.is(await person.prepare(`${list}/export.csv?filter[weight][from]=77`), list);
      assert.match(await person.page(list), "10 files of this list are being prepared");
      assert.is((await person.post(`${list}/export.csv`, { authorization: "Bearer x" })).status, 422);
      assert.match(await new Exporter(app, 3).prepare(), "background_runs");
    });

    can(
      "Below a parent there are its own rows; a parent that is gone keeps the file from being downloaded",
      async () => {
        const person = ann();
        const url = await person.prepare("/customer/1/posts/1/nested_comments/export.csv");
        assert.match(url, "/customer/1/comments/background_runs/");
        await drain();
        const text = await person.page(`${url}/file`);
        assert.match(text, "Alpine 4");
        assert.not.match(text, "Baltic");
        await knex()("posts").where({ id: 1 }).update({ organization_id: 2 });
        assert.is((await person.get(`${url}/file`)).status, 404);
        await knex()("posts").where({ id: 1 }).update({ organization_id: 1 });
      },
    );

    can("What breaks while the file is made ends the run, and a storage that is away is waited for", async () => {
      const resources = app.application.kernel.service("resources");
      const { visible } = resources;
      const url = await ann().prepare();
      let calls = 0;
      resources.visible = (...given) => {
        if (++calls === 2) throw new Error("the disk is gone");
        return visible.apply(resources, given);
      };
      await drain().finally(() => {
        resources.visible = visible;
      });
      assert.match(await ann().page(url), "An error occurred.");
      const storage = app.application.kernel.service("storage");
      const { put } = storage;
      const other = await ann().prepare();
      storage.put = () => Promise.reject(Object.assign(new Error("away"), { status: 503 }));
      await drain().finally(() => {
        storage.put = put;
      });
      assert.match(await ann().page(other), "Running");
      await knex()("framewright_jobs").update({ run_at: "2026-01-01 00:00:00.000" });
      await drain();
      assert.is((await ann().get(`${other}/file`)).status, 200);
      assert.is(files(), 1);
    });
  });
}

describe("Exports where nothing runs in the background", (it) => {
  it("Without storage, or without the table of runs, a long list is sent at once", async () => {
    const migration = "db/migrate/20260302000000_create_imports.ts";
    const without = edited(exportRunFiles, "plugins.config.ts", ["  storage(),\n", ""], ["  imports(),\n", ""]);
    const noTable = `${exportRunFiles[migration]!}`.replace(
      'await db.createTable("arrivals"',
      'await db.dropTable("framewright_background_runs");\n  await db.createTable("arrivals"',
    );
    for (const [files, status] of [
      [{ ...exportRunFiles, "plugins.config.ts": without }, 404],
      [{ ...exportRunFiles, [migration]: noTable }, 200],
    ] as const) {
      const app = await openTenants(files, { LOG_LEVEL: "silent" });
      try {
        await databaseOf(app.application)
          .knex("shipments")
          .insert([1, 2, 3, 4, 5].map((at) => shipment(at)));
        const answer = await new Exporter(app, 1).get(`${list}/export.csv`);
        assert.is(answer.headers.get("content-type"), "text/csv; charset=utf-8");
        assert.is(cellsOf((await answer.text()).replace("\uFEFF", "")).length, 6);
        const asked = await new Exporter(app, 1).post(`${list}/export.csv`, { authorization: "Bearer x" });
        assert.ok([status, 405].includes(asked.status), `${asked.status}`);
      } finally {
        await app.close();
      }
    }
  });

  it("Where no plugin finds accounts without a request, a person is sent the file at once", async () => {
    const config = settings(
      "resources(),\n  backgroundRuns(),\n  exports({ backgroundRows: 3 }),\n  imports(),\n  jobs({ run: false }),",
    );
    const lost = edited(config, "plugins.config.ts", [
      "return (user as { closed?: unknown } | undefined)?.closed ? false : (user ?? false);",
      "return undefined;",
    ]);
    const app = await openTenants({ ...exportRunFiles, "plugins.config.ts": lost }, { LOG_LEVEL: "silent" });
    try {
      await databaseOf(app.application)
        .knex("shipments")
        .insert([1, 2, 3, 4, 5].map((at) => shipment(at)));
      const answer = await new Exporter(app, 1).get(`${list}/export.csv`);
      assert.is(answer.headers.get("content-type"), "text/csv; charset=utf-8");
    } finally {
      await app.close();
    }
  });
});
