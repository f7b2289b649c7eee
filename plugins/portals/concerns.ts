import {
  AuthenticatedBy,
  type BaseController,
  type ControllerClass,
  type Engine,
  type Guests,
  humanize,
  type Mixin,
  type RequestContext,
  underscore,
} from "framewright/host";

/** What `PortalController` adds to a controller. */
export interface PortalConcern {
  /** The portal whose route it serves. */
  readonly portal: Engine | undefined;
}

/** The base of a portal's concern. */
export const PortalController: Mixin<PortalConcern> = (Base) => {
  class InPortal extends (Base as ControllerClass) {
    static readonly inPortal = true;
    get portal(): Engine | undefined {
      return this.request.engine;
    }
  }
  return InPortal as never;
};

/** No sign-in required: the mode `public`, which admits guests. */
export const PublicAccess: Mixin = AuthenticatedBy("public");

/** Returns a request's user, or undefined. */
export type FindUser<User> = (request: RequestContext, controller: BaseController) => Promise<User | undefined>;

/** Options of `CurrentUser()`. */
export interface CurrentUserOptions {
  /** "admit" lets requests without a user pass, with `currentUser` undefined. By default they get 401. */
  guests?: Guests;
  /** The challenge of `WWW-Authenticate` in a 401, as `"ApiKey"`; by default "Bearer". */
  challenge?: string;
  /** The status when the function fails: 500, or 503 where it calls a service that may be unavailable. */
  failure?: 500 | 503;
}

/**
 * Bring your own authentication, the mode `byo`: finds the user, or replies 401. The function's return type is that of
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

/** Module-level: a pure function, cached: portals are few, and named by code. */
const labels = new Map<string, string>();

/** `AdminPortal` → `Admin`: the portal's label for people; of a request `portals.admin` of its language's catalogue, where it is there. */
export function portalLabel({ name }: Pick<Engine, "name">, request?: RequestContext): string {
  const short = name.replace(/Portal$/, "");
  const label = labels.get(name) ?? humanize(short);
  labels.set(name, label);
  return request?.tOr(`portals.${underscore(short)}`, label) ?? label;
}
