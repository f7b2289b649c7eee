import type { Readable } from "node:stream";
import type { AsyncSeriesBailHook } from "framewright/kernel";
import type { BaseModel, HandledValue, Transaction } from "framewright/plugins/database";

/** A file that belongs to a record. */
export interface Attachment {
  readonly id: number;
  /** As in `Blogging::Post`. */
  readonly owner_type: string;
  readonly owner_id: string;
  /** The name by which the definition declares it. */
  readonly field: string;
  readonly tenant: string | null;
  /** The key of its bytes in the storage. */
  readonly storage_key: string;
  /** Sanitized: without a path, safe to show. */
  readonly name: string;
  /** As its bytes show. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of its bytes, in hexadecimal digits. */
  readonly digest: string;
  readonly position: number;
  /** The text in place of a picture for people who can't see it. */
  readonly alternative: string | null;
  /** Whether a browser may show it in the application's origin: a picture whose bytes are nothing else. */
  readonly in_place: boolean;
  /** `held` until it is scanned; `refused` for good. */
  readonly state: AttachmentState;
  readonly thumbnails: ThumbnailState;
  readonly large_key: string | null;
  readonly small_key: string | null;
  /** Since when it belongs to no record any more. */
  readonly detached_at: Date | null;
  readonly created_at: Date;
}
/** The states of a file: downloads return those that are ready. */
export type AttachmentState = "ready" | "held" | "refused";
/** The states of a file's thumbnails; `none` for what has none. */
export type ThumbnailState = "none" | "waiting" | "ready" | "failed";
/** The type by which a model declares several files: `declare photos: Files`. */
export type Files = HandledValue;
/** The type by which a model declares one file: `declare plan: OneFile`. */
export type OneFile = HandledValue;

/** A file as pages and JSON have it. */
export interface ShownFile {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** The address of its bytes; null while nobody may download it. */
  readonly url: string | null;
  readonly alternative: string | null;
  readonly state: Attachment["state"];
  /** The addresses of its thumbnails, once they are there. */
  readonly thumbnails: { readonly large: string; readonly small: string } | null;
}

/** A file to attach: its bytes, or a stream of so many. */
export type NewAttachment = { readonly filename: string } & (
  | { readonly bytes: Buffer; readonly stream?: never }
  | { readonly stream: Readable; readonly size: number; readonly bytes?: never }
);

/** A file that is scanned before anybody may download it. */
export interface ScannedFile {
  readonly attachment: Attachment;
  /** Its bytes, from the storage. */
  open(): Promise<Readable>;
}

/** The service of the slot "attachments". */
export interface Attachments {
  /** The files of a record, in their order; of one field where it is named. Within a transaction give that: it has files of its own. */
  of(record: BaseModel, field?: string, transaction?: Transaction): Promise<readonly Attachment[]>;
  /**
   * Attaches a file, after those that the field has. Its type is read from its bytes; the rules of definitions are for people.
   * In a transaction it is attached once that commits. A process that is killed before leaves bytes that are swept, but on SQLite
   * and PGlite, which store nothing beside an open transaction: there, attach before it.
   * @example await attachments.attach(permit, "plan", { filename: "plan.pdf", bytes }, { transaction })
   * @throws FW_STORAGE_WRITE, FW_STORAGE_AWAY (503)
   */
  attach(
    record: BaseModel,
    field: string,
    file: NewAttachment,
    options?: { readonly transaction?: Transaction; readonly alternative?: string },
  ): Promise<Attachment>;
  /** Detaches a file; its bytes are deleted once deletions can no longer be undone. */
  detach(attachment: Attachment, transaction?: Transaction): Promise<void>;
  /** The bytes of a file. */
  stream(attachment: Attachment): Promise<Readable>;
  /** Deletes files whose records no longer exist, and resumes what was interrupted. */
  sweep(): Promise<void>;
  /** Waits until what is scanned and drawn in the background by this process is done. */
  drain(): Promise<void>;
}

/** The hooks of the slot "attachments". */
export interface AttachmentHooks {
  /**
   * A file was attached, and nobody may download it yet. Return "refused" to keep it from everybody for good, "ready" to release
   * it at once; undefined leaves it to the next tap, and the last releases it. A tap that fails is called again later.
   */
  scan: AsyncSeriesBailHook<[file: ScannedFile], Exclude<AttachmentState, "held"> | undefined>;
}

declare module "framewright/kernel" {
  interface Slots {
    attachments: { service: Attachments; hooks: AttachmentHooks };
  }
}
declare module "framewright/plugins/fields" {
  interface FieldTypes {
    attachment: ShownFile;
    attachments: readonly ShownFile[];
  }
}
