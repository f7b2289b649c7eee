import { type Constraint, identify } from "framewright/host";
import { guarding } from "./account_links.ts";
import { authlibOf } from "./authlib_for_request.ts";
import { typeOf } from "./controller.ts";

/**
 * Opens a mount to signed-in accounts of one type: `routes.constraints(authenticate("user"), (r) => r.mount(…))`.
 * A browser is sent to the login and comes back; a JSON client gets a 401.
 */
export function authenticate(account: string): Constraint {
  const authentication = { mode: "authlib", account };
  const constraint: Constraint = async (request) => {
    if (await identify(request, authentication)) return true;
    return authlibOf(request, typeOf(request, account, "config/routes.ts")).requireAuthentication();
  };
  return guarding(constraint, account);
}
