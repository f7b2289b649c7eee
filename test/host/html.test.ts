import { escapeHtml, html, raw, SafeHtml, safeUrl } from "../../host/support/html.ts";
import { assert, describe } from "../support/index.ts";

describe("html", (it) => {
  it("escapes what it is handed, in text and in attributes", () => {
    const nasty = `"><script>alert('&')</script>`;
    assert.is(html`<a title="${nasty}">${nasty}</a>`.html.includes("<script"), false);
    assert.is(escapeHtml(nasty), "&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;");
    assert.is(escapeHtml(undefined) + escapeHtml(null) + escapeHtml(0), "0");
  });

  it("lets safe HTML through, joins lists, and leaves out what is absent", () => {
    const items = ["<a>", raw("<b>"), null, undefined, false].map((one) => html`${one}`);
    assert.is(html`<p>${items}${0}</p>`.html, "<p>&lt;a&gt;<b>0</p>");
    assert.ok(html`` instanceof SafeHtml);
  });

  it("does not take an object for safe because it looks like it", () => {
    assert.is(html`${{ html: "<b>", toString: () => "<i>" }}`.html, "&lt;i&gt;");
  });

  it("passes addresses that only lead somewhere", () => {
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

  it("turns addresses that run something into #", () => {
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
