import { type Application, type BaseController, hostNameOf, type RequestContext } from "framewright/host";
import { describe, Registry, type RegistryOptions } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type { ScopeRule, TenantPlace, TenantStrategy } from "./contract.ts";
import { errors } from "./errors.ts";

const functions = ["find", "url", "entry", "check"] as const;

/** The strategies by which portals find their tenants, besides "path" and the methods of a portal's concern. */
export class TenantStrategies {
  readonly #strategies: Registry<TenantStrategy | undefined>;
  readonly #registrant: () => string | undefined;

  constructor(registrant: () => string | undefined) {
    this.#registrant = registrant;
    this.#strategies = new Registry("the scoping strategy", registrant);
    this.#strategies.add("path", undefined); // the tenant's segment of the path, which the routes know of
  }

  /**
   * Registers a strategy: `strategies.add("gateway", { find: (request, rule) => … })`, for `scopeToEntity(Organization, { strategy: "gateway" })`.
   * @throws FW_REGISTRY_TAKEN when another plugin has it, FW_SCOPE_STRATEGY_SHAPE, FW_SCOPE_STRATEGY_LATE outside of `apply`
   */
  add(name: string, strategy: TenantStrategy, options?: RegistryOptions): void {
    const plugin = this.#registrant();
    if (plugin === undefined) throw errors.FW_SCOPE_STRATEGY_LATE(name);
    checkStrategy(plugin, name, strategy);
    if (name === "path") throw errors.FW_SCOPE_STRATEGY_SHAPE(plugin, name, '"path" can\'t be replaced');
    this.#strategies.add(name, strategy, options);
  }
  get(name: string): TenantStrategy | undefined {
    return this.#strategies.get(name);
  }
  names(): string[] {
    return this.#strategies.names();
  }
}

/** @throws FW_SCOPE_STRATEGY_SHAPE */
function checkStrategy(plugin: string, name: string, given: unknown): void {
  const refuse = (problem: string) => errors.FW_SCOPE_STRATEGY_SHAPE(plugin, name, problem);
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) throw refuse("its name is none of a property");
  if (typeof given !== "object" || given === null) throw refuse(`it is ${describe(given)}`);
  const strategy = given as Record<string, unknown>;
  if (strategy.find === undefined) throw refuse("it has no find");
  if (strategy.entry !== undefined && strategy.url === undefined) throw refuse("it has an entry, and no url to list");
  for (const [key, value] of Object.entries(strategy)) {
    if (!functions.some((one) => one === key)) throw refuse(`it has no place for "${key}"`);
    if (value !== undefined && typeof value !== "function") throw refuse(`"${key}" is ${describe(value)}, no function`);
  }
}

function placeOf(rule: ScopeRule, { settings }: Application, request?: RequestContext): TenantPlace {
  const { appUrl, port } = settings;
  const origin = (name: string): string => {
    const base = appUrl ?? new URL(request?.origin ?? `http://localhost:${port}`);
    return `${base.protocol}//${name}${base.port === "" ? "" : `:${base.port}`}`;
  };
  return { rule, settings, request, origin };
}

/** The origin of a tenant's pages, where its strategy names one. @throws FW_SCOPE_ORIGIN */
export function tenantOrigin(rule: ScopeRule, host: Application, entity: object, request?: RequestContext): string {
  const { registered, entity: model, engine } = rule;
  if (!(entity instanceof model.class)) throw errors.FW_SCOPE_URL(engine.name, model.constant, describe(entity));
  return checkedOrigin(rule, registered!.url!(entity as BaseModel, placeOf(rule, host, request)), "url");
}

/** The origin at which the mount's root lists the tenants; undefined where none does. @throws FW_SCOPE_ORIGIN */
export function entryOrigin(rule: ScopeRule, host: Application, request?: RequestContext): string | undefined {
  const given = rule.registered?.entry?.(placeOf(rule, host, request));
  return given === undefined ? undefined : checkedOrigin(rule, given, "entry");
}

function checkedOrigin({ engine, strategy }: ScopeRule, given: unknown, option: string): string {
  const isOrigin = typeof given === "string" && /^https?:\/\//.test(given) && URL.canParse(given);
  if (isOrigin && new URL(given).origin === given) return given;
  throw errors.FW_SCOPE_ORIGIN(
    engine.name,
    strategy,
    option,
    typeof given === "string" ? JSON.stringify(given) : describe(given),
  );
}

/** Whether a request is to the list of tenants, at a host that is no tenant's. */
export function isAtEntry(rule: ScopeRule, { request }: BaseController): boolean {
  if (!rule.registered?.entry || request.route?.verb !== "GET" || request.route.pattern !== "/") return false;
  const entry = entryOrigin(rule, request.application as Application, request);
  return entry !== undefined && hostNameOf(new URL(entry).host) === request.hostname;
}
