import type { AccountType } from "./account_type.ts";
import type { AuthlibBase } from "./base.ts";
import type { FeatureRoute } from "./feature.ts";

/** What views know as `authlib`: of the account type, and never of the account, its keys or its sign-in. */
export interface AuthlibView {
  /** `user` */
  readonly type: string;
  readonly signed_in: boolean;
  /** True for each feature of the account type: `features.reset_password`. */
  readonly features: Readonly<Record<string, true>>;
  /** The pages of the account type, as their addresses are called: `urls.login`, `urls.change_password`. */
  readonly urls: Readonly<Record<string, string>>;
}

/** By type, signed in and not: put together at the first page, and the same for all that follow. */
const known = new WeakMap<AccountType, { in: AuthlibView; out: AuthlibView }>();

export function authlibView({ type, isSignedIn }: AuthlibBase): AuthlibView {
  let views = known.get(type);
  if (!views) {
    const facts = { type: type.name, features: featuresOf(type), urls: urlsOf(type) };
    views = { in: Object.freeze({ ...facts, signed_in: true }), out: Object.freeze({ ...facts, signed_in: false }) };
    known.set(type, views);
  }
  return isSignedIn ? views.in : views.out;
}

const featuresOf = ({ features }: AccountType): Record<string, true> =>
  Object.freeze(Object.fromEntries([...features.keys()].map((name) => [name, true as const])));

/** Every address that can be opened as it stands; none that a type without pages doesn't have. */
function urlsOf(type: AccountType): Record<string, string> {
  const routes = [...type.features.values()].flatMap((feature) => feature.routes);
  const isPage = ({ verb, path, page, linked = true }: FeatureRoute) =>
    verb === "GET" && linked && !path.includes(":") && !(type.class.apiOnly && page);
  return Object.freeze(
    Object.fromEntries(routes.filter(isPage).map((one) => [one.path.replaceAll(/[-/]/g, "_"), type.path(one.path)])),
  );
}
