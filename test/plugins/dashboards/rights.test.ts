import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { asPerson, dashboardFile, mainDashboard, openDashboards, teamDashboard } from "./dashboards_app.ts";

const widening = `
  this.list("wide", { rows: 50, query: () => this.query(Post).where("title", "none").orWhereNotNull("posts.id") as never });
  this.list("cleared", { rows: 50, query: () => this.query(Post).clearContext().clearWhere() as never });
  this.table("along", { rows: 50, query: () => this.query(Post), columns: ["title", "user"] });
`;
const cached = `
  this.list("mine", { cache: 60, query: () => this.query(Post).orderBy("id") });
  this.metric("all", { cache: { seconds: 60, shared: true }, value: () => this.query(Note).resultSize() });
  this.metric("wrong", { cache: { seconds: 60, shared: true }, value: () => this.query(Post).resultSize() });
  this.metric("user", { cache: { seconds: 60, shared: true }, value: () => Number((this.currentUser as { id: number }).id) });
  this.metric("fails", { cache: 60, value: () => { globalThis.fwTries = (globalThis.fwTries ?? 0) + 1; if (globalThis.fwTries < 2) throw new Error("once"); return globalThis.fwTries; } });
  this.metric("late", { cache: 60, limit: 50, value: () => new Promise((resolve) => setTimeout(() => resolve(7), 200)) });
`;
const global = `declare global { var fwTries: number | undefined; }`;

for (const database of await databases()) {
  describe(`What a card may reach, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let as: ReturnType<typeof asPerson>;
    before(async () => {
      if (database.skip) return;
      const changes = {
        [mainDashboard]: dashboardFile("MainDashboard", widening + cached, { imports: global }),
        [teamDashboard]: dashboardFile("MainDashboard", widening + cached, { imports: global }),
      };
      app = await openDashboards(changes, await database.values());
      as = asPerson(app);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const card = async (user: number, key: string, at = "/admin") =>
      (await as(user, `${at}/dashboards/main/cards/${key}`, { "turbo-frame": `card-${key}` })).text();
    const { knex } = { knex: () => databaseOf(app.application).knex };

    can("Neither an orWhere nor clearing the query reaches past the policy's relation scope", async () => {
      for (const key of ["wide", "cleared", "along"]) {
        const ann = await card(1, key);
        assert.match(ann, "Ann today", key);
        assert.not.match(ann, "Bob", key);
        assert.not.match(ann, "MARK", key);
      }
    });

    can("Nor past the tenant", async () => {
      for (const key of ["wide", "cleared", "along"]) {
        const red = await card(1, key, "/team/1");
        assert.match(red, "Bob today", key);
        assert.not.match(red, "MARK", key);
      }
    });

    can("A cached card is each person's own", async () => {
      assert.match(await card(1, "mine"), "Ann today");
      const bob = await card(2, "mine");
      assert.match(bob, "Bob today");
      assert.not.match(bob, "Ann");
      await knex()("posts").where("title", "Ann today").update({ title: "Ann changed" });
      assert.match(await card(1, "mine"), "Ann today", "kept for a minute");
      assert.match(await card(1, "along"), "Ann changed");
      await knex()("posts").where("title", "Ann changed").update({ title: "Ann today" });
    });

    can("A card that everybody shares is shared within a tenant, and no further", async () => {
      assert.match(await card(1, "all", "/team/1"), "<strong>0</strong>");
      assert.match(await card(3, "all", "/team/2"), "<strong>1</strong>");
      await knex()("notes").insert({ title: "more", team_id: 1 });
      assert.match(await card(2, "all", "/team/1"), "<strong>0</strong>", "what Ann's request loaded");
      assert.match(await card(1, "all"), "<strong>2</strong>", "another portal has its own");
    });

    can("A shared card whose query depends on the person fails instead of leaking", async () => {
      assert.match(await card(1, "wrong"), "Couldn’t load.");
      assert.match(await card(1, "user"), "Couldn’t load.");
      assert.match(await card(1, "wrong", "/team/1"), "<strong>5</strong>", "no policy narrows it there");
    });

    can("Failures are not kept, and what was late is there the next time", async () => {
      globalThis.fwTries = 0;
      assert.match(await card(1, "fails"), "Couldn’t load.");
      assert.match(await card(1, "fails"), "<strong>2</strong>");
      assert.match(await card(1, "late"), "This takes too long to load.");
      await new Promise((resolve) => setTimeout(resolve, 250));
      assert.match(await card(1, "late"), "<strong>7</strong>");
    });
  });
}
declare global {
  var fwTries: number | undefined;
}
