import { performance } from "node:perf_hooks";
import { displays } from "framewright/plugins/fields";
import { dangersOf } from "../../host/html_reading.ts";
import { assert, describe } from "../../support/index.ts";
import { within } from "../../support/pace.ts";
import { databaseOf, openShop } from "../../support/shop.ts";

const words = {} as never;
const shown = (text: string): string => displays.markdown!(text, { words } as never).html;

describe("Markdown", (it) => {
  it("A text is shown as what it says: headings below those of the page, lists, emphasis, code, links", () => {
    const html = shown(
      "# One\n\n## Two\n\nSome **bold**, `code`\nand https://a.test\n\n- x\n- y\n\n[in](/posts/1) [mail](mailto:a@b.test)",
    );
    for (const part of [
      "<h3>One</h3>",
      "<h4>Two</h4>",
      "<strong>bold</strong>",
      "<code>code</code><br>",
      "<li>x</li>",
      'href="https://a.test" rel="nofollow noopener noreferrer"',
      'href="/posts/1"',
      'href="mailto:a@b.test"',
    ])
      assert.match(html, part);
    assert.match(shown("###### Six"), "<h6>Six</h6>");
    const table = shown("| a | b |\n|:--|--:|\n| 1 | 2 |");
    assert.match(table, "<td>1</td>");
    assert.equal(dangersOf(table), [], "the policy of contents allows no styles in attributes");
  });

  it("HTML stays text, pictures are none, and no link runs a script or leaves the known kinds of addresses", () => {
    const hostile = [
      "<script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "<a href='javascript:alert(1)'>x</a>",
      "[x](javascript:alert(1))",
      "[x](JaVaScRiPt:alert(1))",
      "[x](&#106;avascript:alert(1))",
      "[x](java&Tab;script:alert(1))",
      "[x](\u0001javascript:alert(1))",
      "[x](data:text/html;base64,PHNjcmlwdD4=)",
      "[x](vbscript:x)",
      "[x](file:///etc/passwd)",
      "[x](//evil.test)",
      "[x](/\\\\evil.test)",
      "<javascript:alert(1)>",
      '[x](https://a.test "onmouseover=alert(1)")',
      "[x]: javascript:alert(1)\n\n[x]",
      "![x](https://a.test/p.png)",
      "```<img src=x onerror=alert(1)>\n```",
      '```" onload="alert(1)\nx\n```',
      "`<b onclick=x>`",
      "<div\nonclick=alert(1)>",
      "[<img src=x onerror=alert(1)>](https://a.test)",
    ];
    for (const text of hostile) {
      const html = shown(text);
      assert.equal(dangersOf(html), [], text);
      assert.not.match(html, /<(?!\/?(?:div|p|a|code|pre|br|strong|em)\b)[a-z]/i, text);
      for (const [, url] of html.matchAll(/href="([^"]*)"/g)) assert.match(url!, /^(?:https:\/\/a\.test|\/%5C)/, text);
    }
  });

  it("A text that is made to be slow is shown in a second, and one beyond 50,000 characters as it was typed", () => {
    const texts = [
      "[",
      "![",
      "*a ",
      "_a_b",
      "> ",
      "`",
      "[a](",
      "<",
      "&#",
      "- ",
      "\\[",
      "https://a",
      "a@",
      "||-\n",
      "[a][b]",
    ];
    for (const part of texts) {
      const start = performance.now();
      shown(part.repeat(50_000 / part.length));
      const taken = performance.now() - start;
      assert.ok(taken < within(1000), `${JSON.stringify(part)} took ${taken.toFixed(0)} ms`);
    }
    assert.match(shown(`# ${"x".repeat(50_000)}`), '<div class="fw-prose"># x');
    assert.match(shown("- a\n".repeat(2_400)), "<ul>");
    assert.match(shown("- a\n".repeat(2_600)), '<div class="fw-prose">- a', "too many signs of Markdown");
  });

  it("A record's page shows it, and JSON and the form have the text itself", async () => {
    const app = await openShop();
    try {
      const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
      const body = "Some **bold** <b>text</b>";
      await databaseOf(app.application)
        .knex("blogging_posts")
        .insert({ id: 9, title: "T", body, ...stamps });
      const client = app.client();
      assert.match(await client.page("/admin/blogging/posts/9"), "<strong>bold</strong> &lt;b&gt;text");
      assert.match(
        await client.page("/admin/blogging/posts/9/edit"),
        "Some **bold** &lt;b&gt;text&lt;/b&gt;</textarea>",
      );
      const { body: json } = await client.json("/admin/blogging/posts/9.json");
      assert.is((json as { data: { body: string } }).data.body, body);
    } finally {
      await app.close();
    }
  });
});
