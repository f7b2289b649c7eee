import { type Constraint, identify } from "framewright/host";
import { markGuarded } from "./account_links.ts";
import { authlibOf } from "./authlib_for_request.ts";
import { accountTypeFor } from "./controller.ts";

/**
 * Opens a mount to signed-in accounts of one type: `routes.constraints(authenticate("user"), (r) => r.mount(…))`.
 * A browser is redirected to the login and back; a JSON client gets a 401.
 */
export function authenticate(account: string): Constraint {
  const authentication = { mode: "authlib", account };
  const constraint: Constraint = async (request) => {
    if (await identify(request, authentication)) return true;
    return authlibOf(request, accountTypeFor(request, account, "config/routes.ts")).requireAuthentication();
  };
  return markGuarded(constraint, account);
}
