import type { TapOnly } from "framewright/kernel";
import type { FieldSpec } from "framewright/plugins/fields/rows";
import type { DescribedField, OpenApiHooks, Schema } from "framewright/plugins/openapi";
import type { Registration } from "framewright/plugins/resources";
import { declaredRows, type RecordRows } from "./records/record_rows.ts";

type Declared = Readonly<Record<string, unknown>> & { readonly as: string };
const pairs: Schema = { type: "object", additionalProperties: { type: ["string", "null"] } };

/** Describes rows, groups, and names with values in documents of OpenAPI. */
export function describeRows(hook: TapOnly<OpenApiHooks>["schema"]): void {
  hook.tap("nested_records", (field) => {
    const handler = field.attribute?.handler;
    const rows = handler && declaredRows(handler);
    if (rows) return field.direction === "form" ? false : recordRows(field, rows);
    const { spec } = (handler ?? {}) as { spec?: FieldSpec };
    if (spec) return field.direction === "form" ? false : documentRows(field, spec);
    return field.as === "key_value" ? pairs : undefined;
  });
}

/** A field as a definition declares it. */
const declared = ({ type, options, fields }: FieldSpec): Declared => {
  const { target, ...own } = options;
  const inner = Object.fromEntries(fields.map((one) => [one.name, declared(one)]));
  return { ...own, as: type, fields: inner, ...(target ? { model: target } : {}) };
};

function documentRows({ direction, registration, attribute, parts }: DescribedField, spec: FieldSpec): Schema {
  const schema = spec.rows ? pairs : parts.field(spec.name, declared(spec), { direction, registration: registration! });
  const isOpen = direction === "read" && attribute?.column?.nullable !== false;
  return isOpen ? { ...schema, type: [...new Set([schema.type, "null"].flat())] } : schema;
}

/** The rows of an association: of each what its own resource lets the reader read, or write. */
function recordRows(
  { direction, parts }: DescribedField,
  { association, fields, isOne, maximum, minimum }: RecordRows,
): Schema {
  const registration = parts.registrationOf(association.target);
  if (!registration) return {};
  const isRead = direction === "read";
  const row = rowSchema({ parts, direction }, registration, fields);
  if (isOne) return isRead ? { ...row, type: ["object", "null"] } : row;
  const least = minimum > 0 && !isRead ? { minItems: minimum } : {};
  return { type: "array", items: row, ...(isRead ? {} : { maxItems: maximum }), ...least };
}

function rowSchema(
  { parts, direction }: Pick<DescribedField, "parts" | "direction">,
  registration: Registration,
  fields: readonly string[],
): Schema {
  const isRead = direction === "read";
  const lists = isRead ? (["Show"] as const) : (["Create", "Update"] as const);
  const names = fields.filter((name) => lists.some((list) => parts.names(registration, list).includes(name)));
  const properties = names.flatMap((name) => {
    const schema = parts.attribute(registration, name, direction);
    return schema ? [[name, schema] as const] : [];
  });
  const id = { id: parts.key(registration.model) };
  const removed: Schema = { type: "boolean", description: "True removes the row that `id` names." };
  const own = { ...id, ...Object.fromEntries(properties), ...(isRead ? {} : { _destroy: removed }) };
  return { type: "object", ...(isRead ? { required: ["id"] } : {}), properties: own };
}
