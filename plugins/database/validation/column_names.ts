import type { ModelInfo } from "../models/model_info.ts";
import type { Rules } from "./declared_rules.ts";

/** The field that people know a column by: the association for a foreign key, the amount for cents. */
export function fieldOf(info: ModelInfo, column: string): string {
  const money = Object.entries(info.money).find(([, cents]) => cents === column);
  return money?.[0] ?? belongsToOf(info, column)?.name ?? column;
}

/** The association that has a column of its model: by itself, else with others together. */
export function belongsToOf(info: ModelInfo, column: string): { name: string } | undefined {
  const polymorphic = [...info.polymorphic.values()].find(
    ({ keyColumn, typeColumn }) => keyColumn === column || typeColumn === column,
  );
  return polymorphic ?? info.referencesBy(column)[0];
}

/** The columns that no two records may share: the attribute's own first, then those of its scope. */
export function uniqueColumns(info: ModelInfo, name: string, rule: NonNullable<Rules["uniqueness"]>): string[] {
  const scope = typeof rule === "object" ? [rule.scope ?? []].flat() : [];
  return [name, ...scope].flatMap((one) => info.columnsOf(one));
}
