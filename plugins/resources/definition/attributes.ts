import { humanize, underscore } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { AssociationInfo, ColumnInfo, ModelInfo, PolymorphicInfo } from "framewright/plugins/database";
import type { FieldType, FieldTypeName, FieldTypeTable } from "framewright/plugins/fields";
import { type SettledTexts, settleTexts } from "framewright/plugins/fields/rows";
import { errors } from "../errors.ts";
import type { AttributeHandler } from "./attribute_handler.ts";
import { isCredential } from "./credentials.ts";
import type { ResourceDefinition } from "./definition.ts";
import type { ResourceFieldOptions, ResourceInputOptions } from "./definition_options.ts";

/** An attribute of a resource: a column, an association, or money over a column of cents. */
export interface Attribute {
  readonly name: string;
  readonly label: string;
  /** Where its value comes from: a column as it is stored, a column of cents, an association, a getter of the model, or the plugin that serves it. */
  readonly source: "column" | "money" | "association" | "getter" | "handler";
  readonly column: ColumnInfo | undefined;
  readonly association: AssociationInfo | undefined;
  /** Of a belongsTo with records of several models; `association` is undefined then. */
  readonly polymorphic: PolymorphicInfo | undefined;
  /** Whether it is the key of a record that another attribute represents. */
  readonly isKey: boolean;
  /** The column of cents that an amount of money is stored in. */
  readonly cents: string | undefined;
  /** The decimals of an amount of money; 2 where it is not given. */
  readonly digits?: number;
  readonly input: SettledTexts<ResourceInputOptions> & { as: FieldTypeName };
  readonly display: ResourceFieldOptions & { as: FieldTypeName };
  readonly listed: ResourceFieldOptions & { as: FieldTypeName };
  /** The plugin that serves it; undefined for what resources serve themselves. */
  readonly handler: AttributeHandler | undefined;
  /** The types that these name. */
  readonly types: { readonly input: FieldType; readonly display: FieldType; readonly listed: FieldType };
}

/** The names of a model that its table and its associations give. */
export const namesOf = ({ columns, associations, polymorphic, money }: ModelInfo): string[] => [
  ...[columns, associations, polymorphic].flatMap((map) => [...map.keys()]),
  ...Object.keys(money),
];
/** Whether a name is that of an association, with whatever records. */
export const isAssociation = ({ associations, polymorphic }: ModelInfo, name: string): boolean =>
  associations.has(name) || polymorphic.has(name);

/** Where an attribute is declared, and served. */
interface AttributePlace {
  model: ModelInfo;
  definition: ResourceDefinition;
  policy: string;
  types: FieldTypeTable;
}

/** What a name in a policy's list refers to. @throws FW_ATTRIBUTE_UNKNOWN */
export function attributeOf(name: string, { model, definition, policy, types }: AttributePlace): Attribute {
  const column = model.columns.get(name);
  const handler = definition.handlers.get(name);
  const association = handler ? undefined : model.associations.get(name);
  const polymorphic = handler ? undefined : model.polymorphic.get(name);
  const isRelated = association !== undefined || polymorphic !== undefined;
  const cents = model.money[name];
  const isHandled = handler !== undefined && (handler.isNew === true || model.associations.has(name));
  const computed = name in model.class.prototype && !(name in Object.prototype);
  if (!column && !isRelated && cents === undefined && !computed && !isHandled) {
    throw errors.FW_ATTRIBUTE_UNKNOWN(policy, name, model.constant, suggest(name, namesOf(model)));
  }
  const as = isRelated ? "association" : cents !== undefined ? "money" : typeOf(model, column);
  const input = { as, ...settleTexts(definition.inputs.get(name) ?? {}) };
  const currency = cents === undefined ? undefined : model.class.currencies[name];
  const display = {
    as: isState(input.as, column) ? "enum" : input.as,
    ...(currency === undefined ? {} : { currency }),
    ...definition.displays.get(name),
  };
  const listed = { ...display, ...definition.columns.get(name) };
  const label = input.label ?? display.label ?? humanize(name);
  const isColumn = column !== undefined && !(name in model.class.prototype);
  const isKey = isColumn && isKeyOf(model, name);
  const source =
    handler?.load || (isHandled && !computed)
      ? "handler"
      : isRelated
        ? "association"
        : cents !== undefined
          ? "money"
          : isColumn
            ? "column"
            : "getter";
  const named = (type: string): FieldType => types.get(type) ?? types.get("text")!;
  return {
    name,
    label,
    source,
    column,
    association,
    polymorphic,
    isKey,
    cents,
    ...(cents === undefined ? {} : { digits: model.digitsOf(name) }),
    handler,
    input,
    display,
    listed,
    types: { input: named(input.as), display: named(display.as), listed: named(listed.as) },
  };
}

/** Whether a column is a key, or a part of one that is no part of the record's own. */
const isKeyOf = (model: ModelInfo, name: string): boolean =>
  model.referencesBy(name).some(({ key }) => !key.isComposite || !model.key.columns.includes(name)) ||
  [...model.polymorphic.values()].some(({ keyColumn }) => keyColumn === name);

/** Whether a column of texts has states by its name: they are shown as such, also where nobody listed them. */
const isState = (as: string, column: ColumnInfo | undefined): boolean =>
  as === "string" && column !== undefined && /(^|_)(status|state)$/.test(column.name);

function typeOf({ choices }: ModelInfo, column: ColumnInfo | undefined): FieldTypeName {
  if (!column) return "string";
  if (choices[column.name] || column.values) return "select";
  if ((column.type === "string" || column.type === "text") && isCredential(column.name)) return "password";
  const last = underscore(column.name).split("_").at(-1);
  return column.type === "string" && (last === "email" || last === "url") ? last : column.type;
}

/** Whether an attribute is a secret: an empty input keeps what is stored, and nothing of it is shown. */
export const isSecret = ({ types }: Attribute): boolean => types.input.isSecret;

/** Whether the texts of an attribute have many lines. A column of long texts whose field is of one line, or has choices, has none. */
export const isLongText = ({ column, types }: Attribute): boolean =>
  column?.type === "text" && types.input.column.type === "text";

/** Whether an attribute is a file: its column has its key, and the storage its bytes. */
export const isFileField = ({ types }: Attribute): boolean => types.input.isFile;
