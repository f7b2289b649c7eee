import { isParamObject, type Params, type ParamValue, singularize } from "framewright/host";
import { type PolymorphicInfo, readReference } from "framewright/plugins/database";
import type { Coerced } from "framewright/plugins/fields";
import {
  coerceMoney,
  coerceReference,
  idOf,
  type Refused,
  readValue,
  removeName,
  wrongShape,
} from "framewright/plugins/fields/toolkit";
import { type Attribute, isFileField, isSecret } from "../definition/attributes.ts";
import { isUnchanged } from "./unchanged.ts";

/** Reads what was sent for the permitted attributes; what is not permitted is never looked at. `isNew`: nothing is stored yet. */
export function readValues(
  params: Params,
  attributes: readonly Attribute[],
  isNew: boolean,
): { values: Record<string, unknown>; refused: Record<string, Refused> } {
  const values: Record<string, unknown> = {};
  const refused: Record<string, Refused> = {};
  for (const attribute of attributes) {
    if (isRemoved(params, attribute, isNew)) values[attribute.name] = null;
    const sent = sentName(params, attribute);
    if (sent === undefined) continue;
    const given = params.get(sent) as ParamValue;
    if (isUnchanged(attribute, given) || (isNew && given === "" && isComputed(attribute))) continue;
    if (given === "" && !isNew && isSecret(attribute)) continue; // a secret is never shown, so an empty input keeps it
    const read = coerceValue(given, attribute);
    if ("problem" in read) refused[attribute.name] = read;
    else values[attribute.name] = read.value;
  }
  return { values, refused };
}

/** Whether the database computes a value where none is given, as `default current_timestamp`: no form shows it before. */
const isComputed = ({ column }: Attribute): boolean =>
  column !== undefined && !column.nullable && column.hasDefault && column.default === undefined;

/** The name that an attribute was sent by; an association of many also by the ids: `tags`, `tag_ids`. */
function sentName(params: Params, { name, association }: Attribute): string | undefined {
  if (params.has(name)) return name;
  const ids = association?.kind === "hasMany" ? `${singularize(name)}_ids` : undefined;
  return ids !== undefined && params.has(ids) ? ids : undefined;
}

/** Whether a stored file or secret is removed, and nothing was given in its place. */
function isRemoved(params: Params, attribute: Attribute, isNew: boolean): boolean {
  const { name, column } = attribute;
  if (params.get(removeName(name)) !== "1") return false;
  if (isFileField(attribute)) return !params.has(name);
  if (!isSecret(attribute) || attribute.input.required === true) return false;
  return !isNew && column?.nullable === true && (params.get(name) ?? "") === "";
}

/** Reads what was sent for an attribute. */
export function coerceValue(given: ParamValue, attribute: Attribute): Coerced {
  const { column, association, polymorphic, cents } = attribute;
  if (polymorphic) return coercePolymorphic(given, polymorphic);
  if (association) return coerceAssociation(given, association.kind === "hasMany");
  if (cents !== undefined) return coerceMoney(given, attribute.digits);
  if (!column) return { problem: "errors.not_writable" };
  const { accept, maximum, range } = attribute.input;
  return readValue(attribute.types.input, given, { column, ofRecord: true, accept, maximum, range });
}

/** An id, an object with one as JSON reads give it, or nothing. */
function coerceAssociation(given: ParamValue, many: boolean): Coerced {
  if (many) {
    if (!Array.isArray(given)) return given === "" || given === null ? { value: [] } : wrongShape;
    const ids = given.filter((entry) => entry !== "").map(idOf);
    return ids.every((id) => typeof id === "string" || typeof id === "number")
      ? { value: ids.map(String) }
      : wrongShape;
  }
  return coerceReference(given);
}

/** A record of one of several models, as `Blogging::Post/3`; it may be sent so, or as an object with its type and id. */
function coercePolymorphic(given: ParamValue, polymorphic: PolymorphicInfo): Coerced {
  if (given === null || given === "") return { value: null };
  const text = isParamObject(given) ? `${String(given.type)}/${String(given.id)}` : given;
  if (typeof text !== "string") return wrongShape;
  if (isParamObject(given) && (typeof given.type !== "string" || !["string", "number"].includes(typeof given.id)))
    return wrongShape;
  return readReference(polymorphic, text) ? { value: text } : { problem: "errors.not_a_choice" };
}
