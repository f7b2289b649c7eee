import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { assert, describe, requireOrSkip } from "../../support/index.ts";
import { assertFit, assertNarrow } from "../../system/looks.ts";
import { portalFiles } from "./portals_app.ts";
import { type Known, openTenants, signedIn } from "./tenants.ts";

const browserless = await requireOrSkip("browser");

describe("The list of places at a scoped portal's root", (it, { before, after }) => {
  let app: TestApp;
  let known: Known;
  before(async () => {
    app = await openTenants(portalFiles);
    known = await signedIn(app);
  });
  after(() => app.close());
  const page = async (who: keyof Known, path: string) => {
    const answer = await app.request(path, { headers: { accept: "text/html", ...known[who] } });
    assert.is(answer.status, 200);
    return answer.text();
  };
  /** The links of the page's body, with their texts. */
  const linked = (html: string) =>
    [...html.matchAll(/<a class="fw-choice" href="([^"]+)">.*?<span>([^<]+)<\/span>/gs)].map(([, url, label]) => [
      url,
      label,
    ]);

  it("It lists the person's tenants, with the page that they lead to, and the other portals that open to the person", async () => {
    const ann = linked(await page("ann", "/customer?to=%2Fposts"));
    assert.equal(ann, [
      ["/customer/1/posts", "Alpine"],
      ["/guest", "Guest"],
      ["/open", "Open"],
      ["/staff", "Staff"],
    ]);
  });
  it("A portal that answers 403 to one person and a page to another is listed for the other alone", async () => {
    const [ann, cat] = [linked(await page("ann", "/customer?to=")), linked(await page("cat", "/customer?to="))];
    assert.equal(
      [ann, cat].map((links) => links.some(([url]) => url === "/board")),
      [false, true],
    );
  });
  it("Every listed portal answers its link with a page, or with a redirect within itself", async () => {
    for (const [url] of linked(await page("cat", "/customer?to="))) {
      const answer = await app.request(url!, { headers: { accept: "text/html", ...known.cat } });
      const isWithin = answer.headers.get("location")?.startsWith(url!) === true;
      assert.ok(answer.status === 200 || isWithin, `${answer.status} ${url}`);
    }
  });
  it("Who is in no tenant sees the other portals below the sentence that says so", async () => {
    const html = await page("dan", "/customer");
    assert.match(html, "No access yet");
    assert.equal(
      linked(html).map(([url]) => url),
      ["/guest", "/open", "/staff"],
    );
  });
  it("The tenants and the portals are two lists, each with a name", async () => {
    const html = await page("cat", "/customer?to=");
    for (const part of ["<h1>Choose where to go</h1>", 'id="portals">Other portals</h2>', 'aria-labelledby="portals"'])
      assert.match(html, part);
  });
  it.unless(
    browserless,
    "The list is used by keyboard and without JavaScript, and axe finds nothing in it",
    async () => {
      const browser = await openBrowser();
      const [, value] = known.cat.cookie!.split(/=(.*)/s);
      try {
        for (const script of [true, false]) {
          const {
            context,
            page: tab,
            problems,
          } = await visit(browser, app.url, { script, width: script ? "wide" : "narrow" });
          await context.addCookies([{ name: "fw_session", value: value!, url: app.url }]);
          await tab.goto("/customer?to=%2Fposts");
          if (script) await assertFit(tab, "other-portals");
          else await assertNarrow(tab, "other-portals-no-script");
          const focused = () =>
            tab
              .locator("a:focus")
              .getAttribute("href", { timeout: 1000 })
              .catch(() => undefined);
          for (let presses = 0; presses < 30 && (await focused()) !== "/staff"; presses++)
            await tab.keyboard.press("Tab");
          await tab.keyboard.press("Enter");
          await tab.waitForURL(/\/staff$/);
          assert.equal(problems, []);
          await context.close();
        }
      } finally {
        await browser.close();
      }
    },
  );
  it("What was asked of the other portals leaves no trace in the browser's session", async () => {
    const answer = await app.request("/customer?to=", { headers: { accept: "text/html", ...known.cat } });
    assert.is(answer.headers.get("set-cookie"), null);
    await answer.text();
    const programs = await app.request("/customer", { headers: { accept: "application/json", ...known.cat } });
    assert.equal(Object.keys((await programs.json()) as object), ["data"]);
  });
});
