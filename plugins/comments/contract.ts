/** A comment on a record, as it is stored. */
export interface StoredComment {
  readonly id: number;
  /** The table of the record. */
  readonly table_name: string;
  /** The record's key as a text. */
  readonly record: string;
  /** As in `organizations/1`; null where the record belonged to none when it was written. */
  readonly tenant: string | null;
  readonly portal: string | null;
  readonly author_type: string;
  readonly author_id: string;
  /** What the author was called then. */
  readonly author_label: string;
  /** Whether only people who may see internal comments see it. */
  readonly internal: boolean;
  /** Markdown of at most 10,000 characters. */
  readonly text: string;
  readonly mentions: readonly Mention[];
  readonly created_at: Date;
  readonly edited_at: Date | null;
}
/** Somebody whom a comment names: `@Maya Lindqvist` in its text. */
export interface Mention {
  readonly id: string;
  readonly label: string;
}

declare module "framewright/kernel" {
  interface Slots {
    comments: {};
  }
}
