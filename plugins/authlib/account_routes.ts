import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Application, BaseController, type ControllerClass, type Finding, type RouteSet } from "framewright/host";
import type { Settings } from "framewright/kernel";
import type { Texts } from "framewright/plugins/i18n";
import { addCatalogues } from "framewright/plugins/i18n";
import { guardedAccountType } from "./account_links.ts";
import { AuthlibPages, actionOf, pageClasses } from "./account_pages.ts";
import type { AccountType, AccountTypes } from "./account_type.ts";
import type { AuthHooks } from "./contract.ts";
import { errors } from "./errors.ts";
import type { FeatureRoute } from "./feature.ts";
import { PENDING_FORMS_TABLE as HELD } from "./pending_forms.ts";
import { neededColumns } from "./schema_text.ts";
import { SPENT_KEYS_TABLE } from "./spent_keys.ts";

/** Draws the routes of every account type onto the main application. @throws FW_ACCOUNT_ADDRESS, FW_ACCOUNT_KEY */
export function drawAccountRoutes(
  routes: RouteSet,
  types: AccountTypes,
  { constants }: Application,
  moreRoutes: AuthHooks["routes"],
): void {
  const own = constants.byPath("authlib_controller") as ControllerClass | undefined;
  const Base = own ?? (AuthlibPages(BaseController) as ControllerClass);
  for (const type of types.all()) {
    checkKey(type);
    const classes = pageClasses(type, Base);
    const draw = (route: FeatureRoute, name: string) => {
      if (route.page && type.class.apiOnly) return;
      const as = `${type.name}_${route.path.replaceAll(/:\w+/g, "one").replaceAll(/[-/]/g, "_")}`;
      const options = { controller: classes[route.who], action: actionOf(route), policy: `(${name})`, as };
      const { csrfReason } = route;
      const more = csrfReason === undefined ? {} : { csrf: "none" as const, csrfReason };
      routes.draw(route.verb, `/${type.plural}/${route.path}`, { ...options, ...more });
    };
    for (const feature of type.features.values()) {
      feature.check?.(type);
      for (const route of feature.routes) draw(route, feature.name);
    }
    const more: FeatureRoute[] = [];
    moreRoutes.call(more, type);
    for (const route of more) draw(route, route.who);
  }
  for (const { constraint, at, engine } of routes.mounts) {
    const shared = types.all().find((type) => type.path("login").startsWith(`${at}/`) && at !== "");
    if (shared) throw errors.FW_ACCOUNT_ADDRESS(shared.name, engine.name, at);
    const guarded = constraint && guardedAccountType(constraint);
    if (guarded !== undefined) types.get(guarded, "config/routes.ts");
  }
}

/** Adds the views and texts of the features in use, each from its own folder. */
export function addFeatureViewsAndTexts(
  types: AccountTypes,
  views: { addRoot(root: { directory: string; rank: "plugin" }): void },
  texts: Texts,
): void {
  const directories = new Set(
    types.all().flatMap(({ features }) => [...features.values()].map((one) => one.directory)),
  );
  for (const directory of directories) {
    if (existsSync(join(directory, "views"))) views.addRoot({ directory: join(directory, "views"), rank: "plugin" });
  }
  for (const directory of directories) addCatalogues(texts, directory);
}

/** Checks the secrets that features need, at boot rather than at the first sign-in. @throws FW_FEATURE_SETTING */
export function checkSettings(types: AccountTypes, { values }: Settings): void {
  for (const type of types.all()) {
    for (const feature of type.features.values()) {
      const lacks = feature.settings.find((one) => Buffer.byteLength(values[one.name] ?? "") < one.minimumBytes);
      if (lacks)
        throw errors.FW_FEATURE_SETTING(type.name, feature.name, lacks.name, lacks.purpose, lacks.minimumBytes);
    }
  }
}

const mailingFeatures = [
  "verify_account",
  "reset_password",
  "change_login",
  "lockout",
  "email_auth",
  "invitation",
  "security_mails",
];

/** Tables of accounts refer to them by number. @throws FW_ACCOUNT_KEY */
function checkKey({ name, model }: AccountType): void {
  const type = model.settled ? model.columns.get("id")?.type : undefined;
  if (type === "uuid" || type === "string") throw errors.FW_ACCOUNT_KEY(name, model.constant, type);
}

/** In production, links in mails must use a configured host, never the request's. @throws FW_MAIL_HOST */
export function checkMailHost(types: AccountTypes, { env, appUrl, allowedHosts }: Settings): void {
  if (env !== "production" || appUrl !== undefined || allowedHosts.some((name) => !name.startsWith("*"))) return;
  const type = types.all().find((one) => mailingFeatures.some((feature) => one.has(feature)));
  if (type) throw errors.FW_MAIL_HOST(type.name);
}

/** Accounts are looked for by their login, in whatever case it is typed. @throws FW_LOGIN_ENCRYPTED */
export function checkLoginColumns(types: AccountTypes): void {
  for (const { model, class: cls } of types.all())
    if (cls.loginColumn in model.class.encrypts) throw errors.FW_LOGIN_ENCRYPTED(model.constant, cls.loginColumn);
}

/** Whether the database has the tables and columns of an account type, and its login column. */
export async function examineAccountType(type: AccountType): Promise<Finding> {
  const what = `account type ${type.name}`;
  const found = await type.services.database.tables().catch(() => undefined);
  if (!found) return { what, ok: false, detail: `${what}: the database could not list its tables.` };
  const tables = new Set(found);
  const missing = [type.model.table, ...type.tables, HELD, SPENT_KEYS_TABLE].filter((table) => !tables.has(table));
  const { loginColumn } = type.class;
  const lacking = await missingColumns(type, missing);
  const problems = [
    ...(missing.length > 0 ? [errors.FW_AUTHLIB_TABLE(type.name, missing).message] : []),
    ...(lacking.length > 0 ? [errors.FW_AUTHLIB_COLUMN(type.name, lacking).message] : []),
  ];
  if (problems.length > 0) {
    const pending = await type.services.database.pendingMigrations().catch(() => []);
    const detail =
      pending.length > 0
        ? `tables or columns are missing; run npx fw db:migrate, since migrations have not run: ${pending.join(", ")}.`
        : problems.join(" ");
    return { what, ok: false, detail };
  }
  if (!type.model.columns.has(loginColumn))
    return { what, ok: false, detail: errors.FW_LOGIN_COLUMN(type.model.constant, loginColumn).message };
  return { what, ok: true, detail: `${type.features.size} features, all tables exist` };
}

/** The columns, as `table.column`, that this release needs and existing tables lack. */
async function missingColumns(type: AccountType, absent: readonly string[]): Promise<string[]> {
  const found = await type.services.database.columnNames();
  const suspects = [...neededColumns(type)].flatMap(([table, columns]) =>
    columns.filter((column) => !found.get(table)?.has(column)).map((column) => [table, column] as const),
  );
  const lacking: string[] = [];
  for (const [table, column] of suspects)
    if (!absent.includes(table) && (await isMissing(type, table, column))) lacking.push(`${table}.${column}`);
  return lacking;
}

/** A column that this database user may not read is not listed either, but it is not missing. */
async function isMissing({ services }: AccountType, table: string, column: string): Promise<boolean> {
  const query = services.database.knex(table).select(column).limit(0);
  return query.then(
    () => false,
    (error: { code?: string }) => !/ACCESS_DENIED/.test(String(error.code)),
  );
}

/** The readiness check: the reason why requests can't be served where tables lack columns of this release. Runs until all are complete. */
export function readinessCheck(types: AccountTypes): () => Promise<string | undefined> {
  let isComplete = false;
  return async () => {
    if (isComplete) return undefined;
    for (const type of types.all()) {
      const { ok, detail } = await examineAccountType(type);
      if (!ok) return detail;
    }
    isComplete = true;
    return undefined;
  };
}
