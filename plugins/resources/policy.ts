import type { AssociationInfo, Associations, Attributes, BaseModel, Query } from "framewright/plugins/database";

/** The signed-in account as policies see it; an application's own types say more. */
export interface PolicyUser {
  readonly [name: string]: unknown;
}

/** What a policy decides about. */
export interface PolicyContext {
  user: unknown;
  /** The record, when there is one; undefined when the class as a whole is asked about. */
  record: unknown;
  /** The tenant, in a scoped portal. */
  entityScope: unknown;
  /** The record whose association is being looked at, under a nested route. */
  parent: unknown;
  parentAssociation: AssociationInfo | undefined;
}

/**
 * Who may act, and which fields exist (S2.1, S2.4). It denies creating and reading unless it says otherwise; everything
 * else follows from these two.
 */
export class Policy<M extends BaseModel = BaseModel, User = PolicyUser | undefined> {
  readonly user: User;
  readonly record: M | undefined;
  readonly entityScope: unknown;
  readonly parent: unknown;
  readonly parentAssociation: AssociationInfo | undefined;

  constructor({ user, record, entityScope, parent, parentAssociation }: PolicyContext) {
    this.user = user as User;
    this.record = record as M | undefined;
    this.entityScope = entityScope;
    this.parent = parent;
    this.parentAssociation = parentAssociation;
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
  permittedAttributesForRead(): Attributes<M> {
    return this.permittedAttributesForCreate();
  }
  permittedAttributesForIndex(): Attributes<M> {
    return this.permittedAttributesForRead();
  }
  permittedAttributesForShow(): Attributes<M> {
    return this.permittedAttributesForRead();
  }
  /** The associations whose records are listed on the record's page. */
  permittedAssociations(): Associations<M> {
    return [];
  }
  /** Which records there are for this person. It can only narrow: an `orWhere` stays inside its own group. */
  relationScope(query: Query<M>): Query<M> {
    return query;
  }
}

/** A class of policies, as a portal's mixin takes and gives it; `any[]` is what TypeScript asks of it (TS2545). */
// biome-ignore lint/suspicious/noExplicitAny: TS2545, and a mixin keeps whatever model the policy is of
export type PolicyClass<P = Policy<any, any>> = new (...args: any[]) => P;

/** The lists of attributes that a policy can be asked for. */
export type AttributeList = "Create" | "Update" | "Index" | "Show";

const predicates = new Map<string, string>(); // actions are named by code: they are few

/** `publish` → `canPublish`, `mark_done` → `canMarkDone`. */
export function predicateOf(action: string): string {
  let predicate = predicates.get(action);
  if (predicate === undefined) {
    predicate = `can${action.replace(/(?:^|_)([a-z\d])/g, (_, letter: string) => letter.toUpperCase())}`;
    predicates.set(action, predicate);
  }
  return predicate;
}

/** Whether a policy allows an action; what it does not define is denied. */
export function allows(policy: Policy, action: string): boolean {
  const predicate = (policy as unknown as Record<string, unknown>)[predicateOf(action)];
  return typeof predicate === "function" && predicate.call(policy) === true;
}
