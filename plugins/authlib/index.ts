import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Application, openDigests } from "framewright/host";
import {
  AsyncSeriesHook,
  checkOptions,
  definePlugin,
  type OptionRule,
  type Plugin,
  SyncHook,
} from "framewright/kernel";
import { memoryLimits } from "framewright/plugins/limits";
import { guardedAccountType } from "./account_links.ts";
import { storeLocale } from "./account_locale.ts";
import { accountTypeOf } from "./account_pages.ts";
import {
  addFeatureViewsAndTexts,
  checkLoginColumns,
  checkMailHost,
  checkSettings,
  drawAccountRoutes,
  examineAccountType,
  readinessCheck,
} from "./account_routes.ts";
import { AccountTypes } from "./account_type.ts";
import { AccountActivity } from "./administration/activity.ts";
import { hideActions } from "./administration/hidden_actions.ts";
import { AccountAdministration } from "./administration/index.ts";
import { authlibOf } from "./authlib_for_request.ts";
import { commands } from "./commands/index.ts";
import type { AuthHooks } from "./contract.ts";
import { checkConfirms } from "./controller.ts";
import { REPORTED_FAILURE_JOB } from "./core/accounts.ts";
import { REQUESTED_STEP_JOB, type RequestedStep } from "./core/mails.ts";
import { createVerifiedAccount, reportFailure, runRequestedStep, signUp } from "./create_accounts.ts";
import { errors } from "./errors.ts";
import type { ReportedFailure } from "./events.ts";
import { generators } from "./generators/index.ts";
import { KeyedMutex } from "./keyed_mutex.ts";
import { type LimitOptions, Limits } from "./limits.ts";
import { accountSource } from "./personal_data.ts";
import { sealersByPurpose } from "./purpose_encryption.ts";
import { revokeDisabledAccount } from "./revoke_access.ts";
import { SecretRotation } from "./secret_rotation.ts";
import type { AuthlibServices } from "./services.ts";

export { type AuthlibController, AuthlibPages } from "./account_pages.ts";
export type { AccountLine, AccountSection, SectionName } from "./account_sections.ts";
export { type AccountName, type AccountOf, type AccountRecord, type Accounts, AccountType } from "./account_type.ts";
export { AccountAdministration, type AccountKey, type AdministrationOptions } from "./administration/index.ts";
export type { AccountState } from "./administration/operations.ts";
export type { RemovedFactors } from "./administration/remove_factors.ts";
export type { AccountStatus } from "./administration/status.ts";
export { authlibOf } from "./authlib_for_request.ts";
export { AuthlibBase } from "./base.ts";
export { authenticate } from "./constraint.ts";
export type { Auth, AuthHooks } from "./contract.ts";
export { Authlib, type AuthlibConcern } from "./controller.ts";
export type { FactorSummary } from "./core/factors.ts";
export type { SignIn } from "./core/sessions.ts";
export { storeTypedLogin } from "./core/typed_login.ts";
export { offlineAuthlib } from "./create_accounts.ts";
export type { AccountEvent, AccountEventName } from "./events.ts";
export {
  type AuthlibApp,
  type AuthlibClass,
  defineAuthlib,
  defineFeature,
  type Feature,
  type FeatureRoute,
  type FeatureSetting,
  features,
} from "./feature.ts";
export { catalogue, directoryOf, type FeatureEntry, featureEntry } from "./feature_catalogue.ts";
export * from "./features/index.ts";
export type { Limit, LimitName, LimitOptions } from "./limits.ts";
export type { SealedCount, SealedRows, SealKeys, SealState } from "./secret_rotation.ts";
export { SecuritySection } from "./security_section.ts";
export type { AuthlibServices } from "./services.ts";
export { signInOffline } from "./sign_in_offline.ts";

/** Options of `authlib()`. */
export interface AuthlibOptions {
  /** Rate limits of passwords, codes, mails and pending forms; false disables all. */
  limits?: LimitOptions | false;
}
const limitRule: OptionRule = {
  expected: "false, or { login: { perLogin, perAddress, within }, code: …, mail: …, form: … }",
  check: (value) => value === false || (typeof value === "object" && value !== null),
};

/** Accounts: types with features, their pages and routes, and the authentication mode `authlib`. */
export function authlib(options: AuthlibOptions = {}): Plugin {
  checkOptions("authlib", options, { limits: limitRule });
  return definePlugin({
    name: "authlib",
    commands,
    generators,
    directory: import.meta.dirname,
    requires: [
      "host",
      "assets",
      "database",
      "sessions",
      "views",
      "i18n",
      "jobs",
      "mailer",
      "passwordHasher",
      "portals",
    ],
    uses: ["limits"],
    provides: "auth",
    hooks: (): AuthHooks => ({
      account: new AsyncSeriesHook(["event"]),
      lines: new AsyncSeriesHook(["lines", "authlib"]),
      routes: new SyncHook(["routes", "type"]),
    }),
    apply({ services, hooks, settings, tap }) {
      const { host, database, jobs, mailer, i18n, views, passwordHasher: hasher } = services;
      const digests = openDigests(settings, "authlib");
      const limits = new Limits(services.limits ?? memoryLimits(), options.limits);
      const mutex = new KeyedMutex();
      const sealer = sealersByPurpose(settings.secrets);
      const { account: events, lines, routes: moreRoutes } = hooks.auth;
      const addLines = (...about: object[]) => lines.promise(...(about as Parameters<typeof lines.promise>));
      const tools = { digests, sealer, limits, mutex };
      const shared: AuthlibServices = { host, database, hasher, jobs, mailer, ...tools, events, addLines };
      const types = new AccountTypes();
      const rotation = new SecretRotation(types, settings.secrets);
      host.authModes.add("authlib", {
        find: (request, { account }) => authlibOf(request, types.get(account!, request.path)).load(),
      });
      jobs.define<RequestedStep>(REQUESTED_STEP_JOB, (requested) => runRequestedStep(types, requested));
      jobs.define<ReportedFailure>(REPORTED_FAILURE_JOB, (failure) => reportFailure(types, failure));
      addScripts(services.assets);
      hooks.host.loaded.tap("authlib", (application) => {
        types.load(application, shared);
        if (types.all().length > 0) limits.open();
        checkSettings(types, settings);
        checkMailHost(types, settings);
        checkLoginColumns(types);
        addFeatureViewsAndTexts(types, views, i18n);
      });
      hooks.kernel.ready.tap("authlib", () => {
        for (const { model } of types.all()) if (model.mark) throw errors.FW_ACCOUNT_DELETED(model.constant);
      });
      hooks.host.compile.tap("authlib", ({ controller, where }) => {
        const { mode, account } =
          (controller as Partial<typeof import("framewright/host").BaseController>).authentication ?? {};
        if (mode === "authlib") types.get(String(account), `${controller.name}, which serves ${where},`);
        checkConfirms(controller, mode);
      });
      hooks.host.list.tap("authlib", (info, { engine, controller }) => {
        const type = controller && accountTypeOf(controller);
        if (type) info.to = info.to.replace(/^.*#/, `${type.class.name}#`);
        const constraint = host.mounts.find((mount) => mount.engine === engine)?.constraint;
        if (engine && constraint && guardedAccountType(constraint) !== undefined) info.guests = "refuse";
      });
      hooks.resources?.record.tapPromise("authlib", ({ kind, record }) =>
        kind === "updated" ? revokeDisabledAccount(types, record) : Promise.resolve(),
      );
      const activity = new AccountActivity(types);
      hooks.resources?.panels.tap({ name: "authlib", eager: true }, (panels, page) => activity.addPanels(panels, page));
      hooks.resources?.place.tap("authlib", (place) => activity.draw(place));
      if (hooks.resources) tap(hooks.resources.actions, (shown, controller) => hideActions(types, shown, controller));
      hooks.resources?.backgroundAccount.tapPromise("authlib", async ({ authentication, id, request }) => {
        if (authentication?.mode !== "authlib") return undefined;
        const authlib = authlibOf(request, types.get(authentication.account!, request.path));
        const account = await authlib.findAccountById(Number(id));
        return account && authlib.isOpen(account) ? account : false;
      });
      hooks.personal_data?.sources.tap("authlib", (sources) => sources.add(accountSource(database)));
      hooks.host.locale.tapPromise("authlib", (locale, request) => storeLocale(types, locale, request));
      hooks.kernel.drawRoutes.tapPromise("authlib", async (routes) =>
        drawAccountRoutes(routes, types, host, moreRoutes),
      );
      hooks.host.listening.tap("authlib", () => {
        warn(types, rotation, host).catch((error: Error) =>
          host.log.warn({ err: error }, "the tables of account types could not be examined"),
        );
      });
      hooks.host.ready.tapPromise("authlib", readinessCheck(types));
      hooks.host.examine.tapPromise("authlib", async (findings) => {
        for (const type of types.all()) findings.push(await examineAccountType(type));
        for (const type of types.all()) findings.push(...[(await rotation.examine(type)) ?? []].flat());
      });
      return {
        types,
        createAccount: (...given) => createVerifiedAccount(types, ...given),
        signUp: (request, name, who) => signUp(authlibOf(request, types.get(name, "signUp")), who),
        accounts: (name, given) => new AccountAdministration<never>(types.get(name, "accounts()"), given),
        reseal: () => rotation.reseal(),
      };
    },
  });
}

/** The scripts of the account pages, and the library for passkeys. */
function addScripts(assets: { add(name: string, file: string): void }): void {
  assets.add("authlib.js", join(import.meta.dirname, "client/authlib.js"));
  assets.add("webauthn.js", join(import.meta.dirname, "client/webauthn.js"));
  const library = createRequire(import.meta.url).resolve("@simplewebauthn/browser"); // …/script/index.js
  assets.add("simplewebauthn.js", join(dirname(library), "../dist/bundle/index.umd.min.js"));
}

/** Logs what the database lacks. It does not stop the boot: readiness and requests report it. */
async function warn(types: AccountTypes, rotation: SecretRotation, { log }: Application): Promise<void> {
  for (const type of types.all()) {
    const found = await examineAccountType(type).catch(
      (err: unknown) => void log.warn({ err }, `${type.name} can't be examined`),
    ); // the kernel was closed meanwhile
    if (!found) continue;
    const { ok, detail } = found;
    if (!ok) log.error(detail);
    for (const line of ok ? await rotation.warnings(type).catch(() => []) : []) log.warn(line);
  }
}
