import type { ControllerClass, Engine } from "framewright/host";
import { definePlugin, type Plugin, stage, suggest } from "framewright/kernel";
import { checkConfining, type ModelClass } from "framewright/plugins/database";
import type { ScopeOptions } from "./contract.ts";
import { errors } from "./errors.ts";
import { drawMountChooser } from "./mount_chooser.ts";
import { reserveParams } from "./reserved_params.ts";
import { readRule } from "./rules.ts";
import { ScopingService } from "./service.ts";
import { narrowToTenant, setTenant, withoutTenant } from "./tenant_condition.ts";
import { confineToTenant } from "./tenant_confinement.ts";
import { checkForms } from "./tenant_field.ts";
import { resolveTenant } from "./tenant_of_request.ts";
import { examineUnscoped } from "./unscoped.ts";

export type { ScopeOptions, ScopeRule, Scoping } from "./contract.ts";
export type { ScopedController } from "./tenant_of_request.ts";

/** Tenants: portals that show only the records of one organization, shop or school at a time. */
export function scoping(): Plugin {
  return definePlugin({
    name: "scoping",
    directory: import.meta.dirname,
    requires: ["host", "database", "i18n", "views", "portals", "resources"],
    provides: "scoping",
    apply({ services, hooks }) {
      const { host, database } = services;
      const scopes = new ScopingService(database);
      host.engineMacros.define(
        "scoping",
        "scopeToEntity",
        (engine: Engine) => (cls: ModelClass, options?: ScopeOptions) => {
          const rule = readRule(engine, database, cls, options);
          checkConfining(database.knex);
          scopes.add(rule);
          engine.tenantRule = rule.strategy;
          engine.tenantModel = rule.entity.constant;
          engine.prepare.push((controller) => resolveTenant(database, rule, controller));
          if (rule.parameter === undefined) return;
          engine.prefixParameters.push(rule.parameter);
          if (rule.paramKey !== "id") engine.prefixKeys[rule.parameter] = rule.paramKey;
          drawMountChooser(host, database, rule);
        },
      );
      hooks.host.examine.tapPromise("scoping", async (findings) => {
        if (scopes.hasRules) findings.push(examineUnscoped(host.settings.root));
      });
      hooks.kernel.drawRoutes.tap({ name: "scoping", stage: stage.late }, (main) => reserveParams(scopes, main));
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

interface Compiled {
  engine: Engine | undefined;
  controller: ControllerClass;
  where: string;
}

/** @throws FW_SCOPE_METHOD when a controller of the portal lacks the method that finds the tenant */
function checkMethod(scopes: ScopingService, { engine, controller, where }: Compiled): void {
  const rule = scopes.ruleOf(engine);
  if (!rule || rule.parameter !== undefined) return;
  const methods = methodsOf(controller.prototype);
  if (methods.includes(rule.strategy)) return;
  throw errors.FW_SCOPE_METHOD(
    rule.engine.name,
    controller.name,
    rule.strategy,
    where,
    suggest(rule.strategy, ["path", ...methods]),
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
