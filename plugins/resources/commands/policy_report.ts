import { type AttributeList, allows, isAllowed, LazyPolicyContext, Policy, predicateOf } from "../definition/policy.ts";
import { hiddenInLabel } from "../registration/reader_warnings.ts";
import type { Registration } from "../registration/registration.ts";

/** Somebody for whom a policy is checked: an account with a role, or a guest without `user`. */
export interface PolicyPerson {
  label: string;
  user: object | undefined;
  /** Called with the tenant before the policy is checked, as the person enters it. */
  enter?(tenant: object): void;
}
/** What a policy answers: allowed, denied, or depending on what it read, as `record.status`. */
export type PolicyAnswer = "yes" | "no" | { readonly reads: readonly string[] };
/** Answers of the policy of one resource, by person in the given order. */
export interface PolicyReport {
  readonly actions: readonly { name: string; answers: readonly PolicyAnswer[] }[];
  /** By field, for each person: the lists that have it. A list that the policy could not compute is in `unknown`. */
  readonly fields: readonly { name: string; lists: readonly (readonly AttributeList[])[] }[];
  readonly unknown: readonly { list: AttributeList; label: string }[];
  /** Columns that the label of its records is built from, and that the policy hides. */
  readonly hiddenInLabel: readonly string[];
}

const standard = ["index", "export", "show", "new", "create", "edit", "update", "destroy"];
const withoutRecord = new Set(["index", "export", "import", "new", "create"]);
const lists = ["Index", "Show", "Create", "Update"] as const;

/**
 * What the policy of a registered resource allows each person, as far as it can be known without a record and a tenant: an
 * answer that reads one, or anything of the account but its role, depends on what is read. No query is run.
 */
export function policyReport(registration: Registration, persons: readonly PolicyPerson[]): PolicyReport {
  const { definition, customRoutes } = registration;
  const declared = [...definition.actions.values()].map(({ key, policy }) => [key, policy ?? key] as const);
  const own = declared.filter(([key]) => !standard.includes(key));
  const custom = [...customRoutes.keys()]
    .filter((action) => has(registration, action))
    .map((key) => [key, key] as const);
  const asked =
    registration.policyClass.prototype.canImport !== Policy.prototype.canImport ? [...standard, "import"] : standard;
  const names = new Map<string, string>([...asked.map((key) => [key, key] as const), ...own, ...custom]);
  const unknown: { list: AttributeList; label: string }[] = [];
  const fields = new Map<string, AttributeList[][]>();
  for (const [index, person] of persons.entries())
    for (const list of lists) {
      const found = permitted(registration, person, list);
      if (!found) unknown.push({ list, label: person.label });
      for (const name of found ?? []) {
        const row = fields.get(name) ?? persons.map((): AttributeList[] => []);
        fields.set(name, row);
        row[index]!.push(list);
      }
    }
  return {
    actions: [...names].map(([name, key]) => ({ name, answers: persons.map((one) => answer(registration, one, key)) })),
    fields: [...fields].map(([name, row]) => ({ name, lists: row })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    unknown,
    hiddenInLabel: hiddenInLabel(registration),
  };
}

const has = ({ policyClass }: Registration, action: string): boolean =>
  typeof (policyClass.prototype as unknown as Record<string, unknown>)[predicateOf(action)] === "function";

function answer(registration: Registration, person: PolicyPerson, key: string): PolicyAnswer {
  const reads = new Set<string>();
  const policy = policyFor(registration, person, reads, !withoutRecord.has(key));
  const isRead = key === "index" || key === "show";
  try {
    const allowed = isRead ? isAllowed(policy, predicateOf(key), true) : allows(policy, key);
    if (reads.size === 0) return allowed ? "yes" : "no";
  } catch {
    reads.add("more than can be known here");
  }
  return { reads: namesOf(reads) };
}

/** What was read, in order; of a context with its properties the properties alone. */
const namesOf = (reads: ReadonlySet<string>): string[] => {
  const names = [...reads].sort();
  const hasParts = names.some((name) => name.startsWith("context."));
  return hasParts ? names.filter((name) => name !== "context") : names;
};

function permitted(
  registration: Registration,
  person: PolicyPerson,
  list: AttributeList,
): readonly string[] | undefined {
  const reads = new Set<string>();
  try {
    const names = registration.permitted(policyFor(registration, person, reads, list !== "Create"), list);
    return reads.size === 0 ? names : undefined;
  } catch {
    return undefined;
  }
}

function policyFor({ policyClass, model }: Registration, person: PolicyPerson, reads: Set<string>, onRecord: boolean) {
  const record = onRecord ? watched(new model.class(), "record", reads, []) : undefined;
  const account = person.user && watched(person.user, "account", reads, ["role"]);
  const tenant = watched({}, "tenant", reads, []);
  person.enter?.(tenant);
  const context = policyClass.prepare && watched({}, "context", reads, []);
  const policy = new policyClass(new LazyPolicyContext({ record }, account, tenant, undefined, undefined, context));
  if (context) noteContext(policy, context, reads);
  return policy;
}

/** What `prepare` finds may be undefined, or no object: that it is compared or tested is all that can be noted then. */
function noteContext(policy: Policy, context: object, reads: Set<string>): void {
  const get = () => {
    reads.add("context");
    return context;
  };
  Object.defineProperty(policy, "context", { get });
}

/** An object that notes which of its properties are read. Methods run on it, and note what they read. */
function watched<T extends object>(target: T, name: string, reads: Set<string>, known: readonly string[]): T {
  return new Proxy(target, {
    get(object, key, self) {
      const value: unknown = Reflect.get(object, key, self);
      const isNoted = typeof key === "string" && typeof value !== "function" && !known.includes(key);
      if (isNoted) reads.add(`${name}.${key}`);
      return value;
    },
  });
}
