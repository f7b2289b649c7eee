import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { openTenants } from "../scoping/tenants.ts";
import { grouped, withLines } from "./navigation_app.ts";

// The groups of a sidebar: of resources, of lines that a plugin adds, in the order of their first lines.

/** Each line of the sidebar, with the heading that it stands under. */
function linesOf(html: string): (string | undefined)[][] {
  const menu = html.slice(html.indexOf('<ul class="fw-nav">'), html.indexOf("</aside>"));
  let heading: string | undefined;
  return [...menu.matchAll(/<span>([^<]+)<\/span>\s*(<\/summary>|<\/a>)|<\/details>/g)].flatMap(([all, text, end]) => {
    if (all === "</details>") heading = undefined;
    else if (end === "</summary>") heading = text;
    else return [[text, heading]];
    return [];
  });
}

async function inApp<T>(changes: Record<string, string>, story: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await openTenants(changes);
  return story(app).finally(() => app.close());
}
const page = async (app: TestApp, path = "/customer/1/posts") => {
  const answer = await app.request(path, { headers: { accept: "text/html", "x-user": "1" } });
  assert.is(answer.status, 200);
  return answer.text();
};

describe("Groups of a sidebar", (it) => {
  it("Lines without a group come first, then the groups in the order of their first lines, each under its heading", () =>
    inApp(grouped, async (app) => {
      assert.equal(linesOf(await page(app)), [
        ["Dashboard", undefined],
        ["Posts", undefined],
        ["Organizations", undefined],
        ["Users", undefined],
        ["Attachments", undefined],
        ["Comments", "Content"],
        ["Notes", "Content"],
        ["Categories", "Settings &amp; more"],
      ]);
    }));
  it("A group is open, can be closed without JavaScript, and marks the page that it holds", () =>
    inApp(grouped, async (app) => {
      const html = await page(app, "/customer/1/notes");
      assert.match(html, /<details class="fw-nav-group" open><summary class="fw-nav-heading"><span>Content<\/span>/);
      assert.match(html, /href="\/customer\/1\/notes" aria-current="page"/);
      assert.is(html.match(/aria-current="page">\s*<(?:svg|i) /g)?.length, 1);
    }));
  it("Lines have an order and a badge, and one without an address is left out", () =>
    inApp(
      withLines(
        `items.push({ label: "Last", url: "/last", order: 90 }, { label: "First", url: "/first", order: 10, badge: 3 }, { label: "Nowhere" } as never);`,
      ),
      async (app) => {
        const html = await page(app);
        const labels = [...html.matchAll(/<a class="fw-nav-link"[^>]*>(?:(?!<\/a>).)*?<span>([^<]+)<\/span>/gs)].map(
          ([, label]) => label,
        );
        assert.equal(labels.slice(0, 2), ["Dashboard", "First"]);
        assert.match(html, '<span>First</span><span class="badge">3</span>');
        assert.not.match(html, "Nowhere");
        assert.ok(labels.indexOf("Last") > labels.indexOf("Posts"), String(labels));
      },
    ));
  it("A badge that is a function is a frame of the page, answered by a request of its own, and one that fails leaves its line whole", () =>
    inApp(
      withLines(
        `items.push(
          { label: "Waiting", url: "/waiting?a=1", badge: async (controller) => \`<\${controller.currentUser.id}>\` },
          { label: "Broken", url: "/broken", group: "More", badge: () => { throw new Error("no count"); } },
          { label: "None", url: "/none", badge: () => undefined },
          { label: "Fixed", url: "/fixed", badge: 3 },
        );`,
      ),
      async (app) => {
        const html = await page(app);
        const frames = [...html.matchAll(/<turbo-frame id="(fw-badge[^"]+)" src="([^"]+)" loading="lazy"/g)];
        const ids = frames.map(([, id]) => id);
        assert.is(new Set(ids).size, 3, String(ids));
        const badge = async (url: string, user = "1") => {
          const answer = await app.request(`/customer/1/_badge?line=${encodeURIComponent(url)}`, {
            headers: { accept: "text/html", "turbo-frame": "fw-badge-x", "x-user": user },
          });
          return [answer.status, answer.status === 200 ? await answer.text() : ""];
        };
        assert.is(frames[0]![2], "/customer/1/_badge?line=%2Fwaiting%3Fa%3D1");
        const empty = '<turbo-frame id="fw-badge-x"></turbo-frame>';
        const full = '<turbo-frame id="fw-badge-x"><span class="badge">&lt;1&gt;</span></turbo-frame>';
        assert.equal(await badge("/waiting?a=1"), [200, full]);
        assert.equal(await badge("/broken"), [200, empty]);
        assert.equal(await badge("/none"), [200, empty]);
        assert.equal(await badge("/fixed"), [200, empty]);
        assert.equal(await badge("/waiting?a=1", "99"), [401, ""], "nobody");
        assert.match(html, "Broken");
      },
    ));
  it("A line of a plugin joins a group of resources, and headings are escaped", () =>
    inApp(
      {
        ...grouped,
        ...withLines(
          `items.push({ label: "Handbook", url: "/handbook", group: "Content" }, { label: "Odd", url: "/odd", group: "<b>" });`,
        ),
      },
      async (app) => {
        const lines = linesOf(await page(app));
        assert.equal(
          lines.filter(([, heading]) => heading === "Content").map(([label]) => label),
          ["Comments", "Notes", "Handbook"],
        );
        assert.equal(lines.at(-1), ["Odd", "&lt;b&gt;"]);
      },
    ));
  it("Who may see no line of a group sees no heading of it", () =>
    inApp(
      {
        ...grouped,
        "app/policies/category_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class CategoryPolicy extends Policy {}`,
      },
      async (app) => assert.not.match(await page(app), "Settings &amp; more"),
    ));
  it("Without groups the sidebar is one list", () =>
    inApp({}, async (app) => {
      const html = await page(app);
      assert.not.match(html, "fw-nav-group");
      assert.is(linesOf(html).length, 8);
    }));
});
