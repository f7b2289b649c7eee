import { assert, describe } from "../support/index.ts";
import { checkPages, expectedOf, foundOf, names, OmissionApp } from "./omission.ts";

// Of lists and pages, a line left out of plugins.config.ts is a capability left out, and nothing of it is left.

describe("The plugins of lists and pages, left out together", (it, { before }) => {
  const app = new OmissionApp();
  before(() => app.make());

  it("With all of them, each brings its routes, texts, assets and parts of pages", async () => {
    const seen = await app.see();
    checkPages(seen, "with all");
    for (const name of names) {
      const found = foundOf(name, seen);
      assert.ok(
        found.length >= expectedOf(name),
        `${name}: ${found.length} of ${expectedOf(name)}: ${found.join("\n")}`,
      );
    }
  });
  it("Without them the application boots, type-checks and serves its list as a page and as JSON, and nothing of them is left", async () => {
    app.leaveOut(names);
    app.define(names);
    const seen = await app.see();
    checkPages(seen, "without all");
    for (const name of names) assert.equal(foundOf(name, seen), [], name);
    await app.typeChecks();
  });
  it("What a definition declares for one of them is refused at boot with the line to add", async () => {
    app.leaveOut(names);
    const of = (line: string, folder: string) =>
      `Add ${line} to plugins.config.ts, imported from "framewright/plugins/${folder}"`;
    const standard = (line: string, folder: string) =>
      `Add ${line} of "framewright/plugins/${folder}" to plugins.config.ts`;
    const lines = {
      bulkActions: ['this.action("destroy", { bulk: true })', of("bulkActions()", "bulk_actions")],
      inlineEditing: ['this.column("title", { edit: true })', of("inlineEditing()", "inline_editing")],
      summaries: ['this.column("fee", { total: "sum" })', of("summaries()", "summaries")],
      reorder: ['this.reorder("place")', of("reorder()", "reorder")],
      extraFields: [
        'FW_DEFINITION_TYPE: PostDefinition shows "share" as "percentage"',
        standard("extraFields()", "extra_fields"),
      ],
      nestedRecords: [
        'FW_WORD_UNKNOWN: PostDefinition calls "repeated"',
        standard("nestedRecords()", "nested_records"),
      ],
      printing: ['FW_WORD_UNKNOWN: PostDefinition calls "printPage"', standard("printing()", "printing")],
      navigation: ['FW_WORD_UNKNOWN: PostDefinition calls "navigation"', standard("navigation()", "navigation")],
      cards: ['FW_WORD_UNKNOWN: PostDefinition calls "cards"', standard("cards()", "cards")],
      calendar: ['FW_WORD_UNKNOWN: PostDefinition calls "calendar"', standard("calendar()", "calendar")],
      tree: ['FW_WORD_UNKNOWN: PostDefinition calls "tree"', standard("tree()", "tree")],
      grouping: ['FW_WORD_UNKNOWN: PostDefinition calls "grouping"', standard("grouping()", "grouping")],
      live: ['FW_WORD_UNKNOWN: PostDefinition calls "live"', standard("live()", "live")],
      articles: ['FW_WORD_UNKNOWN: PostDefinition calls "article"', standard("articles()", "articles")],
      boards: ['FW_WORD_UNKNOWN: PostDefinition calls "board"', standard("boards()", "boards")],
      attachments: ['FW_WORD_UNKNOWN: PostDefinition calls "files"', standard("attachments()", "attachments")],
      states: ["FW_MODEL_PLUGIN", of("states()", "states")],
      numbers: ["FW_MODEL_PLUGIN", of("numbers()", "numbers")],
    } as const;
    for (const [name, [what, line]] of Object.entries(lines)) {
      app.define(names.filter((one) => one !== name));
      const { code, err } = await app.boot();
      assert.is(code, 1, name);
      assert.match(err, what, name);
      assert.match(err, line, name);
    }
    app.define(names);
    assert.match(await app.errorOf("batches"), standard("batches()", "batches"));
    app.addBackground();
    const { code, err } = await app.boot();
    assert.is(code, 1);
    assert.match(
      err,
      /FW_BACKGROUND_JOBS: PublishPosts has static inBackground = true.*fw generate fw:background:install/,
    );
  });
  it("What a policy permits of one of them is logged with the line to add", async () => {
    app.leaveOut(names);
    app.define(names.filter((name) => !["exports", "imports", "savedViews"].includes(name)));
    const { code, err } = await app.boot();
    assert.is(code, 0, err);
    assert.match(err, /PostPolicy has canExport\(\), and no plugin calls it\. Add exports\(\) to plugins\.config\.ts/);
    assert.match(err, /PostPolicy has canImport\(\), and no plugin calls it\. Add imports\(\) to plugins\.config\.ts/);
    assert.match(
      err,
      /PostPolicy has canShareViews\(\), and no plugin calls it\. Add savedViews\(\) to plugins\.config\.ts/,
    );
  });
  it("imports() without backgroundRuns() is refused at boot with the line to add", async () => {
    app.leaveOut(["backgroundRuns"]);
    app.define();
    const { code, err } = await app.boot();
    assert.is(code, 1);
    assert.match(
      err,
      /FW_SLOT_EMPTY: "imports" requires "background_runs".*Add backgroundRuns\(\) of "framewright\/plugins\/background_runs"/,
    );
  });
});
