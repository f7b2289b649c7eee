import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { within } from "../../support/pace.ts";
import { asPerson, openDashboards } from "./dashboards_app.ts";

for (const database of await databases()) {
  describe(`The pages of dashboards, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let as: ReturnType<typeof asPerson>;
    before(async () => {
      if (database.skip) return;
      app = await openDashboards({}, await database.values());
      as = asPerson(app);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const text = async (user: number, path: string, headers = {}) => (await as(user, path, headers)).text();
    const card = (key: string, query = "") => `/admin/dashboards/main/cards/${key}${query}`;

    can("A dashboard at / is the portal's root, with a frame for each card and no data yet", async () => {
      const answer = await as(1, "/admin");
      const page = await answer.text();
      assert.is(answer.status, 200, page);
      assert.is(answer.headers.get("cache-control"), "no-store");
      assert.match(
        page,
        /<turbo-frame id="card-fresh"[^>]*src="\/admin\/dashboards\/main\/cards\/fresh\?period=30d"[^>]*loading="lazy"/,
      );
      assert.not.match(page, "Ann today");
      assert.match(page, "fw-skeleton");
      assert.match(page, 'href="/admin/posts"', "a card links to the list of its resource");
      assert.match(page, /<noscript>.*href="\/admin\?cards=inline"/s);
      assert.match(
        page,
        /<script src="\/assets\/dashboards-[\w-]+\.js" data-charts="\/assets\/chart-[\w-]+\.js" defer>/,
      );
    });

    can(
      "Numbers are those of the person: of the policy's relation scope, in the period and the one before",
      async () => {
        assert.match(await text(1, card("fresh")), /<strong>3<\/strong>.*1 in the 30 days before/s);
        assert.match(await text(1, card("fresh", "?period=7d")), /<strong>2<\/strong>.*1 in the 7 days before/s);
        assert.match(await text(2, card("fresh")), /<strong>1<\/strong>.*0 in the 30 days before/s);
        assert.match(await text(1, card("words")), /<strong>157<\/strong>/);
      },
    );

    can("A chart is a table whose states are called as the resource shows them", async () => {
      const states = await text(1, card("by_status"));
      assert.match(states, /data-tone="">\s*<th scope="row">Draft<\/th><td[^>]*data-value="2"/);
      assert.match(states, /data-tone="success">\s*<th scope="row">Live<\/th><td[^>]*data-value="2"/);
      const weeks = await text(1, card("by_week", "?period=90d"));
      const values = [...weeks.matchAll(/data-value="(\d+)"/g)].map(([, value]) => Number(value));
      assert.ok(values.length >= 12 && values.length <= 13, String(values));
      assert.is(
        values.reduce((sum, value) => sum + value),
        4,
      );
    });

    can(
      "Lists and tables lead to what may be shown, and a table has the attributes that the policy permits",
      async () => {
        const latest = await text(1, card("latest"));
        assert.match(latest, 'href="/admin/posts/1"');
        assert.match(latest, "<span>Hidden</span>");
        assert.match(latest, "<time");
        const table = await text(1, card("wide"));
        assert.match(table, /<th scope="col">Status<\/th>/);
        assert.match(table, "fw-status-success");
        assert.match(table, ">Ann<");
        assert.not.match(table, /Secret|xyzzy/);
      },
    );

    can("Links, a template of the application, and a card as a page of its own", async () => {
      assert.match(await text(1, card("more")), 'href="/handbook"');
      assert.match(await text(1, card("own")), '<p class="own">&lt;b&gt;30d Ann</p>');
      const page = await text(1, card("own"));
      assert.match(page, "<h1>Own</h1>");
      assert.match(page, "Back to Dashboard");
      const frame = await text(1, card("own"), { "turbo-frame": "card-own" });
      assert.match(frame, /^<turbo-frame id="card-own">/);
      assert.not.match(frame, "<html");
    });

    can("A card that throws says so, the page stands, and the log names dashboard and card", async () => {
      const answer = await as(1, card("broken"), { "turbo-frame": "card-broken" });
      assert.is(answer.status, 500);
      const frame = await answer.text();
      assert.match(frame, /^<turbo-frame id="card-broken">.*Couldn’t load\..*href="[^"]*broken[^"]*".*Try again/s);
      assert.not.match(frame, "on fire");
      const page = await as(1, "/admin?cards=inline");
      assert.is(page.status, 200);
      const whole = await page.text();
      assert.match(whole, "Couldn’t load.");
      assert.match(whole, "Ann today");
      assert.not.match(whole, 'turbo-frame id="card-');
    });

    can("A card that takes longer than its limit says so, no later than that", async () => {
      const start = performance.now();
      const answer = await as(1, card("slow"));
      assert.is(answer.status, 503);
      const took = performance.now() - start;
      assert.ok(took < within(350), `took ${took} ms`);
      assert.match(await answer.text(), "This takes too long to load.");
    });

    can("A card whose policy refuses is not on the page, and its address is 403", async () => {
      assert.match(await text(1, "/admin"), "card-words");
      assert.not.match(await text(2, "/admin"), "card-words");
      assert.is((await as(2, card("words"))).status, 403);
      assert.not.match(await text(4, "/admin"), "card-by_week");
      assert.is((await as(4, card("by_week"))).status, 403);
    });

    can("An unknown card is 404, a guest 401, and an unknown period counts as the dashboard's own", async () => {
      assert.is((await as(1, card("nothing"))).status, 404);
      assert.is((await as(0, "/admin")).status, 401);
      assert.is((await as(0, card("fresh"))).status, 401);
      assert.match(await text(1, "/admin?period=9y"), "cards/fresh?period=30d");
      assert.match(await text(1, "/admin?period=7d"), "cards/fresh?period=7d");
      assert.is((await as(1, "/admin?period[]=7d")).status, 422);
    });

    can("In a portal with tenants every card stays within the tenant, and another tenant is 404", async () => {
      const red = await text(1, "/team/1?cards=inline");
      assert.match(red, "Bob today");
      assert.not.match(red, "MARK");
      assert.match(await text(1, "/team/1/dashboards/main/cards/fresh"), "<strong>4</strong>");
      assert.match(await text(3, "/team/2/dashboards/main/cards/fresh"), "<strong>1</strong>");
      assert.is((await as(3, "/team/1")).status, 404);
      assert.is((await as(3, "/team/1/dashboards/main/cards/fresh")).status, 404);
    });
  });
}
