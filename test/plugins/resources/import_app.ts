import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { Client } from "../../testing/client.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import { wideFiles } from "./wide_app.ts";

// Two tenants, whose people import shipments: a reference is unique within a tenant.

const plugins = join(import.meta.dirname, "../../../plugins");
const schema = ["jobs", "background_runs", "imports"]
  .map((folder) => readFileSync(join(plugins, folder, "schema.liquid"), "utf8"))
  .join("");
const migration = "db/migrate/20260301000000_create_shipments.ts";
const policy = "app/policies/shipment_policy.ts";
const names =
  '"reference", "note", "carrier", "contact_email", "status", "weight", "fee", "fragile", "due_on", "sent_at", "extra", "author", "category"';

export const list = "/customer/1/shipments";

export const importFiles: Record<string, string> = {
  ...wideFiles,
  [migration]: edited(wideFiles, migration, [
    "    t.timestamps();",
    '    t.timestamps();\n    t.index(["organization_id", "reference"], { unique: true });',
  ]),
  "db/migrate/20260302000000_create_imports.ts": `export async function up(db) {
${schema}
  await db.createTable("arrivals", (t) => { t.id(); t.string("reference").notNull(); t.index(["reference"]); });
  await db.addColumns("users", (t) => { t.boolean("closed").notNull().default(false); t.boolean("may_import").notNull().default(true); });
}
export async function down(db) {}
`,
  [policy]: `import { Policy } from "framewright/plugins/resources";
export default class ShipmentPolicy extends Policy {
  override canRead() { return true; }
  override canCreate() { return this.user !== undefined && this.user.name !== "Reader"; }
  override canUpdate() { return this.canCreate() && this.record?.reference !== "LOCKED"; }
  override canExport() { return true; }
  override canImport() { return Boolean(this.user?.may_import); }
  override permittedAttributesForCreate() { return [${names}, "secret_token", "tracking_code"]; }
  override permittedAttributesForUpdate() { return [${names}, "secret_token"]; }
  override permittedAttributesForRead() { return [${names}, "tracking_code", "created_at"]; }
  override permittedAttributesForIndex() { return [${names}]; }
}`,
  "app/models/shipment.ts": edited(wideFiles, "app/models/shipment.ts", [
    'static override money = { fee: "fee_cents" };',
    `static override money = { fee: "fee_cents" };
  static override validations = { reference: { presence: true, uniqueness: { scope: "organization_id" } }, weight: { numericality: { lessThan: 1000 } } };
  override async $afterInsert(context: any) {
    await super.$afterInsert(context);
    await context.transaction("arrivals").insert({ reference: (this as any).reference });
    if ((this as any).reference === "BROKEN") throw new TypeError("the model broke over secret-word");
    if ((this as any).reference === "SLOW") await new Promise((resolve) => setTimeout(resolve, 30));
  }`,
  ]),
  "packages/customer_portal/app/controllers/customer_portal/shipments_controller.ts": `import { forbidden } from "framewright";
import ResourceController from "./resource_controller.ts";
export default class ShipmentsController extends ResourceController {
  static confirms = ["create"];
  async confirmed() {
    return this.request.header("x-unconfirmed") ? this.redirectTo("/confirm") : undefined;
  }
  override async create() {
    if (this.params.nested("shipment").string("reference") === "VETO") throw forbidden("the controller says no.");
    const reply = await super.create();
    const room = globalThis as { created?: number };
    room.created = (room.created ?? 0) + 1;
    return reply;
  }
}`,
  "plugins.config.ts": edited(
    tenantFiles,
    "plugins.config.ts",
    [
      "import { i18n }",
      'import { backgroundRuns } from "framewright/plugins/background_runs";\nimport { imports } from "framewright/plugins/imports";\nimport { jobs } from "framewright/plugins/jobs";\nimport { storage } from "framewright/plugins/storage";\nimport { i18n }',
    ],
    [
      "  resources(),",
      "  resources(),\n  backgroundRuns({ lease: 1500 }),\n  imports(),\n  jobs({ lease: 1500, poll: 100 }),\n  storage(),\n  people,",
    ],
    [
      "export default",
      `const people = definePlugin({
  name: "people",
  requires: ["resources", "database"],
  apply({ hooks, services: { database } }) {
    hooks.resources.backgroundAccount.tapPromise("people", async ({ id }) => {
      const user = await database.query(database.model("User").class).findById(Number(id));
      return (user as { closed?: unknown } | undefined)?.closed ? false : (user ?? false);
    });
    hooks.resources.record.tap("people", ({ kind, record }) => {
      ((globalThis as { events?: string[] }).events ??= []).push(kind + " " + (record as { reference?: string }).reference);
    });
    hooks.resources.backgroundRun.tap("people", ({ url }) => {
      ((globalThis as { ended?: string[] }).ended ??= []).push(url);
    });
  },
});
export default`,
    ],
  ),
};

export interface Room {
  created?: number;
  events?: string[];
  ended?: string[];
}
export const room = globalThis as Room;

/** A person with a browser without JavaScript, who imports files. */
export class Importer {
  readonly #client: Client;
  readonly #headers: Record<string, string>;

  constructor(app: Pick<TestApp, "url">, user: number, more: Record<string, string> = {}) {
    this.#client = new Client(app.url);
    this.#headers = { "x-user": String(user), ...more };
  }

  get(path: string): Promise<Response> {
    return this.#client.request(path, { headers: this.#headers });
  }
  async page(path: string): Promise<string> {
    return (await this.get(path)).text();
  }
  /** Sends the form of a page that leads to an address, as the browser does. */
  async send(path: string, action: string, fields: Record<string, string | File>): Promise<Response> {
    return this.sendForm(await this.page(path), action, fields);
  }
  /** As `send`, for a page that was opened before. */
  async sendForm(
    html: string,
    action: string,
    fields: Record<string, string | File>,
    more: Record<string, string> = {},
  ): Promise<Response> {
    const form = [...html.matchAll(/<form\b[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].find(
      ([, to]) => to === action,
    );
    if (!form) throw new Error(`there is no form for ${action}: ${html}`);
    const body = new FormData();
    for (const [, name, value] of form[2]!.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g))
      body.set(name!, value!);
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return this.#client.request(action, { method: "POST", body, headers: { ...this.#headers, ...more } });
  }
  /** Uploads a file; answers with the address of its import. @throws where it is refused */
  async upload(text: string | Uint8Array, name = "shipments.csv", at = list): Promise<string> {
    const answer = await this.offer(text, name, at);
    const location = answer.headers.get("location");
    if (location === null) throw new Error(`the file was refused: ${await problems(answer)}`);
    return location;
  }
  offer(text: string | Uint8Array, name = "shipments.csv", at = list): Promise<Response> {
    const file = new File([text as string], name, { type: "text/csv" });
    return this.send(`${at}/import`, `${at}/import`, { file });
  }
  /** Says what the columns are for, by their places. */
  map(url: string, columns: readonly string[], more: Record<string, string> = {}): Promise<Response> {
    const fields = Object.fromEntries(columns.map((name, index) => [`columns[c${index}]`, name]));
    return this.send(url, url, { ...fields, rows: "create", failing: "skip", ...more });
  }
  start(url: string): Promise<Response> {
    return this.send(`${url}/check`, `${url}/start`, {});
  }
  /** What is shown once the import has ended. */
  async ended(url: string, milliseconds = 20_000): Promise<string> {
    const until = performance.now() + milliseconds;
    while (performance.now() < until) {
      const html = await this.page(url);
      if (/Imported|Nothing was imported|Stopped|Cancelled/.test(statusOf(html))) return html;
      await sleep(25);
    }
    throw new Error("the import did not end");
  }
  /** All steps in one. */
  async import(text: string, columns: readonly string[], more: Record<string, string> = {}): Promise<string> {
    const url = await this.upload(text);
    const mapped = await this.map(url, columns, more);
    if (mapped.status !== 303 && mapped.status !== 302) throw new Error(await problems(mapped));
    await this.start(url);
    return this.ended(url);
  }
}

const problems = async (answer: Response): Promise<string> => {
  const html = await answer.text();
  return (
    /<div class="fw-error-summary".*?<\/div>\s*<\/div>/s.exec(html)?.[0] ?? `${answer.status} ${html.slice(0, 2000)}`
  );
};
export const statusOf = (html: string): string => /role="status"><p><strong>(.*?)<\/strong>/s.exec(html)?.[1] ?? "";
/** The counts of a page: new, changed, unchanged, with errors. */
export const countsOf = (html: string): number[] =>
  [...html.matchAll(/<dd>([\d,]+)<\/dd>/g)].map(([, count]) => Number(count!.replaceAll(",", "")));
/** What is wrong, as the table of a page has it, each in a sentence: `Row 3, Weight “many”: must be a whole number`. */
export const problemsOf = (html: string): string[] => {
  const [, table = ""] = /<table class="table fw-table fw-problems">(.*?)<\/table>/s.exec(html) ?? [];
  return [...table.matchAll(/<tr><th scope="row"[^>]*>(.*?)<\/th>(.*?)<\/tr>/gs)].map(([, number, rest]) => {
    const cells = [...rest!.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, text]) => decode(text!));
    const [column, value, reason] = cells;
    if (column === "") return `Row ${number}: ${reason}`;
    return `Row ${number}, ${column}${value!.startsWith("<span") ? "" : ` “${value}”`}: ${reason}`;
  });
};
const decode = (text: string): string =>
  text
    .replaceAll("&#39;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
