import type { Application, BaseController, ControllerClass, Engine } from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin, stage, suggest } from "framewright/kernel";
import { checkConfining, type Database, type ModelClass } from "framewright/plugins/database";
import { commands } from "./commands/index.ts";
import type { ScopeOptions, ScopeRule } from "./contract.ts";
import { errors } from "./errors.ts";
import { globalUniqueness } from "./global_uniqueness.ts";
import { chooseTenant, drawMountChooser } from "./mount_chooser.ts";
import { reserveParams } from "./reserved_params.ts";
import { readRule } from "./rules.ts";
import { ScopingService } from "./service.ts";
import { isAtEntry, tenantOrigin } from "./strategies.ts";
import { examineLabels, subdomains } from "./subdomain.ts";
import { drawSwitcher, switchUrl } from "./switcher.ts";
import { narrowToTenant, setTenant, withoutTenant } from "./tenant_condition.ts";
import { confineToTenant } from "./tenant_confinement.ts";
import { checkForms } from "./tenant_field.ts";
import { resolveTenant } from "./tenant_of_request.ts";
import { examineUnscoped } from "./unscoped.ts";

export type {
  ScopeOptions,
  ScopeRule,
  Scoping,
  StrategyRegistry,
  TenantPlace,
  TenantStrategy,
} from "./contract.ts";
export {
  changesParent,
  type DeletedRecords,
  RecordTenants,
  recordName,
  tenantDependsOn,
} from "./record_tenants.ts";
export type { ScopedController } from "./tenant_of_request.ts";

/** Options of `scoping()`. */
export interface ScopingOptions {
  /** The domain of the strategy "subdomain", where ALLOWED_HOSTS has several wildcards. */
  domain?: string;
  /** Labels that no tenant gets as its subdomain, besides `www`, `admin`, `api`, `mail` and the like. */
  reservedSubdomains?: readonly string[];
}

/** Tenants: portals that show only the records of one organization, shop or school at a time. */
export function scoping(options: ScopingOptions = {}): Plugin {
  checkOptions("scoping", options, { domain: option.string, reservedSubdomains: option.strings });
  return definePlugin({
    name: "scoping",
    directory: import.meta.dirname,
    commands,
    requires: ["host", "database", "i18n", "views", "portals", "resources"],
    provides: "scoping",
    apply({ services, hooks }) {
      const { host, database } = services;
      const scopes = new ScopingService(database, host);
      scopes.strategies.add("subdomain", subdomains(host, database, options));
      host.engineMacros.define(
        "scoping",
        "scopeToEntity",
        (engine: Engine) => (cls: ModelClass, options?: ScopeOptions) => {
          const rule = readRule(engine, scopes, cls, options);
          checkConfining(database.knex);
          scopes.add(rule);
          engine.tenantRule = rule.strategy;
          engine.tenantModel = rule.entity.constant;
          engine.prepare.push((controller) => enterPortal(host, database, rule, controller));
          if (rule.registered) openStrategy(host, rule);
          if (rule.parameter === undefined) return;
          engine.prefixParameters.push(rule.parameter);
          if (rule.paramKey !== rule.entity.primaryKey) engine.prefixKeys[rule.parameter] = rule.paramKey;
          drawMountChooser(host, database, rule);
        },
      );
      hooks.host.examine.tapPromise("scoping", async (findings) => {
        if (scopes.hasRules) findings.push(examineUnscoped(host.settings.root));
        for (const rule of scopes.rules)
          if (rule.strategy === "subdomain" && rule.paramKey !== rule.entity.primaryKey)
            findings.push(await examineLabels(database, rule));
        for (const detail of new Set(shared())) findings.push({ what: "uniqueness across tenants", ok: false, detail });
      });
      const shared = () =>
        services.resources.registry.all().flatMap(({ owner, model }) => {
          const rule = scopes.ruleOf(owner);
          return rule ? globalUniqueness(scopes, model, rule) : [];
        });
      hooks.kernel.ready.tap("scoping", () => {
        for (const sentence of new Set(shared())) host.log.warn(sentence);
      });
      hooks.kernel.drawRoutes.tap({ name: "scoping", stage: stage.late }, (main) => reserveParams(scopes, main));
      const switchers = new Set<string>();
      hooks.kernel.drawRoutes.tap("scoping", () =>
        drawSwitcher(host, scopes, [...services.portals.all.keys()], switchers),
      );
      hooks.host.page.tap("scoping", (locals, controller) => {
        if (locals.switch_url === undefined) locals.switch_url = switchUrl(host, scopes, controller, switchers);
      });
      hooks.host.compile.tap("scoping", (compiled) => checkMethod(scopes, compiled));
      hooks.resources.draw.tap("scoping", (_, registration) => {
        const rule = scopes.ruleOf(registration.owner);
        if (!rule) return;
        scopes.tenantPath(registration.model, rule.entity);
        checkForms(scopes, rule, registration);
      });
      hooks.database.handOut.tap("scoping", (handed) => confineToTenant(scopes, handed));
      hooks.resources.scope.tap("scoping", (narrow, controller) => narrowToTenant(scopes, narrow, controller));
      hooks.resources.fields.tap("scoping", (names, registration, controller) =>
        withoutTenant(scopes, names, registration, controller),
      );
      hooks.resources.defaults.tap("scoping", (values, controller, registration) =>
        setTenant(scopes, values, controller, registration),
      );
      return scopes;
    },
  });
}

/** The tenant of a request; at a host that is no tenant's the list of those that the person may enter. */
async function enterPortal(
  host: Application,
  database: Database,
  rule: ScopeRule,
  controller: BaseController,
): Promise<void> {
  if (!isAtEntry(rule, controller)) return resolveTenant(database, rule, controller);
  const reply = await chooseTenant(host, database, rule, controller);
  controller.reply ??= reply;
}

/** Checks a plugin's strategy at boot; where tenants have hosts, cookies are those of one host alone. */
function openStrategy(host: Application, rule: ScopeRule): void {
  rule.registered?.check?.(rule);
  if (!rule.registered?.url) return;
  rule.engine.tenantOrigin = (tenant, request) => tenantOrigin(rule, host, tenant, request);
  host.separateHosts();
}

interface Compiled {
  engine: Engine | undefined;
  controller: ControllerClass;
  where: string;
}

/** @throws FW_SCOPE_METHOD when a controller lacks the method that finds the tenant, FW_SCOPE_STRATEGY_TWO when it has one besides a strategy */
function checkMethod(scopes: ScopingService, { engine, controller, where }: Compiled): void {
  const rule = scopes.ruleOf(engine);
  if (!rule || rule.parameter !== undefined) return;
  const methods = methodsOf(controller.prototype);
  const hasMethod = methods.includes(rule.strategy);
  if (rule.registered && hasMethod)
    throw errors.FW_SCOPE_STRATEGY_TWO(rule.engine.name, rule.strategy, controller.name);
  if (rule.registered || hasMethod) return;
  throw errors.FW_SCOPE_METHOD(
    rule.engine.name,
    controller.name,
    rule.strategy,
    where,
    suggest(rule.strategy, [...scopes.strategies.names(), ...methods]),
  );
}

function methodsOf(prototype: object): string[] {
  const names: string[] = [];
  for (let at = prototype; at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    const members = Object.entries(Object.getOwnPropertyDescriptors(at));
    names.push(...members.filter(([, { value }]) => typeof value === "function").map(([name]) => name));
  }
  return names;
}
