import {
  AuthenticatedBy,
  type BaseController,
  type ControllerClass,
  type Engine,
  type Guests,
  humanize,
  type Mixin,
  type RequestContext,
} from "framewright/host";

/** What every controller of a portal has. */
export interface PortalConcern {
  /** The portal whose route it serves. */
  readonly portal: Engine | undefined;
}

/** The root of a portal's concern (`Framework::Portal::Controller`). */
export const PortalController: Mixin<PortalConcern> = (Base) => {
  class InPortal extends (Base as ControllerClass) {
    static readonly inPortal = true;
    get portal(): Engine | undefined {
      return this.request.engine;
    }
  }
  return InPortal as never;
};

/** Nobody has to sign in (`Framework::Auth::Public`): the mode `public`, which admits guests. */
export const PublicAccess: Mixin = AuthenticatedBy("public");

/** Says who makes a request, or undefined for nobody. */
export type FindUser<User> = (request: RequestContext, controller: BaseController) => Promise<User | undefined>;

export interface CurrentUserOptions {
  /** "admit": who is nobody comes in as well, and `currentUser` is undefined. Else the answer is 401. */
  guests?: Guests;
  /** What `WWW-Authenticate` asks for in a 401: `"ApiKey"`; "Bearer" unless told. */
  challenge?: string;
  /** The status when the function fails: 500, or 503 where what it asks may be away. */
  failure?: 500 | 503;
}

/**
 * Bring your own authentication, the mode `byo`: says who asks, or answers 401. What the function returns types
 * `currentUser`: `CurrentUser(async (request) => findPartner(request.header("x-api-key")))`.
 */
export function CurrentUser<User extends object>(
  find: FindUser<User>,
  options: CurrentUserOptions & { guests: "admit" },
): Mixin<{ currentUser: User | undefined }>;
export function CurrentUser<User extends object>(
  find: FindUser<User>,
  options?: CurrentUserOptions,
): Mixin<{ currentUser: User }>;
export function CurrentUser(find: FindUser<object>, options: CurrentUserOptions = {}): Mixin<object> {
  return AuthenticatedBy("byo", { find, ...options });
}

const labels = new Map<string, string>(); // portals are few, and named by code

/** `AdminPortal` → `Admin`: what people see. */
export function portalLabel({ name }: Pick<Engine, "name">): string {
  const label = labels.get(name) ?? humanize(name.replace(/Portal$/, ""));
  labels.set(name, label);
  return label;
}
