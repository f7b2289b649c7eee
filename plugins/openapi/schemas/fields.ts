import { type DeclaredField, type FieldType, isRequired } from "framewright/plugins/fields";
import type { Attribute, Registration } from "framewright/plugins/resources";
import { targetOf } from "framewright/plugins/resources/toolkit";
import type { DescribedField, DocumentParts, FieldPlace, OpenApiHooks, Schema } from "../contract.ts";
import { enteredByColumn, enteredSchema, listedChoices } from "./entered.ts";
import { rowsOf } from "./rows.ts";
import { defined, ruleKeywords } from "./rules.ts";
import { withExample } from "./samples.ts";
import { anything, decimalText, keySchema, nullable, referenceSchema, storedSchema, text } from "./values.ts";

type Direction = DescribedField["direction"];
type Declared = Readonly<Record<string, unknown>> & { readonly as: string };

/** The most records that an association to many takes at once. */
const MAX_LINKS = 200;
const file: Schema = { type: "string", format: "binary" };
const storedFile: Schema = {
  type: "object",
  required: ["filename", "type", "size"],
  properties: { filename: text, type: text, size: { type: "integer" } },
};

/** Schemas of fields: of the attributes of records, and of what actions and rows declare. */
export class FieldSchemas {
  readonly #hook: OpenApiHooks["schema"];
  readonly #parts: DocumentParts;

  constructor(hook: OpenApiHooks["schema"], parts: DocumentParts) {
    this.#hook = hook;
    this.#parts = parts;
  }

  attribute(registration: Registration, name: string, direction: Direction): Schema | undefined {
    const attribute = registration.attribute(name);
    const described =
      direction === "read" ? this.#read(registration, attribute) : this.#written(registration, attribute, direction);
    if (described === undefined) return undefined;
    const { hint } = attribute.input as { hint?: unknown };
    const schema = withExample(described, attribute.types.input);
    return typeof hint === "string" && direction !== "read" && !("$ref" in schema)
      ? { description: hint, ...schema }
      : schema;
  }

  /** An input of an action, or a field of rows. */
  field(name: string, declared: Declared, { direction, registration }: FieldPlace): Schema {
    const { as } = declared;
    const type = registration.types.get(as);
    const own = this.#asked({ as, direction, options: declared, registration, parts: this.#parts });
    if (own) return direction === "read" || !isRequired(declared as DeclaredField) ? nullable(own) : own;
    const described = this.#ofType(name, declared, { direction, registration }, type);
    const isOpen = direction === "read" || !isRequired(declared as DeclaredField);
    return withExample(isOpen && direction !== "form" ? nullable(described) : described, type);
  }

  #ofType(name: string, declared: Declared, place: FieldPlace, type: FieldType | undefined): Schema {
    const { as } = declared;
    const { direction, registration } = place;
    const rows = rowsOf(name, declared, (field, inner) => this.field(field, inner, place));
    if (rows) return rows;
    if (as === "association") {
      const target = targetOf(name, declared as never, registration.model);
      return target ? this.#parts.key(target) : anything;
    }
    if (type?.isFile) return direction === "form" ? file : direction === "read" ? storedFile : { type: "null" };
    const schema = enteredSchema(as, declared) ?? enteredByColumn(type?.column.type ?? "string");
    return direction === "read" ? schema : { ...schema, ...ruleKeywords(declared as DeclaredField, schema) };
  }

  /** What plugins return for a field; false where nobody writes it. */
  #asked(field: DescribedField): Schema | false | undefined {
    return this.#hook.isUsed() ? this.#hook.call(field) : undefined;
  }

  #read(registration: Registration, attribute: Attribute): Schema {
    const { source, column, association, polymorphic, isKey, input, types, cents, digits } = attribute;
    const { model } = registration;
    const own = this.#asked({
      as: input.as,
      direction: "read",
      options: input as never,
      attribute,
      registration,
      parts: this.#parts,
    });
    if (own) return source === "handler" || column?.nullable === false ? own : nullable(own);
    if (source === "association" && polymorphic) {
      const types = [...polymorphic.targets.keys()];
      return nullable(referenceSchema({ type: ["integer", "string"] }, { type: { type: "string", enum: types } }));
    }
    if (source === "association") {
      const reference = referenceSchema(keySchema(association!.target));
      return association!.kind === "hasMany" ? { type: "array", items: reference } : nullable(reference);
    }
    if (isKey && column) return nullable(storedSchema(column, undefined)); // of a record that is hidden it is null
    if (source === "money") {
      const isOpen = model.columns.get(cents!)?.nullable !== false;
      return isOpen ? nullable(decimalText(digits)) : decimalText(digits);
    }
    if (source !== "column" || !column) return anything;
    if (types.input.isFile) return nullable(storedFile);
    if (types.input.json) return anything;
    const schema = storedSchema(column, model.choices[attribute.name] ?? column.values);
    return column.nullable ? nullable(schema) : schema;
  }

  #written(registration: Registration, attribute: Attribute, direction: Direction): Schema | undefined {
    const { name, source, column, association, polymorphic, handler, input, types, cents, digits } = attribute;
    const { model } = registration;
    if (handler && !handler.read) return undefined;
    if (column?.writer !== undefined || (source === "getter" && !handler)) return undefined;
    const options = { ...input, ...(digits === undefined ? {} : { digits }) } as Record<string, unknown>;
    const own = this.#asked({ as: input.as, direction, options, attribute, registration, parts: this.#parts });
    if (own === false) return undefined;
    const isOpen = mayBeEmpty(registration, attribute);
    const finished = (schema: Schema): Schema => (isOpen && direction !== "form" ? nullable(schema) : schema);
    if (own) return finished(own);
    if (handler && !column) return this.field(name, { ...options, as: input.as }, { direction, registration });
    if (polymorphic) return finished({ type: "string", pattern: "^[^/]+/.+$" });
    if (association?.kind === "hasMany")
      return { type: "array", items: keySchema(association.target), maxItems: MAX_LINKS };
    if (association) return finished(keySchema(association.target));
    if (types.input.isFile) return direction === "form" ? file : { type: "null" };
    if (cents !== undefined) return finished(decimalText(digits));
    if (!column) return undefined;
    const choices = model.choices[name] ?? column.values ?? listedChoices(options.choices);
    const known = enteredSchema(input.as, { ...options, scale: column.scale, ...(choices ? { choices } : {}) });
    const schema =
      known ?? (choices && column.type === "string" ? { type: "string", enum: choices } : enteredByColumn(column.type));
    const rules = model.class.validations[name] ?? {};
    const limit =
      schema.type === "string" && !("enum" in schema) && !("format" in schema) ? { maxLength: column.maxLength } : {};
    return finished(defined({ ...schema, ...limit, ...("enum" in schema ? {} : ruleKeywords(rules, schema)) }));
  }
}

/** Whether null may be sent: the column takes it, and nothing requires a value. */
export function mayBeEmpty({ model }: Registration, attribute: Attribute): boolean {
  const { name, column, association, polymorphic, cents, input } = attribute;
  if (input.required === true || model.class.validations[name]?.presence) return false;
  const stored = polymorphic?.keyColumn ?? association?.key.columns[0] ?? cents;
  const own = stored === undefined ? column : model.columns.get(stored);
  return own?.nullable !== false;
}

/** Whether a new record can't do without a value of an attribute. */
export function isNeeded(registration: Registration, attribute: Attribute): boolean {
  const { model } = registration;
  const { name, column, association, polymorphic, cents, handler, input } = attribute;
  if (name in model.class.defaults || input.default !== undefined || input.condition !== undefined) return false;
  if (input.required === true) return true;
  if (model.class.validations[name]?.presence) return column?.hasDefault !== true;
  if (handler || association?.kind === "hasMany") return false;
  const stored = polymorphic?.keyColumn ?? association?.key.columns[0] ?? cents;
  const own = stored === undefined ? column : model.columns.get(stored);
  return own !== undefined && !own.nullable && !own.hasDefault && !own.primary && own.type !== "boolean";
}
