import { camelize, demodulize, pluralize, singularize, underscore } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { Model as ObjectionModel, RelationMapping } from "objection";
import type { ColumnInfo } from "../drivers/columns.ts";
import { errors } from "../errors.ts";
import { checkKeyType, declaringModel, findModel, type Models } from "./association_targets.ts";
import type { Association } from "./associations.ts";
import type { AssociationInfo, Hop, ModelInfo } from "./model_info.ts";
import { backTo, linkPolymorphic, storedName } from "./polymorphic.ts";
import { ReferenceKey } from "./reference_key.ts";
import { relationMapping } from "./relations.ts";

/** Ties the associations of all models, by name. @throws FW_ASSOCIATION_… */
export function linkModels(models: Models): void {
  for (const info of models.values()) info.polymorphic = linkPolymorphic(models, info);
  for (const info of models.values()) {
    const names = Object.keys(info.class.associations).filter((name) => !info.polymorphic.has(name));
    info.associations = new Map(names.map((name) => [name, linkAssociation(models, info, name, [])]));
    for (const name of names)
      if (info.settled && info.columns.has(name)) throw errors.FW_ASSOCIATION_NAME(info.constant, name);
  }
  const numbers = numbersByTable(models);
  for (const info of models.values()) info.markNumbers(numbers.get(info.table) ?? new Set());
  for (const info of models.values()) {
    const mappings = [...info.associations].map(([name, link]) => [name, relationMapping(link)] as const);
    setRelations(info, Object.fromEntries(mappings));
  }
}

/** The columns that associations of any model join tables by, and those of money. */
function numbersByTable(models: Models): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map<string, Set<string>>();
  const add = (table: string, column: string) => keys.set(table, (keys.get(table) ?? new Set()).add(column));
  for (const info of models.values()) {
    for (const cents of Object.values(info.money)) add(info.table, cents);
    for (const { keyColumn } of info.polymorphic.values()) add(info.table, keyColumn);
    for (const { hops } of info.associations.values())
      for (const { from, to } of hops)
        for (const { table, columns } of [from, to]) for (const column of columns) add(table, column);
  }
  return keys;
}

/** Objection caches what it built from the mappings; a class that is linked again must forget it. */
function setRelations(info: ModelInfo, mappings: Record<string, RelationMapping<ObjectionModel>>): void {
  for (const kept of ["$$relationMappings", "$$relations", "$$relationNames"]) Reflect.deleteProperty(info.class, kept);
  info.class.relationMappings = mappings;
}

function linkAssociation(models: Models, info: ModelInfo, name: string, trail: readonly string[]): AssociationInfo {
  const declared = info.class.associations[name]!;
  const step = `${info.constant}.${name}`;
  if (declared.polymorphic) throw errors.FW_POLYMORPHIC_THROUGH(info.constant, name, trail);
  if (trail.includes(step)) throw errors.FW_ASSOCIATION_CYCLE(info.constant, name);
  return declared.through === undefined
    ? linkDirect(models, info, name, declared)
    : linkThrough(models, info, name, declared, declared.through, [...trail, step]);
}

function linkDirect(models: Models, info: ModelInfo, name: string, declared: Association): AssociationInfo {
  const { constant } = declaringModel(info, name);
  const target = findTarget(models, constant, name, declared);
  const owns = declared.kind === "belongsTo";
  const back = declared.as === undefined ? undefined : backTo(info, name, target, declared);
  const usual = owns ? `${name}_id` : `${underscore(demodulize(constant))}_id`;
  const columns = [back?.keyColumn ?? declared.foreignKey ?? usual].flat();
  const holder = owns ? info : target;
  const missing = columns.find((column) => holder.settled && !holder.columns.has(column));
  if (missing !== undefined) throw errors.FW_ASSOCIATION_KEY(info.constant, name, holder.table, missing);
  const keyed = owns ? target : info;
  const keyless = declared.dependent === "destroy" && target.key.isMissing ? target : keyed;
  if (keyless.key.isMissing) throw errors.FW_ASSOCIATION_KEYLESS(info.constant, name, keyless.constant);
  if (keyed.key.columns.length !== new Set(columns).size)
    throw errors.FW_ASSOCIATION_COMPOSITE(info.constant, name, keyed.constant, keyed.key.columns);
  checkKeyType(info, name, { holder, columns, owner: keyed });
  const key = new ReferenceKey(holder.table, columns, keyed.key);
  key.describe(new Map(columns.flatMap((column, at) => described(column, keyed.columns.get(keyed.key.columns[at]!)))));
  const [own, other] = [
    { table: holder.table, columns },
    { table: keyed.table, columns: keyed.key.columns },
  ];
  const emptied = emptiedOf(holder, columns);
  if (declared.dependent === "nullify" && emptied.length === 0)
    throw errors.FW_ASSOCIATION_NULLIFY(info.constant, name, holder.table, columns);
  const of = back && { column: back.typeColumn, name: storedName(info) };
  return {
    name,
    kind: declared.kind,
    model: info,
    target,
    key,
    emptied,
    optional:
      (owns && emptied.length === 0 ? false : declared.optional) ??
      (!owns || emptied.some((column) => info.columns.get(column)?.nullable ?? true)),
    ...(declared.dependent ? { dependent: declared.dependent } : {}),
    ...(of ? { of } : {}),
    hops: [
      {
        ...(owns ? { from: own, to: other, toKey: true } : { from: other, to: own, ...(of ? { of } : {}) }),
        ...(target.mark ? { mark: target.mark.column } : {}),
      },
    ],
  };
}

const described = (name: string, column: ColumnInfo | undefined): [string, ColumnInfo][] =>
  column ? [[name, column]] : [];

/** Of several columns of a table those that are null by themselves: neither in its own key, nor in another belongsTo of its model. */
function emptiedOf({ class: cls, key, columns: own }: ModelInfo, columns: readonly string[]): readonly string[] {
  if (columns.length === 1) return columns;
  const others = Object.entries(cls.associations).flatMap(([name, { kind, foreignKey = `${name}_id` }]) =>
    kind === "belongsTo" && String(foreignKey) !== String(columns) ? foreignKey : [],
  );
  const needed = new Set([...key.columns, ...others]);
  return columns.filter((column) => !needed.has(column) && own.get(column)?.nullable !== false);
}

function linkThrough(
  models: Models,
  info: ModelInfo,
  name: string,
  declared: Association,
  through: string,
  trail: readonly string[],
): AssociationInfo {
  const known = Object.keys(info.class.associations);
  if (!known.includes(through))
    throw errors.FW_ASSOCIATION_THROUGH(info.constant, name, through, suggest(through, known));
  const first = linkAssociation(models, info, through, trail);
  if (first.target.inheritance?.condition)
    throw errors.FW_ASSOCIATION_PART(info.constant, name, through, first.target.constant);
  const tried = declared.source ? [declared.source] : [...new Set([name, singularize(name), pluralize(name)])];
  const source = tried.find((one) => Object.hasOwn(first.target.class.associations, one));
  if (!source) throw errors.FW_ASSOCIATION_SOURCE(info.constant, name, first.target.constant, tried);
  const second = linkAssociation(models, first.target, source, trail);
  if (second.target.key.isMissing) throw errors.FW_ASSOCIATION_KEYLESS(info.constant, name, second.target.constant);
  const hops: readonly Hop[] = [...first.hops, ...second.hops];
  return {
    name,
    kind: declared.kind,
    model: info,
    target: second.target,
    key: first.key,
    emptied: [],
    through,
    source,
    optional: true,
    hops,
  };
}

function findTarget(models: Models, own: string, name: string, declared: Association): ModelInfo {
  return findModel(
    models,
    own,
    name,
    declared.class ?? camelize(declared.kind === "hasMany" ? singularize(name) : name),
  );
}
