import type { Account } from "framewright/kernel";
import type { Mixin } from "./concern.ts";
import type { ControllerClass } from "./controller.ts";
import type { RequestContext } from "./request.ts";

/** How a controller's visitors are known: the mode, and what the plugin that speaks for it wants to know. */
export interface Authentication {
  readonly mode: string;
  /** The account type, where the mode has several. */
  readonly account?: string;
  readonly [detail: string]: unknown;
}

/**
 * Says how the visitors of a controller are known: `concern(Base, PortalController, AuthenticatedBy("mtls"))`. A plugin
 * speaks for the mode: it adds it to `services.host.authModes` and taps `hooks.kernel.authenticate`.
 */
export function AuthenticatedBy(mode: string, details: Omit<Authentication, "mode"> = {}): Mixin {
  const authentication: Authentication = { mode, ...details };
  return (Base) => {
    class Authenticated extends (Base as ControllerClass) {
      static readonly access: string = authentication.account ?? mode;
      static readonly authentication = authentication;
    }
    return Authenticated as never;
  };
}

/** Asks the plugins who makes a request, once for each account type. */
export function identify(request: RequestContext, authentication: Authentication): Promise<Account | undefined> {
  const { mode, account } = authentication;
  if (account === undefined) return ask(request, authentication);
  const key = `identity ${mode} ${account}`;
  request.locals[key] ??= ask(request, authentication);
  return request.locals[key] as Promise<Account | undefined>;
}

async function ask(request: RequestContext, authentication: Authentication): Promise<Account | undefined> {
  request.authentication = authentication;
  const { authenticate } = request.kernel.hooks;
  return (authenticate.isUsed() ? await authenticate.promise(request) : undefined) ?? undefined;
}
