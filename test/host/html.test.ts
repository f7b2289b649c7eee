import { escapeHtml, html, raw, SafeHtml, safeUrl } from "../../host/support/html.ts";
import { assert, describe } from "../support/index.ts";

describe("HTML templates", (it) => {
  it("The html tag escapes text and attribute values", () => {
    const nasty = `"><script>alert('&')</script>`;
    assert.is(html`<a title="${nasty}">${nasty}</a>`.html.includes("<script"), false);
    assert.is(escapeHtml(nasty), "&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;");
    assert.is(escapeHtml(undefined) + escapeHtml(null) + escapeHtml(0), "0");
  });

  it("The html tag keeps safe HTML, joins lists and omits null, undefined and false", () => {
    const items = ["<a>", raw("<b>"), null, undefined, false].map((one) => html`${one}`);
    assert.is(html`<p>${items}${0}</p>`.html, "<p>&lt;a&gt;<b>0</p>");
    assert.ok(html`` instanceof SafeHtml);
  });

  it("The html tag escapes an object that only looks like safe HTML", () => {
    assert.is(html`${{ html: "<b>", toString: () => "<i>" }}`.html, "&lt;i&gt;");
  });

  it("The function safeUrl keeps relative addresses and those with the schemes https, mailto and tel", () => {
    for (const url of [
      "/posts?a=b:c",
      "posts/1",
      "https://a.example",
      "MAILTO:a@b.example",
      "tel:+431",
      "#top",
      "?q=a:b",
      "",
    ]) {
      assert.is(safeUrl(url), url);
    }
  });

  it("The function safeUrl replaces addresses with unsafe schemes, such as javascript: and data:, by #", () => {
    const bad = [
      "javascript:alert(1)",
      " JavaScript:alert(1)",
      "java\tscript:alert(1)",
      "\u0001javascript:x",
      "data:text/html,x",
    ];
    for (const url of [...bad, "vbscript:x", "java\nscript:x", "blob:x", "file:///etc/passwd", "\u200bjavascript:x"]) {
      assert.is(safeUrl(url), "#", JSON.stringify(url));
    }
  });
});
