import { assumedZone } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { Database, ModelInfo } from "framewright/plugins/database";
import type {} from "framewright/plugins/resources";
import type {} from "framewright/plugins/scoping";
import { assignNumber, scopeColumns } from "./assign.ts";
import { errors } from "./errors.ts";
import { examineNumbers } from "./examine.ts";
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
    uses: ["scoping"],
    provides: "numbers",
    apply({ services: { database, resources, scoping }, hooks, settings }) {
      const place = { zone: assumedZone(settings.timeZone), besides: () => database.besides };
      hooks.database.creating.for(NumberedColumn as never).tapPromise("numbers", async (creation) => {
        for (const numbered of numberedOf(creation.model.class)) await assignNumber(numbered, creation, place);
      });
      hooks.resources.define.tap("numbers", (definition, { model }) => {
        for (const numbered of numberedOf(model.class)) {
          checkColumn(model, numbered);
          definition.handle(numbered.column, numberField);
        }
      });
      hooks.kernel.ready.tap("numbers", () => {
        for (const model of database.models())
          for (const numbered of numberedOf(model.class)) checkConnections(database, model, numbered);
      });
      hooks.host.examine.tapPromise("numbers", async (findings) => {
        findings.push(...(await examineNumbers({ database, resources, scoping })));
      });
      return {
        numberExisting: (model) => database.transaction((transaction) => numberExisting(model, transaction, place)),
      };
    },
  });
}

/** @throws FW_NUMBERS_ONE_CONNECTION */
function checkConnections({ driver }: Database, { constant }: ModelInfo, { column, mayHaveGaps }: NumberedColumn) {
  if (mayHaveGaps && driver.hasOneConnection) throw errors.FW_NUMBERS_ONE_CONNECTION(constant, column, driver.name);
}

/** @throws FW_NUMBERS_COLUMN, FW_NUMBERS_SCOPE */
function checkColumn(model: ModelInfo, numbered: NumberedColumn): void {
  if (!model.settled) return;
  const type = model.columns.get(numbered.column)?.type;
  if (type !== "string" && type !== "text") throw errors.FW_NUMBERS_COLUMN(model.constant, numbered.column);
  scopeColumns(numbered, model);
}
