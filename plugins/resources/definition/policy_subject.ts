import type { Tenant } from "framewright/host";
import type { AssociationInfo } from "framewright/plugins/database";
import type { PolicyContext } from "./policy.ts";

/** Where a policy and its context keep what has the record. */
export const subject = Symbol("subject");
export interface HasSubject {
  [subject]?: Subject | undefined;
}
/** What has a record; of a row it is instantiated on first access. */
export interface Subject {
  readonly record: unknown;
}

/** A PolicyContext whose record is instantiated on first access. Spreading it, as a policy's constructor may, keeps that. */
export class LazyPolicyContext implements PolicyContext {
  readonly user: unknown;
  readonly entityScope: Tenant | undefined;
  readonly parent: unknown;
  readonly parentAssociation: AssociationInfo | undefined;
  readonly context: unknown;
  readonly [subject]: Subject;

  constructor(
    about: Subject,
    user: unknown,
    entityScope: Tenant | undefined,
    parent?: unknown,
    parentAssociation?: AssociationInfo,
    context?: unknown,
  ) {
    this.user = user;
    this.entityScope = entityScope;
    this.parent = parent;
    this.parentAssociation = parentAssociation;
    this.context = context;
    this[subject] = about;
  }

  get record(): unknown {
    return this[subject].record;
  }
}

/** Where a policy finds its record. A `record` that is the context's own property wins over a lazy one. */
export function subjectOf(context: PolicyContext & HasSubject): Subject {
  const lazy = context[subject];
  return lazy && !Object.hasOwn(context, "record") ? lazy : { record: context.record };
}
