import type { RequestContext } from "framewright/host";
import type { AccountType } from "./account_type.ts";
import type { AuthlibBase } from "./base.ts";

/** The account plugin of a request and an account type: made once. */
export function authlibOf(request: RequestContext, type: AccountType): AuthlibBase {
  const known = knownAuthlib(request, type.name);
  if (known) return known;
  const made = new type.class(request, type);
  request.locals[keyOf(type.name)] = made;
  return made;
}

/** The same by the type's name; undefined where nobody asked for it yet. */
export const knownAuthlib = (request: RequestContext, name: string): AuthlibBase | undefined =>
  request.locals[keyOf(name)] as AuthlibBase | undefined;

const keyOf = (name: string): string => `authlib ${name}`;
