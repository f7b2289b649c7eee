import type { BaseController } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { hiddenColumns } from "./hidden_columns.ts";

/**
 * What is shown below the name of a record that may be chosen: what its definition in this portal names, of the columns that the
 * person may read. Undefined where nothing is left.
 */
export function choiceLine(controller: BaseController, record: BaseModel): string | undefined {
  const { registry } = controller.request.kernel.service("resources");
  const registration = registry.nearest(controller.request.engine?.name, ModelInfo.ofRecord(record));
  const columns = registration?.definition.choiceColumns ?? [];
  if (!registration || columns.length === 0) return undefined;
  const hidden = hiddenColumns(controller, registration);
  const values = columns.filter((name) => !hidden.has(name)).map((name) => Reflect.get(record, name));
  const texts = values.filter((value) => typeof value === "number" || (typeof value === "string" && value !== ""));
  return texts.length > 0 ? texts.join(" · ") : undefined;
}
