import type { ApplicationContext } from "framewright/host";
import type { PolicyDecision } from "framewright/plugins/resources";
import type { RecordedDecision } from "./recorded_request.ts";

type Constants = ApplicationContext["constants"];
type Predicate = Extract<PolicyDecision, { kind: "predicate" }>;

/** A decision with the reason for it, in words. */
export function described(decision: PolicyDecision, constants: Constants): Omit<RecordedDecision, "calls"> {
  if (decision.kind === "scope")
    return { kind: "scope", about: decision.model, asked: decision.by, id: undefined, why: "" };
  const about = nameOf(decision.policy.constructor, constants);
  const id = decision.id === undefined || decision.id === null ? undefined : String(decision.id);
  if (decision.kind === "names")
    return { kind: "names", about, asked: `${decision.method}()`, id, why: decision.names.join(", ") };
  const kind = decision.refusal === undefined ? "allowed" : "refused";
  return {
    kind,
    about,
    asked: `${decision.predicate}()`,
    id,
    why: reason(decision, constants),
    file: fileOf(decision, constants),
  };
}

/** The file of the policy that answered; undefined for a predicate that the application does not declare. */
function fileOf({ policy, predicate, refusal }: Predicate, constants: Constants): string | undefined {
  if (refusal === "undeclared") return undefined;
  const { owner } = declarationOf(policy, predicate);
  return owner && constants.of(owner)?.file;
}

/** The name of a policy; of one that a portal derived, the one that it was derived from. */
function nameOf(policyClass: Function, constants: Constants): string {
  for (let at: Function | null = policyClass; at && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    const found = constants.of(at);
    if (found) return found.name;
  }
  return policyClass.name;
}

function reason({ policy, predicate, refusal }: Predicate, constants: Constants): string {
  if (refusal === "undeclared") return `${predicate}() is not declared, and what a policy does not declare is refused.`;
  if (refusal === "guest")
    return `Nobody is signed in, and no policy of this portal defines ${predicate}(): guests write only what it allows them.`;
  const { steps, owner } = declarationOf(policy, predicate);
  const path = steps.map((step) => `${step}()`);
  const last = path.at(-1)!;
  const through = path.length > 1 ? `${path.slice(0, -1).join(" and ")} asked ${last}: ` : "";
  if (owner === undefined) return `${through}${last} is not declared, and is refused by default.`;
  return `${through}${last} of ${nameOf(owner, constants)} answered ${refusal === undefined ? "true" : "false"}.`;
}

/**
 * Which predicates led to the one that the application declares: those that it leaves as they are call another one. The
 * owner is undefined where it declares none of them.
 */
function declarationOf(policy: object, predicate: string): { steps: string[]; owner: Function | undefined } {
  const steps = [predicate];
  for (;;) {
    const { owner, method } = ownerOf(policy, steps.at(-1)!);
    if (!isFrameworks(owner)) return { steps, owner: owner.constructor };
    const next = /\breturn this\.(can[A-Z]\w*)\(\)/.exec(String(method))?.[1];
    if (next === undefined) return { steps, owner: undefined };
    steps.push(next);
  }
}

function ownerOf(policy: object, name: string): { owner: object; method: unknown } {
  let owner = policy;
  while (!Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner) as object;
  return { owner, method: (owner as Record<string, unknown>)[name] };
}

/** The base of all policies is the one whose prototype has none but Object's above it. */
const isFrameworks = (prototype: object): boolean => Object.getPrototypeOf(prototype) === Object.prototype;
