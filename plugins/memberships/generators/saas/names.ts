import { type ApplicationFiles, type ModelFile, usage } from "framewright/generators";
import { camelize, demodulize, pluralize, singularize, underscore } from "framewright/host/inflection";
import { accountModelOf, accountTypesOf } from "../../../../generators/toolkit/index.ts";
import { isKey } from "../../../database/generators/toolkit/index.ts";

/** The options that name the two sides of a membership. */
export const sideOptions = {
  user_model: { summary: "The model of the accounts", value: "CLASS" },
  entity_model: { summary: "The model of the tenants", value: "CLASS" },
  membership_model: { summary: "The model of the memberships; <Entity><User> by default", value: "CLASS" },
} as const;

/** A constant of the command line: `customer`, `Customers` and `Customer` alike. @throws FW_NAME_INVALID */
export function constantOf(what: string, given: string): string {
  const path = singularize(underscore(given.replaceAll("::", "/")));
  if (!/^[a-z][a-z0-9_]*(\/[a-z][a-z0-9_]*)*$/.test(path))
    throw usage.FW_NAME_INVALID(what, given, "as in Customer or Shop::Customer");
  return camelize(path);
}

/** The fields of an option: `name:string,domain:string?`. @throws FW_FIELD_SHAPE for a primary key */
export function fieldList(text: string | undefined): string[] {
  const fields = (text ?? "")
    .split(/,(?![^{]*\})/)
    .map((field) => field.trim())
    .filter((field) => field !== "");
  const key = fields.find(isKey);
  if (key !== undefined)
    throw usage.FW_FIELD_SHAPE(key, "accounts, tenants and memberships have numbers as their ids: leave it out");
  return fields;
}

/** The models of a tenant, its accounts and their memberships. */
export interface Sides {
  user: ModelFile;
  entity: ModelFile;
  membership: ModelFile;
  /** The name of the account type: `customer`. */
  account: string;
}
interface SideOptions {
  auth?: string;
  userModel?: string;
  entityModel?: string;
  membershipModel?: string;
}

/** @throws FW_RESOURCE_UNKNOWN, FW_ACCOUNT_MODEL_UNKNOWN, FW_ACCOUNT_MODEL_PLAIN, FW_ACCOUNT_UNKNOWN, FW_FLAG_VALUE */
export function sidesOf(app: ApplicationFiles, options: object): Sides {
  const { userModel = "User", entityModel = "Organization", membershipModel, auth } = options as SideOptions;
  const user = accountModelOf(app, userModel);
  const entity = app.model(
    entityModel,
    "--entity_model names the model of the tenants, which fw generate fw:saas:entity creates.",
  );
  const account = accountOf(app, user, auth);
  const membership = app.model(
    membershipModel ?? membershipName(entity.constant, user.constant),
    "--membership_model names that of the memberships, which fw generate fw:saas:membership creates.",
  );
  return { user, entity, membership, account };
}

/** The account type that is requested, else the one with the model's name, else its first. */
function accountOf(app: ApplicationFiles, user: ModelFile, asked: string | undefined): string {
  const known = accountTypesOf(app, user);
  if (asked === undefined) return known.find((name) => name === oneOf(user.constant)) ?? known[0]!;
  if (!known.includes(app.account(asked)))
    throw usage.FW_FLAG_VALUE(
      "--auth",
      `an account type whose accounts are ${user.constant} (${known.join(", ")}); those of ${asked} are not`,
    );
  return asked;
}

export const membershipName = (entity: string, user: string): string => `${entity}${demodulize(user)}`;
/** `organization` of Organization: the name of an association with one. */
export const oneOf = (constant: string): string => underscore(demodulize(constant));
export const manyOf = (constant: string): string => pluralize(oneOf(constant));

/** `--allow_signup=false`, `no` and `0`. */
export const isFalse = (value: string | undefined): boolean => value !== undefined && /^(false|no|0)$/i.test(value);
