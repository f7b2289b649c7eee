import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { shipments, wideFiles } from "../resources/wide_app.ts";
import { openTenants } from "../scoping/tenants.ts";

// What pages say and show of things that nobody said anything of: icons, states, names, groups, counts.

const ann = { "x-user": "1", accept: "text/html" };
const list = "/customer/1/shipments";
/** A column of states that has no list of them, and one of addresses. */
const files = {
  ...wideFiles,
  "app/models/shipment.ts": edited(wideFiles, "app/models/shipment.ts", [
    'static override enums = { status: ["draft", "packed", "sent"] };',
    "",
  ]),
  "app/definitions/user_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    export default class UserDefinition extends ResourceDefinition { override group = "People"; }`,
  "app/definitions/note_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    export default class NoteDefinition extends ResourceDefinition { override icon = "anchor"; }`,
  "db/migrate/20260401000000_add_tracking_url.ts": `export async function up(db) {
  await db.addColumns("shipments", (t) => { t.string("tracking_url"); t.string("external_api_id"); t.string("email"); });
}
export async function down(db) { await db.removeColumns("shipments", ["tracking_url", "external_api_id", "email"]); }
`,
  "app/policies/shipment_policy.ts": wideFiles["app/policies/shipment_policy.ts"]!.replaceAll(
    '"contact_email"',
    '"contact_email", "tracking_url", "external_api_id", "email"',
  ),
};
const outline = (name: string) => {
  const path = createRequire(import.meta.url).resolve(`@tabler/icons/outline/${name}.svg`);
  return [...readFileSync(path, "utf8").matchAll(/<path d="([^"]+)"/g)].map(([, d]) => d!).at(-1)!;
};

describe("What pages show by convention", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openTenants(files);
    const rows = shipments(1, "ALP").slice(0, 2);
    await databaseOf(app.application)
      .knex("shipments")
      .insert([
        { ...rows[0]!, status: "waiting_for_parts" },
        { ...rows[1]!, status: "ready" },
      ]);
  });
  after(() => app.close());
  const page = async (path: string, language = "en") =>
    (await app.request(path, { headers: { ...ann, "accept-language": language } })).text();

  it("Resources have icons by the last word of their names, unless their definitions name one", async () => {
    const html = await page("/customer/1/posts");
    const icons = { Posts: "news", Users: "user", Organizations: "building", Shipments: "truck", Categories: "tag" };
    for (const [label, icon] of Object.entries({ ...icons, Notes: "anchor", Attachments: "file" })) {
      const line = new RegExp(
        `<a class="fw-nav-link" [^>]*>\\s*(<(?:svg|i) (?:(?!</a>).)*)\\s*<span>${label}</span>`,
        "s",
      );
      const drawn = line.exec(html)?.[1] ?? "";
      const isStyled = drawn.includes(`<i class="icon i-${icon}">`);
      assert.ok(isStyled || drawn.includes(outline(icon)), `${label}: ${drawn}`);
    }
  });
  it("The groups of generated definitions have a name in each language", async () => {
    assert.match(await page("/customer/1/posts"), '<summary class="fw-nav-heading"><span>People</span>');
  });
  it("A text that is a state by its name is a dot and a word, in the tone of common words", async () => {
    const html = await page(`${list}?columns=reference,status`);
    assert.match(html, '<span class="fw-status fw-status-warning">Waiting for parts</span>');
    assert.match(await page(`${list}/1002`), '<span class="fw-status fw-status-success">Ready</span>');
    assert.match(await page(`${list}/new`), /<input[^>]*id="shipment_status"/);
  });
  it("Labels write URL, API and ID as people do, and say email address", async () => {
    const html = await page(`${list}/new`);
    for (const label of ["Tracking URL", "External API", "Email address", "Contact email"])
      assert.match(html, new RegExp(`<label class="form-label" for="[^"]+">${label}<`), label);
  });
  it("A list counts what it is of, and one that is shown whole does not say which part that is", async () => {
    const html = await page(list);
    assert.match(html, "<p>2 shipments</p>");
    assert.not.match(html, "fw-pager");
    assert.match(await page(`${list}?per_page=1`), /<nav class="fw-pager"[^>]*><p>1&ndash;1 of 2<\/p>/);
  });
});
