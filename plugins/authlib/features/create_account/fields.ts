import { humanize } from "framewright/host";
import type { ColumnInfo } from "framewright/plugins/database";
import type { AccountType } from "../../account_type.ts";
import { errors } from "../../errors.ts";

const numbers = new Set(["integer", "bigint", "float", "decimal"]);
const texts = new Set(["string", "text"]);

/** A field of the sign-up form besides login and password. */
export interface SignUpField {
  name: string;
  label: string;
  isNumber: boolean;
  optional: boolean;
}

/** The columns that the model requires and the sign-up does not set itself. */
function requiredColumns({ model, class: cls }: AccountType): string[] {
  const { defaults, validations } = model.class;
  const known = new Set(["id", cls.loginColumn, "account_status", "created_at", "updated_at"]);
  const isRequired = ({ nullable, hasDefault, primary }: ColumnInfo, name: string) =>
    !primary && !hasDefault && (!nullable || Boolean(validations[name]?.presence));
  return [...model.columns]
    .filter(([name, column]) => !known.has(name) && !(name in defaults) && isRequired(column, name))
    .map(([name]) => name);
}

/** The fields of the form besides login and password. */
export function signUpFields(type: AccountType, names: readonly string[]): SignUpField[] {
  const required = new Set(requiredColumns(type));
  return names.map((name) => ({
    name,
    label: humanize(name),
    isNumber: numbers.has(type.model.columns.get(name)?.type ?? ""),
    optional: !required.has(name),
  }));
}

/** Checks that a sign-up can succeed. @throws FW_SIGN_UP_FIELD, FW_SIGN_UP_FIELDS */
export function checkFields(type: AccountType, names: readonly string[], isOverridden: boolean): void {
  const { model } = type;
  if (!model.settled) return;
  for (const name of names) {
    const found = model.columns.get(name);
    const isValid = found && !found.references && (texts.has(found.type) || numbers.has(found.type));
    if (!isValid) throw errors.FW_SIGN_UP_FIELD(type.name, model.constant, name);
  }
  const missing = requiredColumns(type).filter((name) => !names.includes(name));
  if (missing.length > 0 && !isOverridden) throw errors.FW_SIGN_UP_FIELDS(type.name, model.constant, missing);
}
