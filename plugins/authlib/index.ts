import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Application, openDigests, type RequestContext, type RouteSet } from "framewright/host";
import { checkOptions, definePlugin, type OptionRule, type Plugin } from "framewright/kernel";
import { AsyncSeriesHook } from "tapable";
import { guardOf } from "./account_links.ts";
import { addPieces, checkMailHost, checkSettings, drawAccounts, examine, readinessOf } from "./account_routes.ts";
import { type AccountName, type AccountOf, type AccountRecord, AccountTypes } from "./account_type.ts";
import { hideActions } from "./administration/hidden_actions.ts";
import { AccountAdministration, type AdministrationOptions } from "./administration/index.ts";
import { authlibOf } from "./authlib_for_request.ts";
import { checkConfirms } from "./controller.ts";
import { REPORTED } from "./core/accounts.ts";
import { REQUESTED, type RequestedMail } from "./core/mails.ts";
import { lookInto, type MakeAccount, makeAccount, reportFailure, signUp } from "./create_accounts.ts";
import type { AccountEvent, ReportedFailure } from "./events.ts";
import type { SignUp } from "./features/create_account/index.ts";
import { Serial } from "./keyed_mutex.ts";
import { type LimitOptions, Limits } from "./limits.ts";
import { sealers } from "./purpose_encryption.ts";
import { endDisabled } from "./revoke_access.ts";
import { Resealing, type SealedCount } from "./secret_rotation.ts";
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
export { Authlib, type AuthlibFace } from "./controller.ts";
export type { FactorSummary } from "./core/factors.ts";
export type { SignIn } from "./core/sessions.ts";
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
export type { SealedCount, SealedRows, SealKeys, Standing } from "./secret_rotation.ts";
export type { AuthlibServices } from "./services.ts";

/** The slot's service. */
export interface Auth {
  /** The account types that the application lists. */
  readonly types: AccountTypes;
  /** Makes an account past its pages, for the command line and for seeds; a link where no password was given. */
  createAccount: MakeAccount;
  /**
   * Signs somebody up during a request, as the page does, from a form of one's own: `signUp(request, "user", { login,
   * values, transaction })`. @throws FW_SIGN_UP without create_account
   */
  signUp(request: RequestContext, type: string, who: SignUp): Promise<AccountRecord | undefined>;
  /**
   * What administrators do to accounts of a type: `await auth.accounts("user").removeFactors("ann@shop.example")`.
   * @throws FW_ACCOUNT_TYPE_UNKNOWN
   */
  accounts<const N extends AccountName | (string & {})>(
    type: N,
    options?: AdministrationOptions,
  ): AccountAdministration<AccountOf<N>>;
  /** Moves what depends on a previous SECRET_KEY_BASE to the current one; to be stopped and run again as one likes. */
  reseal(): Promise<SealedCount[]>;
}
export interface AuthHooks {
  /** Something happened to an account, and is stored: write it down, greet it, sell it something. */
  account: AsyncSeriesHook<[event: AccountEvent]>;
}
declare module "framewright/kernel" {
  interface Slots {
    auth: { service: Auth; hooks: AuthHooks };
  }
}

export interface AuthlibOptions {
  /** How often passwords, codes and mails may be tried; false lifts every limit. */
  limits?: LimitOptions | false;
}
const limitRule: OptionRule = {
  expected: "false, or { login: { perLogin, perAddress, within }, code: …, mail: …, form: … }",
  check: (value) => value === false || (typeof value === "object" && value !== null),
};

/** Accounts: types with features, their pages and addresses, and the mode of authentication `authlib`. */
export function authlib(options: AuthlibOptions = {}): Plugin {
  checkOptions("authlib", options, { limits: limitRule });
  return definePlugin({
    name: "authlib",
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
    provides: "auth",
    hooks: (): AuthHooks => ({ account: new AsyncSeriesHook(["event"]) }),
    apply({ services, hooks, settings }) {
      const { host, database, jobs, mailer, i18n, views, passwordHasher: hasher } = services;
      const digests = openDigests(settings, "authlib");
      const limits = new Limits(options.limits);
      const serial = new Serial();
      const events = hooks.auth.account;
      const sealer = sealers(settings.secrets);
      const shared: AuthlibServices = { host, database, hasher, jobs, mailer, digests, sealer, limits, serial, events };
      const types = new AccountTypes();
      const resealing = new Resealing(types, settings.secrets);
      host.authModes.add("authlib");
      jobs.define<RequestedMail>(REQUESTED, (requested) => lookInto(types, requested));
      jobs.define<ReportedFailure>(REPORTED, (failure) => reportFailure(types, failure));
      views.addPluginViews(import.meta.dirname);
      i18n.addPluginTexts(import.meta.dirname);
      addScripts(services.assets);
      hooks.host?.loaded.tap("authlib", (application) => {
        types.load(application, shared);
        checkSettings(types, settings);
        checkMailHost(types, settings);
        addPieces(types, views, i18n);
      });
      hooks.host?.compile.tap("authlib", ({ controller, where }) => {
        const { mode, account } =
          (controller as Partial<typeof import("framewright/host").BaseController>).authentication ?? {};
        if (mode === "authlib") types.get(String(account), `${controller.name}, which serves ${where},`);
        checkConfirms(controller, mode);
      });
      hooks.host?.list.tap("authlib", (info, { engine }) => {
        const constraint = host.mounts.find((mount) => mount.engine === engine)?.constraint;
        if (engine && constraint && guardOf(constraint) !== undefined) info.guests = "refuse";
      });
      hooks.resources?.record.tapPromise("authlib", ({ kind, record }) =>
        kind === "updated" ? endDisabled(types, record) : Promise.resolve(),
      );
      hooks.resources?.actions.tapPromise("authlib", (shown, controller) => hideActions(types, shown, controller));
      hooks.kernel.drawRoutes.tapPromise("authlib", async (routes) => drawAccounts(routes as RouteSet, types, host));
      hooks.host?.listening.tap("authlib", () => {
        warn(types, resealing, host).catch((error: Error) =>
          host.log.warn({ err: error }, "the tables of accounts could not be looked at"),
        );
      });
      hooks.host?.ready.tapPromise("authlib", readinessOf(types));
      hooks.host?.examine.tapPromise("authlib", async (findings) => {
        for (const type of types.all()) findings.push(await examine(type));
        for (const type of types.all()) findings.push(...[(await resealing.examine(type)) ?? []].flat());
      });
      hooks.kernel.authenticate.tapPromise("authlib", async (given) => {
        const request = given as RequestContext;
        const { mode, account } = request.authentication ?? { mode: "open" };
        if (mode !== "authlib") return undefined;
        return (await authlibOf(request, types.get(account!, request.path)).load()) ?? null;
      });
      return {
        types,
        createAccount: (...given) => makeAccount(types, ...given),
        signUp: (request, name, who) => signUp(authlibOf(request, types.get(name, "signUp")), who),
        accounts: (name, given) => new AccountAdministration<never>(types.get(name, "accounts()"), given),
        reseal: () => resealing.reseal(),
      };
    },
  });
}

/** What the pages are nicer with, and what passkeys need in the browser. */
function addScripts(assets: { add(name: string, file: string): void }): void {
  assets.add("authlib.js", join(import.meta.dirname, "client/authlib.js"));
  assets.add("webauthn.js", join(import.meta.dirname, "client/webauthn.js"));
  const library = createRequire(import.meta.url).resolve("@simplewebauthn/browser"); // …/script/index.js
  assets.add("simplewebauthn.js", join(dirname(library), "../dist/bundle/index.umd.min.js"));
}

/** What the database lacks is said, and no more: requests tell by themselves. */
async function warn(types: AccountTypes, resealing: Resealing, { log }: Application): Promise<void> {
  for (const type of types.all()) {
    const found = await examine(type).catch((err: unknown) => void log.warn({ err }, `${type.name} can't be examined`)); // closed meanwhile
    if (!found) continue;
    const { ok, detail } = found;
    if (!ok) log.error(detail);
    for (const line of ok ? await resealing.warnings(type).catch(() => []) : []) log.warn(line);
  }
}
