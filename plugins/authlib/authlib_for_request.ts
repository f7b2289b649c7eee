import type { RequestContext } from "framewright/host";
import type { AccountType } from "./account_type.ts";
import type { AuthlibBase } from "./base.ts";

/** The account plugin of a request and an account type; created once. */
export function authlibOf(request: RequestContext, type: AccountType): AuthlibBase {
  const known = knownAuthlib(request, type.name);
  if (known) return known;
  const authlib = new type.class(request, type);
  request.locals[keyOf(type.name)] = authlib;
  return authlib;
}

/** The same by the type's name; undefined where it was not created yet. */
export const knownAuthlib = (request: RequestContext, name: string): AuthlibBase | undefined =>
  request.locals[keyOf(name)] as AuthlibBase | undefined;

const keyOf = (name: string): string => `authlib ${name}`;
