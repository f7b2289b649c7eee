import { type BaseController, humanize, raw, type SafeHtml } from "framewright";
import { suggest } from "framewright/kernel";
import type { AssociationInfo, BaseModel, ColumnInfo, ModelInfo } from "framewright/plugins/database";
import { type DisplayOptions, displays } from "./components/index.ts";
import type { FieldOptions, ResourceDefinition } from "./definition.ts";
import { errors } from "./errors.ts";

/** An attribute of a resource: a column, an association, or money over a column of cents. */
export interface Attribute {
  readonly name: string;
  readonly label: string;
  readonly column: ColumnInfo | undefined;
  readonly association: AssociationInfo | undefined;
  /** The column of cents behind money. */
  readonly cents: string | undefined;
  readonly input: FieldOptions & { as: string };
  readonly display: FieldOptions & { as: string };
  readonly listed: FieldOptions & { as: string };
}

/** What a name of a policy's list stands for. @throws FW_ATTRIBUTE_UNKNOWN */
export function attributeOf(name: string, model: ModelInfo, definition: ResourceDefinition, policy: string): Attribute {
  const column = model.columns.get(name);
  const association = model.associations.get(name);
  const cents = model.money[name];
  const computed = name in model.class.prototype && !(name in Object.prototype);
  if (!column && !association && cents === undefined && !computed) {
    const known = [...model.columns.keys(), ...model.associations.keys(), ...Object.keys(model.money)];
    throw errors.FW_ATTRIBUTE_UNKNOWN(policy, name, model.constant, suggest(name, known));
  }
  const as = association ? "association" : cents !== undefined ? "money" : typeOf(model, column);
  const input = { as, ...definition.inputs.get(name) };
  const display = { as: shownAs(definition.inputs.get(name)?.as ?? as), ...definition.displays.get(name) };
  const listed = { ...display, ...definition.columns.get(name) };
  const label = input.label ?? display.label ?? humanize(name);
  return { name, label, column, association, cents, input, display, listed };
}

function typeOf({ enums }: ModelInfo, column: ColumnInfo | undefined): string {
  if (!column) return "string";
  if (enums[column.name] || column.values) return "select";
  if (column.type === "string" && /(^|_)email$/.test(column.name)) return "email";
  if (column.type === "string" && /(^|_)url$/.test(column.name)) return "url";
  return column.type;
}

/** A type that only inputs know is shown as text. */
const shownAs = (as: string): string => (as in displays ? as : as === "select" ? "string" : "text");

/** The value of an attribute as JSON gives it: an association as its id and label. */
export function jsonValue(attribute: Attribute, record: BaseModel): unknown {
  const value = (record as unknown as Record<string, unknown>)[attribute.name];
  if (!attribute.association) return value instanceof Date ? value.toISOString() : (value ?? null);
  const one = (related: BaseModel) => ({ id: related.$id(), label: related.toLabel() });
  if (Array.isArray(value)) return (value as BaseModel[]).map(one);
  return value ? one(value as BaseModel) : null;
}

/** Compiles how an attribute is shown, for lists or for the record's page. */
export function shower(
  attribute: Attribute,
  options: DisplayOptions,
  urlOf: (related: BaseModel, controller: BaseController) => string | undefined,
): (record: BaseModel, controller: BaseController) => SafeHtml {
  const field = options.truncate === undefined ? attribute.display : attribute.listed;
  const show = displays[field.as] ?? displays.text;
  const { tones, currency } = field;
  const all = { ...options, ...(tones ? { tones } : {}), ...(currency ? { currency } : {}) };
  const { name } = attribute;
  if (!show) return () => raw("");
  if (!attribute.association || attribute.association.kind === "hasMany") {
    return (record) => show((record as unknown as Record<string, unknown>)[name], all);
  }
  return (record, controller) => {
    const related = (record as unknown as Record<string, BaseModel | null | undefined>)[name];
    return show(related, related ? { ...all, url: urlOf(related, controller) } : all);
  };
}
