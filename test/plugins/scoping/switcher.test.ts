import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit, widths } from "../../support/browser.ts";
import { assert, describe, requireOrSkip } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { assertFitInThemes } from "../../system/looks.ts";
import { deskFiles } from "./portals_app.ts";
import { type Known, openTenants, signedIn } from "./tenants.ts";

const browserless = await requireOrSkip("browser");

describe("The switcher of a sidebar", (it, { before, after }) => {
  let app: TestApp;
  let known: Known;
  before(async () => {
    app = await openTenants(deskFiles);
    known = await signedIn(app);
  });
  after(() => app.close());
  const ask = (who: keyof Known, path: string, more: Record<string, string> = {}) =>
    app.request(path, { headers: { accept: "text/html", ...known[who], ...more } });
  const page = async (who: keyof Known, path: string, more: Record<string, string> = {}) => {
    const answer = await ask(who, path, more);
    assert.is(answer.status, 200);
    return answer.text();
  };
  const frame = { "turbo-frame": "fw-switch" };
  const addressOf = (html: string) => /<a class="fw-brand fw-brand-choose" href="([^"]+)"/.exec(html)?.[1];
  const linked = (html: string) =>
    [...html.matchAll(/href="([^"]+)"( aria-current="true")?>.*?<span>([^<]+)/gs)].map(([, url, now, label]) => [
      url,
      label,
      now !== undefined,
    ]);

  it("A page asks for nothing of it: its mark is a link to the list, which the script opens as a menu", async () => {
    const html = await page("cat", "/customer/1/posts");
    assert.is(addressOf(html), "/customer?to=");
    assert.match(html, '<a class="fw-brand fw-brand-choose" href="/customer?to=" title="Switch to another">');
    assert.not.match(html.slice(0, html.indexOf("<main")), "Baltic");
  });
  it("The menu has the person's tenants, marks the one of the page, and the portals that the account may enter", async () => {
    const html = await page("cat", "/customer?to=", { ...frame, referer: `${app.url}/customer/2/posts?page=1` });
    assert.match(html, /^<turbo-frame id="fw-switch">/);
    assert.match(html, ">Organizations</p>");
    assert.equal(linked(html), [
      ["/customer/1", "Alpine", false],
      ["/customer/2", "Baltic", true],
      ["/board", "Board", false],
      ["/guest", "Guest", false],
      ["/open", "Open", false],
      ["/staff", "Staff", false],
    ]);
    assert.not.match(await page("ann", "/customer?to=", frame), "Baltic");
  });
  it("A portal without tenants has a page of the other portals, and a menu of them", async () => {
    const html = await page("ann", "/staff");
    const address = addressOf(html)!;
    assert.is(address, "/staff/_portals");
    const menu = linked(await page("ann", address, frame));
    assert.equal(
      menu.map(([url]) => url),
      ["/customer", "/guest", "/open"],
    );
    const whole = await page("ann", address);
    assert.match(whole, "<h1>Other portals</h1>");
    assert.match(whole, '<a class="fw-choice" href="/customer">');
    const { data } = (await (await ask("ann", `${address}.json`)).json()) as { data: unknown[] };
    assert.is(data.length, menu.length);
  });
  it("Guests have neither: the page of portals is not theirs, and public pages have no switcher", async () => {
    const answer = await app.request("/staff/_portals", { headers: { accept: "text/html" }, redirect: "manual" });
    assert.is.not(answer.status, 200);
    await answer.text();
    assert.is(
      addressOf(await (await app.request("/guest/1/posts", { headers: { accept: "text/html" } })).text()),
      undefined,
    );
  });
  it("A tenant that is taken away is gone at the next opening, and its address is 404", async () => {
    const { knex } = databaseOf(app.application);
    assert.match(await page("cat", "/customer?to=", frame), "Baltic");
    await knex("memberships").where({ user_id: 3, organization_id: 2 }).delete();
    try {
      assert.not.match(await page("cat", "/customer?to=", frame), "Baltic");
      const gone = await ask("cat", "/customer/2/posts");
      assert.is(gone.status, 404);
      assert.not.match(await gone.text(), "Baltic");
    } finally {
      await knex("memberships").insert({ user_id: 3, organization_id: 2 });
    }
  });
  it("What the menu is asked with only marks a line: a foreign address leads nowhere", async () => {
    const html = await page("ann", "/customer?to=%2F%2Fevil.test", {
      ...frame,
      referer: "https://evil.test/customer/2",
    });
    assert.not.match(html, "evil.test");
    assert.equal(linked(html)[0], ["/customer/1", "Alpine", false]);
  });

  for (const script of [true, false])
    for (const width of Object.keys(widths) as (keyof typeof widths)[])
      it.unless(
        browserless,
        `By keyboard alone, ${script ? "with" : "without"} JavaScript, on a ${width} page`,
        async () => {
          const browser = await openBrowser();
          const [, value] = known.cat.cookie!.split(/=(.*)/s);
          try {
            const { context, page: tab, problems } = await visit(browser, app.url, { script, width });
            await context.addCookies([{ name: "fw_session", value: value!, url: app.url }]);
            await tab.goto("/customer/1/posts");
            await tab.locator(".fw-brand-choose:visible").focus();
            await tab.keyboard.press("Enter");
            const baltic = tab.getByRole("link", { name: "Baltic" });
            await baltic.waitFor();
            if (script) {
              await tab.keyboard.press("Escape");
              await baltic.waitFor({ state: "detached" });
              await tab.keyboard.press("Enter");
              await baltic.waitFor();
            }
            await assertFitInThemes(tab, `switcher-${script ? "" : "no-script-"}${width}`, script);
            await baltic.focus();
            await tab.keyboard.press("Enter");
            await tab.waitForURL(/\/customer\/2/);
            assert.equal(problems, []);
            await context.close();
          } finally {
            await browser.close();
          }
        },
      );
});
