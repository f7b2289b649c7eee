import type { Finding } from "framewright/host";
import { type Database, type ModelInfo, PluginTable } from "framewright/plugins/database";
import type { Resources } from "framewright/plugins/resources";
import type { Scoping } from "framewright/plugins/scoping";
import { counterTable } from "./counters.ts";
import { errors } from "./errors.ts";
import { numberedOf } from "./numbered.ts";

interface Parts {
  readonly database: Database;
  readonly resources: Resources;
  readonly scoping: Scoping | undefined;
}

/** What `fw doctor` names of numbers. */
export async function examineNumbers({ database, resources, scoping }: Parts): Promise<Finding[]> {
  const models = database.models().filter(({ settled, class: cls }) => settled && numberedOf(cls).length > 0);
  if (models.length === 0) return [];
  const findings: Finding[] = [];
  if (!(await new PluginTable(database, counterTable, errors.FW_NUMBERS_TABLE).exists()))
    findings.push({ what: "numbers", ok: false, detail: errors.FW_NUMBERS_TABLE().message });
  for (const model of models) findings.push(...(await unnumbered(database, model)));
  const shared = scoping ? countedAcross(resources, scoping) : [];
  for (const detail of new Set(shared)) findings.push({ what: "numbers across tenants", ok: false, detail });
  return findings;
}

/** Rows that were stored before their model numbered them. */
async function unnumbered(database: Database, model: ModelInfo): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { column } of numberedOf(model.class)) {
    const [row] = (await database.knex(model.table).whereNull(column).orWhere(column, "").count({ rows: "*" })) as {
      rows: unknown;
    }[];
    const count = Number(row?.rows ?? 0);
    const detail =
      count === 0
        ? `each row of ${model.table} has a ${column}`
        : `${count} rows of ${model.table} have no ${column}: call kernel.service("numbers").numberExisting(${model.class.name}) in a seed or in fw console`;
    findings.push({ what: `numbers of ${model.constant}`, ok: count === 0, detail });
  }
  return findings;
}

/** Numbers that the tenants of a portal share: by the gaps people of one see how many records others have. */
function countedAcross({ registry }: Resources, scoping: Scoping): string[] {
  return registry.all().flatMap(({ owner, model }) => {
    const rule = scoping.ruleOf(owner);
    if (!rule || model === rule.entity) return [];
    const leading = [...model.associations.values()].filter(
      ({ kind, target }) => kind === "belongsTo" && scoping.leadsToTenant(target, rule),
    );
    const isWithin = (names: readonly string[]) =>
      leading.some(({ name, key }) => names.includes(name) || key.columns.every((column) => names.includes(column)));
    const shared = numberedOf(model.class).filter(
      ({ scope, hasScope }) => leading.length > 0 && !(hasScope && scope.length === 0) && !isWithin(scope),
    );
    return shared.map(
      ({ column }) =>
        `${model.constant} counts its ${column} across all of ${rule.entity.constant}: by the gaps people of one see how many records others have. Count within each, numbered("${column}", { scope: "${leading[0]!.name}" }); or say scope: [] where one counter is meant for all.`,
    );
  });
}
