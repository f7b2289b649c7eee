import type { Application } from "framewright/host";
import type { ResourceRoute } from "../registration/registration.ts";
import { LazyPolicyContext, Policy, type PolicyClass, predicateOf, predicatesOfPortal } from "./policy.ts";

/**
 * In a portal guests write nothing, unless a policy of that portal defines the predicate: what a feature's
 * policy allows is for people who are known. Returns the class that the portal uses.
 */
export function policyClassOfPortal(application: Application, portal: string, given: PolicyClass): PolicyClass {
  const isOwn = application.constants.of(given)?.name.startsWith(`${portal}::`) === true;
  const policyClass = isOwn ? given : derivedClass(given);
  predicatesOfPortal.set(policyClass, isOwn ? predicatesDefinedIn(application, portal, given) : new Set());
  return policyClass;
}

/** A class of its own: the feature's stays what it is for other portals, and for the main application. */
function derivedClass(Base: PolicyClass): PolicyClass {
  const Extended = class extends Base {};
  Object.defineProperty(Extended, "name", { value: Base.name });
  return Extended;
}

/** What the portal's policy and the mixins below it define, down to the feature's. */
function predicatesDefinedIn({ constants }: Application, portal: string, given: PolicyClass): Set<string> {
  const names = new Set<string>();
  for (let at: Function = given; at !== Policy && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    if (constants.of(at)?.name.startsWith(`${portal}::`) === false) break;
    for (const name of Object.getOwnPropertyNames(at.prototype)) if (/^can[A-Z]/.test(name)) names.add(name);
  }
  return names;
}

/** Whether a guest may write through a route of a resource: custom ones have a predicate of their own name, or another. */
export function mayGuestWrite({ registration, custom }: ResourceRoute, predicate: string | undefined): boolean {
  const { policyClass, definition } = registration;
  if (custom) {
    const isKnown = typeof policyClass.prototype[predicateOf(custom.action)] === "function";
    return mayGuest(policyClass, predicateOf(isKnown ? custom.action : custom.otherwise));
  }
  if (predicate?.startsWith("can")) return mayGuest(policyClass, predicate);
  const actions = [...definition.actions.values()];
  return actions.some(({ policy, key }) => mayGuest(policyClass, predicateOf(policy ?? key)));
}

/** Whether a guest may pass a policy's predicate, as far as it can be known without a record. */
function mayGuest(policyClass: PolicyClass, predicate: string): boolean {
  if (predicatesOfPortal.get(policyClass)?.has(predicate) === false) return false;
  let looked = false;
  const subject = {
    get record() {
      looked = true;
      return undefined;
    },
  };
  try {
    const policy = new policyClass(new LazyPolicyContext(subject, undefined, undefined)) as unknown as Record<
      string,
      unknown
    >;
    const method = policy[predicate];
    return typeof method === "function" && (method.call(policy) === true || looked);
  } catch {
    return true; // it needs more than there is: only a request can decide
  }
}
