import type { RequestContext, Tenant } from "framewright/host";
import type { Service, Slot } from "framewright/kernel";
import type {
  AnyRecord,
  AssociationInfo,
  Associations,
  Attributes,
  BaseModel,
  Query,
  QueryOf,
  ReadAttributes,
} from "framewright/plugins/database";
import { errors } from "../errors.ts";
import { type PolicyRefusal, reportPredicate } from "./policy_decisions.ts";
import { type HasSubject, subject, subjectOf } from "./policy_subject.ts";

export { observePolicy, type PolicyDecision, reportNames } from "./policy_decisions.ts";
export { LazyPolicyContext } from "./policy_subject.ts";

/** The signed-in account as policies see it; an application's own types are more precise. */
export interface PolicyUser {
  readonly [name: string]: unknown;
}

/** What a policy decides about. */
export interface PolicyContext {
  user: unknown;
  /** The record, when there is one; undefined when the decision is about the class as a whole. */
  record: unknown;
  /** The tenant, in a scoped portal. */
  entityScope: Tenant | undefined;
  /** The record whose association is being looked at, under a nested route. */
  parent: unknown;
  parentAssociation: AssociationInfo | undefined;
  /** What `static prepare` found. */
  context?: unknown;
}

type Prepare = (preparation: PolicyPreparation) => Promise<unknown>;
/** What `static prepare` of a policy is given. */
export interface PolicyPreparation {
  readonly user: unknown;
  /** The tenant, in a scoped portal. */
  readonly entityScope: Tenant | undefined;
  /** The request that is being answered: of a guest as well, whose `user` is undefined. */
  readonly request: RequestContext;
  /** The services of plugins, undefined where none fills the slot: `services.flags?.of(entityScope)`. */
  readonly services: { readonly [S in Slot]?: Service<S> };
  /** A query of a model, in a scoped portal within the tenant. */
  query<T extends BaseModel>(model: { new (): T }): Query<T>;
}

/**
 * Who may act, and which fields exist. It denies creating and reading by default; everything
 * else follows from these two.
 */
export class Policy<M extends AnyRecord = BaseModel, User = PolicyUser | undefined, Context = unknown> {
  /**
   * Looks up, once a request and before the first decision, what the predicates need besides the account and the record;
   * they have it as `this.context`. Policies that inherit it share what it found:
   * `static override async prepare({ user, query }: PolicyPreparation) { return query(Team).where("lead_id", user.id); }`
   */
  static prepare: Prepare | undefined = undefined;

  readonly user: User;
  /** The record that is decided about; of a row it is instantiated when the policy first reads it. */
  declare readonly record: M | undefined;
  readonly entityScope: Tenant | undefined;
  readonly parent: unknown;
  readonly parentAssociation: AssociationInfo | undefined;
  /** What `static prepare` found. */
  readonly context: Context;

  constructor(context: PolicyContext) {
    this.user = context.user as User;
    this.entityScope = context.entityScope;
    this.parent = context.parent;
    this.parentAssociation = context.parentAssociation;
    this.context = context.context as Context;
    (this as HasSubject)[subject] = subjectOf(context);
  }

  canRead(): boolean {
    return false;
  }
  canCreate(): boolean {
    return false;
  }
  canIndex(): boolean {
    return this.canRead();
  }
  canShow(): boolean {
    return this.canRead();
  }
  /** Whether its records may be searched for in the forms of others; by default where the list may be seen. */
  canTypeahead(): boolean {
    return this.canIndex();
  }
  /** Whether its list may be searched. */
  canSearch(): boolean {
    return this.canIndex();
  }
  /** Whether all that its list shows may be downloaded, by those who may see the list. */
  canExport(): boolean {
    return false;
  }
  /** Whether files may be imported into its list, by those who may see it; `canCreate` and `canUpdate` are checked for each row. */
  canImport(): boolean {
    return false;
  }
  /** Whether views of its list that the person keeps may be shared with all who see the list in the same tenant. */
  canShareViews(): boolean {
    return false;
  }
  canNew(): boolean {
    return this.canCreate();
  }
  canUpdate(): boolean {
    return this.canCreate();
  }
  canEdit(): boolean {
    return this.canUpdate();
  }
  canDestroy(): boolean {
    return this.canCreate();
  }

  permittedAttributesForCreate(): Attributes<M> {
    return [];
  }
  permittedAttributesForUpdate(): Attributes<M> {
    return this.permittedAttributesForCreate();
  }
  /** What the form of a new record shows, of what creating permits. */
  permittedAttributesForNew(): Attributes<M> {
    return this.permittedAttributesForCreate();
  }
  /** What the form of a record shows, of what updating permits. */
  permittedAttributesForEdit(): Attributes<M> {
    return this.permittedAttributesForUpdate();
  }
  permittedAttributesForRead(): ReadAttributes<M> {
    return this.permittedAttributesForCreate();
  }
  permittedAttributesForIndex(): ReadAttributes<M> {
    return this.permittedAttributesForRead();
  }
  permittedAttributesForShow(): ReadAttributes<M> {
    return this.permittedAttributesForRead();
  }
  /**
   * Columns that labels and titles of its records may be built from besides those that are permitted in lists and on pages:
   * `["email"]` permits a `toLabel()` to read it.
   */
  permittedAttributesForLabel(): ReadAttributes<M> {
    return [];
  }
  /** The associations whose records are listed on the record's page. */
  permittedAssociations(): Associations<M> {
    return [];
  }
  /** Which records there are for this person. It can only narrow: an `orWhere` stays inside its own group. */
  relationScope(query: QueryOf<M>): QueryOf<M> {
    return query;
  }
}

// An accessor of the prototype, not a field: a row becomes an instance for those policies only that read it.
Object.defineProperty(Policy.prototype, "record", {
  configurable: true,
  get(this: HasSubject) {
    return this[subject]?.record;
  },
  set(this: HasSubject, record: unknown) {
    this[subject] = { record };
  },
});

/** A class of policies, as a portal's mixin takes and returns it; TypeScript requires `any[]` of it (TS2545). */
// biome-ignore lint/suspicious/noExplicitAny: TS2545, and a mixin keeps whatever model the policy is of
export type PolicyClass<P = Policy<any, any>> = (new (...args: any[]) => P) & { prepare?: Prepare | undefined };

/** The lists of attributes that a policy permits. */
export type AttributeList = "Create" | "Update" | "New" | "Edit" | "Index" | "Show";

/** Module-level: a pure function, cached: actions are named by code, and few. */
const predicates = new Map<string, string>();

/** `publish` → `canPublish`, `mark_done` → `canMarkDone`. */
export function predicateOf(action: string): string {
  let predicate = predicates.get(action);
  if (predicate === undefined) {
    predicate = `can${action.replace(/(?:^|_)([a-z\d])/g, (_, letter: string) => letter.toUpperCase())}`;
    predicates.set(action, predicate);
  }
  return predicate;
}

/** Module-level: found by a policy class of a portal: the predicates that the portal's own policies define. */
export const predicatesOfPortal = new WeakMap<Function, ReadonlySet<string>>();

/** Predicates of what writes nothing; a form counts as what it would write. */
const readPredicates = new Set(["canRead", "canIndex", "canShow", "canSearch", "canTypeahead"]);
const predicateOfForm: Record<string, string> = { canNew: "canCreate", canEdit: "canUpdate" };

function isDeniedToGuests(policy: Policy, predicate: string): boolean {
  let at: Function = policy.constructor;
  while (!predicatesOfPortal.has(at) && at !== Function.prototype) at = Object.getPrototypeOf(at);
  const allowed = predicatesOfPortal.get(at);
  return (
    allowed !== undefined && !readPredicates.has(predicate) && !allowed.has(predicateOfForm[predicate] ?? predicate)
  );
}

/** Whether a policy allows an action; what it does not define is denied. `reads`: the action changes nothing. */
export const allows = (policy: Policy, action: string, reads = false): boolean =>
  isAllowed(policy, predicateOf(action), reads);

/** Whether a predicate of a policy returns true. In a portal, guests are denied what its own policies do not define. */
export function isAllowed(policy: Policy, predicate: string, reads = false): boolean {
  const refusal = refusalOf(policy, predicate, reads);
  reportPredicate(policy, predicate, refusal);
  return refusal === undefined;
}

function refusalOf(policy: Policy, predicate: string, reads: boolean): PolicyRefusal | undefined {
  if (policy.user === undefined && !reads && isDeniedToGuests(policy, predicate)) return "guest";
  const method = (policy as unknown as Record<string, unknown>)[predicate];
  if (typeof method !== "function") return "undeclared";
  const answer: unknown = method.call(policy);
  if (answer === true) return undefined;
  if (answer instanceof Promise) {
    answer.catch(() => undefined);
    throw errors.FW_POLICY_ASYNC(policy.constructor.name, predicate);
  }
  return "denied";
}
