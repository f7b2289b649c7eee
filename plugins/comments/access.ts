import type { BaseController } from "framewright/host";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { accountId, tenantKey } from "framewright/plugins/portals";
import { allows, type Registration } from "framewright/plugins/resources";
import type { StoredComment } from "./contract.ts";
import { commentsOf } from "./options.ts";
import type { Subject, Visible } from "./store.ts";

/** What the person of a request may do with the comments on a record. */
export interface Rights {
  readonly write: boolean;
  /** Whether they see internal comments, and may write such. */
  readonly internal: boolean;
  /** Whether they may delete those of others. */
  readonly moderate: boolean;
}

/**
 * The policy of a record decides: those who may show it read comments (`canShowComments()` narrows that) and write them
 * (`canComment()`), those who may update it read internal ones (`canShowInternalComments()`), and those of others are deleted by whom
 * `canModerateComments()` permits it. Undefined for people who may not see them, and for guests.
 */
export function rightsOf(
  controller: BaseController,
  { policyClass, model }: Registration,
  record: BaseModel,
): Rights | undefined {
  const options = commentsOf(model);
  if (!options || accountId(controller.currentUser) === undefined || tenantOf(controller) === null) return undefined;
  const policy = controller.request.kernel.service("resources").policy(controller, policyClass, record);
  const may = (action: string, predicate: string, otherwise: boolean) =>
    predicate in policy ? allows(policy, action) : otherwise;
  if (!allows(policy, "show") || !may("show_comments", "canShowComments", true)) return undefined;
  return {
    write: may("comment", "canComment", true),
    internal: options.internal && may("show_internal_comments", "canShowInternalComments", allows(policy, "update")),
    moderate: may("moderate_comments", "canModerateComments", false),
  };
}

/** The tenant whose comments a request may see; undefined in a portal without tenants, null where it is not known: none. */
const tenantOf = ({ request, currentScopedEntity }: BaseController): string | null | undefined =>
  request.engine?.tenantRule === undefined ? undefined : tenantKey(currentScopedEntity);

/** A record as comments name it. */
export function subjectOf(record: BaseModel): Subject {
  const { table } = ModelInfo.ofRecord(record);
  return { table_name: table, record: String(ModelInfo.keyOf(record)) };
}

/** Which comments on a record a request may see. */
export function visibleTo(controller: BaseController, record: BaseModel, { internal }: Rights): Visible {
  const tenant = tenantOf(controller);
  const since = createdAt(record);
  return {
    ...subjectOf(record),
    internal,
    ...(tenant === undefined ? {} : { tenant }),
    ...(since === undefined ? {} : { since }),
  };
}

const SECOND_MS = 1000;
/** When a record was created, as far as it records that, less what databases with whole seconds round up. */
export function createdAt(record: BaseModel): Date | undefined {
  const { created_at } = record as { created_at?: unknown };
  return created_at instanceof Date ? new Date(created_at.getTime() - SECOND_MS) : undefined;
}

/** Whether a comment is the person's own. */
export const isOwn = (
  { author_type, author_id }: StoredComment,
  { owner_type, owner_id }: { readonly owner_type: string; readonly owner_id: string },
): boolean => author_type === owner_type && author_id === owner_id;
