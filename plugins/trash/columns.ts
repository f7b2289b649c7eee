/** When a record went to the trash; null for one that is in use. */
export const DELETED_AT = "deleted_at";
/** Who deleted it, as `Blogging::User/3`; null for work without a person. */
export const DELETED_BY = "deleted_by";
/** What went to the trash together has one text; null for a record that went alone. */
export const BATCH = "deleted_batch";
export const columns = [DELETED_AT, DELETED_BY, BATCH] as const;

/** What the columns of a record in use have. */
export const inUse = { [DELETED_AT]: null, [DELETED_BY]: null, [BATCH]: null } as const;

/** What the trash has written of a deleted record. */
export interface Deleted {
  readonly deleted_at: Date | null;
  readonly deleted_by: string | null;
  readonly deleted_batch: string | null;
}
