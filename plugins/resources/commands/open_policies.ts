import type { Application, Finding } from "framewright/host";
import type {} from "framewright/plugins/authlib";
import { listOfNobody } from "../definition/policy_checks.ts";
import type { Registration } from "../registration/registration.ts";
import { policyReport } from "./policy_report.ts";

/** What portals open that was not written for them: lists wider than those of the feature, and rows for whoever signs up. */
export function openPolicies(app: Application): Finding[] {
  if (!app.kernel.has("resources")) return [];
  const registrations = app.kernel.service("resources").registry.all();
  const own = registrations.filter(({ owner, policyClass }) => isOf(app, policyClass, owner));
  return [...own.flatMap((one) => widened(app, one)), ...registrations.flatMap((one) => openToSignUps(app, one))];
}

const isOf = ({ constants }: Application, policyClass: Function, owner: string | undefined): boolean =>
  owner !== undefined && constants.of(policyClass)?.name.startsWith(`${owner}::`) === true;

const widenedLists = [
  { lists: ["Create", "Update"], verb: "write" },
  { lists: ["Index", "Show"], verb: "read" },
] as const;

/** The columns that a portal's policy lets people write or read and its feature's does not. */
function widened({ constants }: Application, { policyClass, constant, owner }: Registration): Finding[] {
  const name = `${constant}Policy`;
  const feature = constants.has(name) ? (constants.get(name).value as typeof policyClass) : undefined;
  if (!feature) return [];
  const path = constants.of(policyClass)?.file ?? policyClass.name;
  return widenedLists.flatMap(({ lists, verb }): Finding[] => {
    const of = (cls: typeof policyClass) => new Set(lists.flatMap((list) => listOfNobody(cls, list)));
    const known = of(feature);
    const more = [...of(policyClass)].filter((column) => !known.has(column));
    if (known.size === 0 || more.length === 0) return [];
    const detail = `${path} (${owner}) lets people ${verb} ${more.join(", ")}, which the policy of the feature leaves out: remove them there, or the list, unless this portal is to have more`;
    return [{ what: "lists that a portal widens", ok: true, detail }];
  });
}

/** Whether anybody may create accounts that read all of a resource, while the application has accounts of another type. */
function openToSignUps(app: Application, registration: Registration): Finding[] {
  const { owner, constant, policyClass } = registration;
  const engine = app.engines.get(owner ?? "");
  if (!engine || engine.tenantModel !== undefined || !app.kernel.has("auth")) return [];
  const { types } = app.kernel.service("auth");
  const accounts = new Set(
    app.routes().flatMap((route) => (route.engine === owner && route.resource === constant ? [route.account] : [])),
  );
  return [...accounts].flatMap((account): Finding[] => {
    const type = types.find(String(account));
    const others = types.all().filter((one) => one !== type && !one.class.apiOnly);
    if (!type?.features.has("create_account") || type.class.apiOnly || others.length === 0) return [];
    const { actions } = policyReport(registration, [{ label: type.name, user: new type.model.class() }]);
    const isOpen = actions.some(({ name, answers }) => name === "index" && answers[0] === "yes");
    const isNarrowed = policyClass.prototype.relationScope !== basePolicy(policyClass).relationScope;
    if (!isOpen || isNarrowed) return [];
    const detail = `whoever signs up as ${type.name} sees all of ${constant} in ${owner}: ${policyClass.name} has neither a relationScope nor a canRead() that says who`;
    return [{ what: "open to sign-ups", ok: true, detail }];
  });
}

/** The prototype that all policies inherit from. */
function basePolicy(policyClass: Function): { relationScope: unknown } {
  let at = policyClass.prototype as object;
  for (let next = Object.getPrototypeOf(at); next && next !== Object.prototype; next = Object.getPrototypeOf(at))
    at = next;
  return at as { relationScope: unknown };
}
