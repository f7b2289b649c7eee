import { importFiles } from "../plugins/resources/import_app.ts";
import { openTenants } from "../plugins/scoping/tenants.ts";
import type { TestApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { edited } from "../support/fixtures.ts";
import { databaseOf } from "../support/shop.ts";

// Two tenants, whose people export, import and change very many shipments: a reference is unique within a tenant, one
// shipment in fifty is locked, each belongs to a person and a category.

export const LIST = "/customer/1/shipments";

const model = "app/models/shipment.ts";
const definition = "app/definitions/shipment_definition.ts";
const policy = "app/policies/shipment_policy.ts";
const config = "plugins.config.ts";

const growthFiles: Record<string, string> = {
  ...importFiles,
  [model]: edited(importFiles, model, [/ {2}override async \$afterInsert.*?\n {2}\}\n(?=\}|$)/s, ""]),
  // With GROWTH_RECORDS its records are read as instances of their model.
  "packages/customer_portal/app/controllers/customer_portal/shipments_controller.ts": `import ResourceController from "./resource_controller.ts";
export default class ShipmentsController extends ResourceController {${
    process.env.GROWTH_RECORDS ? " override policyFor(record?: never) { return super.policyFor(record); }" : ""
  }}`,
  "app/interactions/pack_shipments.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
export default class PackShipments extends Interaction {
  async execute() {
    await this.record.$query(this.transaction).patch({ status: "packed" } as never);
    return succeed(this.record);
  }
}`,
  [policy]: edited(importFiles, policy, [' !== "LOCKED"', '?.startsWith("LOCKED") !== true']),
  [definition]: edited(
    importFiles,
    definition,
    ["import {", 'import PackShipments from "../interactions/pack_shipments.ts";\nimport {'],
    [
      "super.configure();",
      'super.configure(); this.action("pack", { interaction: PackShipments, bulk: true, policy: "update", confirmation: false });',
    ],
  ),
  [config]: edited(
    importFiles,
    config,
    ["jobs({ lease: 1500, poll: 100 })", "jobs({ poll: 50 })"],
    ["backgroundRuns({ lease: 1500 })", "backgroundRuns()"],
  ),
};

export interface GrowthApp {
  readonly app: TestApp;
  close(): Promise<void>;
}

/** The application on a database of a kind, with so many shipments of the first tenant. */
export async function openGrowth(name: string, rows: number): Promise<GrowthApp> {
  const database = (await databases()).find((one) => one.name === name);
  if (!database || database.skip !== undefined) throw new Error(`${name} can't be used: ${database?.skip}`);
  const app = await openTenants(growthFiles, await database.values());
  const { knex } = databaseOf(app.application);
  for (let first = 1; first <= rows; first += AT_ONCE)
    await knex.raw(filling(fillings[name]!(first, Math.min(rows, first + AT_ONCE - 1))));
  return {
    app,
    async close() {
      await app.close();
      await database.clean();
    },
  };
}

/** What the statement that inserts shipments has of each database. */
interface Filling {
  /** Before the select. */
  readonly begin?: string;
  /** A table of numbers, from 1 on, in the column n. */
  readonly numbers: string;
  readonly join?: (parts: readonly string[]) => string;
  readonly day?: string;
  readonly time?: string;
}
const fillings: Readonly<Record<string, (first: number, last: number) => Filling>> = {
  sqlite: (first, last) => ({
    begin: `with recursive numbers(n) as (select ${first} union all select n + 1 from numbers limit ${last - first + 1})`,
    numbers: "numbers",
  }),
  mysql: (first, last) => ({
    numbers: `(select seq as n from seq_${first}_to_${last}) numbers`,
    join: (parts) => `concat(${parts.join(", ")})`,
  }),
  postgres: (first, last) => ({
    numbers: `generate_series(${first}, ${last}) numbers(n)`,
    day: "date ",
    time: "timestamp ",
  }),
};
/** How many a statement inserts: a server ends what takes long. */
const AT_ONCE = 50_000;

/** A statement that inserts shipments: millions of them would take an hour from here. */
function filling({ begin = "", numbers, join = (parts) => parts.join(" || "), day = "", time = "" }: Filling): string {
  const reference = `case when n % 50 = 0 then ${join(["'LOCKED '", "n"])} else ${join(["'S-'", "n"])} end`;
  const note = join(["'The note of shipment '", "n", `'; it has "marks", and goes on.'`]);
  const at = `${time}'2026-03-01 10:00:00.000'`;
  return `insert into shipments (organization_id, author_id, category_id, reference, note, carrier, status, contact_email,
    weight, fee_cents, fragile, due_on, sent_at, created_at, updated_at)
    ${begin} select 1, 1, 1, ${reference}, ${note}, 'Post', 'draft', ${join(["'p'", "n", "'@example.test'"])},
    n % 900, n % 10000, n % 2 = 0, ${day}'2026-03-01', ${at}, ${at}, ${at} from ${numbers}`;
}

/** A file of new shipments, one in fifty with a weight that is refused. */
export const importedFile = (rows: number): string =>
  `Reference,Note,Carrier,Contact email,Status,Weight,Fragile,Due on,Author,Category\n${Array.from({ length: rows }, (_, at) => `N-${at},"The note of ${at}",Post,n${at}@example.test,draft,${at % 50 === 0 ? 2000 : at % 900},yes,2026-03-01,1,1`).join("\n")}\n`;
export const importedColumns = [
  ...["reference", "note", "carrier", "contact_email", "status", "weight", "fragile", "due_on", "author", "category"],
];
