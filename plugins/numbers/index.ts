import { assumedZone, type Finding } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { Database, ModelInfo } from "framewright/plugins/database";
import type {} from "framewright/plugins/resources";
import { assignNumber, scopeColumns } from "./assign.ts";
import { errors } from "./errors.ts";
import { numberExisting } from "./number_existing.ts";
import { numberField } from "./number_field.ts";
import { NumberedColumn, numberedOf } from "./numbered.ts";

export { NumberedColumn, type NumberedOptions, numbered } from "./numbered.ts";

declare module "framewright/kernel" {
  interface Slots {
    numbers: { service: Numbers };
  }
}

/** The service of the slot "numbers". */
export interface Numbers {
  /** Numbers the rows of a model that have no number, the oldest first, each in the year of its `created_at`; resolves with how many. */
  numberExisting(model: Function): Promise<number>;
}

/** Numbers of records within a scope, without gaps: `static numbers = numbered("number", { … })` of a model. */
export function numbers(): Plugin {
  return definePlugin({
    name: "numbers",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "resources"],
    provides: "numbers",
    apply({ services: { database }, hooks, settings }) {
      const zone = assumedZone(settings.timeZone);
      hooks.database.creating.for(NumberedColumn as never).tapPromise("numbers", async (creation) => {
        for (const numbered of numberedOf(creation.model.class)) await assignNumber(numbered, creation, { zone });
      });
      hooks.resources.define.tap("numbers", (definition, { model }) => {
        for (const numbered of numberedOf(model.class)) {
          checkColumn(model, numbered);
          definition.handle(numbered.column, numberField);
        }
      });
      hooks.host.examine.tapPromise("numbers", async (findings) => void findings.push(...(await unnumbered(database))));
      return {
        numberExisting: (model) => database.transaction((transaction) => numberExisting(model, transaction, zone)),
      };
    },
  });
}

/** @throws FW_NUMBERS_COLUMN, FW_NUMBERS_SCOPE */
function checkColumn(model: ModelInfo, numbered: NumberedColumn): void {
  if (!model.settled) return;
  const type = model.columns.get(numbered.column)?.type;
  if (type !== "string" && type !== "text") throw errors.FW_NUMBERS_COLUMN(model.constant, numbered.column);
  scopeColumns(numbered, model);
}

/** Rows that were stored before their model numbered them. */
async function unnumbered(database: Database): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const model of database.models())
    for (const { column } of model.settled ? numberedOf(model.class) : []) {
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
