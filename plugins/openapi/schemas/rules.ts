import type { Rules } from "framewright/plugins/database";
import type { Schema } from "../contract.ts";

/** The rules of a value in a schema's keywords; rules that no keyword has are left to the server. */
export function ruleKeywords(rules: Rules, { type }: Schema): Schema {
  const types: readonly unknown[] = [type].flat();
  return {
    ...(types.includes("string") ? textKeywords(rules) : {}),
    ...(types.includes("integer") || types.includes("number") ? numberKeywords(rules) : {}),
  };
}

function textKeywords({ length, format, presence }: Rules): Schema {
  const { minimum = presence ? 1 : undefined, maximum, is } = length ?? {};
  const source = format && format.with.flags === "" ? format.with.source : undefined;
  return defined({ minLength: is ?? minimum, maxLength: is ?? maximum, pattern: source });
}

function numberKeywords({ numericality }: Rules): Schema {
  if (typeof numericality !== "object") return {};
  const { greaterThan, greaterThanOrEqualTo, lessThan, lessThanOrEqualTo } = numericality;
  return defined({
    minimum: greaterThanOrEqualTo,
    exclusiveMinimum: greaterThan,
    maximum: lessThanOrEqualTo,
    exclusiveMaximum: lessThan,
  });
}

/** Without what is undefined. */
export const defined = (values: Schema): Schema =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
