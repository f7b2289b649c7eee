import type { Params } from "framewright/host";
import { BaseModel, referenceOf, storedReference } from "framewright/plugins/database";
import {
  type ChoicesContext,
  defaultOf,
  isShown,
  listedChoices,
  readDefault,
  readsOthers,
} from "framewright/plugins/fields";
import type { Refused } from "framewright/plugins/fields/toolkit";
import type { Attribute } from "../definition/attributes.ts";
import type { ResourceRequest } from "../request.ts";
import { fieldSource } from "./field_source.ts";
import { coerceValue } from "./read_values.ts";
import { isUnchanged } from "./unchanged.ts";

/** A record whose values a new one begins with, and which of them. */
export interface Pattern {
  readonly record: BaseModel;
  readonly names: ReadonlySet<string>;
}

/** The fields of a record's form that are shown, and what the functions of each are given. */
export interface RecordFields {
  readonly names: readonly string[];
  readonly contexts: ReadonlyMap<string, ChoicesContext>;
}

/**
 * Evaluates the conditions of the fields in order, each with the values of those before it: what was sent, else what is
 * stored, else what a new record begins with.
 */
export function recordFields(
  controller: ResourceRequest,
  record: BaseModel | undefined,
  names: readonly string[],
  sent: Params | undefined,
  pattern?: Pattern,
): RecordFields {
  const { registration } = controller;
  const source = fieldSource(controller, record);
  const contexts = new Map<string, ChoicesContext>();
  const { attributes, isDynamic } = registration.plan("fields of forms", names, (kept) => {
    const found = kept.map((name) => registration.attribute(name));
    return { attributes: found, isDynamic: found.some(({ input }) => readsOthers(input)) };
  });
  if (!isDynamic) {
    const plain = source.context({});
    for (const name of names) contexts.set(name, plain);
    return { names, contexts };
  }
  const values: Record<string, unknown> = {};
  for (const attribute of attributes) {
    const { name } = attribute;
    const context = source.context({ ...values });
    values[name] = null;
    if (!isShown(attribute.input, context)) continue;
    contexts.set(name, context);
    values[name] = currentValue(controller, attribute, {
      record: pattern?.names.has(name) ? pattern.record : record,
      sent,
      context,
    });
  }
  return { names: [...contexts.keys()], contexts };
}

interface Given {
  record: BaseModel | undefined;
  sent: Params | undefined;
  context: ChoicesContext;
}

/** What is stored of an attribute: of what it belongs to the key. */
const storedOf = (record: object, { name, association }: Attribute): unknown =>
  association ? association.key.of(record) : (record as Record<string, unknown>)[name];

function currentValue(controller: ResourceRequest, attribute: Attribute, { record, sent, context }: Given): unknown {
  const { name, association, polymorphic, handler } = attribute;
  if (handler?.read) return null; // it reads its own
  if (sent?.has(name) && !isUnchanged(attribute, sent.get(name))) {
    const read = coerceValue(sent.get(name)!, attribute);
    return "problem" in read ? null : read.value;
  }
  if (association?.kind === "hasMany") return null; // what is linked is not looked up for the conditions of others
  if (record && polymorphic) return storedReference(polymorphic, record) ?? null;
  if (record) return storedOf(record, attribute) ?? null;
  const own = defaultValue(attribute, context);
  return own !== undefined ? own : (initialValue(controller, attribute) ?? null);
}

/** What a new record begins with by its definition; undefined where that names nothing. */
export function defaultValue({ input, association, polymorphic, types }: Attribute, context: ChoicesContext): unknown {
  if (input.default === undefined) return undefined;
  if (polymorphic) {
    const value = defaultOf(input, context, types.input);
    return value instanceof BaseModel ? referenceOf(value) : value;
  }
  const by = association ? { target: association.target } : { type: types.input };
  const read = readDefault(association ? { ...input, as: "association" } : input, context, by);
  return "problem" in read ? undefined : read.value;
}

/** What a new record begins with by its model and its table. */
export function initialValue({ registration }: ResourceRequest, { name, column }: Attribute): unknown {
  const { defaults } = registration.model.class;
  return name in defaults && typeof defaults[name] !== "function" ? defaults[name] : column?.default;
}

/** Values that are none of a field's choices; the stored one may stay. */
export async function refusedChoices(
  controller: ResourceRequest,
  values: Record<string, unknown>,
  { contexts }: RecordFields,
): Promise<Record<string, Refused>> {
  const refused: Record<string, Refused> = {};
  for (const [name, context] of contexts) {
    const attribute = controller.registration.attribute(name);
    const { input } = attribute;
    const value = values[name];
    if (!input.choices || value === undefined || value === null || value === "") continue;
    const stored = context.record && storedOf(context.record, attribute);
    const isStored = stored !== undefined && stored !== null && String(stored) === String(value);
    const choices = await listedChoices(input, context);
    const isChoice = (one: unknown) => choices?.some((choice) => choice.value === String(one)) === true;
    if (!isStored && ![value].flat().every(isChoice)) refused[name] = { problem: "errors.not_a_choice" };
  }
  return refused;
}
