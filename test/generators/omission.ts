import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../support/index.ts";
import { ensureBuilt, fwOk, newApp, type Ran, runCommand, runFw, typeCheck } from "./support.ts";

const plugins = join(import.meta.dirname, "../../plugins");

/** What a plugin of lists and pages brings, by the name of its factory. */
interface Brought {
  folder: string;
  /** In the path of a route. */
  route?: RegExp;
  assets?: readonly string[];
  /** In the pages of a person; each of them. */
  marks: readonly RegExp[];
}
export const brought = {
  search: {
    folder: "search",
    route: /\/_search$/,
    assets: ["palette.js"],
    marks: [/data-palette/, /\/_search/, /Ctrl K/],
  },
  shortcuts: { folder: "shortcuts", route: /\/_keys$/, assets: ["keys.js"], marks: [/data-keys/, /fw-keys-link/] },
  density: { folder: "density", route: /\/_density$/, marks: [/class="fw-density"/] },
  filters: {
    folder: "filters",
    route: /\/list\/options$/,
    marks: [/data-popover="fw-options"/, /class="fw-order-parts"/],
  },
  bulkActions: {
    folder: "bulk_actions",
    route: /\/bulk\//,
    marks: [/class="fw-bulk"/, /name="ids\[\]"/, /Delete 1 post\?/],
  },
  summaries: { folder: "summaries", marks: [/class="fw-total"/] },
  inlineEditing: {
    folder: "inline_editing",
    route: /\/cells\//,
    assets: ["cells.js"],
    marks: [/\/cells\/title/, /\/assets\/cells-/],
  },
  reorder: {
    folder: "reorder",
    route: /\/order$/,
    assets: ["order.js", "sortable.js"],
    marks: [/\/posts\/\d+\/order"/, /\/assets\/order-/],
  },
  nestedRecords: { folder: "nested_records", marks: [/name="post\[lines\]\[/] },
  extraFields: { folder: "extra_fields", marks: [/12\.50?\s*%/] },
  states: { folder: "states", route: /\/transitions\//, marks: [/\/actions\/send"/, /scope=drafted/] },
  printing: {
    folder: "printing",
    route: /\/print\//,
    assets: ["printing.css", "printing.js"],
    marks: [/\/print\/sheet"/, /class="fw-paper/],
  },
  navigation: { folder: "navigation", marks: [/_badge\?line=%2Fadmin%2Fposts/] },
  cards: { folder: "cards", marks: [/class="fw-tiles"/, /shape=cards/] },
  articles: {
    folder: "articles",
    route: /\/(?:feed|sitemap)\.xml$/,
    assets: ["articles.css"],
    marks: [/class="fw-article/, /class="fw-teaser/, /rel="canonical"/],
  },
  tree: { folder: "tree", assets: ["tree.css"], marks: [/class="fw-tree/, /shape=tree/] },
  grouping: { folder: "grouping", assets: ["grouping.css"], marks: [/class="fw-group(?:ed|-)/, /shape=groups/] },
  calendar: {
    folder: "calendar",
    route: /\/calendar$/,
    assets: ["calendar.css", "calendar.js", "calendar_drag.js"],
    marks: [/class="fw-calendar/, /\/assets\/calendar-/, /shape=calendar/],
  },
  boards: {
    folder: "boards",
    route: /\/board$/,
    assets: ["board.css", "board.js", "board_drag.js"],
    marks: [/data-lane="early"/, /\/assets\/board-/, /shape=board/],
  },
  numbers: { folder: "numbers", marks: [/N-0001/, /Given when it is saved/] },
  attachments: {
    folder: "attachments",
    route: /\/files\//,
    assets: ["uploads.js"],
    marks: [/name="post\[papers\]/, /\/assets\/uploads-/],
  },
  batches: { folder: "batches", marks: [] },
  personalData: { folder: "personal_data", route: /\/personal-data$/, marks: [] },
  openapi: { folder: "openapi", route: /\/openapi$/, marks: [] },
  mcp: { folder: "mcp", route: /\/mcp$/, marks: [] },
  jsonApi: { folder: "json_api", marks: [] },
  bulkCreate: { folder: "bulk_create", marks: [] },
  apiKeyScopes: { folder: "api_keys", marks: [] },
  live: {
    folder: "live",
    route: /\/_live$/,
    assets: ["live.js", "live.css"],
    marks: [/data-live="list"/, /\/posts\/_live\?/, /\/assets\/live-/],
  },
  exports: { folder: "exports", route: /\/export\.|\/file$/, marks: [/\/export\.csv/, /\/export\.xlsx/] },
  imports: { folder: "imports", route: /\/import/, marks: [/\/posts\/import"/] },
  backgroundRuns: { folder: "background_runs", route: /\/background_runs\//, marks: [] },
  comments: {
    folder: "comments",
    route: /\/_comments\b/,
    assets: ["comments.css", "comments.js"],
    marks: [/id="panel-discussion/, /\/assets\/comments-/],
  },
  history: {
    folder: "history",
    route: /\/_?history$/,
    assets: ["history.css"],
    marks: [/id="panel-history/, /\/assets\/history-/, /href="[^"]*\/_history"/],
  },
  impersonation: { folder: "impersonation", route: /\/impersonation\b/, assets: ["impersonation.css"], marks: [] },
  presence: { folder: "presence", route: /\/presence$/, assets: ["presence.js"], marks: [/class="fw-presence/] },
  savedViews: { folder: "saved_views", route: /\/views\b/, marks: [/class="fw-dropdown fw-save-view"/] },
  listSettings: {
    folder: "list_settings",
    route: /\/list\/settings$/,
    assets: ["list_settings.css", "list_settings.js"],
    marks: [/name="framewright-list"/, /data-resize="/, /class="fw-list-widths"/],
  },
  webhooks: { folder: "webhooks", route: /\/_webhooks\b/, assets: ["webhooks.css"], marks: [] },
  undo: { folder: "undo", route: /\/deletions\//, marks: [/\/deletions\/[\w-]+\/undo/] },
} as const satisfies Record<string, Brought>;
export type Name = keyof typeof brought;
export const names = Object.keys(brought) as Name[];

/** By a plugin: the one that needs it. */
const neededBy: Partial<Record<Name, Name>> = { backgroundRuns: "imports", openapi: "mcp" };
/** What goes with a line that is left out. */
export const withNeeds = (left: readonly Name[]): readonly Name[] => [
  ...new Set(left.flatMap((name) => [name, neededBy[name] ?? name])),
];

type Tree = { [key: string]: string | Tree };
const keysOf = (tree: Tree, prefix = ""): string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  );
const textsOf = (folder: string): string[] => {
  try {
    return keysOf(JSON.parse(readFileSync(join(plugins, folder, "locales/en.json"), "utf8")) as Tree);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
};

export interface Seen {
  routes: string[];
  /** The keys of texts that are there, of those of all of these plugins. */
  texts: string[];
  /** The names of assets that are served. */
  assets: string[];
  plugins: string[];
  /** Pages of a person by what they are, with their status. */
  pages: Record<string, [status: number, text: string]>;
  json: [status: number, titles: string[]];
  /** How the import of a file with a header of an export was answered; undefined without imports. */
  imported?: [status: number, text: string];
}

/** Opens the application as it is, and prints what a person finds in it. */
const probe = `
import { openTestApplication } from "framewright/testing";
import Post from "#app/models/post.ts";
import { readFileSync } from "node:fs";
const { keys, files } = JSON.parse(readFileSync("asked.json", "utf8"));
const app = await openTestApplication();
const { kernel } = app.application;
await kernel.service("auth").createAccount("user", { email: "ann@example.com" }, { password: "correct horse battery" });
const ann = await app.signIn("user", "ann@example.com");
for (const [at, title] of ["Anchor", "Buoy", "Stuck", "Sail"].entries())
  await app.query(Post).insert({ title, status: "open", fee: "12.50", place: at, share: "12.5" });
const pages = {};
const keep = async (name, answer) => { pages[name] = [answer.status, await answer.text()]; };
const see = async (name, path) => keep(name, await ann.request(path));
const [{ id: first }, , { id: stuck }] = await app.query(Post).orderBy("place");
await see("list", "/admin/posts");
await see("sorted", "/admin/posts?sort=-title");
if (kernel.has("filters")) await see("list panel", "/admin/posts/list/options?show=display&sort=-title");
await see("record", "/admin/posts/" + first);
await see("form", "/admin/posts/" + first + "/edit");
await see("new", "/admin/posts/new");
if (kernel.has("printing")) await see("paper", "/admin/posts/" + first + "/print/sheet");
if (kernel.has("bulk_actions")) await see("bulk question", "/admin/posts/bulk/destroy?ids[]=" + first);
for (const shape of ["articles", "board", "calendar", "cards", "groups", "tree"]) if (kernel.has({ board: "boards", groups: "grouping" }[shape] ?? shape)) await see(shape, "/admin/posts?shape=" + shape);
const list = await ann.json("/admin/posts");
await keep("deletion", await ann.submit("/admin/posts/" + first + "/actions/destroy", {}, new RegExp("/admin/posts/" + first)));
await see("deleted", "/admin/posts");
if (kernel.has("bulk_actions")) {
  await keep("bulk action", await ann.submit("/admin/posts/bulk/break?ids[]=" + stuck, {}, /bulk/));
  await see("broken", "/admin/posts");
}
let imported;
if (kernel.has("imports")) {
  const body = new FormData();
  body.set("file", new File(["Title,Status,Fee,Place,Created at (UTC)\\nKeel,open,1.00,9,2026-01-01 10:00\\n"], "posts.csv"));
  const token = /name="csrf-token" content="([^"]*)"|content="([^"]*)" name="csrf-token"/.exec(pages.list[1]);
  const headers = { "x-csrf-token": token?.[1] ?? token?.[2] ?? "", accept: "application/json" };
  const answer = await ann.request("/admin/posts/import.json", { method: "POST", body, headers });
  imported = [answer.status, await answer.text()];
}
const assets = [];
for (const file of files) {
  const { status } = await app.request("/assets/" + file.replace(/(?=[.][a-z]+$)/, "-aaaaaaaaaaaa"));
  if (status === 200) assets.push(file);
}
const texts = kernel.service("i18n");
const seen = {
  routes: app.application.routes().map(({ verb, path }) => verb + " " + path),
  texts: keys.filter((key) => texts.has(key)),
  assets,
  plugins: kernel.pluginInfo().map(({ name }) => name),
  pages,
  ...(imported && { imported }),
  json: [list.status, (list.body.data ?? []).map(({ title }) => title)],
};
await app.close();
process.stdout.write(JSON.stringify(seen));
`;

const interaction = (name: string, body: string, statics = ""): string =>
  `import { Interaction, type Outcome${body.includes("succeed") ? ", succeed" : ""} } from "framewright/plugins/resources";
export default class ${name} extends Interaction {
  ${statics}
  override async execute(): Promise<Outcome> {
    ${body}
  }
}
`;
const underscore = (name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();

const breaks = (bulk: boolean) =>
  `this.action("break", { interaction: BreakPost, ${bulk ? "bulk: true, " : ""}policy: "update" });`;
/** What the definition of the posts needs a plugin for. */
const declared = {
  bulkActions: `this.action("destroy", { bulk: true }); ${breaks(true)}`,
  inlineEditing: 'this.column("title", { edit: true });',
  summaries: 'this.column("fee", { total: "sum" });',
  reorder: 'this.reorder("place");',
  extraFields: 'this.field("share", { as: "percentage" });',
  nestedRecords: 'this.repeated("lines", { fields: { what: { as: "string" } } });',
  printing: 'this.printPage("sheet");',
  navigation: "this.navigation({ badge: true });",
  cards: "this.cards();",
  boards: 'this.board({ by: "stage" });',
  calendar: 'this.calendar({ on: "created_at" });',
  tree: 'this.tree({ parent: "above" });',
  grouping: 'this.grouping({ by: ["stage"] });',
  articles: 'this.article({ body: "title" });',
  attachments: 'this.files("papers");',
  live: "this.live(true);",
} as const;
/** What their model needs one for. */
const declaredByModel = {
  states: 'static states = states("phase", { drafted: { send: "sent" }, sent: {} });',
  numbers: 'static numbers = numbered("number", { format: "N-{0000}" });',
  attachments: "declare papers: Files;",
  comments: "static comments = true;",
} as const;
/** And their policy. */
const declaredByPolicy = {
  exports: "canExport",
  imports: "canImport",
  savedViews: "canShareViews",
  states: "canSend",
} as const;
const fields = ["title", "status", "fee:decimal", "place:integer", "stage:enum{early,late,default:early}"];
const optional = ["phase:string?", "number:string?", "share:decimal?", "lines:json?", "above:belongs_to{class:Post}?"];

/** One generated application with a list, of which lines of plugins are left out. */
export class OmissionApp {
  root = "";
  #config = "";
  #policy = "";
  #model = "";

  async make(): Promise<void> {
    await ensureBuilt();
    this.root = await newApp();
    const g = (...words: string[]) => fwOk(this.root, "g", ...words);
    await g("fw:authlib:account", "user");
    await g("fw:pkg:portal", "admin", "--auth=user");
    await g("fw:res:scaffold", "Post", ...fields, ...optional);
    for (const name of ["imports", "saved_views", "deletions", "attachments"]) await g(`fw:${name}:install`);
    const lists = ["cards", "boards", "calendar", "articles", "grouping", "tree", "list_settings", "live", "presence"];
    const more = [
      "navigation",
      "impersonation",
      "personal_data",
      "openapi",
      "mcp",
      "json_api",
      "bulk_create",
      "webhooks",
      "api_keys",
    ];
    for (const name of ["numbers", "batches", "history", "comments", ...more, ...lists]) await g("fw:install", name);
    await fwOk(this.root, "db:migrate");
    await g("fw:res:conn", "Post", "--dest=admin_portal");
    this.#policy = this.read("app/policies/post_policy.ts");
    this.#model = this.read("app/models/post.ts");
    this.#write("app/interactions/break_post.ts", interaction("BreakPost", 'throw new TypeError("it broke");'));
    const keys = names.flatMap((name) => textsOf(brought[name].folder));
    const files = names.flatMap((name) => (brought[name] as Brought).assets ?? []);
    writeFileSync(join(this.root, "asked.json"), JSON.stringify({ keys, files }));
    writeFileSync(join(this.root, "probe.mjs"), probe);
    this.#config = this.read("plugins.config.ts");
    this.define();
  }

  read = (path: string): string => readFileSync(join(this.root, path), "utf8");
  edit(path: string, from: string, to: string): void {
    const text = this.read(path);
    assert.match(text, from);
    writeFileSync(join(this.root, path), text.replace(from, to));
  }

  /** Writes the list without these lines and their imports. */
  leaveOut(left: readonly Name[]): void {
    const without = left.reduce(
      (text, name) => text.replace(`  ${name}(),\n`, "").replace(new RegExp(`^import \\{ ${name} \\}.*\\n`, "m"), ""),
      this.#config,
    );
    writeFileSync(join(this.root, "plugins.config.ts"), without);
  }

  /** Writes the definition, model and policy of the posts without what needs these plugins; `more` stands in the definition. */
  define(left: readonly Name[] = [], more = "", interactions: readonly string[] = []): void {
    const linesOf = (all: Readonly<Record<string, string>>) =>
      Object.entries(all).filter(([name]) => !left.includes(name as Name));
    const lines = linesOf(declared);
    if (left.includes("bulkActions")) lines.push(["", breaks(false)]);
    const types = 'import type { Files } from "framewright/plugins/attachments";\n';
    const factories =
      'import { numbered } from "framewright/plugins/numbers";\nimport { states } from "framewright/plugins/states";\n';
    const ofModel = linesOf(declaredByModel).map(([, line]) => `  ${line}\n`);
    this.#write(
      "app/models/post.ts",
      types + factories + this.#model.replace("  static override validations", `${ofModel.join("")}$&`),
    );
    const ofPolicy = linesOf(declaredByPolicy).map(([, name]) => `  override ${name}() {\n    return true;\n  }\n`);
    const papers = left.includes("attachments")
      ? this.#policy
      : this.#policy.replaceAll('"lines"', '"lines", "papers"');
    this.#write(
      "app/policies/post_policy.ts",
      papers.replace("  override canRead() {", `${ofPolicy.join("").replace("override canSend", "canSend")}$&`),
    );
    const imported = ["BreakPost", ...interactions].map(
      (name) => `import ${name} from "#app/interactions/${underscore(name)}.ts";\n`,
    );
    const text = `${imported.join("")}import type Post from "#app/models/post.ts";
import ResourceDefinition from "#app/definitions/resource_definition.ts";

export default class PostDefinition extends ResourceDefinition<Post> {
  override configure() {
    super.configure();
${lines.map(([, line]) => `    ${line}\n`).join("")}${more}  }
}
`;
    this.#write("app/definitions/post_definition.ts", text);
  }

  /** Gives the posts an action that runs in the background. */
  addBackground(): void {
    const code = interaction("PublishPosts", "return succeed();", "static override inBackground = true;");
    this.#write("app/interactions/publish_posts.ts", code);
    this.define(names, '    this.action("publish", { interaction: PublishPosts, policy: "update" });\n', [
      "PublishPosts",
    ]);
  }

  #write(path: string, text: string): void {
    writeFileSync(join(this.root, path), text);
  }

  /** What a person finds in the application as it is. */
  async see(): Promise<Seen> {
    const run: Ran = await runCommand(process.execPath, ["--import", "framewright/register", "probe.mjs"], this.root);
    if (run.code !== 0) throw new Error(run.out + run.err);
    return JSON.parse(run.out) as Seen;
  }

  /** The error of code that takes the service of a plugin that is left out. */
  async errorOf(slot: string): Promise<string> {
    const code = `import { openTestApplication } from "framewright/testing";
const app = await openTestApplication();
try { app.application.kernel.service("${slot}"); } catch (error) { process.stdout.write(error.message); }
await app.close();`;
    this.#write("takes.mjs", code);
    return (await runCommand(process.execPath, ["--import", "framewright/register", "takes.mjs"], this.root)).out;
  }

  /** What a boot prints. */
  boot = (): Promise<Ran> => runFw(this.root, "plugins", "--json");

  async typeChecks(): Promise<void> {
    const { code, out } = await typeCheck(this.root);
    assert.is(code, 0, out);
  }
}

/** What of a plugin is found. */
export function foundOf(name: Name, { routes, texts, assets, plugins: listed, pages }: Seen): string[] {
  const { folder, route, assets: files = [], marks } = brought[name] as Brought;
  const own = textsOf(folder);
  const html = Object.values(pages)
    .map(([, text]) => text)
    .join("\n");
  return [
    ...listed.filter((one) => one === folder),
    ...routes.filter((one) => route?.test(one)),
    ...texts.filter((key) => own.includes(key)),
    ...assets.filter((file) => files.includes(file)),
    ...marks.filter((mark) => mark.test(html)).map(String),
  ];
}

/** How many kinds of things a plugin brings at least: that none of them is looked for in vain. */
export const expectedOf = (name: Name, left: readonly Name[] = []): number => {
  const { folder, route, assets = [], marks } = brought[name] as Brought;
  const inPanel = name === "density" || name === "listSettings" ? 1 : 0; // its form is in a panel of filters
  const shown = marks.length - (left.includes("filters") ? inPanel : 0);
  return 1 + (route ? 1 : 0) + textsOf(folder).length + assets.length + shown;
};

/** That pages are whole, and the list is there for people and programs. */
export function checkPages({ pages, json, imported }: Seen, about: string): void {
  for (const [page, [status, text]] of Object.entries(pages)) {
    assert.ok(status < 400, `${page}, ${about}: ${status} ${text.slice(0, 500)}`);
    assert.ok(!text.includes("[missing:"), `${page}, ${about}: ${/\[missing:[^\]]*\]/.exec(text)?.[0]}`);
    assert.ok(status !== 200 || text.includes("</html>"), `${page}, ${about}: half a page`);
  }
  assert.match(pages.list![1], "Anchor", about);
  if (pages.broken) assert.match(pages.broken[1], "Stuck (An error occurred)", about);
  if (imported) assert.is(imported[0], 202, `the import, ${about}: ${imported[1]}`);
  assert.is(json[0], 200, about);
  assert.equal([...json[1]].sort(), ["Anchor", "Buoy", "Sail", "Stuck"], about);
}
