import type { Transaction } from "objection";
import type { ModelInfo, PolymorphicInfo } from "../models/model_info.ts";
import type { KeyValue } from "../models/record_key.ts";
import { isExpression } from "../models/row_format.ts";
import { whereInUse } from "../models/row_mark.ts";

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
    const found = await whereInUse(transaction(target.table), target)
      .where(target.primaryKey, key as number)
      .first(target.primaryKey);
    if (!found) dead.push(name);
  }
  return dead;
}

/** Whether records refer to some that can be out of use. */
export function refersToMarked({ associations }: ModelInfo): boolean {
  for (const { kind, target } of associations.values()) if (target.mark && kind === "belongsTo") return true;
  return false;
}

/** The associations that are written and lead to a record that is out of use, which no foreign key refuses. */
export async function unusedReferences(
  { associations }: ModelInfo,
  values: Values,
  transaction: Transaction,
): Promise<string[]> {
  const unused: string[] = [];
  for (const { name, kind, through, target, key } of associations.values()) {
    if (!target.mark || kind !== "belongsTo" || through !== undefined) continue;
    const written = key.columns.map((column) => values[column]);
    if (written.some((value) => isNothing(value) || isExpression(value))) continue;
    const { column } = target.mark;
    const own = target.key.where(transaction(target.table), key.of(values) as KeyValue);
    const found = (await own.forShare().first(column)) as Values | undefined; // whoever takes it out of use waits
    if (found && !isNothing(found[column])) unused.push(name);
  }
  return unused;
}
