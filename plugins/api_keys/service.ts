import {
  type Application,
  type BaseController,
  networkOf,
  type RequestContext,
  type Route,
  tooManyRequests,
} from "framewright/host";
import type { Limiter } from "framewright/plugins/limits";
import { portalBaseController } from "framewright/plugins/portals";
import { labelsFor, type Registration, type Resources } from "framewright/plugins/resources";
import type { ApiKeys, KeyGrant, ScopedResource } from "./contract.ts";
import { closedToKeys, pageRefused, scopeMissing } from "./errors.ts";
import { choicesOfParams, type NeedParts, needsOf, partsOf } from "./needs.ts";
import { missingScopes, parseScope, verbs } from "./scopes.ts";

interface Parts {
  readonly application: Application;
  readonly resources: () => Resources;
  /** Counts keys that are not valid, by address. */
  readonly failures: Limiter;
  /** The portals that take no keys. */
  readonly closed: ReadonlySet<string>;
}

/** Requests with keys: what each may do, checked once its sender is known, and before any policy. */
export class KeyedRequests implements ApiKeys {
  readonly #parts: Parts;
  readonly #grants = new WeakMap<RequestContext, KeyGrant>();
  /** Requests whose check is over: a key that is found later would be checked by nothing. */
  readonly #checked = new WeakSet<RequestContext>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  grant(request: RequestContext, grant: KeyGrant): boolean {
    if (this.#checked.has(request)) return false;
    this.#grants.set(request, grant);
    return true;
  }
  grantOf(request: RequestContext): KeyGrant | undefined {
    return this.#grants.get(request);
  }

  requireRead(request: RequestContext, resource: string): void {
    const missing = this.#missingToRead(request, resource);
    if (missing.length > 0) throw scopeMissing(missing);
  }
  mayRead(request: RequestContext, resource: string): boolean {
    return this.#missingToRead(request, resource).length === 0;
  }
  #missingToRead(request: RequestContext, resource: string): string[] {
    const grant = this.#grants.get(request);
    return grant ? missingScopes(grant.scopes, { resource, verbs: ["read"] }) : [];
  }

  /** Called for every request, as the first of what is prepared. @throws HttpError 403, 406 */
  check(controller: BaseController): void {
    const { request } = controller;
    this.#checked.add(request);
    const grant = this.#grants.get(request);
    if (!grant) return;
    const missing = this.#missing(request, grant, partsOf(controller));
    if (!missing) throw closedToKeys();
    if (missing.length > 0) throw scopeMissing(missing);
    if (request.format === "html") throw pageRefused();
  }
  /** Whether the key of a request opens a route, with these values of its parameters and some of the others; true without a key. */
  opens(request: RequestContext, route: Route, params: Readonly<Record<string, string>>): boolean {
    const grant = this.#grants.get(request);
    if (!grant) return true;
    const actionName = typeof route.action === "string" ? route.action : "";
    return choicesOfParams(route, params, this.#registry).some(
      (one) => this.#missing(request, grant, { route, params: one, actionName, isStream: false })?.length === 0,
    );
  }
  /** The scopes that the key lacks; undefined where no scope opens it. */
  #missing(request: RequestContext, { scopes }: KeyGrant, parts: NeedParts): string[] | undefined {
    if (this.#isClosed(request)) return undefined;
    return needsOf(parts, this.#registry)?.flatMap((need) => missingScopes(scopes, need));
  }
  #isClosed({ engine }: RequestContext): boolean {
    return engine === undefined || this.#parts.closed.has(engine.name);
  }

  async refuse({ address }: RequestContext): Promise<void> {
    const wait = await this.#parts.failures.consume(networkOf(address));
    if (wait !== undefined) throw tooManyRequests(wait);
  }

  resources(controller: BaseController, accountType?: string): readonly ScopedResource[] {
    const found = new Map<string, string>();
    for (const registration of this.#registrations(accountType))
      if (!found.has(registration.path)) found.set(registration.path, labelsFor(controller, registration).many);
    return [...found]
      .map(([path, label]) => ({ path, label }))
      .sort((one, other) => one.label.localeCompare(other.label, controller.request.locale));
  }

  problemOf(scope: string, accountType?: string): string | undefined {
    const parsed = parseScope(scope);
    if (!parsed) return `"${scope.slice(0, 100)}" is no scope: expected one as "posts:read" or "*:write".`;
    const { resource, verb } = parsed;
    const isVerb = (verbs as readonly string[]).includes(verb);
    if (resource === "*") return isVerb ? undefined : `"${scope}": of all resources there are ${verbs.join(", ")}.`;
    const served = this.#registrations(accountType).filter(({ path }) => path === resource);
    if (served.length === 0) return `"${scope}": there is no resource "${resource}".`;
    const isAction = served.some(
      ({ definition, customRoutes }) => definition.actions.has(verb) || customRoutes.has(verb),
    );
    return isVerb || isAction ? undefined : `"${scope}": the resource has no action "${verb}".`;
  }

  /** What scopes can name: the resources of open portals. */
  #registrations(accountType: string | undefined): Registration[] {
    const { application, closed } = this.#parts;
    const portals = [...application.engines.values()].filter(({ name, path }) => {
      if (closed.has(name)) return false;
      const { authentication } = (portalBaseController(application, path) ?? {}) as Partial<typeof BaseController>;
      return accountType === undefined || authentication?.account === accountType;
    });
    return portals.flatMap(({ name }) => [...this.#registry.of(name).values()]);
  }
  get #registry() {
    return this.#parts.resources().registry;
  }
}
