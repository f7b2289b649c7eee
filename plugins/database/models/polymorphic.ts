import { errors } from "../errors.ts";
import { checkKeyType, declaringModel, findModel, type Models } from "./association_targets.ts";
import type { Association } from "./associations.ts";
import type { BaseModel } from "./model.ts";
import { type AssociationInfo, ModelInfo, type PolymorphicInfo } from "./model_info.ts";

/** What the type column stores for the records of a model: the class that declares the table's inheritance, where it has one. */
export const storedName = ({ inheritance, constant }: ModelInfo): string => inheritance?.root.constant ?? constant;

/** The columns by which records of a has-many or has-one refer to a record, with their values. */
export function keysTo({ key, of }: AssociationInfo, record: BaseModel): Record<string, unknown> {
  const values = [record.$id()].flat();
  return {
    ...Object.fromEntries(key.columns.map((column, at) => [column, values[at]])),
    ...(of ? { [of.column]: of.name } : {}),
  };
}

/** A record as a polymorphic association names it: `Blogging::Post/3`. */
export const referenceOf = (record: BaseModel): string =>
  `${storedName(ModelInfo.ofRecord(record))}/${record.$id() as number}`;

/** What a record's polymorphic association refers to, likewise; undefined for nothing. */
export function storedReference({ typeColumn, keyColumn }: PolymorphicInfo, record: object): string | undefined {
  const { [typeColumn]: type, [keyColumn]: key } = record as Record<string, unknown>;
  return type === null || type === undefined || key === null || key === undefined ? undefined : `${type}/${key}`;
}

/** The model and the key of a reference; undefined for one of another model, or of another shape. */
export function readReference(
  { targets }: PolymorphicInfo,
  text: string,
): { target: ModelInfo; name: string; id: string } | undefined {
  const [, name = "", id = ""] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
  const target = targets.get(name);
  return target && { target, name, id };
}

/** The polymorphic associations of a model, tied to their targets. @throws FW_POLYMORPHIC_…, FW_ASSOCIATION_… */
export function linkPolymorphic(models: Models, info: ModelInfo): Map<string, PolymorphicInfo> {
  const found = Object.entries(info.class.associations).filter(([, { polymorphic }]) => polymorphic);
  const linked = new Map(found.map(([name, declared]) => [name, link(models, info, name, declared)]));
  for (const { typeColumn, targets } of linked.values())
    info.enums = { ...info.enums, [typeColumn]: [...targets.keys()] };
  return linked;
}

function link(models: Models, info: ModelInfo, name: string, declared: Association): PolymorphicInfo {
  const wrong = problemOf(declared);
  if (wrong !== undefined) throw errors.FW_POLYMORPHIC(info.constant, name, wrong);
  const keyColumn = (declared.foreignKey as string | undefined) ?? `${name}_id`;
  const typeColumn = keyColumn.replace(/_id$/, "_type");
  const { constant } = declaringModel(info, name);
  const targets = new Map<string, ModelInfo>();
  for (const wanted of declared.polymorphic!) {
    const target = findModel(models, constant, name, wanted);
    if (target.inheritance?.condition)
      throw errors.FW_POLYMORPHIC_PART(info.constant, name, target.constant, storedName(target));
    if (target.key.isComposite)
      throw errors.FW_ASSOCIATION_COMPOSITE(info.constant, name, target.constant, target.key.columns);
    targets.set(target.constant, target);
  }
  for (const column of [keyColumn, typeColumn])
    if (info.settled && !info.columns.has(column))
      throw errors.FW_POLYMORPHIC_COLUMNS(info.constant, name, { table: info.table, keyColumn, typeColumn, column });
  for (const owner of targets.values()) checkKeyType(info, name, { holder: info, columns: [keyColumn], owner });
  const optional = declared.optional ?? info.columns.get(keyColumn)?.nullable ?? true;
  return { name, model: info, typeColumn, keyColumn, optional, targets };
}

function problemOf({ polymorphic = [], class: cls, foreignKey }: Association): string | undefined {
  if (polymorphic.length === 0) return "names no model";
  if (cls !== undefined) return "has a class as well";
  if (foreignKey === undefined || (typeof foreignKey === "string" && foreignKey.endsWith("_id"))) return undefined;
  return `has the foreignKey "${[foreignKey].flat().join(", ")}", which does not end in _id`;
}

/** The polymorphic association of the target by which its records refer to this model. @throws FW_POLYMORPHIC_AS, FW_POLYMORPHIC_DEPENDENT */
export function backTo(info: ModelInfo, name: string, target: ModelInfo, declared: Association): PolymorphicInfo {
  const back = target.polymorphic.get(declared.as!);
  const own = storedName(info);
  if (!back?.targets.has(own)) throw errors.FW_POLYMORPHIC_AS(info.constant, name, target.constant, declared.as!, own);
  if (declared.dependent === undefined) throw errors.FW_POLYMORPHIC_DEPENDENT(info.constant, name, target.constant);
  return back;
}
