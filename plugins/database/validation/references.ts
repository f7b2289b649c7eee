import type { Transaction } from "objection";
import type { ModelInfo, PolymorphicInfo } from "../models/model_info.ts";
import { isExpression } from "../models/row_format.ts";

type Values = Readonly<Record<string, unknown>>;
const isNothing = (value: unknown): boolean => value === null || value === undefined;

/** The polymorphic associations of which only half is written: a key without its model, or a model without its key. */
export function halfReferences({ polymorphic }: ModelInfo, values: Values, what: "insert" | "update"): string[] {
  const half = ({ typeColumn, keyColumn }: PolymorphicInfo): boolean => {
    const [type, key] = [values[typeColumn], values[keyColumn]];
    return isNothing(type) !== isNothing(key) || (what === "update" && (type === undefined) !== (key === undefined));
  };
  return [...polymorphic.values()].filter(half).map(({ name }) => name);
}

/** The polymorphic associations that are written and lead to no record, which no foreign key would refuse. */
export async function deadReferences(
  { polymorphic }: ModelInfo,
  values: Values,
  transaction: Transaction,
): Promise<string[]> {
  const dead: string[] = [];
  for (const { name, typeColumn, keyColumn, targets } of polymorphic.values()) {
    const [type, key] = [values[typeColumn], values[keyColumn]];
    const target = targets.get(String(type));
    if (!target || isNothing(key) || isExpression(key)) continue;
    const found = await transaction(target.table)
      .where(target.primaryKey, key as number)
      .first(target.primaryKey);
    if (!found) dead.push(name);
  }
  return dead;
}
