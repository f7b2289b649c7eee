import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";
import { as } from "../wizards/mounts_support.ts";
import { notificationFiles, send, withNotifications } from "./notifications_app.ts";

const base = "/customer/1/_notifications";
const [ann, bob, cat] = [1, 2, 3];
const TABLE = "framewright_notifications";

interface Listed {
  id: number;
  title: string;
  url: string | null;
  read: boolean;
}

for (const database of await databases()) {
  describe(`Notifications, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(notificationFiles, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await databaseOf(app.application).knex(TABLE).delete();
        await body();
      });
    const rows = () => databaseOf(app.application).knex(TABLE).orderBy("id");
    const ask = (user: number, method: string, path: string, body?: object) =>
      app.request(path, {
        method,
        redirect: "manual",
        headers: { "x-user": String(user), accept: "application/json", "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
    const list = async (user: number, path = base) => {
      const answer = await ask(user, "GET", path);
      assert.is(answer.status, 200, path);
      return (await answer.json()) as { data: Listed[]; meta: { unread: number; next: number | null } };
    };
    const titles = async (user: number, path = base) => (await list(user, path)).data.map(({ title }) => title);
    const page = async (user: number, path: string, headers: Record<string, string> = {}) => {
      const answer = await app.request(path, { headers: { accept: "text/html", "x-user": String(user), ...headers } });
      assert.is(answer.status, 200, path);
      return answer.text();
    };
    const count = (user: number, path = base) => page(user, path, { "turbo-frame": "fw-bell" });

    can("What is sent is on the person's page, the newest first, and on nobody else's", async () => {
      await send(app, ann, { title: "First" }, { tenant: 1 });
      await send(
        app,
        ann,
        { title: "Second", body: "<b>more</b>", url: "/customer/1/posts/1", kind: "warning" },
        { tenant: 1 },
      );
      assert.equal(await titles(ann), ["Second", "First"]);
      assert.equal(await titles(cat), []);
      const html = await page(ann, base);
      assert.match(html, /Second[\s\S]*&lt;b&gt;more&lt;\/b&gt;[\s\S]*First/);
      assert.match(html, "fw-notification-warning");
      assert.not.match(html, 'href="/customer/1/posts/1"');
    });
    can("Those of a tenant are shown in it alone, those of none in each portal that the account enters", async () => {
      await send(app, cat, { title: "Alpine's" }, { tenant: 1 });
      await send(app, cat, { title: "Baltic's" }, { tenant: 2 });
      await send(app, cat, { title: "Cat's" });
      assert.equal(await titles(cat), ["Cat's", "Alpine's"]);
      assert.equal(await titles(cat, "/customer/2/_notifications"), ["Cat's", "Baltic's"]);
      const { id } = (await rows()).find(({ title }) => title === "Baltic's");
      for (const path of ["open", "mark"])
        assert.is((await ask(cat, "POST", `${base}/${id}/${path}`, {})).status, 404, "in another tenant");
      await ask(cat, "POST", `${base}/read_all`, { until: 999_999 });
      assert.equal(
        (await rows()).map(({ title, read_at }) => [title, read_at !== null]),
        [
          ["Alpine's", true],
          ["Baltic's", false],
          ["Cat's", true],
        ],
      );
    });
    can("Another person's is 404 to read, open and mark, as one that does not exist, and stays as it is", async () => {
      await send(app, cat, { title: "Cat's" }, { tenant: 1 });
      const [{ id }] = await rows();
      for (const path of [
        `${id}/open`,
        `${id}/mark`,
        "999/open",
        "1x/mark",
        "01/mark",
        "9007199254740993/open",
        "0/mark",
      ])
        assert.is((await ask(ann, "POST", `${base}/${path}`, {})).status, 404, path);
      await ask(ann, "POST", `${base}/read_all`, { until: 999_999 });
      assert.is((await rows())[0].read_at, null);
      assert.is((await ask(bob, "GET", base)).status, 404, "of a tenant that he is not in");
    });
    can(
      "The bell is on pages of people who are signed in, and reads nothing: its count is a frame of its own",
      async () => {
        await send(app, ann, { title: "One" }, { tenant: 1 });
        const html = await page(ann, "/customer/1/posts");
        assert.match(
          html,
          `<span class="fw-bell"><a class="fw-icon-button" href="${base}" data-turbo-frame="_top" aria-label="Notifications">`,
        );
        assert.match(html, `<turbo-frame id="fw-bell" src="${base}" data-optional></turbo-frame>`);
        assert.match(await count(ann), /<span aria-hidden="true">1<\/span><span class="fw-hidden">1 unread<\/span>/);
        assert.not.match(await count(cat), "<span");
        await databaseOf(app.application)
          .knex(TABLE)
          .insert(
            Array.from({ length: 120 }, (_, index) => ({
              owner_type: "users",
              owner_id: "1",
              kind: "info",
              title: `n${index}`,
              created_at: "2026-11-01 00:00:00.000",
            })),
          );
        assert.match(await count(ann), ">99+<");
        const guest = await (await app.request("/guest/1/posts", { headers: { accept: "text/html" } })).text();
        assert.not.match(guest, "fw-bell");
        for (const path of ["/guest/1/_notifications", "/customer/1/_notifications"])
          assert.ok(
            [401, 404].includes((await app.request(path, { headers: { accept: "application/json" } })).status),
            path,
          );
      },
    );
    can(
      "Following one marks it as read and leads to its path; one is marked unread again, all that were shown are marked",
      async () => {
        await send(app, ann, { title: "Old" }, { tenant: 1 });
        await send(app, ann, { title: "New", url: "/customer/1/posts/1?x=1" }, { tenant: 1 });
        const client = as(app.client(), ann);
        const opened = await client.submit(base, {}, /\/open"/);
        assert.equal([opened.status, opened.headers.get("location")], [303, "/customer/1/posts/1?x=1"]);
        assert.is((await list(ann)).meta.unread, 1);
        const again = await client.submit(base, {}, new RegExp(`/${(await rows())[1].id}/mark"`));
        assert.equal([again.status, again.headers.get("location")], [303, base]);
        assert.is((await list(ann)).meta.unread, 2);
        const shown = await client.page(base);
        await send(app, ann, { title: "Newest" }, { tenant: 1 });
        const [, until] = /name="until" value="(\d+)"/.exec(shown)!;
        assert.is((await ask(ann, "POST", `${base}/read_all`, { until: Number(until) })).status, 200);
        assert.equal(
          (await list(ann)).data.map(({ title, read }) => [title, read]),
          [
            ["Newest", false],
            ["New", true],
            ["Old", true],
          ],
        );
        await client.submit(base, {}, /\/read_all"/);
        assert.not.match(await client.page(base), "Mark all as read");
      },
    );
    can("A browser needs a token for each change, and GET changes nothing", async () => {
      await send(app, ann, { title: "One", url: "/customer/1/posts" }, { tenant: 1 });
      const [{ id }] = await rows();
      const client = as(app.client(), ann);
      await client.page(base);
      for (const path of [`${id}/open`, `${id}/mark`, "read_all"]) {
        const bare = await client.request(`${base}/${path}`, { method: "POST", headers: { accept: "text/html" } });
        assert.is(bare.status, 403, path);
        assert.is((await client.request(`${base}/${path}`)).status, 405, path);
      }
      assert.is((await rows())[0].read_at, null);
    });
    can("Sending in an interaction is part of its transaction, and only once to each", async () => {
      assert.is((await ask(ann, "POST", "/customer/1/posts/1/actions/publish", {})).status, 200);
      assert.equal(await titles(ann), ["Published: Post Alpine"]);
      assert.equal(await titles(cat), ["Published: Post Alpine"]);
      await databaseOf(app.application).knex("posts").where({ id: 1 }).update({ title: "Refused" });
      const refused = await ask(ann, "POST", "/customer/1/posts/1/actions/publish", {});
      assert.is(refused.status, 422);
      assert.is((await rows()).length, 2);
      await databaseOf(app.application).knex("posts").where({ id: 1 }).update({ title: "Post Alpine" });
    });
    can(
      "Addresses of other sites, scripts and nonsense are refused when sent, and never shown or followed if stored",
      async () => {
        const wrong = [
          "https://evil.test/",
          "//evil.test",
          "javascript:alert(1)",
          "/\\evil.test",
          "posts/1",
          "",
          "/a\nb",
          "/%0d%0a",
        ];
        for (const url of wrong) await throwsCode("FW_NOTIFICATION", () => send(app, ann, { title: "x", url }));
        await databaseOf(app.application).knex(TABLE).insert({
          owner_type: "users",
          owner_id: "1",
          kind: "info",
          title: "Bad",
          url: "//evil.test/x",
          created_at: "2026-11-01 00:00:00.000",
        });
        const [{ id }] = await rows();
        assert.is((await list(ann)).data[0]!.url, null);
        assert.not.match(await page(ann, base), /evil|\/open"/);
        const followed = await ask(ann, "POST", `${base}/${id}/open`, {});
        assert.not.match(await followed.text(), "evil");
      },
    );
    can("What can't be stored is refused with what to do, and long texts are cut", async () => {
      for (const [content, says] of [
        [{ title: " " }, "Give it a line of text"],
        [{ title: 7 as never }, "Give it a line of text"],
        [{ title: "x", body: 1 as never }, "or leave it out"],
        [{ title: "x", kind: "loud" as never }, "info, success, warning, danger"],
      ] as const)
        assert.match((await throwsCode("FW_NOTIFICATION", () => send(app, ann, content))).message, says);
      const service = app.application.kernel.service("notifications");
      await throwsCode("FW_NOTIFICATION", () => service.send({ id: 1 } as never, { title: "x" }));
      await throwsCode("FW_NOTIFICATION", () => service.send(undefined as never, { title: "x" }));
      await service.send([], { title: "x" });
      await send(app, ann, { title: "🙂".repeat(300), body: "é".repeat(3000) });
      const [row] = await rows();
      assert.equal([[...row.title].length, row.body.length, row.title.at(-1)], [200, 2000, "…"]);
    });
    can("Long lists are read 50 at a time", async () => {
      await databaseOf(app.application)
        .knex(TABLE)
        .insert(
          Array.from({ length: 60 }, (_, index) => ({
            owner_type: "users",
            owner_id: "1",
            kind: "info",
            title: `n${index}`,
            created_at: "2026-11-01 00:00:00.000",
          })),
        );
      const first = await list(ann);
      assert.is(first.data.length, 50);
      assert.match(await page(ann, base), `href="${base}?before=${first.meta.next}">Older ones</a>`);
      const second = await list(ann, `${base}?before=${first.meta.next}`);
      assert.equal([second.data.length, second.meta.next, second.data.at(-1)!.title], [10, null, "n0"]);
      assert.is((await list(ann, `${base}?before=x`)).data.length, 50);
    });
    can("Old ones are removed, read or not, and others stay", async () => {
      await send(app, ann, { title: "Old" });
      await send(app, ann, { title: "New" });
      const [old] = await rows();
      await databaseOf(app.application)
        .knex(TABLE)
        .where({ id: old.id })
        .update({ created_at: "2026-01-01 00:00:00.000" });
      const service = app.application.kernel.service("notifications");
      assert.is(await service.removeOld(new Date("2026-04-01T00:00:00Z")), 0, "89 or 90 days");
      assert.is(await service.removeOld(new Date("2026-04-02T00:00:00Z")), 1);
      assert.equal(
        (await rows()).map(({ title }) => title),
        ["New"],
      );
    });
  });
}

describe("An application without the table of notifications", (it) => {
  it("Its pages are as they were, the page of notifications fails with what to run, and fw doctor says so", async () => {
    const app = await openTenants(withNotifications(tenantFiles));
    try {
      const headers = { accept: "application/json", "x-user": "1" };
      assert.is((await app.request("/customer/1/posts", { headers })).status, 200);
      assert.is((await app.request(base, { headers })).status, 500);
      await throwsCode("FW_NOTIFICATIONS_TABLE", () => send(app, 1, { title: "x" }));
      const findings: { what: string; ok: boolean; detail: string }[] = [];
      await app.application.hooks.examine.promise(findings);
      const found = findings.find(({ what }) => what === "notifications");
      assert.not.ok(found?.ok);
      assert.match(found!.detail, "fw:notifications:install");
    } finally {
      await app.close();
    }
  });
  it("Options that mean nothing are refused", async () => {
    const { notifications } = await import("framewright/plugins/notifications");
    await throwsCode("FW_OPTION_INVALID", () => notifications({ keep: 0 }));
    await throwsCode("FW_OPTION_UNKNOWN", () => notifications({ days: 3 } as never));
  });
});
