import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { bootWith, openWizards, wizardFiles } from "../wizards/mounts_support.ts";

const definition = "app/definitions/post_definition.ts";
const files: Record<string, string> = {
  "plugins.config.ts": edited(
    wizardFiles,
    "plugins.config.ts",
    ["export default", 'import { printing } from "framewright/plugins/printing";\nexport default'],
    ["resources(),", "resources(), printing(),"],
  ),
  [definition]: edited(
    wizardFiles,
    definition,
    [
      "import type {} from",
      'import { html } from "framewright";\nimport type {} from "framewright/plugins/printing";\nimport type {} from',
    ],
    [
      "super.configure();",
      `super.configure();
    this.printPage("plain");
    this.printPage("letter", { title: ({ record }) => "To " + record.title, size: "letter", landscape: true, policy: "print_letter", content: ({ record }) => html\`<p>Dear \${record.title}</p>\` });
    this.printPage("sheet", { title: false, template: "posts/sheet", condition: ({ record }) => record?.title !== "Locked" });`,
    ],
  ),
  "app/views/posts/sheet.liquid": "<table><tr><th>{{ record.title }}</th></tr></table>",
  "app/policies/post_policy.ts": edited(wizardFiles, "app/policies/post_policy.ts", [
    "canConfigure()",
    "canPrintLetter() { return (this.user as { id?: number } | undefined)?.id === 1; }\n  canConfigure()",
  ]),
};

describe("Pages of records for paper", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openWizards(files);
  });
  after(() => app.close());
  const get = async (path: string, user = "1") => {
    const answer = await app.request(`/admin${path}`, { headers: { "x-user": user } });
    return { status: answer.status, html: await answer.text() };
  };

  it("A page has what the person may read of the record, in a layout of its own", async () => {
    const { status, html } = await get("/posts/1/print/plain");
    assert.is(status, 200, html);
    assert.match(html, "<h1>Hello</h1>");
    assert.match(html, /<dt>Title<\/dt><dd>Hello<\/dd>/);
    assert.match(html, /class="fw-paper-sheet fw-paper-a4"/);
    assert.match(html, /\/assets\/printing-[\w-]+\.css/);
    assert.not.match(html, "fw-sidebar");
  });
  it("What it shows may be HTML or a template of the application, and text is escaped", async () => {
    const letter = (await get("/posts/1/print/letter")).html;
    assert.match(letter, "<h1>To Hello</h1>");
    assert.match(letter, "<p>Dear Hello</p>");
    assert.match(letter, "fw-paper-letter-landscape");
    const sheet = (await get("/posts/1/print/sheet")).html;
    assert.match(sheet, "<th>Hello</th>");
    assert.not.match(sheet, "<h1>");
  });
  it("Who may not see the record, or not print it, has no page and no button", async () => {
    assert.is((await get("/posts/1/print/letter", "2")).status, 403);
    assert.is((await get("/posts/3/print/plain")).status, 404);
    assert.is((await get("/posts/2/print/sheet")).status, 404);
    assert.is((await get("/posts/1/print/none")).status, 404);
    assert.is((await get("/posts/1/print/plain", "0")).status === 200, false);
    const page = (await get("/posts/1")).html;
    assert.match(
      page,
      /href="\/admin\/posts\/1\/print\/letter"[^>]*target="_blank"|target="_blank"[^>]*href="\/admin\/posts\/1\/print\/letter"/,
    );
    assert.not.match((await get("/posts/1", "2")).html, "/print/letter");
  });
});

describe("Pages for paper that can't be", (it) => {
  it("An unknown option is refused at boot, with those that there are", async () => {
    const wrong = edited(files, definition, [
      'this.printPage("plain");',
      'this.printPage("plain", { papersize: "A4" } as never);',
    ]);
    const problem = await bootWith({ ...files, [definition]: wrong }).then(
      () => "",
      (error: Error) => error.message,
    );
    assert.is(
      problem.split(" label")[0],
      `FW_PRINT_PAGE: PostDefinition.printPage("plain") has the option "papersize". There are:`,
    );
  });
});
