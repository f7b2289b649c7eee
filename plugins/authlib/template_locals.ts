import type { AccountType } from "./account_type.ts";
import type { AuthlibBase } from "./base.ts";
import type { FeatureRoute } from "./feature.ts";

/** The local `authlib` of views: about the account type, never about the account, its keys or its sign-in. */
export interface AuthlibView {
  /** `user` */
  readonly type: string;
  readonly signed_in: boolean;
  /** True for each feature of the account type: `features.reset_password`. */
  readonly features: Readonly<Record<string, true>>;
  /** The pages of the account type by name: `urls.login`, `urls.change_password`. */
  readonly urls: Readonly<Record<string, string>>;
}

/** Module-level: by account type, of which each application has its own, signed in and not: created for the first page. */
const known = new WeakMap<AccountType, { in: AuthlibView; out: AuthlibView }>();

export function authlibView({ type, isSignedIn }: AuthlibBase): AuthlibView {
  let views = known.get(type);
  if (!views) {
    const shared = { type: type.name, features: featuresOf(type), urls: urlsOf(type) };
    views = { in: Object.freeze({ ...shared, signed_in: true }), out: Object.freeze({ ...shared, signed_in: false }) };
    known.set(type, views);
  }
  return isSignedIn ? views.in : views.out;
}

const featuresOf = ({ features }: AccountType): Record<string, true> =>
  Object.freeze(Object.fromEntries([...features.keys()].map((name) => [name, true as const])));

/** Every page without parameters, without those that a type with `apiOnly` lacks. */
function urlsOf(type: AccountType): Record<string, string> {
  const routes = [...type.features.values()].flatMap((feature) => feature.routes);
  const isPage = ({ verb, path, page, linked = true }: FeatureRoute) =>
    verb === "GET" && linked && !path.includes(":") && !(type.class.apiOnly && page);
  return Object.freeze(
    Object.fromEntries(routes.filter(isPage).map((one) => [one.path.replaceAll(/[-/]/g, "_"), type.path(one.path)])),
  );
}
