import { type ApplicationFiles, usage } from "framewright/generators";
import { camelize, moduleOf, tableize } from "framewright/host/inflection";
import { suggest } from "framewright/kernel";
import type { Linkable } from "./code.ts";
import type { Field } from "./field.ts";
import { type KeyField, keyOfTable } from "./keys.ts";

/** Where a field is added: the class, and the key of its own table. */
interface LinkPlace {
  constant: string;
  app: ApplicationFiles;
  key: KeyField | undefined;
}

/**
 * Finds the models that a field refers to, in the own module of the class `constant` first; `key` is that of the class's own table.
 * @throws FW_ASSOCIATION_TARGET, FW_FIELD_SHAPE
 */
export function link(field: Field, constant: string, app: ApplicationFiles, key?: KeyField): Linkable {
  const place = { constant, app, key };
  if (field.type === "polymorphic") return linkSeveral(field, place);
  if (field.type !== "belongs_to") return field;
  const found = targetOf(field.name, field.target, place);
  const convention = camelize(field.name);
  const isConventional = candidates(constant, convention).find((name) => modelsOf(place).includes(name)) === found;
  return { ...field, class: isConventional ? undefined : found, ...tableOf(found, place) };
}

/** As `link`, of a polymorphic association; the keys of its models must be of one kind. */
function linkSeveral(field: Field, place: LinkPlace): Linkable {
  const { name, targets = [] } = field;
  const classes = targets.map((target) => targetOf(name, target, place, "polymorphic"));
  const [first, ...others] = classes.map((found) => tableOf(found, place).key);
  if (others.some((other) => other?.type !== first?.type))
    throw usage.FW_FIELD_SHAPE(
      `${name}:polymorphic{${targets.join(",")}}`,
      "the ids of these models are of different kinds, and one column holds them",
    );
  return { ...field, classes, key: first };
}

const modelsOf = ({ app, constant }: LinkPlace): string[] => [...app.models().map((model) => model.constant), constant];

/** A name in the class's own module, then outside of it. */
function candidates(constant: string, name: string): string[] {
  const module = moduleOf(constant);
  return module === "" ? [name] : [`${module}::${name}`, name];
}

function targetOf(field: string, target: string, place: LinkPlace, type = "belongs_to"): string {
  const known = modelsOf(place);
  const found = candidates(place.constant, target).find((candidate) => known.includes(candidate));
  if (found !== undefined) return found;
  const meant = suggest(target, known) ?? known.find((other) => other.endsWith(`::${target}`));
  throw usage.FW_ASSOCIATION_TARGET(`${field}:${type}`, target, meant);
}

function tableOf(found: string, { constant, app, key }: LinkPlace): { table: string; key: KeyField | undefined } {
  const table = tableize(found);
  return { table, key: found === constant && key ? key : keyOfTable(app, table) };
}
