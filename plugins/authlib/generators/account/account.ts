import { type ModelFile, usage } from "framewright/generators";
import { camelize, demodulize, pluralize, singularize, tableize, underscore } from "framewright/host/inflection";
import {
  addPlugins,
  checkReserved,
  draft,
  filesOf,
  importPath,
  readRecord,
  resourceOf,
} from "../../../../generators/toolkit/index.ts";
import { PULL } from "../../../database/generators/toolkit/index.ts";
import install from "../install/generator.ts";
import { migrate } from "./migration.ts";
import { featuresIn, register, writePluginFile } from "./plugin_file.ts";
import { requiredColumns } from "./required.ts";
import { writeSettings } from "./settings.ts";
import type { Account, AccountContext, AccountModel, AccountOptions } from "./types.ts";
import { ejectViews } from "./views.ts";

/** Takes user, users and ApiUser. @throws FW_NAME_INVALID */
export function accountName(given: string, note: (line: string) => void): string {
  const name = singularize(underscore(given));
  if (!/^[a-z][a-z0-9_]{0,29}$/.test(name))
    throw usage.FW_NAME_INVALID(
      "an account type",
      given,
      "use at most 30 letters, digits and _, starting with a letter",
    );
  checkReserved("an account type", name, { isClass: true });
  if (name !== underscore(given)) note(`${given} is a plural: the account type is named ${name}.`);
  return name;
}

export const pluginPathOf = (name: string): string => `app/authlib/${name}_authlib_plugin.ts`;

/** Writes an account type, or what it lacks. Returns whether there is a new migration. */
export async function writeAccount(context: AccountContext, name: string, wishes: AccountOptions): Promise<boolean> {
  const { changes } = context;
  await installFirst(context);
  const path = pluginPathOf(name);
  const written = changes.read(path);
  if (written === undefined) checkAddress(changes.read("config/routes.ts") ?? "", name);
  const present = written === undefined ? [] : featuresIn(written);
  const model = modelOf(context, name, written, wishes.model);
  const code = {
    ...signUpCode(context, model),
    ...passkeyCode(context, path, wishes.features, present),
    ...wishes.code,
  };
  const account: Account = { ...wishes, code, name, plugin: `${camelize(name)}AuthlibPlugin`, pluginPath: path, model };
  writePluginFile(context, account);
  register(context, account);
  if (model.isNew) writeModel(context, account);
  const isApi = wishes.isApi || /\bapiOnly\s*=\s*true/.test(written ?? "");
  const features = [...present, ...wishes.features.filter((name) => !present.includes(name))];
  const whole = { ...account, isApi, features };
  if (whole.features.includes("jwt")) addPlugins(changes, ["jwtTokens"]);
  if (whole.features.includes("api_keys")) addPlugins(changes, ["apiKeyScopes"]);
  if (whole.features.includes("oidc_login")) addPlugins(changes, ["oidc"]);
  if (whole.features.includes("tenant_sso")) addPlugins(changes, ["sso"]);
  writeSettings(context, whole);
  if (wishes.views) ejectViews(context, whole);
  return migrate(context, whole);
}

/** @throws FW_PORTAL_ADDRESS where a portal is mounted at the path of the account type's pages */
function checkAddress(routes: string, account: string): void {
  const at = `/${pluralize(account)}`;
  const mounted = /\bmount\(\s*(\w+)\s*,\s*\{\s*at:\s*["'](\/[^"']*)["']/g;
  const found = [...routes.matchAll(mounted)].find(([, , path]) => path === at);
  if (found) throw usage.FW_PORTAL_ADDRESS(account, found[1]!, at, "account type, or mount the portal at another path");
}

/** An existing account type, by its files. */
export function accountOf(
  { app }: Pick<AccountContext, "app">,
  name: string,
): Pick<Account, "name" | "features" | "model"> {
  const written = app.read(pluginPathOf(name));
  return { name, features: featuresIn(written), model: modelOf({ app }, name, written) };
}

/** Runs fw:authlib:install first if needed, in the same transaction. */
async function installFirst({ app, changes, note }: AccountContext): Promise<void> {
  if (changes.exists("app/authlib/authlib_app.ts")) return;
  await draft(install, app, changes, [], {});
  note("fw:authlib:install had not run yet: it was run too.");
}

/** The model that the account plugin names, else --model, else the one with the account's name. @throws FW_RESOURCE_UNKNOWN, FW_ACCOUNT_MODEL_PULLED */
function modelOf({ app }: Pick<AccountContext, "app">, name: string, written = "", asked?: string): AccountModel {
  const named = /\bmodel(?::\s*\w+)?\s*=\s*["']([\w:]+)["']/.exec(written)?.[1] ?? asked;
  const constant = camelize(name);
  const file = named === undefined ? app.models().find((model) => model.constant === constant) : app.model(named);
  if (file && named === undefined && readRecord(app.root, file.path)?.run.generator === PULL)
    throw usage.FW_ACCOUNT_MODEL_PULLED(file.constant, name);
  if (file)
    return { ...locationOf(file), table: tableIn(app.read(file.path)) ?? tableize(file.constant), isNew: false };
  const path = filesOf(resourceOf(constant), undefined).model;
  return { ...locationOf({ constant, path, package: undefined }), table: tableize(constant), isNew: true };
}

/** Makes the sign-up form include the columns that the model requires. */
function signUpCode({ app }: AccountContext, { constant, table, isNew }: AccountModel): Record<string, string> {
  const fields = isNew ? [] : requiredColumns(app, app.model(constant), table);
  const list = fields.map((field) => JSON.stringify(field)).join(", ");
  return fields.length > 0 ? { create_account: `createAccount({ fields: [${list}] })` } : {};
}

/** Recovery codes replace a second factor: without an authenticator app, that has to be passkeys. */
function passkeyCode(
  { note }: AccountContext,
  path: string,
  asked: readonly string[],
  present: readonly string[],
): Record<string, string> {
  if (!asked.includes("recovery_codes") || asked.includes("otp") || present.includes("otp")) return {};
  const code = "webauthn({ secondFactor: true })";
  if (!asked.includes("webauthn")) note(`recovery_codes needs a second factor: write ${code} in ${path}.`);
  return { webauthn: code };
}

const locationOf = ({ constant, path }: ModelFile) => ({
  constant,
  name: demodulize(constant),
  importPath: importPath(path),
});
const tableIn = (text: string) => /\bModel\(\s*["'`](\w+)["'`]/.exec(text)?.[1];

/** Writes the model, with a policy that permits no changes of accounts; a portal's policy may permit them. */
function writeModel({ changes, template }: AccountContext, { model, roles }: Account): void {
  const resource = resourceOf(model.constant);
  const files = filesOf(resource, undefined);
  const enums = roles ? roles.map((role) => JSON.stringify(role)).join(", ") : "";
  const locals = { ...resource, model_path: model.importPath, enums };
  for (const kind of ["model", "policy", "definition"] as const)
    if (!changes.exists(files[kind])) template(files[kind], `${kind}.ts`, locals);
}
