import { humanize, pluralize } from "framewright/host/inflection";
import { catalogue, type FeatureEntry, featureEntry } from "framewright/plugins/authlib/catalogue";
import {
  addNamedImports,
  findList,
  imports,
  insertEntry,
  type ListEntry,
  namedImport,
} from "../../../../generators/toolkit/index.ts";
import type { Account, AccountContext } from "./types.ts";

const entries = (names: readonly string[]): FeatureEntry[] => names.map((name) => featureEntry(name)!);
const modules = [
  "framewright/plugins/authlib",
  "framewright/plugins/jwt",
  "framewright/plugins/api_keys",
  "framewright/plugins/oidc",
  "framewright/plugins/sso",
] as const;

/** The features of an account plugin, by its source text: those in its list, else those that it calls anywhere. */
export function featuresIn(text: string): string[] {
  const list = findList(text, "features");
  const has = ({ factory }: FeatureEntry) =>
    list ? list.entries.some(({ name }) => name === factory) : new RegExp(`\\b${factory}\\(`).test(text);
  return catalogue.filter(has).map(nameOf);
}
const nameOf = ({ name }: FeatureEntry) => name;

/** Creates the account plugin, or adds features to an existing one. */
export function writePluginFile(context: AccountContext, account: Account): void {
  const { changes } = context;
  if (!changes.exists(account.pluginPath)) create(context, account);
  else extend(context, account);
}

function create({ template }: AccountContext, account: Account): void {
  const { name, features, code, isApi, model } = account;
  const chosen = entries(features);
  const named = modules.map((module) => chosen.filter(({ from }) => from === module).map(({ factory }) => factory));
  template(account.pluginPath, "authlib_plugin.ts", {
    authlib_import: namedImport([...named[0]!, "features"].sort(), modules[0]),
    more_imports: modules.flatMap((module, index) =>
      index > 0 && named[index]!.length > 0 ? [namedImport(named[index]!, module)] : [],
    ),
    plugin: account.plugin,
    account: name,
    people: humanize(pluralize(name)).toLowerCase(),
    model: model.constant,
    model_class: model.name,
    model_path: model.importPath,
    is_api: isApi,
    features: chosen.map((entry) => code[entry.name] ?? `${entry.factory}()`),
  });
}

/** Adds missing features to the list of an existing file; prints them if the list can't be found. */
function extend({ changes, note }: AccountContext, account: Account): void {
  const path = account.pluginPath;
  const text = changes.read(path)!;
  const present = featuresIn(text);
  const missing = entries(account.features.filter((name) => !present.includes(name)));
  if (!findList(text, "features")) {
    const calls = missing.map((entry) => callOf(account, entry)).join(", ");
    if (calls) note(`${path} has no list of features that can be edited. Add by hand: ${calls}`);
    return;
  }
  for (const entry of missing) changes.edit(path, (now) => insert(now, entry, callOf(account, entry)));
  for (const module of modules) {
    const names = missing.filter(({ from }) => from === module).map(({ factory }) => factory);
    addNamedImports(changes, path, names, module);
  }
}

const callOf = ({ code }: Account, { name, factory }: FeatureEntry) => code[name] ?? `${factory}()`;

/** Inserts a call after the last feature that precedes it in the framework's order. */
function insert(text: string, { order }: FeatureEntry, call: string): string {
  const list = findList(text, "features")!;
  const orderOf = ({ name }: ListEntry) => catalogue.find(({ factory }) => factory === name)?.order ?? Infinity;
  return insertEntry(
    text,
    list,
    call,
    list.entries.findLast((entry) => orderOf(entry) < order),
  );
}

/** Lists the account type in `app/authlib/authlib_app.ts`, once. @throws FW_PLACE_MISSING */
export function register({ changes }: AccountContext, { plugin, name }: Account): void {
  const path = "app/authlib/authlib_app.ts";
  const list = findList(changes.read(path) ?? "", "defineAuthlib");
  if (list?.entries.some((entry) => entry.name === plugin)) return;
  if (list) changes.edit(path, (text) => insertEntry(text, list, plugin, list.entries.at(-1)));
  else changes.insertAbove(path, "fw:accounts", `${plugin},`);
  if (!imports(changes.read(path)!, plugin))
    changes.addImport(path, `import ${plugin} from "./${name}_authlib_plugin.ts";`);
}
