import { camelize, type RequestContext, type Verb } from "framewright/host";
import type { AccountType } from "./account_type.ts";
import type { AuthlibBase } from "./base.ts";
import type { SealedRows } from "./secret_rotation.ts";

/** A class of account plugins: what `app/authlib/<name>_authlib_plugin.ts` exports. */
export interface AuthlibClass<T extends AuthlibBase = AuthlibBase> {
  new (request: RequestContext, type: AccountType): T;
  readonly prototype: T;
  /** The constant of the model that accounts are records of; from the plugin's own name unless told. */
  model: string | undefined;
  /** The column that people log in by. */
  loginColumn: string;
  /** Whether it has no pages: everything is asked for and answered as JSON. */
  apiOnly: boolean;
  readonly features: readonly Feature[];
}

/** One address of a feature, below `/<account_plural>/`. */
export interface FeatureRoute {
  verb: Verb;
  path: string;
  /** The method of the account plugin that answers. */
  run: string;
  /** Who may ask: anybody, or a signed-in account alone. */
  who: "anyone" | "account";
  /** A page: account types without pages don't draw it. */
  page?: boolean;
  /** Whether it takes an account whose address is verified: who is signed in before it is comes no further. */
  verified?: boolean;
  /** False for a page that one is led to, by a mail or in between: views are given no address of it. */
  linked?: boolean;
}

/** A secret that a feature needs from outside: from the environment, or the files `.env` and `.env.<environment>`. */
export interface FeatureSetting {
  /** As in `PASSWORD_PEPPER`. */
  readonly name: string;
  /** How long it must be; the application does not boot with less. */
  readonly minimumBytes: number;
  /** What it is for, as an error puts it: "hash passwords with". */
  readonly purpose: string;
}

/** A capability of account types: its steps, routes, tables, views, mails and texts. */
export interface Feature<Steps = object> {
  readonly name: string;
  /** Other features that it needs. */
  readonly requires: readonly string[];
  /** Features of which it needs one. */
  readonly requiresOne: readonly string[];
  /** Its folder: `views/`, `en.json` and `schema.liquid` lie there. */
  readonly directory: string;
  readonly options: object;
  /** The tables it needs, after the account's name: `remember_keys` for `user_remember_keys`. */
  readonly tables: readonly string[];
  /** Those of them whose rows are ways to get in: all die when the password changes or the account closes. */
  readonly credentials: readonly string[];
  /** Those whose rows are an account's own factors and secrets, and of no use without it: they die when it closes. */
  readonly owned: readonly string[];
  /** Those whose rows are factors, each with its `created_at`: new ones go when the owner reports that somebody else was in. */
  readonly factors: readonly string[];
  readonly routes: readonly FeatureRoute[];
  /** What must be set for it: asked at boot and by `fw doctor`. Generators write fresh values for development and test. */
  readonly settings: readonly FeatureSetting[];
  /** Rows that depend on SECRET_KEY_BASE and outlive a rotation: `fw authlib:reseal` moves them. */
  readonly sealed: readonly SealedRows[];
  /** Looks at an account type at boot, and throws where it can't work. */
  readonly check?: (type: AccountType) => void;
  /** Extends the account plugin by what the feature can do. */
  steps(Base: AuthlibClass): AuthlibClass<AuthlibBase & Steps>;
}

/**
 * The two addresses of a form: `form("change-password", "account")` is `GET`, answered by `changePasswordPage`, and
 * `POST`, answered by `submitChangePassword`. `linked: false` where only a mail leads there; `page: false` where the GET answers JSON as well, to types without pages;
 * `verified` where the account's address has to be.
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

/** Defines a feature of account types; `Steps` is what it adds to the account plugin, for applications to override. */
export function defineFeature<Steps = object>(feature: Given<Steps>): Feature<Steps> {
  return {
    requires: [],
    requiresOne: [],
    options: {},
    tables: [],
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

/** An account plugin's base with features, in the order listed: a later one sees, and may override, what came before. */
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
export interface AuthlibApp {
  readonly [marker]: true;
  readonly classes: readonly AuthlibClass[];
}

/** Lists the account types of an application, in `app/authlib/authlib_app.ts`. */
export const defineAuthlib = (classes: readonly AuthlibClass[]): AuthlibApp => ({ [marker]: true, classes });

export const isAuthlibApp = (value: unknown): value is AuthlibApp =>
  typeof value === "object" && value !== null && marker in value;
