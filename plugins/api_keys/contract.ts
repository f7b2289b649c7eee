import type { BaseController, RequestContext } from "framewright/host";

/** What the key of a request may do. */
export interface KeyGrant {
  /** Names the key among all keys of an application, without a secret in it: `user 12`. */
  readonly id: string;
  /** What its owner calls it; undefined where the account of the request is the key's own, as an API client is. */
  readonly name: string | undefined;
  /** As in `["blogging/posts:read"]`. */
  readonly scopes: readonly string[];
}

/** The service of the slot `api_keys`: requests with keys, and what they may do. */
export interface ApiKeys {
  /**
   * A request has come with a key: from now on it may do what the scopes name, and nothing else. False where the request is past
   * the check, so that its key must not count. @throws HttpError 403 in portals that take no keys
   */
  grant(request: RequestContext, grant: KeyGrant): boolean;
  /** The key that a request came with; undefined for people, and for tokens. */
  grantOf(request: RequestContext): KeyGrant | undefined;
  /**
   * A request is about to answer with records of a resource besides its own; nothing for requests without a key.
   * @throws HttpError 403 where the key has no scope to read it
   * @example keys.requireRead(request, "blogging/comments")
   */
  requireRead(request: RequestContext, resource: string): void;
  /** Whether `requireRead` passes: for lists of several resources, which leave others out. */
  mayRead(request: RequestContext, resource: string): boolean;
  /** Counts a key that is not valid. @throws HttpError 429 with Retry-After for an address that sends many */
  refuse(request: RequestContext): Promise<void>;
  /** The resources of the portals that an account type signs in to, or of all portals: what scopes can name. */
  resources(controller: BaseController, accountType?: string): readonly ScopedResource[];
  /** Why a text is no scope, in a sentence that names it; undefined for one that is. */
  problemOf(scope: string, accountType?: string): string | undefined;
}

/** A resource that scopes can name. */
export interface ScopedResource {
  /** As in `blogging/posts`. */
  readonly path: string;
  /** What people call its records. */
  readonly label: string;
}

declare module "framewright/kernel" {
  interface Slots {
    api_keys: { service: ApiKeys };
  }
}
