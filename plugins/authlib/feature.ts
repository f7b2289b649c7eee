import { camelize, type Reply, type RequestContext, type Verb } from "framewright/host";
import type { AccountType } from "./account_type.ts";
import type { AuthlibBase } from "./base.ts";
import type { SealedRows } from "./secret_rotation.ts";

/** The class of an account plugin: what `app/authlib/<name>_authlib_plugin.ts` exports. */
export interface AuthlibClass<T extends AuthlibBase = AuthlibBase> {
  new (request: RequestContext, type: AccountType): T;
  readonly prototype: T;
  /** The constant of the accounts' model; by default from the plugin's name. */
  model: string | undefined;
  /** The column of the login. */
  loginColumn: string;
  /** Whether it has no pages, only JSON. */
  apiOnly: boolean;
  readonly features: readonly Feature[];
}

/** A route of a feature, below `/<account_plural>/`. */
export interface FeatureRoute {
  verb: Verb;
  path: string;
  /** The method of the account plugin that replies; of a route that a plugin adds a function of the account plugin. */
  run: string | ((authlib: AuthlibBase) => Promise<Reply>);
  /** Who may request it: anyone, or only a signed-in account. */
  who: "anyone" | "account";
  /** Whether it is a page: account types with `apiOnly` don't draw it. */
  page?: boolean;
  /** Whether it requires a verified address. */
  verified?: boolean;
  /** Why it needs no token of a form: for requests of other servers, which prove themselves by what they send. */
  csrfReason?: string;
  /** False for a page that only a mail or another page leads to: `authlib.urls` in views omits it. */
  linked?: boolean;
}

/** A secret that a feature needs, from the environment or from `.env` and `.env.<environment>`. */
export interface FeatureSetting {
  /** As in `PASSWORD_PEPPER`. */
  readonly name: string;
  /** Its least length; the application does not boot with less. */
  readonly minimumBytes: number;
  /** Its purpose, as quoted in the error: "hash passwords with". */
  readonly purpose: string;
}

/** A feature of account types: its steps, routes, tables, views, mails and texts. */
export interface Feature<Steps = object> {
  readonly name: string;
  /** Features that it requires. */
  readonly requires: readonly string[];
  /** Features of which it requires one. */
  readonly requiresOne: readonly string[];
  /** Its folder, with `views/`, `en.json` and `schema.liquid`. */
  readonly directory: string;
  readonly options: object;
  /** Its tables, without the account's prefix: `remember_keys` for `user_remember_keys`. */
  readonly tables: readonly string[];
  /** Those of its tables that are no account's, as of tenants; they are among `tables`. */
  readonly shared: readonly string[];
  /** Tables of credentials: their rows are deleted when the password changes or the account closes. */
  readonly credentials: readonly string[];
  /** Tables of an account's own factors and secrets: their rows are deleted when the account closes. */
  readonly owned: readonly string[];
  /** Tables of factors, with a column `created_at`: recent rows are deleted when the owner reports a compromise. */
  readonly factors: readonly string[];
  readonly routes: readonly FeatureRoute[];
  /** The secrets it needs: checked at boot and by `fw doctor`. Generators write values for development and test. */
  readonly settings: readonly FeatureSetting[];
  /** Rows that depend on SECRET_KEY_BASE and outlive a rotation: `fw authlib:reseal` re-encrypts them. */
  readonly sealed: readonly SealedRows[];
  /** Checks an account type at boot; throws where the feature can't work. */
  readonly check?: (type: AccountType) => void;
  /** Extends the account plugin's class with the feature's steps. */
  steps(Base: AuthlibClass): AuthlibClass<AuthlibBase & Steps>;
}

/**
 * The two routes of a form: `form("change-password", "account")` is `GET` for `changePasswordPage` and `POST` for
 * `submitChangePassword`. `linked: false` where only a mail leads there; `page: false` where the GET also replies with
 * JSON, for types with `apiOnly`; `verified` where a verified address is required.
 */
export function form(
  path: string,
  who: FeatureRoute["who"],
  { page = true, linked = true, verified = false } = {},
): FeatureRoute[] {
  const name = camelize(path.replaceAll("-", "_"));
  const asking = `${name.charAt(0).toLowerCase()}${name.slice(1)}Page`;
  return [
    { verb: "GET", path, run: asking, who, page, linked, verified },
    { verb: "POST", path, run: `submit${name}`, who, verified },
  ];
}

type Given<Steps> = Pick<Feature<Steps>, "name" | "directory"> & Partial<Feature<Steps>>;

/** Defines a feature of account types. `Steps` are the methods that it adds to the account plugin, for applications to override. */
export function defineFeature<Steps = object>(feature: Given<Steps>): Feature<Steps> {
  return {
    requires: [],
    requiresOne: [],
    options: {},
    tables: [],
    shared: [],
    credentials: [],
    owned: [],
    factors: [],
    routes: [],
    settings: [],
    sealed: [],
    steps: (Base) => Base as AuthlibClass<AuthlibBase & Steps>,
    ...feature,
  };
}

type StepsOf<F extends readonly Feature[]> = UnionToIntersection<
  { [I in keyof F]: F[I] extends Feature<infer S> ? S : never }[number]
>;
type UnionToIntersection<U> = (U extends unknown ? (given: U) => void : never) extends (given: infer I) => void
  ? I
  : never;

/** Extends an account plugin's base with features, in the order listed: a later one may override the steps of an earlier one. */
export function features<B extends AuthlibClass, const F extends readonly Feature[]>(
  Base: B,
  list: F,
): AuthlibClass<InstanceType<B> & StepsOf<F>> {
  const all = list as unknown as readonly Feature[];
  const Extended = all.reduce<AuthlibClass>((Current, feature) => feature.steps(Current), Base);
  class WithFeatures extends Extended {
    static override readonly features: readonly Feature[] = [...Base.features, ...all];
  }
  return WithFeatures as unknown as AuthlibClass<InstanceType<B> & StepsOf<F>>;
}

const marker = Symbol.for("framewright.authlib");
/** What `app/authlib/authlib_app.ts` exports. */
export interface AuthlibApp {
  readonly [marker]: true;
  readonly classes: readonly AuthlibClass[];
}

/** Lists the account types of an application, in `app/authlib/authlib_app.ts`. */
export const defineAuthlib = (classes: readonly AuthlibClass[]): AuthlibApp => ({ [marker]: true, classes });

export const isAuthlibApp = (value: unknown): value is AuthlibApp =>
  typeof value === "object" && value !== null && marker in value;
