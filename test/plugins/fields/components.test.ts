import { join } from "node:path";
import { html, raw, type SafeHtml } from "framewright/host";
import { addCatalogues, openTexts } from "framewright/plugins/i18n";
import type {
  ActionView,
  ColumnView,
  FieldView,
  FormView,
  TableView,
} from "../../../plugins/fields/components/index.ts";
import * as components from "../../../plugins/fields/components/index.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { within } from "../../support/pace.ts";

const texts = openTexts({ locale: "en", onMissing: (key) => assert.unreachable(`no text for ${key}`) });
for (const folder of ["i18n", "fields/locales", "resources/locales"])
  addCatalogues(texts, join(import.meta.dirname, "../../../plugins", folder));
const t = (key: string, variables?: Record<string, unknown>) => texts.t(key, variables);
const csrf = raw('<input type="hidden" name="_csrf" value="t">');
const nasty = `"><script>alert(1)</script>`;

const field = (more: Partial<FieldView>): FieldView => ({
  name: "title",
  as: "string",
  label: "Title",
  id: "post_title",
  inputName: "post[title]",
  value: "",
  required: false,
  errors: [],
  ...more,
});
const formOf = (fields: FieldView[], more: Partial<FormView> = {}): string =>
  components.form({ action: "/posts", method: "post", csrf, fields, errors: [], submitLabel: "Save", t, ...more }).html;
const action = (more: Partial<ActionView> = {}): ActionView => ({
  key: "edit",
  label: "Edit",
  url: "/posts/1/edit",
  method: "get",
  category: "secondary",
  ...more,
});
const column = (name: string, more: Partial<ColumnView> = {}): ColumnView => ({
  name,
  label: name,
  render: (record) => html`${(record as Record<string, unknown>)[name]}`,
  ...more,
});
const tableOf = (more: Partial<TableView>): string =>
  components.table({
    columns: [column("title")],
    rows: [],
    empty: { title: "No posts yet", text: "Write one." },
    caption: "Posts",
    t,
    ...more,
  }).html;

describe("The inputs of forms", (it) => {
  it("Inputs of every type escape the value, the label, the hint and the choices", () => {
    for (const as of Object.keys(components.inputs)) {
      const given = field({
        as,
        label: nasty,
        hint: nasty,
        placeholder: nasty,
        value: nasty,
        errors: [nasty],
        choices: [{ value: nasty, label: nasty, selected: true }],
        searchUrl: nasty,
        attributes: { "data-x": nasty },
      });
      const page = components.field(given, t).html;
      assert.not.match(page, "<script");
      assert.ok(as === "hidden" || page.includes("post[title]"), as);
    }
  });

  it("Inputs keep what was typed, except for a password", () => {
    assert.match(components.field(field({ as: "integer", value: "12x" }), t).html, 'value="12x"');
    assert.match(components.field(field({ as: "text", value: "\nfirst" }), t).html, ">\n\nfirst</textarea>");
    assert.match(
      components.field(field({ as: "datetime", value: "2026-11-20 14:05:00.000" }), t).html,
      'value="2026-11-20T14:05"',
    );
    assert.match(components.field(field({ as: "datetime", value: "tomorrow" }), t).html, 'value="tomorrow"');
    assert.not.match(components.field(field({ as: "password", value: "hunter2" }), t).html, "hunter2");
  });

  it("An unchecked checkbox and an emptied list are submitted by a hidden field", () => {
    const off = components.field(field({ as: "boolean" }), t).html;
    assert.match(off, /type="hidden" name="post\[title\]" value="0"><label/);
    assert.match(
      components.field(field({ as: "association", multiple: true, choices: [] }), t).html,
      'type="hidden" name="post[title]" value=""',
    );
  });

  it("An input refers to its label, its hint and its errors", () => {
    const page = components.field(field({ hint: "Short", errors: ["can't be blank"], required: true }), t).html;
    for (const part of [
      'for="post_title"',
      'aria-describedby="post_title_errors post_title_hint"',
      'aria-invalid="true"',
      'id="post_title_errors"',
      'id="post_title_hint"',
      " required",
    ]) {
      assert.ok(page.includes(part), part);
    }
  });

  it("A hint does not repeat what an error says", () => {
    const errors = ["is too short (at least 10 characters)"];
    const drawn = (hint: string, wrong = errors) => components.field(field({ hint, errors: wrong }), t).html;
    for (const hint of ["At least 10 characters", "At least 10 characters.", "at least 10 characters!"])
      assert.not.match(drawn(hint), /form-hint|post_title_hint/, hint);
    const others = drawn("As on the cover. At least 10 characters. In any language.");
    assert.match(others, 'id="post_title_hint">As on the cover. In any language.</small>');
    assert.match(others, 'aria-describedby="post_title_errors post_title_hint"');
    for (const wrong of [[], ["can't be blank"]])
      assert.match(drawn("At least 10 characters", wrong), "post_title_hint");
  });

  it("Inputs drop event handlers, styles and malformed names from their attributes", () => {
    const attributes = { onclick: "x()", style: "color:red", 'a"b': "x", maxlength: 9, disabled: false } as never;
    const page = components.field(field({ attributes }), t).html;
    assert.match(page, 'maxlength="9"');
    assert.not.match(page, /onclick|style=|a"b|disabled/);
  });

  it("FW_INPUT_UNKNOWN names the field, the unknown input and the known ones", async () => {
    const error = await throwsCode("FW_INPUT_UNKNOWN", () => components.field(field({ as: "wysiwyg" }), t));
    assert.match(error.message, /"title".*"wysiwyg".*markdown/);
  });
});

describe("The form component", (it) => {
  it("A form contains the method, the CSRF token, the lock version and return_to, and drops an unsafe cancel link", () => {
    const page = formOf([field({})], {
      method: "patch",
      lockVersion: 3,
      returnTo: "/posts?page=2",
      cancelUrl: "javascript:x",
    });
    for (const part of [
      'method="post"',
      'name="_method" value="patch"',
      csrf.html,
      'name="lock_version" value="3"',
      'name="return_to" value="/posts?page=2"',
      'href="#"',
    ]) {
      assert.ok(page.includes(part), part);
    }
    assert.not.match(formOf([field({})]), "_method");
  });

  it("A form with errors begins with an alert that links each error to its field", () => {
    const page = formOf([field({ errors: ["can't be blank"] })], { errors: ["Too many posts"] });
    assert.match(
      page,
      /role="alert".*2 things need your attention.*<li>Too many posts<\/li><li><a href="#post_title">Title can&#39;t be blank<\/a>/s,
    );
    assert.not.match(formOf([field({})]), 'role="alert"');
  });
});

describe("The displays of values", (it) => {
  const words = components.displayWords(t);
  const show = (as: string, value: unknown, more = {}): string =>
    (components.displays[as] as (v: unknown, o: object) => SafeHtml)(value, { words, ...more }).html;

  it('Displays of every type show "Not set" for null', () => {
    for (const as of Object.keys(components.displays)) assert.match(show(as, null), "Not set");
  });

  it("Displays of every type escape the value and replace javascript: links", () => {
    for (const as of Object.keys(components.displays))
      assert.not.match(show(as, nasty, { truncate: 60, url: "javascript:x" }), /<script|javascript:/);
    assert.match(show("url", "javascript:alert(1)"), 'href="#"');
    assert.match(show("association", "Ada", { url: "/users/1" }), '<a href="/users/1">Ada</a>');
  });

  it("Displays format numbers, money, booleans, choices, long texts and times", () => {
    assert.match(show("money", "1234567.50", { currency: "EUR" }), "€1,234,567.50");
    assert.match(show("decimal", "-1234.000000000000000001"), "-1,234.000000000000000001");
    assert.match(show("boolean", 0), "No</span>");
    assert.match(show("select", "in_review", { tones: { in_review: "warning" } }), 'fw-status-warning">In review<');
    assert.match(show("select", "In review"), 'fw-status-warning">In review<');
    for (const [word, tone] of [
      ["sent", "success"],
      ["waiting_for_parts", "warning"],
      ["lost", "danger"],
      ["open", "info"],
    ])
      assert.match(show("select", word), `fw-status-${tone}">`);
    for (const word of ["constructor", "draft", "not_sent", "sent_back"])
      assert.match(show("select", word), 'class="fw-status">');
    assert.match(show("select", "sent", { tones: { done: "success" } }), 'class="fw-status">');
    assert.match(show("text", "x".repeat(99), { truncate: 10 }), ">xxxxxxxxx…<");
    assert.match(show("time", "09:30:00"), ">09:30<");
  });
});

describe("The table component", (it) => {
  const rows = [
    { id: 1, url: "/posts/1", label: "<Hello>", record: { title: "<Hello>" }, actions: [] as ActionView[] },
  ];

  it("A table links the first cell to the record and labels each cell for narrow screens", () => {
    const page = tableOf({ rows });
    assert.match(page, '<td><a class="fw-row-link" href="/posts/1">&lt;Hello&gt;</a></td>');
    assert.match(page, '<caption class="visually-hidden">Posts</caption>');
  });

  it("A row's action has an accessible label, and one that changes something is a form with a CSRF token", () => {
    const actions = [
      action(),
      action({
        key: "publish",
        label: "Publish",
        icon: "send",
        method: "post",
        url: "/posts/1/publish",
        csrf,
        confirmation: "Sure?",
      }),
    ];
    const page = tableOf({ rows: [{ ...rows[0]!, actions }] });
    assert.match(page, 'aria-label="Edit: &lt;Hello&gt;"');
    assert.match(
      page,
      /<form class="fw-action-form" method="post" action="\/posts\/1\/publish" data-turbo-confirm="Sure\?"><input type="hidden" name="_csrf"/,
    );
    assert.match(page, '<use href="#fw-icon-send"/>');
  });

  it("A destroying action is a link to its confirmation page", () => {
    const destroy = action({
      key: "destroy",
      label: "Delete",
      method: "delete",
      category: "danger",
      url: "/posts/1",
      confirmUrl: "/posts/1/destroy",
    });
    const page = components.actionBar([destroy]).html;
    assert.match(page, '<a href="/posts/1/destroy" class="btn btn-outline-danger" data-confirm-page>');
    assert.not.match(page, "<form");
  });

  it("A sorted column has aria-sort and a link that reverses the order", () => {
    const sorted = column("title");
    const sort = () => ({ url: "?sort=-title", direction: "asc" as const });
    assert.match(
      tableOf({ columns: [sorted], rows, sort }),
      /<th scope="col" aria-sort="ascending"><a class="fw-sort" href="\?sort=-title"/,
    );
  });

  it("An empty table shows its text and the action to create a record", () => {
    const empty = {
      title: "No posts yet",
      text: "Write one.",
      action: action({ key: "new", label: "New post", url: "/posts/new", category: "primary" }),
    };
    assert.match(
      tableOf({ empty }),
      /No posts yet<\/h2><p>Write one\.<\/p><a href="\/posts\/new" class="btn btn-primary">/,
    );
  });

  it("A table of 20 rows and 4 columns renders in under 180 µs", () => {
    const words = components.displayWords(t);
    const { string, association, datetime, integer } = components.displays as Record<string, components.Display>;
    const plan = { words, truncate: 80 };
    const of = (name: string, display: components.Display): ColumnView =>
      column(name, { render: (record) => display((record as Record<string, unknown>)[name], plan) });
    const columns = [of("title", string!), of("author", association!), of("views", integer!), of("at", datetime!)];
    const list = Array.from({ length: 20 }, (_, id) => ({
      id,
      url: `/posts/${id}`,
      record: { title: `Post ${id}`, author: "Ada", views: id, at: "2026-11-20 14:05:00.000" },
      actions: [],
    }));
    const view: TableView = { columns, rows: list, empty: { title: "", text: "" }, caption: "Posts", t };
    for (let i = 0; i < 2000; i++) components.table(view);
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 10; round++) {
      const start = performance.now();
      for (let i = 0; i < 200; i++) components.table(view);
      best = Math.min(best, ((performance.now() - start) / 200) * 1000);
    }
    if (process.env.FW_TEST_PRINT) console.log(`${best.toFixed(1)} µs`);
    assert.ok(best < within(180), `${best.toFixed(1)} µs a table`);
  });
});

describe("The pager, the filters and the scopes", (it) => {
  const pager = (page: number, pages: number): string =>
    components.pager({ page, perPage: 20, total: pages * 20 - 5, pages, url: (one) => `?q=a&page=${one}`, t }).html;

  it("The pager links the first page, the last page and the pages around the current one", () => {
    assert.equal(components.pageWindow(5, 10), [1, 0, 4, 5, 6, 0, 10]);
    assert.equal(components.pageWindow(3, 5), [1, 2, 3, 4, 5]);
    assert.equal(components.pageWindow(1, 1), [1]);
    assert.match(pager(10, 10), "181&ndash;195 of 195");
    assert.match(pager(1, 10), 'rel="next" href="?q=a&amp;page=2"');
    assert.not.match(pager(1, 10), 'rel="prev"');
    assert.not.match(pager(1, 1), "<ul");
  });

  it("The filter form contains the search, the filters and the other parameters of the list, escaped", () => {
    const page = components.filters({
      action: "/posts",
      search: { label: "Search posts", value: nasty },
      filters: [
        {
          name: "filter[status]",
          label: "Status",
          as: "select",
          value: "draft",
          choices: [{ value: "draft", label: "Draft" }],
        },
      ],
      keep: [{ name: "scope", value: "mine" }],
      t,
    }).html;
    assert.not.match(page, "<script");
    assert.match(page, '<option value="draft" selected>Status: Draft</option>');
    assert.match(page, '<input type="hidden" name="scope" value="mine">');
    assert.is(components.filters({ action: "/posts", filters: [], t }).html, "");
  });

  it("The active scope is marked with aria-current and its count", () => {
    const page = components.scopes([{ key: "all", label: "All", url: "/posts", active: true, count: 3 }], "Views").html;
    assert.match(page, /aria-current="page" href="\/posts">All <span class="fw-count">3/);
  });
});

describe("The confirmation and the conflict", (it) => {
  it("A confirmation is a form with a CSRF token, and a conflict escapes its values", () => {
    const asked = components.confirmation({
      title: "Delete?",
      text: "For good.",
      action: "/posts/1",
      method: "delete",
      csrf,
      submitLabel: "Delete",
      cancelUrl: "/posts",
      lockVersion: 2,
      t,
    }).html;
    assert.match(
      asked,
      /method="post" action="\/posts\/1"><input type="hidden" name="_csrf" value="t"><input type="hidden" name="_method" value="delete"/,
    );
    const button = { form: "f", name: "_use_saved" };
    const rows = [{ name: "title", label: "Title", by: "both" as const, theirs: html`<a>`, yours: html`${"<b>"}` }];
    const both = components.conflict({ rows, button, t }).html;
    assert.match(both, "&lt;b&gt;");
    const theirs = components.conflict({ rows: [{ ...rows[0]!, by: "them" }], button, t }).html;
    assert.not.match(theirs, "_use_saved", "what only they changed is in the form already");
    assert.not.match(theirs, "&lt;b&gt;");
    assert.match(
      both,
      /<button class="visually-hidden" form="f"[^>]*><\/button>.*form="f" name="_use_saved" value="title"/s,
    );
  });
});
