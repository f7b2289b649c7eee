import { suggest } from "framewright/kernel";
import type { ColumnInfo } from "../drivers/columns.ts";
import { errors } from "../errors.ts";
import { problem } from "../validation/messages.ts";
import type { Problem } from "../validation/validation_error.ts";
import type { ModelInfo } from "./model_info.ts";

/** The last segments of the routes that every resource may have. */
export const reservedParams = ["new", "edit", "actions", "typeahead", "wizards", "background_runs"] as const;

const types = ["string", "uuid", "integer", "bigint"];

/** @throws FW_PARAM_KEY unless the column can name a record in addresses */
export function checkParamKey({ class: cls, columns, constant }: ModelInfo): void {
  const { paramKey } = cls;
  if (paramKey === "id") return;
  const column = columns.get(paramKey);
  const refuse = (why: string) => errors.FW_PARAM_KEY(constant, paramKey, cls.tableName, why);
  if (!column) throw errors.FW_MODEL_SHAPE(constant, "paramKey", paramKey, suggest(paramKey, columns.keys()));
  if (!types.includes(column.type)) throw refuse(`is of the type ${column.type}`);
  if (!column.unique) throw refuse("is not unique");
}

/** Why a value can't stand in an address. It must mean the same in every path, on every database. */
export function paramProblem({ type }: ColumnInfo, value: unknown, reserved: ReadonlySet<string>): Problem | undefined {
  if (type !== "string" || typeof value !== "string") return undefined;
  if (!/^[\w-]*$/.test(value)) return problem("not_a_param");
  return reserved.has(value.toLowerCase()) ? problem("exclusion") : undefined;
}
