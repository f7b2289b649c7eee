import { suggest } from "framewright/kernel";
import type { ColumnInfo } from "../drivers/columns.ts";
import { errors } from "../errors.ts";
import { problem } from "../validation/messages.ts";
import type { Problem } from "../validation/validation_error.ts";
import type { ModelInfo } from "./model_info.ts";
import type { SlugOptions } from "./slug.ts";

/** The last segments of the routes that every resource may have. */
export const reservedParams = ["new", "edit", "actions", "typeahead", "wizards", "background_runs"] as const;

const types = ["string", "uuid", "integer", "bigint"];

/** @throws FW_PARAM_KEY unless the column can name a record in addresses, FW_SLUG */
export function checkParamKey(info: ModelInfo): void {
  const { class: cls, columns, constant, slugScope } = info;
  const { paramKey } = info;
  if (cls.slug) checkSlug(info, cls.slug);
  if (paramKey === info.primaryKey) return;
  const column = columns.get(paramKey);
  const refuse = (why: string) => errors.FW_PARAM_KEY(constant, paramKey, cls.tableName, why);
  if (!column) throw errors.FW_MODEL_SHAPE(constant, "paramKey", paramKey, suggest(paramKey, columns.keys()));
  if (!types.includes(column.type)) throw refuse(`is of the type ${column.type}`);
  if (info.encrypted.has(paramKey)) throw refuse("is encrypted, and addresses stand in logs");
  if (!isUnique(info, column)) throw errors.FW_PARAM_UNIQUE(constant, paramKey, cls.tableName, slugScope);
}

function isUnique({ uniques, slugScope, paramKey }: ModelInfo, column: ColumnInfo): boolean {
  const wanted = [paramKey, ...slugScope].sort().join();
  return column.unique || uniques.some(({ columns }) => [...columns].sort().join() === wanted);
}

const slugOptions = ["from", "scope", "onUpdate", "history"];

/** @throws FW_SLUG */
function checkSlug(info: ModelInfo, options: SlugOptions): void {
  const { constant, columns, slugScope, class: cls, paramKey } = info;
  const unknown = Object.keys(options).find((name) => !slugOptions.includes(name));
  if (unknown !== undefined) throw errors.FW_SLUG(constant, `has an option "${unknown}", which there is not`);
  if (paramKey === info.primaryKey) throw errors.FW_SLUG(constant, "has no column to fill");
  if (info.encrypted.has(options.from))
    throw errors.FW_SLUG(constant, `would show "${options.from}", which is encrypted`);
  if (columns.get(paramKey)?.type !== "string")
    throw errors.FW_SLUG(constant, `fills "${paramKey}", which is no string`);
  if (!columns.has(options.from) && !(options.from in cls.prototype))
    throw errors.FW_SLUG(constant, `is made from "${options.from}", which the model does not have`);
  const column = slugScope.find((name) => !columns.has(name));
  if (column !== undefined) throw errors.FW_SLUG(constant, `has the scope "${column}", which is no column`);
}

/** A rule for the values that name records of a model in addresses. Generated slugs follow it, too. */
export interface ParamRule {
  readonly maxLength: number;
  /** What is wrong with a value. */
  problem(value: string): Problem | undefined;
}

/** Why a value can't be in an address. It must mean the same in every path, on every database. */
export function paramProblem(
  { type }: ColumnInfo,
  value: unknown,
  { reservedParams, paramRules }: Pick<ModelInfo, "reservedParams" | "paramRules">,
): Problem | undefined {
  if (type !== "string" || typeof value !== "string" || value === "") return undefined;
  if (!/^[\w-]*$/.test(value)) return problem("not_a_param");
  if (reservedParams.has(value.toLowerCase())) return problem("exclusion");
  for (const rule of paramRules) {
    const found = rule.problem(value);
    if (found) return found;
  }
  return undefined;
}
