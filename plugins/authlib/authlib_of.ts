import type { RequestContext } from "framewright";
import type { AccountType } from "./account_type.ts";
import type { AuthlibBase } from "./base.ts";

/** The account plugin of a request and an account type: made once. */
export function authlibOf(request: RequestContext, type: AccountType): AuthlibBase {
  const key = `authlib ${type.name}`;
  request.locals[key] ??= new type.class(request, type);
  return request.locals[key] as AuthlibBase;
}
