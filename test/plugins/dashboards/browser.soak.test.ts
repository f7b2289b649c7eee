import type { Browser, Page } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, picture, themes, type Visit, visit, widths } from "../../support/browser.ts";
import { assert, describe, requireOrSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFit } from "../../system/looks.ts";
import { dashboardFile, daysAgo, mainDashboard, openDashboards, routesFile } from "./dashboards_app.ts";

const reason = await requireOrSkip("browser");
const SLOW = 5000;

const eight = `
  const seen = { policy: { resource: Post, action: "index" }, link: Post } as const;
  this.metric("fresh", { ...seen, label: "New posts", value: (period) => countIn(this.query(Post), "created_at", period) });
  this.metric("words", { label: "Words written", value: (period) => sumIn(this.query(Post), "words", "created_at", period) });
  this.metric("open", { label: "In review", value: () => this.query(Post).where("status", "in_review").resultSize() });
  this.metric("slow", { label: "Slow figure", limit: 9000, value: () => new Promise((resolve) => setTimeout(() => resolve(4711), ${SLOW})) });
  this.chart("created", { ...seen, label: "Posts by week", data: (period) => countBy(this.query(Post), "created_at", period.unit === "day" ? "day" : "week", period) });
  this.list("broken", { label: "Stock", query: () => { throw new Error("the warehouse is on fire"); } });
  this.chart("states", { ...seen, label: "Posts by status", type: "doughnut", width: "third", data: () => countByColumn(this.query(Post), "status") });
  this.table("latest", { ...seen, label: "Latest posts", query: () => this.query(Post).orderBy("created_at", "desc"), columns: ["title", "status", "user", "created_at"] });
`;
const routes = routesFile(
  "AdminPortal",
  `routes.registerDashboard(MainDashboard, { at: "/" }); routes.registerDashboard(PlainDashboard, { at: "/plain" }); routes.registerResource(Post);`,
  `import PlainDashboard from "../app/dashboards/admin_portal/plain_dashboard.ts";`,
);
const changes = {
  [mainDashboard]: dashboardFile("MainDashboard", eight),
  "packages/admin_portal/app/dashboards/admin_portal/plain_dashboard.ts": dashboardFile("PlainDashboard", ""),
  "packages/admin_portal/config/routes.ts": routes,
};

/** How far the page moved by itself, as Lighthouse adds it up: run in the browser. */
const shiftOfPage = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(resolve, 500, 0);
})`;

async function fill(app: TestApp): Promise<void> {
  const { knex } = databaseOf(app.application);
  const rows = Array.from({ length: 240 }, (_, at) => {
    const created_at = daysAgo(Math.floor((at * at) / 320))
      .toISOString()
      .replace("T", " ")
      .slice(0, 23);
    const status = ["live", "live", "draft", "in_review"][at % 4];
    return {
      title: `Post ${at}`,
      status,
      words: 50 + ((at * 37) % 900),
      user_id: 1,
      team_id: 1,
      created_at,
      updated_at: created_at,
    };
  });
  for (let at = 0; at < rows.length; at += 60) await knex("posts").insert(rows.slice(at, at + 60));
}

describe("A dashboard of eight cards in Chromium", (it, { before, after }) => {
  let app: TestApp;
  let browser: Browser;
  if (reason === undefined) {
    before(async () => {
      app = await openDashboards(changes);
      await fill(app);
      browser = await openBrowser();
    });
    after(async () => {
      await browser.close();
      await app.close();
    });
  }
  const can = (sentence: string, body: () => Promise<void>) => it.unless(reason, sentence, body);
  const open = (options: Visit = {}) => visit(browser, app.url, { headers: { "x-user": "1" }, ...options });
  const others = (problems: readonly string[]) => problems.filter((line) => !/status of 50[03]/.test(line));
  const loaded = (page: Page, key: string) => page.locator(`#card-${key}[complete]`).waitFor();
  const drawn = (page: Page, key: string) => page.locator(`#card-${key} canvas`).waitFor();
  /** Cards far down load once they are seen. */
  const scrollThrough = async (page: Page) => {
    for (const key of ["fresh", "words", "open", "created", "broken", "states", "latest"]) {
      await page.locator(`#card-${key}`).scrollIntoViewIfNeeded();
      await loaded(page, key);
    }
  };

  can("The page answers as fast as one without cards, and no card waits for the slow one", async () => {
    const { page, problems, context } = await open();
    const timed = async (path: string) => {
      const times: number[] = [];
      for (let round = 0; round < 9; round++) {
        const start = performance.now();
        await (await fetch(app.url + path, { headers: { "x-user": "1" } })).text();
        times.push(performance.now() - start);
      }
      return times.sort((a, b) => a - b)[4]!;
    };
    await timed("/admin");
    const [withCards, without] = [await timed("/admin"), await timed("/admin/plain")];
    assert.ok(withCards < without + 25, `${withCards} ms with cards, ${without} ms without`);
    const start = performance.now();
    await page.goto("/admin");
    await scrollThrough(page);
    const rest = performance.now() - start;
    assert.ok(rest < SLOW - 1000, `the others took ${rest} ms`);
    assert.is(await page.locator("#card-slow .fw-skeleton").count(), 1);
    assert.match(await page.locator("#card-broken").innerText(), /Couldn’t load\. Try again/);
    assert.not.match(await page.content(), "on fire");
    await page.locator("#card-slow").getByText("4,711").waitFor();
    assert.equal(others(problems), []);
    await context.close();
  });

  can("Charts are drawn from their tables, which stay within reach, and again in the other theme", async () => {
    const { page, problems, context } = await open();
    await page.goto("/admin");
    await scrollThrough(page);
    await page.locator("#card-created canvas[role=img][aria-label='Posts by week']").waitFor();
    await drawn(page, "states");
    const data = page.locator("#card-created details");
    assert.is(await data.getAttribute("open"), null);
    await data.locator("summary").click();
    await data.getByRole("row").nth(3).waitFor();
    await page.locator("[data-theme-toggle]").click();
    assert.is(await page.locator("canvas").count(), 2);
    assert.is(await data.getAttribute("open"), "", "what was opened stays open");
    await page.getByRole("link", { name: "90 days" }).click();
    await page.waitForURL(/period=90d/);
    await drawn(page, "created");
    assert.is(await page.locator("#card-created canvas").count(), 1);
    await page.goBack();
    await drawn(page, "created");
    assert.is(await page.locator("#card-created canvas").count(), 1);
    assert.equal(others(problems), []);
    await context.close();
  });

  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    can(`Nothing moves on a ${width} screen while cards load and charts are drawn`, async () => {
      const { page, context } = await open({ width });
      await page.goto("/admin");
      await loaded(page, "fresh");
      await loaded(page, "open");
      await drawn(page, "created");
      await page.waitForTimeout(300);
      const shift = await page.evaluate<number>(shiftOfPage);
      assert.ok(shift < 0.01, `moved by ${shift}`);
      await context.close();
    });

  can("Where the library of charts can't be loaded, their tables stay", async () => {
    const { page, context } = await open();
    await page.route("**/assets/chart-*.js", (route) => route.abort());
    await page.goto("/admin");
    await scrollThrough(page);
    await page.locator("#card-created details[open] td").first().waitFor();
    await page.getByRole("rowheader", { name: "In review" }).waitFor();
    assert.is(await page.locator("#card-created .fw-chart-canvas").count(), 0);
    await context.close();
  });

  can("A card that was not reached says so, and loads when tried again", async () => {
    const { page, context } = await open();
    await page.route("**/cards/fresh*", (route) => route.abort());
    await page.goto("/admin");
    const card = page.locator("#card-fresh");
    await card.getByText("Couldn’t load.").waitFor();
    await page.unroute("**/cards/fresh*");
    await card.getByRole("link", { name: "Try again" }).click();
    await card.locator("strong").waitFor();
    assert.is(new URL(page.url()).pathname, "/admin");
    await context.close();
  });

  can("A record's link in a card opens the record, not within the card", async () => {
    const { page, context } = await open();
    await page.goto("/admin");
    await scrollThrough(page);
    await page.locator("#card-latest a.fw-row-link").first().click();
    await page.waitForURL(/\/admin\/posts\/\d+$/);
    await context.close();
  });

  can("Without JavaScript each card is a link, and all are there on one page", async () => {
    const { page, context } = await open({ script: false });
    await page.goto("/admin");
    await page.getByRole("link", { name: "Show “New posts”" }).click();
    assert.match(await page.locator("main").innerText(), /before/);
    await page.goto("/admin");
    await page.getByRole("link", { name: "Show everything on this page" }).click();
    assert.ok(await page.getByRole("cell", { name: "Post 0", exact: true }).isVisible());
    assert.ok(await page.getByRole("rowheader", { name: "In review" }).isVisible());
    await picture(page, "dashboard-without-script");
    await context.close();
  });

  for (const width of Object.keys(widths) as (keyof typeof widths)[])
    for (const theme of themes)
      can(`It fits a ${width} screen, and axe finds nothing in the ${theme} theme`, async () => {
        const { page, context } = await open({ width, theme });
        await page.goto("/admin");
        await assertFit(page, `dashboard-loading-${width}-${theme}`);
        await scrollThrough(page);
        await page.locator("#card-slow").scrollIntoViewIfNeeded();
        await loaded(page, "slow");
        await page.evaluate("scrollTo(0, 0)");
        await assertFit(page, `dashboard-${width}-${theme}`);
        await context.close();
      });
});
