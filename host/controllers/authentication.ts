import type { Account } from "framewright/kernel";
import type { RequestContext } from "../http/request.ts";
import type { Mixin } from "./concern.ts";
import type { ControllerClass } from "./controller.ts";

/** How a controller's visitors are known: the mode, and what the plugin that speaks for it wants to know. */
export interface Authentication {
  readonly mode: string;
  /** The account type, where the mode has several. */
  readonly account?: string;
  /** What a 401 asks for in `WWW-Authenticate`; "Bearer" unless told. */
  readonly challenge?: string;
  readonly [detail: string]: unknown;
}

/** Whether a controller answers who is nobody. What says nothing refuses. */
export type Guests = "admit" | "refuse";

/** The modes of authentication that plugins speak for, and which of them admit guests. */
export class AuthModes {
  readonly #modes = new Map<string, Guests>();

  /** Guests are refused in this mode unless it says `{ guests: "admit" }`. */
  add(mode: string, { guests = "refuse" }: { guests?: Guests } = {}): void {
    this.#modes.set(mode, guests);
  }
  has(mode: string): boolean {
    return this.#modes.has(mode);
  }
  admits(mode: string): boolean {
    return this.#modes.get(mode) === "admit";
  }
}

/** Whether a class of controllers answers guests: what it says itself, else what its mode of authentication says. */
export function admitsGuests(modes: AuthModes, controller: unknown): boolean {
  const { guests, authentication } = controller as { guests?: unknown; authentication?: Authentication };
  if (guests !== undefined) return guests === "admit";
  return authentication !== undefined && modes.admits(authentication.mode);
}

/**
 * Says how the visitors of a controller are known: `concern(Base, PortalController, AuthenticatedBy("mtls"))`. A plugin
 * speaks for the mode: it adds it to `services.host.authModes` and taps `hooks.kernel.authenticate`. Who is nobody is
 * refused, unless the mode or `{ guests: "admit" }` says otherwise.
 */
export function AuthenticatedBy(
  mode: string,
  { guests, ...details }: Omit<Authentication, "mode"> & { readonly guests?: Guests } = {},
): Mixin {
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
