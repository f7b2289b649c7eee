import { type Account, callHook, type Kernel, type RequestContext } from "framewright/kernel";
import { errors } from "../errors.ts";
import { Reply } from "../http/reply.ts";
import type { AuthModes } from "./auth_modes.ts";
import type { Mixin } from "./concern.ts";
import type { ControllerClass } from "./controller.ts";

/** How a controller authenticates: the mode, and details for the plugin that provides the mode. */
export interface Authentication {
  readonly mode: string;
  /** The account type, where the mode has several. */
  readonly account?: string;
  /** `WWW-Authenticate` of a 401; "Bearer" by default. */
  readonly challenge?: string;
  readonly [detail: string]: unknown;
}

/** The mode of controllers that set none: plugins may still identify the visitor. */
export const unstated: Authentication = { mode: "open" };

/** Whether a controller answers guests. The default is to refuse. */
export type Guests = "admit" | "refuse";

/** Whether a class of controllers answers guests: by its own setting, else by its mode of authentication. */
export function admitsGuests(modes: AuthModes, controller: unknown): boolean {
  const { guests, authentication } = controller as { guests?: unknown; authentication?: Authentication };
  if (guests !== undefined) return guests === "admit";
  return authentication !== undefined && modes.admitsGuests(authentication.mode);
}

/**
 * Sets the mode of authentication of a controller: `concern(Base, PortalController, AuthenticatedBy("mtls"))`. A plugin
 * provides the mode: `services.host.authModes.add("mtls", { find: (request) => machineOf(request) })`. Guests are refused,
 * unless the mode or `{ guests: "admit" }` admits them. `AuthenticatedBy<Machine>("mtls")` types `currentUser`.
 */
export function AuthenticatedBy<User extends object = never>(
  mode: string,
  { guests, ...details }: Omit<Authentication, "mode"> & { readonly guests?: Guests } = {},
): Mixin<[User] extends [never] ? object : { currentUser: User }> {
  const authentication: Authentication = { mode, ...details };
  return (Base) => {
    class Authenticated extends (Base as ControllerClass) {
      static readonly access: string = authentication.account ?? mode;
      static readonly authentication = authentication;
      static readonly guests = guests;
    }
    return Authenticated as never;
  };
}

/** A request whose account is looked up. */
export interface IdentifiedRequest extends RequestContext {
  readonly kernel: Kernel;
  readonly locals: Record<string | symbol, unknown>;
  authentication: Authentication | undefined;
}

/**
 * The account of a request: of the first tap of `hooks.kernel.authenticate` that answers, else of the mode's `find`.
 * Called once for each account type.
 */
export function identify(request: IdentifiedRequest, authentication: Authentication): Promise<Account | undefined> {
  const { mode, account } = authentication;
  if (account === undefined && !request.isBackground) return askPlugins(request, authentication);
  const key = identityKey(mode, account ?? "");
  request.locals[key] ??= askPlugins(request, authentication);
  return request.locals[key] as Promise<Account | undefined>;
}

const identityKey = (mode: string, account: string): string => `identity ${mode} ${account}`;

/** Sets the account that `identify` finds, for a request that brought no credentials: of a job that acts for a person. */
export function setIdentity(request: IdentifiedRequest, authentication: Authentication, account: Account): void {
  request.authentication = authentication;
  request.locals[identityKey(authentication.mode, authentication.account ?? "")] = Promise.resolve(account);
}

async function askPlugins(request: IdentifiedRequest, authentication: Authentication): Promise<Account | undefined> {
  request.authentication = authentication;
  const found = callHook(request.kernel.hooks.authenticate, request);
  const account = found instanceof Promise ? await found : found;
  if (account instanceof Reply) throw errors.FW_AUTH_REPLY(authentication.mode);
  return account ?? undefined;
}
