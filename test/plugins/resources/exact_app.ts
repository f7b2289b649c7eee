import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { formsOf } from "../../testing/client.ts";
import { openTenants } from "../scoping/tenants.ts";
import { Person } from "./fields_app.ts";
import { importFiles } from "./import_app.ts";

// Samples with a column of every type, which are written by a form, as JSON, by an import, a cell, an interaction and a wizard.

const wizards = readFileSync(join(import.meta.dirname, "../../../plugins/wizards/schema.liquid"), "utf8");
const deletions = readFileSync(join(import.meta.dirname, "../../../plugins/undo/schema.liquid"), "utf8");
const routes = "packages/customer_portal/config/routes.ts";

/** The columns that are written, each with the type of its field. */
export const columns = {
  ...{ line: "string", area: "text", small: "integer", big: "bigint", exact: "decimal", wide: "decimal" },
  ...{ whole: "decimal", ratio: "float", flag: "boolean", day: "date", at: "datetime", clock: "time" },
  ...{ document: "json", stamp: "uuid", price: "money", tint: "color" },
} as const;
export type Column = keyof typeof columns;
const names = Object.keys(columns)
  .map((name) => `"${name}"`)
  .join(", ");
const inputs = Object.entries(columns)
  .map(([name, type]) => `${name}: { as: "${type}" }`)
  .join(", ");
const fields = Object.entries(columns)
  .map(([name, type]) => `.${type}("${name}")`)
  .join("");

export const samples = "/customer/1/samples";

const files: Record<string, string> = {
  ...importFiles,
  "db/migrate/20260401000000_create_samples.ts": `export async function up(db) {
${wizards}${deletions}
  await db.createTable("samples", (t) => {
    t.id(); t.string("label"); t.string("line"); t.text("area"); t.integer("small"); t.bigint("big"); t.decimal("exact", 12, 3);
    t.decimal("wide", 30, 10); t.decimal("whole", 19, 0); t.float("ratio"); t.boolean("flag"); t.date("day"); t.datetime("at"); t.time("clock");
    t.json("document"); t.uuid("stamp"); t.money("price"); t.string("tint");
    t.belongsTo("organization", { null: false }); t.integer("lock_version").notNull().default(0); t.timestamps();
  });
}
export async function down(db) {}
`,
  "app/models/sample.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Sample extends Model("samples" as never) {
  static override associations = { organization: belongsTo() };
  static override money = { price: "price_cents" };
  static override validations = { label: { uniqueness: true } };
}`,
  "app/policies/sample_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class SamplePolicy extends Policy {
  override canRead() { return true; }
  override canCreate() { return true; }
  override canExport() { return true; }
  override canImport() { return true; }
  canDuplicate() { return true; }
  canFill() { return true; }
  canEnter() { return true; }
  override permittedAttributesForCreate() { return ["label", ${names}]; }
  override permittedAttributesForRead() { return ["label", ${names}]; }
}`,
  "app/definitions/sample_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
import EnterWizard from "../wizards/enter_wizard.ts";
import FillSample from "../interactions/fill_sample.ts";
export default class SampleDefinition extends ResourceDefinition {
  override configure() {
    super.configure();
    for (const name of [${names}]) { this.column(name, { edit: true }); }
    this.field("tint", { as: "color" });
    this.search((query, term) => query.where("label", term));
    for (const name of ["label", "small", "big", "exact", "wide", "whole", "ratio", "flag", "day", "at", "price", "line"]) { this.filter(name); this.sort(name); }
    for (const name of ["small", "big", "exact", "wide", "whole", "price"]) this.column(name, { total: "sum", edit: true });
    for (const as of ["date", "boolean", "text", "select"]) this.filter("own_" + as, { as, choices: as === "select" ? ["a"] : undefined, apply: (query, value) => query.where("label", new Date(as === "date" ? value : 0).toISOString()) });
    this.filter("between", { inputs: { from: { as: "date" } }, apply: (query, { from }) => query.where("label", new Date(from).toISOString()) });
    this.action("duplicate");
    this.action("fill", { interaction: FillSample });
    this.wizard("enter", EnterWizard);
  }
}`,
  "app/interactions/fill_sample.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
export default class FillSample extends Interaction {
  static override attributes = { ${inputs} };
  async execute() {
    const values = Object.fromEntries(Object.entries(this.values).filter(([, value]) => value !== null));
    await this.record.$query(this.transaction).patch(values as never);
    return succeed(this.record);
  }
}`,
  "app/wizards/enter_wizard.ts": `import { anchored, steps, succeed, Wizard } from "framewright/plugins/wizards";
import Sample from "#app/models/sample.ts";
const flow = steps().step("values", {}, (f) => f${fields}).review();
export default class EnterWizard extends Wizard(flow, { anchored: anchored({ with: Sample }) }) {
  async execute() {
    const values = Object.fromEntries(Object.entries(this.data.values).filter(([, value]) => value !== null && value !== undefined));
    await this.anchor.$query(this.transaction).patch(values as never);
    return succeed(this.anchor);
  }
}`,
  "plugins.config.ts": edited(
    importFiles,
    "plugins.config.ts",
    [
      'import { storage } from "framewright/plugins/storage";',
      'import { storage } from "framewright/plugins/storage";\nimport { undo } from "framewright/plugins/undo";\nimport { wizards } from "framewright/plugins/wizards";',
    ],
    ["  resources(),", "  wizards(),\n  undo(),\n  resources(),"],
  ),
  [routes]: edited(
    importFiles,
    routes,
    [
      'import User from "#app/models/user.ts";',
      'import Sample from "#app/models/sample.ts";\nimport User from "#app/models/user.ts";',
    ],
    ["Category, Shipment]", "Category, Shipment, Sample]"],
  ),
};

type Values = Readonly<Record<string, unknown>>;
/** What became of values: the record's address, or the names of what was refused. */
export type Outcome = { readonly path: string } | { readonly refused: readonly string[] };

/** Writes and reads samples by every means that people and programs have. */
export class Samples {
  readonly app: TestApp;
  readonly #ann: Person;

  constructor(app: TestApp) {
    this.app = app;
    this.#ann = new Person(app.url, 1);
  }
  static async open(values: Record<string, string>): Promise<Samples> {
    return new Samples(await openTenants(files, values));
  }

  async json(path: string, body?: object, method = body ? "POST" : "GET") {
    const headers = { accept: "application/json", "content-type": "application/json", "x-user": "1" };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    const answer = await this.app.request(path, init);
    const text = await answer.text();
    const parsed = (text.startsWith("{") ? JSON.parse(text) : {}) as { data: Values; errors?: Record<string, unknown> };
    return { status: answer.status, text, ...parsed };
  }
  page(path: string): Promise<string> {
    return this.#ann.page(path);
  }
  /** Opens a form and sends it with these fields over what it has. */
  async submit(path: string, fields: Record<string, string>, match?: RegExp) {
    const answer = await this.#ann.submit(path, fields, match);
    return { status: answer.status, html: await answer.text(), to: answer.headers.get("location") ?? "" };
  }
  async get(path: string): Promise<Response> {
    return this.#ann.request(path);
  }

  async create(sample: Values = {}): Promise<Outcome> {
    return this.#outcome(await this.json(samples, { sample }), (data) => `${samples}/${data.id}`);
  }
  async byJson(path: string, sample: Values): Promise<Outcome> {
    return this.#outcome(await this.json(path, { sample }, "PATCH"), () => path);
  }
  async byForm(path: string, sample: Values): Promise<Outcome> {
    return this.#sent(await this.submit(`${path}/edit`, typed("sample", sample)), path);
  }
  async byNewForm(_: string, sample: Values): Promise<Outcome> {
    const sent = await this.submit(`${samples}/new`, typed("sample", sample));
    return this.#sent(sent, sent.to);
  }
  /** One after the other: a cell is a form of its own. */
  async byCells(path: string, sample: Values): Promise<Outcome> {
    const refused: string[] = [];
    for (const [name, value] of Object.entries(sample)) {
      const sent = await this.submit(`${path}/cells/${name}`, typed("sample", { [name]: value }));
      if (sent.status === 422) refused.push(name);
      else if (sent.status >= 400) throw new Error(`${sent.status}: ${sent.html}`);
    }
    return refused.length > 0 ? { refused } : { path };
  }
  async byInteraction(path: string, interaction: Values): Promise<Outcome> {
    return this.#outcome(await this.json(`${path}/actions/fill`, { interaction }), () => path);
  }
  async byWizard(path: string, sample: Values): Promise<Outcome> {
    const launched = await this.#ann.request(`${path}/wizards/enter`);
    const step = launched.headers.get("location")!;
    const nothing = Object.fromEntries(Object.keys(columns).map((name) => [name, ""]));
    const sent = await this.submit(step, typed("wizard", { ...nothing, ...sample }));
    if (sent.status === 422) return { refused: refusedIn(sent.html, "wizard") };
    const done = await this.submit(sent.to, {});
    if (done.status === 422) return { refused: refusedIn(done.html, "wizard") };
    if (done.status >= 400) throw new Error(`${done.status}: ${done.html}`);
    return { path };
  }
  async byImport(path: string, sample: Values): Promise<Outcome> {
    const entries = Object.entries(sample);
    const cells = [path.split("/").at(-1)!, ...entries.map(([, value]) => String(value ?? ""))];
    const line = (texts: readonly string[]) => texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(",");
    const refused = await this.#import(`${line(["id", ...entries.map(([name]) => name)])}\r\n${line(cells)}\r\n`);
    return refused ? { refused } : { path };
  }
  /** Imports a file whose first column is the id; returns the columns that were refused. */
  async #import(csv: string): Promise<string[] | undefined> {
    const body = new FormData();
    body.set("file", new File([csv], "samples.csv", { type: "text/csv" }));
    for (const [name, value] of Object.entries({ rows: "update:id", failing: "skip" })) body.set(name, value);
    const [, token] = /name="authenticity_token" value="([^"]*)"/.exec(await this.page(`${samples}/import`))!;
    body.set("authenticity_token", token!);
    const init = { method: "POST", body, headers: { accept: "application/json" } };
    const sent = await this.#ann.request(`${samples}/import`, init);
    const at = sent.headers.get("location");
    if (at === null) throw new Error(`${sent.status}: ${await sent.text()}`);
    for (;;) {
      const { data } = await this.json(at);
      if (data.state === "finished" || data.state === "done" || data.state === "stopped")
        return data.failed === 0 ? undefined : failedIn(data);
      await sleep(15);
    }
  }

  /** Deletes a record and undoes it, with the buttons that pages have. */
  async destroyAndUndo(path: string): Promise<void> {
    const gone = await this.submit(`${path}/actions/destroy`, {}, new RegExp(`action="${path}"`));
    const list = await this.page(gone.to);
    const [, action, undo] = /<form\b[^>]*action="([^"]*\/undo)".*?name="authenticity_token" value="([^"]*)"/s.exec(
      list,
    )!;
    const back = await this.#ann.request(action!, {
      method: "POST",
      body: new URLSearchParams({ authenticity_token: undo! }),
    });
    if (back.status >= 400) throw new Error(`${back.status}: ${await back.text()}`);
  }
  /** Exports the list of one record, empties the record, and imports the file. */
  async importExport(path: string): Promise<void> {
    const csv = await (await this.get(`${samples}/export.csv`)).text();
    const { data } = await this.json(path);
    const empty = Object.fromEntries(Object.keys(columns).map((name) => [name, null]));
    await this.json(path, { sample: { ...empty, label: data.label } }, "PATCH");
    const [head, ...rows] = csv
      .replace(/^\ufeff/, "")
      .trimEnd()
      .split("\r\n");
    const file = [`Id,${head}`, `${path.split("/").at(-1)},${rows.join("\r\n")}`].join("\r\n");
    const outcome = await this.#import(file);
    if (outcome) throw new Error(`refused: ${outcome.join()}`);
  }

  /** What a record's page gives to programs. */
  async read(path: string): Promise<Values> {
    return (await this.json(path)).data;
  }
  /** What the inputs of a form have. */
  async form(path: string): Promise<Record<string, string>> {
    const { fields } = formsOf(await this.page(path)).find(({ fields }) => "sample[line]" in fields)!;
    return Object.fromEntries(
      Object.entries(fields).flatMap(([name, { value }]) => {
        const key = /^sample\[(\w+)\]$/.exec(name)?.[1];
        return key === undefined ? [] : [[key, value]];
      }),
    );
  }
  async close(): Promise<void> {
    await this.app.close();
  }

  #outcome({ status, data, errors, text }: Awaited<ReturnType<Samples["json"]>>, pathOf: (data: Values) => string) {
    if (status === 422) return { refused: Object.keys(errors ?? {}) };
    if (status >= 400) throw new Error(`${status}: ${text}`);
    return { path: pathOf(data) };
  }
  #sent({ status, html }: { status: number; html: string }, path: string): Outcome {
    if (status === 422) return { refused: refusedIn(html, "sample") };
    if (status >= 400) throw new Error(`${status}: ${html}`);
    return { path };
  }
}

const typed = (key: string, sample: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(sample).map(([name, value]) => [`${key}[${name}]`, String(value ?? "")]));
/** The fields that have an error below them. */
const refusedIn = (html: string, key: string): string[] => [
  ...new Set([...html.matchAll(new RegExp(`id="${key}_(\\w+?)_errors"`, "g"))].map(([, name]) => name!)),
];
const failedIn = (data: Values): string[] =>
  (data.failures as { problems: { column: string | null }[] }[]).flatMap(({ problems }) =>
    problems.map(({ column }) => column ?? "base"),
  );
