import { type ApplicationContext, BoundedCache, camelize, pluralize, underscore } from "framewright/host";
import { suggest } from "framewright/kernel";
import type { BaseModel, Database, ModelInfo } from "framewright/plugins/database";
import { errors } from "./errors.ts";
import type { AuthlibClass, Feature } from "./feature.ts";
import { isAuthlibApp } from "./feature.ts";
import type { AuthlibServices } from "./services.ts";

/** A record of an account type's model. */
export type AccountRecord = BaseModel & { id: number; account_status: string; [column: string]: unknown };

/** The model of each account type, by declaration merging; each account plugin adds its own. */
export interface Accounts {}
/** The name of an account type. */
export type AccountName = keyof Accounts & string;
/** The model of an account type's accounts. */
export type AccountOf<N> = N extends keyof Accounts ? Accounts[N] : AccountRecord;

/** A column of a table that refers to accounts. */
export interface Referrer {
  readonly table: string;
  readonly column: string;
}

/** One account type of an application, as `user`: its class, features and model. */
export class AccountType {
  readonly name: string;
  /** `users`: the first segment of its paths. */
  readonly plural: string;
  readonly class: AuthlibClass;
  readonly features: ReadonlyMap<string, Feature>;
  readonly services: AuthlibServices;
  /** A cache of session keys' digests: a browser sends its key with every request. */
  readonly sessionDigests = new BoundedCache<readonly string[]>(500);
  #model: ModelInfo | undefined;
  #referrers: Promise<readonly Referrer[]> | undefined;
  #signedIn: ReturnType<Database["prepared"]> | undefined;

  constructor(name: string, cls: AuthlibClass, services: AuthlibServices) {
    this.name = name;
    this.plural = pluralize(name);
    this.class = cls;
    this.services = services;
    this.features = featuresOf(name, cls.features);
  }

  get model(): ModelInfo {
    this.#model ??= this.services.database.model(this.class.model ?? camelize(this.name));
    return this.#model;
  }
  /** The prepared query of every request: the account and the sign-in of a session's digests. */
  get signedIn(): ReturnType<Database["prepared"]> {
    this.#signedIn ??= this.services.database.prepared((knex, digests) => {
      const { table, columns } = this.model;
      return knex({ k: this.table("active_session_keys") })
        .join(table, `${table}.id`, "k.account_id")
        .select(...[...columns.keys()].map((column) => `${table}.${column}`), {
          fw_id: "k.id",
          fw_factors: "k.factors",
          fw_created_at: "k.created_at",
          fw_last_use: "k.last_use",
          fw_confirmed_at: "k.confirmed_at",
          fw_remember_key_id: "k.remember_key_id",
        })
        .whereIn("k.session_digest", digests as string[])
        .limit(1);
    });
    return this.#signedIn;
  }
  has(feature: string): boolean {
    return this.features.has(feature);
  }
  /** `user_remember_keys` for `remember_keys`. */
  table(suffix: string): string {
    return `${this.name}_${suffix}`;
  }
  get tables(): string[] {
    return [...this.features.values()].flatMap(({ tables }) => tables.map((table) => this.table(table)));
  }
  /** The application's foreign keys to accounts, as the database lists them; loaded once. */
  referrers(): Promise<readonly Referrer[]> {
    this.#referrers ??= this.#findReferrers().catch((error: unknown) => {
      this.#referrers = undefined;
      throw error;
    });
    return this.#referrers;
  }
  async #findReferrers(): Promise<Referrer[]> {
    const { database } = this.services;
    const own = new Set(this.tables);
    const found: Referrer[] = [];
    for (const table of await database.tables()) {
      if (own.has(table)) continue;
      for (const { name, references } of await database.introspect(table))
        if (references?.table === this.model.table) found.push({ table, column: name });
    }
    return found;
  }
  /** `/users/login` for `login`, below the application's path. */
  path(page: string): string {
    return `${this.services.host.settings.basePath}/${this.plural}/${page}`;
  }
}

/** @throws FW_FEATURE_TWICE, FW_FEATURE_MISSING */
function featuresOf(type: string, list: readonly Feature[]): Map<string, Feature> {
  const found = new Map<string, Feature>();
  for (const feature of list) {
    if (found.has(feature.name)) throw errors.FW_FEATURE_TWICE(type, feature.name);
    found.set(feature.name, feature);
  }
  for (const { name, requires, requiresOne } of list) {
    const lacks = requires.find((needed) => !found.has(needed));
    if (lacks !== undefined) throw errors.FW_FEATURE_MISSING(type, name, [factoryOf(lacks)]);
    const hasOne = requiresOne.length === 0 || requiresOne.some((needed) => found.has(needed));
    if (!hasOne) throw errors.FW_FEATURE_MISSING(type, name, requiresOne.map(factoryOf));
  }
  return found;
}
/** `recoveryCodes` for `recovery_codes`. */
const factoryOf = (feature: string): string => camelize(feature).replace(/^./, (letter) => letter.toLowerCase());

/** All account types of an application by name. */
export class AccountTypes {
  readonly #types = new Map<string, AccountType>();

  /** Reads `app/authlib/authlib_app.ts`. @throws FW_AUTHLIB_… */
  load({ constants }: ApplicationContext, services: AuthlibServices): void {
    const app = constants.all("authlib").find(({ name }) => name === "AuthlibApp");
    if (!app) return;
    if (!isAuthlibApp(app.value)) throw errors.FW_AUTHLIB_APP(app.file);
    for (const cls of app.value.classes) {
      const constant = constants.of(cls);
      if (!constant) throw errors.FW_AUTHLIB_CLASS(String((cls as { name?: string } | undefined)?.name ?? cls));
      const name = /^(\w+)AuthlibPlugin$/.exec(constant.name)?.[1];
      if (name === undefined) throw errors.FW_AUTHLIB_NAME(constant.name, constant.file);
      this.#types.set(underscore(name), new AccountType(underscore(name), cls, services));
    }
  }

  all(): readonly AccountType[] {
    return [...this.#types.values()];
  }
  find(name: string): AccountType | undefined {
    return this.#types.get(name);
  }
  /** `where` is quoted in the error. @throws FW_ACCOUNT_TYPE_UNKNOWN */
  get(name: string, where: string): AccountType {
    const found = this.#types.get(name);
    if (found) return found;
    const names = [...this.#types.keys()];
    throw errors.FW_ACCOUNT_TYPE_UNKNOWN(name, where, names, suggest(name, names));
  }
}
