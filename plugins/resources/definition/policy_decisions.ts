import { BaseModel, ModelInfo } from "framewright/plugins/database";
import type { Policy } from "./policy.ts";
import { type HasSubject, subject } from "./policy_subject.ts";

/** A check of a policy, and its result. */
export type PolicyDecision =
  | {
      kind: "predicate";
      policy: Policy;
      /** As in `canEdit`. */
      predicate: string;
      /** Why it was refused; undefined where it was allowed. */
      refusal: PolicyRefusal | undefined;
      /** The id of the record that it was about; undefined for the class as a whole. */
      id: unknown;
    }
  | { kind: "names"; policy: Policy; method: string; names: readonly string[]; id: unknown }
  | { kind: "scope"; model: string; by: string };
/** "undeclared": the policy has no such predicate; "guest": guests write only what the portal's own policy defines; "denied": it did not return true. */
export type PolicyRefusal = "undeclared" | "guest" | "denied";

/** Module-level: whether any policy was ever observed: predicates are called for each row of a list, and this is all that it costs them. */
let isObserving = false;
const observer = Symbol("observer");
interface Observed {
  [observer]?: (decision: PolicyDecision) => void;
}
/** Reports the checks of a policy from now on. */
export function observePolicy(policy: Policy, report: (decision: PolicyDecision) => void): void {
  isObserving = true;
  (policy as Observed)[observer] = report;
}
/** Reports what a predicate answered, where somebody observes the policy. */
export function reportPredicate(policy: Policy, predicate: string, refusal: PolicyRefusal | undefined): void {
  if (!isObserving) return;
  (policy as Observed)[observer]?.({ kind: "predicate", policy, predicate, refusal, id: idOfSubject(policy) });
}
/** Reports the names that a method of a policy returned, where somebody observes it. */
export function reportNames(policy: Policy, method: string, names: readonly string[]): void {
  (policy as Observed)[observer]?.({ kind: "names", policy, method, names: [...names], id: idOfSubject(policy) });
}
/** The id of the record that a policy is about; of a row without making it an instance. */
function idOfSubject(policy: Policy): unknown {
  const about = (policy as HasSubject)[subject];
  if (!about) return undefined;
  if ("id" in about) return about.id;
  return about.record instanceof BaseModel ? ModelInfo.keyOf(about.record) : undefined;
}
