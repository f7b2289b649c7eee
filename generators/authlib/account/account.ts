import { usage } from "../../errors.ts";
import type { GeneratorContext } from "../../generator.ts";
import { draft } from "../../run_generator.ts";
import { importPath, type ModelFile } from "../../support/application.ts";
import { camelize, demodulize, singularize, tableize, underscore } from "../../support/names.ts";
import { addPlugins } from "../../support/plugins_config.ts";
import { checkReserved } from "../../support/reserved.ts";
import { filesOf, resourceOf } from "../../support/resource.ts";
import install from "../install/generator.ts";
import { migrate } from "./migration.ts";
import { featuresIn, register, writePluginFile } from "./plugin_file.ts";
import { requiredColumns } from "./required.ts";
import { writeSettings } from "./settings.ts";
import { ejectViews } from "./views.ts";

/** What it takes to write an account type. */
export type Writing = Pick<GeneratorContext, "app" | "changes" | "template" | "note">;
/** The model whose records accounts are. */
export interface AccountModel {
  constant: string;
  name: string;
  table: string;
  importPath: string;
  /** It is made along, with its table. */
  isNew: boolean;
}
/** An account type as it shall be. */
export interface Account {
  name: string;
  plugin: string;
  pluginPath: string;
  model: AccountModel;
  /** In the framework's order; those of the account plugin that is there are among them. */
  features: readonly string[];
  /** How a feature is called, where it takes options: `login({ phases: 2 })`. */
  code: Readonly<Record<string, string>>;
  isApi: boolean;
  /** Index 0 is the most privileged. */
  roles: readonly string[] | undefined;
}
export interface AccountWishes extends Pick<Account, "features" | "code" | "isApi" | "roles"> {
  /** The class that is named by `--model`. */
  model: string | undefined;
  /** Copies the views and mails into the application. */
  views: boolean;
}

/** Takes user, users and ApiUser. @throws FW_NAME_INVALID */
export function accountName(given: string, note: (line: string) => void): string {
  const name = singularize(underscore(given));
  if (!/^[a-z][a-z0-9_]{0,29}$/.test(name))
    throw usage.FW_NAME_INVALID("an account type", given, "at most 30 letters, digits and _, and a letter first");
  checkReserved("an account type", name, { isClass: true });
  if (name !== underscore(given)) note(`${given} is a plural: the account type is called ${name}.`);
  return name;
}

export const pluginPathOf = (name: string): string => `app/authlib/${name}_authlib_plugin.ts`;

/** Writes an account type, or what is missing of it. Returns whether tables have to be made. */
export async function writeAccount(context: Writing, name: string, wishes: AccountWishes): Promise<boolean> {
  const { changes } = context;
  await installFirst(context);
  const path = pluginPathOf(name);
  const written = changes.read(path);
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
  writeSettings(context, whole);
  if (wishes.views) ejectViews(context, whole);
  return migrate(context, whole);
}

/** An account type that is there, as its files tell. */
export function accountOf({ app }: Pick<Writing, "app">, name: string): Pick<Account, "name" | "features" | "model"> {
  const written = app.read(pluginPathOf(name));
  return { name, features: featuresIn(written), model: modelOf({ app }, name, written) };
}

/** What all account types share comes first, in the same transaction. */
async function installFirst({ app, changes, note }: Writing): Promise<void> {
  if (changes.exists("app/authlib/authlib_app.ts")) return;
  await draft(install, app, changes, [], {});
  note("fw:authlib:install had not run here: it ran along.");
}

/** The model that the account plugin names, else --model, else the one of the account's own name. @throws FW_RESOURCE_UNKNOWN */
function modelOf({ app }: Pick<Writing, "app">, name: string, written = "", asked?: string): AccountModel {
  const said = /\bmodel(?::\s*\w+)?\s*=\s*["']([\w:]+)["']/.exec(written)?.[1] ?? asked;
  const constant = camelize(name);
  const file = said === undefined ? app.models().find((model) => model.constant === constant) : app.model(said);
  if (file) return { ...placeOf(file), table: tableIn(app.read(file.path)) ?? tableize(file.constant), isNew: false };
  const path = filesOf(resourceOf(constant), undefined).model;
  return { ...placeOf({ constant, path, package: undefined }), table: tableize(constant), isNew: true };
}

/** The sign-up form asks for what the model requires. */
function signUpCode({ app }: Writing, { constant, table, isNew }: AccountModel): Record<string, string> {
  const fields = isNew ? [] : requiredColumns(app, app.model(constant), table);
  const list = fields.map((field) => JSON.stringify(field)).join(", ");
  return fields.length > 0 ? { create_account: `createAccount({ fields: [${list}] })` } : {};
}

/** Recovery codes stand in for a second factor: without an authenticator app, passkeys are it. */
function passkeyCode(
  { note }: Writing,
  path: string,
  asked: readonly string[],
  present: readonly string[],
): Record<string, string> {
  if (!asked.includes("recovery_codes") || asked.includes("otp") || present.includes("otp")) return {};
  const code = "webauthn({ secondFactor: true })";
  if (!asked.includes("webauthn")) note(`recovery_codes needs a second factor: let ${path} say ${code}.`);
  return { webauthn: code };
}

const placeOf = ({ constant, path }: ModelFile) => ({
  constant,
  name: demodulize(constant),
  importPath: importPath(path),
});
const tableIn = (text: string) => /\bModel\(\s*["'`](\w+)["'`]/.exec(text)?.[1];

/** The model, with a policy that lets nobody write accounts by hand: a portal's policy may. */
function writeModel({ changes, template }: Writing, { model, roles }: Account): void {
  const resource = resourceOf(model.constant);
  const files = filesOf(resource, undefined);
  const enums = roles ? roles.map((role) => JSON.stringify(role)).join(", ") : "";
  const locals = { ...resource, model_path: model.importPath, enums };
  for (const kind of ["model", "policy", "definition"] as const)
    if (!changes.exists(files[kind])) template(files[kind], `${kind}.ts`, locals);
}
