import { humanize } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { AssociationInfo, ColumnInfo, ModelInfo, PolymorphicInfo } from "framewright/plugins/database";
import { displays } from "../components/index.ts";
import { errors } from "../errors.ts";
import { isCredential } from "./credentials.ts";
import type { ResourceDefinition, ResourceFieldOptions, ResourceInputOptions } from "./definition.ts";

/** An attribute of a resource: a column, an association, or money over a column of cents. */
export interface Attribute {
  readonly name: string;
  readonly label: string;
  /** Where its value comes from: a column as it is stored, a column of cents, an association, or a getter of the model. */
  readonly source: "column" | "money" | "association" | "getter";
  readonly column: ColumnInfo | undefined;
  readonly association: AssociationInfo | undefined;
  /** Of a belongsTo with records of several models; `association` is undefined then. */
  readonly polymorphic: PolymorphicInfo | undefined;
  /** The column of cents that an amount of money is stored in. */
  readonly cents: string | undefined;
  readonly input: ResourceInputOptions & { as: string };
  readonly display: ResourceFieldOptions & { as: string };
  readonly listed: ResourceFieldOptions & { as: string };
}

/** The names of a model that its table and its associations give. */
export const namesOf = ({ columns, associations, polymorphic, money }: ModelInfo): string[] => [
  ...[columns, associations, polymorphic].flatMap((map) => [...map.keys()]),
  ...Object.keys(money),
];
/** Whether a name is that of an association, with whatever records. */
export const isAssociation = ({ associations, polymorphic }: ModelInfo, name: string): boolean =>
  associations.has(name) || polymorphic.has(name);

/** What a name of a policy's list stands for. @throws FW_ATTRIBUTE_UNKNOWN */
export function attributeOf(name: string, model: ModelInfo, definition: ResourceDefinition, policy: string): Attribute {
  const column = model.columns.get(name);
  const association = model.associations.get(name);
  const polymorphic = model.polymorphic.get(name);
  const isRelated = association !== undefined || polymorphic !== undefined;
  const cents = model.money[name];
  const computed = name in model.class.prototype && !(name in Object.prototype);
  if (!column && !isRelated && cents === undefined && !computed) {
    throw errors.FW_ATTRIBUTE_UNKNOWN(policy, name, model.constant, suggest(name, namesOf(model)));
  }
  const as = isRelated ? "association" : cents !== undefined ? "money" : typeOf(model, column);
  const input = { as, ...definition.inputs.get(name) };
  const display = { as: shownAs(definition.inputs.get(name)?.as ?? as), ...definition.displays.get(name) };
  const listed = { ...display, ...definition.columns.get(name) };
  const label = input.label ?? display.label ?? humanize(name);
  const isColumn = column !== undefined && !(name in model.class.prototype);
  const source = isRelated ? "association" : cents !== undefined ? "money" : isColumn ? "column" : "getter";
  return { name, label, source, column, association, polymorphic, cents, input, display, listed };
}

function typeOf({ choices }: ModelInfo, column: ColumnInfo | undefined): string {
  if (!column) return "string";
  if (choices[column.name] || column.values) return "select";
  if ((column.type === "string" || column.type === "text") && isCredential(column.name)) return "password";
  if (column.type === "string" && /(^|_)email$/.test(column.name)) return "email";
  if (column.type === "string" && /(^|_)url$/.test(column.name)) return "url";
  return column.type;
}

/** Whether an attribute is a secret: an empty input keeps what is stored, and nothing of it is shown. */
export const isSecret = ({ input }: Attribute): boolean => input.as === "password";

/** Whether an attribute is a file: its column has its key, and the storage its bytes. */
export const isFileField = ({ input }: Attribute): boolean => input.as === "file";

/** A type that only inputs know is shown as text. */
const shownAs = (as: string): string => (as in displays ? as : as === "select" ? "string" : "text");
