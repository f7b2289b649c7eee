import { openApp, writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import {
  asPerson,
  bootWith,
  cards,
  dashboardFile,
  files,
  mainDashboard,
  openDashboards,
  routesFile,
} from "./dashboards_app.ts";

const routes = (lines: string, imports = "") => ({
  "packages/admin_portal/config/routes.ts": routesFile("AdminPortal", lines, imports),
});
const registered = `routes.registerResource(Post);`;
const sales = {
  "packages/admin_portal/app/dashboards/admin_portal/sales_dashboard.ts": dashboardFile(
    "SalesDashboard",
    `this.metric("sold", { value: () => 1 });`,
    {
      body: `override label = "Sales & more"; override authorize() { return (this.currentUser as { id: number }).id === 1; }`,
    },
  ),
};
const salesImport = `import SalesDashboard from "../app/dashboards/admin_portal/sales_dashboard.ts";`;
const declaring = (lines: string, body = "") => ({ [mainDashboard]: dashboardFile("MainDashboard", lines, { body }) });

describe("Dashboards of a portal", (it) => {
  it("Several have tabs, for those who may see them, and the period stays", async () => {
    const lines = `routes.registerDashboard(MainDashboard, { at: "/" }); routes.registerDashboard(SalesDashboard, { at: "/sales", as: "sales" });`;
    const app = await openDashboards({ ...sales, ...routes(lines + registered, salesImport) });
    try {
      const as = asPerson(app);
      const page = await (await as(1, "/admin?period=7d")).text();
      assert.match(page, /class="fw-scope" href="\/admin\?period=7d" aria-current="page">Main</);
      assert.match(page, /class="fw-scope" href="\/admin\/sales\?period=7d">Sales &amp; more</);
      const other = await as(1, "/admin/sales");
      assert.is(other.status, 200);
      assert.match(await other.text(), "<h1>Sales &amp; more</h1>");
      assert.not.match(await (await as(2, "/admin")).text(), "/admin/sales");
      assert.is((await as(2, "/admin/sales")).status, 403);
      assert.is((await as(2, "/admin/dashboards/sales/cards/sold")).status, 403);
    } finally {
      await app.close();
    }
  });

  it("A root to a controller keeps working, and the sidebar leads to the dashboard", async () => {
    const controller = {
      "packages/admin_portal/app/controllers/admin_portal/home_controller.ts": `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts";
        export default class HomeController extends Controller(BaseController) { index() { return this.render("index", { locals: { title: "Home" } }); } }`,
      "packages/admin_portal/app/views/admin_portal/home/index.liquid": "<h1>Home</h1>",
    };
    const lines = `routes.root({ to: "home#index" }); routes.registerDashboard(MainDashboard, { at: "/figures" });`;
    const app = await openDashboards({ ...controller, ...routes(lines + registered) });
    try {
      const page = await (await asPerson(app)(1, "/admin")).text();
      assert.match(page, "<h1>Home</h1>");
      assert.match(page, /href="\/admin\/figures"[^>]*>\s*<(svg|i) /);
      assert.match(await (await asPerson(app)(1, "/admin/figures")).text(), "<h1>Main</h1>");
    } finally {
      await app.close();
    }
  });

  it("A portal's own DashboardsController serves its dashboards", async () => {
    const own = {
      "packages/admin_portal/app/controllers/admin_portal/dashboards_controller.ts": `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts";
        export default class DashboardsController extends Controller(BaseController) { static override beforeActions = ["closed"]; closed() { if (this.request.header("x-closed")) this.redirectTo("/elsewhere"); } }`,
    };
    const app = await openDashboards(own);
    try {
      assert.is((await asPerson(app)(1, "/admin")).status, 200);
      assert.is((await asPerson(app)(1, "/admin", { "x-closed": "1" })).headers.get("location"), "/elsewhere");
    } finally {
      await app.close();
    }
  });

  it("The log names dashboard, card and reason, and holds nothing of the person's cookies", async () => {
    const app = await openDashboards();
    try {
      const lines: string[] = [];
      app.application.log.error = ((...parts: unknown[]) => void lines.push(String(parts[1]))) as never;
      await asPerson(app)(1, "/admin/dashboards/main/cards/broken");
      await asPerson(app)(1, "/admin/dashboards/main/cards/slow");
      assert.match(lines[0]!, /FW_DASHBOARD_FAILED: the card "broken" of AdminPortal::MainDashboard failed: .*on fire/);
      assert.match(lines[1]!, /FW_DASHBOARD_LATE: the card "slow" of AdminPortal::MainDashboard took longer .* 60 ms/);
      assert.is(lines.length, 2);
    } finally {
      await app.close();
    }
  });
});

describe("A card's policy and its limit of rows", (it) => {
  it("A policy that throws hides its card alone, and its address is 500", async () => {
    const lines = `this.metric("a", { value: () => 1, policy: "breaks" }); this.metric("b", { value: () => 2 });`;
    const app = await openDashboards(declaring(lines, `breaks(): boolean { throw new Error("no idea"); }`));
    try {
      const said: string[] = [];
      app.application.log.error = ((...parts: unknown[]) => void said.push(String(parts[1]))) as never;
      const answer = await asPerson(app)(1, "/admin");
      const page = await answer.text();
      assert.is(answer.status, 200);
      assert.match(page, "card-b");
      assert.not.match(page, "card-a");
      assert.match(said[0]!, /FW_DASHBOARD_FAILED: the card "a" of AdminPortal::MainDashboard failed: no idea/);
      assert.is((await asPerson(app)(1, "/admin/dashboards/main/cards/a")).status, 500);
    } finally {
      await app.close();
    }
  });

  it("A list has five rows, as many as rows says, or as its query says", async () => {
    const query = 'this.query(Post).orderBy("id")';
    const lines = `this.list("five", { query: () => ${query} }); this.list("two", { rows: 2, query: () => ${query} }); this.list("one", { query: () => ${query}.limit(1) });`;
    const app = await openDashboards(declaring(lines));
    try {
      const count = async (key: string) => {
        const page = await (await asPerson(app)(1, `/admin/dashboards/main/cards/${key}`)).text();
        return [...page.matchAll(/<li><div>/g)].length;
      };
      assert.equal([await count("five"), await count("two"), await count("one")], [4, 2, 1]);
    } finally {
      await app.close();
    }
  });
});

describe("Dashboards that are refused at boot", (it) => {
  const refused = async (changes: Record<string, string>, pattern: RegExp) =>
    assert.match(await bootWith(changes), pattern);
  const main = `routes.registerDashboard(MainDashboard, { at: "/" });`;

  it("What is no dashboard, a wrong option and a wrong path are named", async () => {
    await refused(routes(`routes.registerDashboard(Post as never, { at: "/" });`), /FW_DASHBOARD_CLASS: .* got Post/);
    await refused(
      routes(`routes.registerDashboard(MainDashboard, { att: "/" } as never);`),
      /FW_DASHBOARD_OPTION: .*Did you mean "at"/,
    );
    for (const at of ["/a/:id", "a b", "../x"])
      await refused(routes(`routes.registerDashboard(MainDashboard, { at: "${at}" });`), /FW_DASHBOARD_AT/);
    const onMain = files["config/routes.ts"]!.replace(
      "routes.mount(AdminPortal",
      `routes.registerDashboard(MainDashboard, { at: "/" }); routes.mount(AdminPortal`,
    );
    const imported = `import MainDashboard from "#packages/admin_portal/app/dashboards/admin_portal/main_dashboard.ts"; import type {} from "framewright/plugins/dashboards"; ${onMain}`;
    await refused({ "config/routes.ts": imported }, /FW_DASHBOARD_PORTAL/);
  });

  it("A path that another route has is refused, in either order", async () => {
    await refused(
      routes(`routes.root({ to: "home#index" }); ${main}`),
      /FW_DASHBOARD_PLACE: MainDashboard can't be at "\/".*Remove the other route/,
    );
    await refused(
      routes(`${registered} routes.registerDashboard(MainDashboard, { at: "/posts" });`),
      /FW_DASHBOARD_PLACE/,
    );
    await refused(routes(`${main} ${main}`), /FW_DASHBOARD_PLACE/);
  });

  it("A mistake in a card names dashboard and card, and what is meant", async () => {
    const cases: [string, RegExp][] = [
      [
        `this.metric("a", { valu: () => 1 } as never);`,
        /FW_DASHBOARD_CARD: MainDashboard declares the card "a": metric has no option valu\. Did you mean "value"/,
      ],
      [`this.metric("a", {} as never);`, /metric requires the function value/],
      [`this.metric("A b", { value: () => 1 });`, /its key is part of an address/],
      [`this.metric("a", { value: () => 1 }); this.metric("a", { value: () => 1 });`, /another card has this key/],
      [`this.chart("a", { data: () => [], type: "pie" as never });`, /type is one of line, bar, doughnut, got/],
      [`this.metric("a", { value: () => 1, limit: -1 });`, /limit is milliseconds above zero/],
      [`this.metric("a", { value: () => 1, cache: { shared: true } as never });`, /cache is seconds above zero/],
      [
        `this.metric("a", { value: () => 1, policy: "canSe" as never });`,
        /FW_DASHBOARD_POLICY: .*Did you mean "canSee"/,
      ],
      [
        `this.metric("a", { value: () => 1, policy: { resource: Note } });`,
        /FW_DASHBOARD_POLICY: .*Note is no resource of AdminPortal/,
      ],
      [
        `this.metric("a", { value: () => 1, policy: { resource: Post, action: "fly" } });`,
        /PostPolicy has no canFly\(\)/,
      ],
      [`void this.currentUser;`, /FW_DASHBOARD_REQUEST: MainDashboard reads currentUser in configure\(\)/],
      [`void this.query(Post);`, /FW_DASHBOARD_REQUEST/],
      [`this.period = "soon";`, /FW_DASHBOARD_PERIOD: MainDashboard declares the period "soon"/],
      [`this.period = "3d";`, /FW_DASHBOARD_PERIOD/],
    ];
    for (const [lines, pattern] of cases) await refused(declaring(lines, "canSee() { return true; }"), pattern);
    const forgotten = files[mainDashboard]!.replace("super.configure();", "");
    await refused({ [mainDashboard]: forgotten }, /FW_DASHBOARD_SUPER/);
  });

  it("Without the plugin, the hint names it", async () => {
    const without = files["plugins.config.ts"]!.replace(", dashboards()]", "]");
    await refused({ "plugins.config.ts": without }, /registerDashboard.*dashboards/s);
  });
});

describe("The standard cards of resources", (it) => {
  const standard = declaring("this.resourceCards();");

  it("They show figures, what was created, states and the latest of what the person may see", async () => {
    const app = await openDashboards(standard);
    try {
      const page = await (await asPerson(app)(1, "/admin?cards=inline")).text();
      for (const part of ["New posts", "Posts created", "Posts by status", "Latest posts", "Ann today"])
        assert.match(page, part);
      assert.not.match(page, "Bob today");
      assert.not.match(page, "Waiting for you", "no plugin has anything that waits");
      const nobody = await (await asPerson(app)(4, "/admin")).text();
      assert.match(nobody, "You don’t have access to anything here yet");
      assert.not.match(nobody, /fw-dash-card|chart-|fw generate/);
    } finally {
      await app.close();
    }
  });

  it("Without resources a developer reads what to do, and nobody else does", async () => {
    const root = writeApp({
      ...files,
      ...standard,
      ...routes(`routes.registerDashboard(MainDashboard, { at: "/" });`),
    });
    for (const [env, seen, unseen] of [
      ["development", "npx fw generate fw:res:conn RESOURCE --dest=admin_portal", "You don’t have access"],
      ["test", "You don’t have access to anything here yet", "fw generate"],
    ] as const) {
      const first = await openApp(root);
      await first.application.kernel.service("database").migrations.up();
      await first.application.kernel.service("database").knex("users").insert({ name: "Ann" });
      await first.close();
      const app = await openApp(root, {
        values: { NODE_ENV: env, DATABASE_URL: `sqlite:${root}/storage/test.sqlite3` },
      });
      const page = await (await asPerson(app)(1, "/admin")).text();
      assert.match(page, seen);
      assert.not.match(page, unseen);
      await app.close();
    }
  });

  it("A card whose key another one has is refused there too", async () => {
    assert.match(
      await bootWith(declaring(`this.resourceCards(); ${cards} this.resourceCards();`)),
      /FW_DASHBOARD_CARD/,
    );
  });
});
