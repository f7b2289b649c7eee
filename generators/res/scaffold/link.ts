import { suggest } from "framewright/kernel";
import { usage } from "../../errors.ts";
import type { ApplicationFiles } from "../../support/application.ts";
import { camelize, moduleOf, tableize } from "../../support/names.ts";
import type { Linkable } from "./code.ts";
import type { Field } from "./fields.ts";
import { type KeyField, keyOfTable } from "./keys.ts";

/** Finds the target model of a belongs_to, in the own module of the class `constant` first; `key` is that of the class's own table. @throws FW_ASSOCIATION_TARGET */
export function link(field: Field, constant: string, app: ApplicationFiles, key?: KeyField): Linkable {
  if (field.type !== "belongs_to") return field;
  const known = [...app.models().map((model) => model.constant), constant];
  const module = moduleOf(constant);
  const convention = camelize(field.name);
  const nearest = module === "" ? [] : [`${module}::${field.target}`];
  const found = [...nearest, field.target].find((candidate) => known.includes(candidate));
  if (found === undefined) {
    const meant = suggest(field.target, known) ?? known.find((other) => other.endsWith(`::${field.target}`));
    throw usage.FW_ASSOCIATION_TARGET(`${field.name}:belongs_to`, field.target, meant);
  }
  const isConventional =
    [...(module === "" ? [] : [`${module}::${convention}`]), convention].find((name) => known.includes(name)) === found;
  const table = tableize(found);
  const targetKey = found === constant && key ? key : keyOfTable(app, table);
  return { ...field, class: isConventional ? undefined : found, table, key: targetKey };
}
