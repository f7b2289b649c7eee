import type { Readable } from "node:stream";
import { type Logger, messageOf } from "framewright/host";
import { type BaseModel, type Database, type Knex, ModelInfo, type Transaction } from "framewright/plugins/database";
import type { FileKind, Storage } from "framewright/plugins/storage";
import type { BackgroundWork } from "./background_work.ts";
import type { Attachment, Attachments, NewAttachment } from "./contract.ts";
import { groupBy } from "./group_by.ts";
import { type IncomingFile, openNew, type StoredContent, storeContent } from "./incoming_file.ts";
import { PATH, UNREAD } from "./move_column.ts";
import { type Owner, ownerOf } from "./owner.ts";
import { AttachmentStore } from "./store.ts";
import { sweepAttachments } from "./sweep.ts";

/** What the service works with. */
export interface AttachmentParts {
  readonly database: Database;
  readonly storage: Storage;
  readonly background: BackgroundWork;
  readonly log: () => Logger;
  /** Bytes of all files of a record together. */
  readonly perRecord: number;
  /** Milliseconds for which the bytes of a file stay whose record no longer exists. */
  readonly keepDeleted: number;
}
type Opened = Knex.Transaction & { readonly parentTransaction?: Opened };
/** Where a file is attached. */
export interface AttachedTo {
  readonly owner: Owner;
  readonly field: string;
  readonly tenant: string | null;
  readonly alternative: string | null;
}

/** As a file that is of no record yet. */
const unowned = (to: AttachedTo): AttachedTo => ({ ...to, owner: { ...to.owner, id: "" } });

/** The files of records. */
export class AttachmentService implements Attachments {
  readonly database: Database;
  readonly storage: Storage;
  readonly background: BackgroundWork;
  readonly store: AttachmentStore;
  readonly perRecord: number;
  readonly keepDeleted: number;
  readonly #log: () => Logger;

  constructor({ database, storage, background, log, perRecord, keepDeleted }: AttachmentParts) {
    this.database = database;
    this.storage = storage;
    this.background = background;
    this.store = new AttachmentStore(database);
    this.perRecord = perRecord;
    this.keepDeleted = keepDeleted;
    this.#log = log;
  }

  of(record: BaseModel, field?: string, transaction?: Transaction): Promise<readonly Attachment[]> {
    const { type, id } = ownerOf(record);
    return this.store.find({ type, ids: [id], ...(field === undefined ? {} : { fields: [field] }) }, transaction);
  }
  async attach(
    record: BaseModel,
    field: string,
    file: NewAttachment,
    { transaction, alternative = null }: { transaction?: Transaction; alternative?: string | null } = {},
  ): Promise<Attachment> {
    const owner = ownerOf(record);
    const to = { owner, field, tenant: null, alternative };
    const { incoming, kind } = await openNew(file);
    if (!transaction) return this.#attachNoted({ file: incoming, kind }, to);
    const { besides } = this.database;
    if (besides && this.storage.newKey)
      return this.#attachBeside({ transaction, besides }, { file: incoming, kind }, to);
    const content = await storeContent(this.storage, incoming, kind);
    try {
      const position = await this.#nextPosition(to, transaction);
      const row = { ...this.#row(content, to), position };
      const attached = await this.store.insert(row, transaction); // SQLite has one that writes at a time: nothing notes the key before
      this.#follow(transaction, attached);
      return attached;
    } catch (error) {
      await this.deleteBytes([content.storage_key]);
      throw error;
    }
  }
  /**
   * Attaches a file whose row was stored beside the transaction, as one of no record: where the process is killed before the
   * commit, the row leads the sweep to the bytes.
   */
  async #attachBeside(
    { transaction, besides }: { transaction: Transaction; besides: Knex },
    file: { file: IncomingFile; kind: FileKind },
    to: AttachedTo,
  ): Promise<Attachment> {
    const noted = await this.reserve(file, unowned(to), besides);
    let isThere: boolean;
    const changes = { owner_id: to.owner.id, position: 0, detached_at: null };
    try {
      changes.position = await this.#nextPosition(to, transaction);
      isThere = await this.store.update(noted.id, changes, transaction);
    } catch (error) {
      this.#follow(transaction, noted);
      throw error;
    }
    if (!isThere) await this.store.remove(noted.id, besides); // it is on another server of a cluster, and not here yet
    const { id: _, ...row } = { ...noted, ...changes };
    const attached = isThere ? { ...noted, ...changes } : await this.store.insert(row, transaction);
    this.#follow(transaction, attached);
    return attached;
  }
  async #attachNoted(file: { file: IncomingFile; kind: FileKind }, to: AttachedTo): Promise<Attachment> {
    const noted = await this.reserve(file, unowned(to));
    try {
      const changes = { owner_id: to.owner.id, position: await this.#nextPosition(to), detached_at: null };
      await this.store.update(noted.id, changes);
      await this.background.add([noted.id]);
      return { ...noted, ...changes };
    } catch (error) {
      await this.purge([noted]);
      throw error;
    }
  }
  async #nextPosition({ owner, field }: AttachedTo, transaction?: Transaction): Promise<number> {
    const before = await this.store.find({ type: owner.type, ids: [owner.id], fields: [field] }, transaction);
    return Math.max(-1, ...before.map((one) => one.position)) + 1;
  }
  /** Once the outermost transaction is over: its file is processed, or its bytes are deleted where it was rolled back. */
  #follow(transaction: Transaction, { id, storage_key }: Attachment): void {
    let outer = transaction as unknown as Opened;
    while (outer.parentTransaction) outer = outer.parentTransaction;
    const finish = async () => {
      const stored = await this.store.findById(id);
      if (stored?.storage_key === storage_key && !stored.detached_at) await this.background.add([id]);
      else if (stored) await this.purge([stored]);
      else await this.deleteBytes([storage_key]);
    };
    const settle = () => finish().catch((error: unknown) => this.#report(error, id));
    outer.executionPromise.then(settle, settle);
  }
  async detach({ id }: Attachment, transaction?: Transaction): Promise<void> {
    await this.store.detach([id], transaction);
  }
  stream({ storage_key }: Attachment): Promise<Readable> {
    return this.storage.stream(storage_key);
  }
  sweep(): Promise<void> {
    return sweepAttachments(this);
  }
  drain(): Promise<void> {
    return this.background.drain();
  }

  /**
   * Stores the bytes of a file, with a row that is of no record yet: where nothing attaches it, it is swept. The row names the
   * key before the bytes come, where the storage has one by then: a process that is killed meanwhile leaves nothing behind.
   */
  async reserve(
    { file, kind }: { file: IncomingFile; kind: FileKind },
    to: AttachedTo,
    besides?: Knex,
  ): Promise<Attachment> {
    const key = this.storage.newKey?.();
    if (key === undefined) {
      const content = await storeContent(this.storage, file, kind);
      return this.store.insert({ ...this.#row(content, to), detached_at: new Date() });
    }
    const facts = { storage_key: key, name: file.filename, type: kind.type, size: file.size };
    const row = this.#row({ ...facts, digest: UNREAD, in_place: false }, to);
    const noted = await this.store.insert({ ...row, detached_at: new Date() }, besides);
    try {
      const content = await storeContent(this.storage, file, kind, key);
      const isRead = content.digest !== UNREAD; // else its bytes are read in the background, whatever becomes of this process
      const facts = isRead ? content : { ...content, thumbnails: "waiting" as const };
      await this.store.update(noted.id, facts);
      return { ...noted, ...facts };
    } catch (error) {
      await this.purge([noted]);
      throw error;
    }
  }
  /** Deletes the bytes of files, then their rows; what fails is left to the sweep. */
  async purge(files: readonly Attachment[]): Promise<void> {
    for (const { id, storage_key, large_key, small_key } of files) {
      const own = storage_key.startsWith(PATH) ? null : storage_key; // one that is not copied yet is no file of ours
      const keys = [own, large_key, small_key].filter((key) => key !== null);
      if (await this.deleteBytes(keys)) await this.store.remove(id).catch((error: unknown) => this.#report(error, id));
    }
  }
  /** Whether all were deleted: a file that can't be changes no answer. */
  async deleteBytes(keys: readonly string[]): Promise<boolean> {
    let isDone = true;
    for (const key of keys)
      await this.storage.delete(key).catch((error: unknown) => {
        isDone = false;
        this.#report(error, key);
      });
    return isDone;
  }
  /** Those of these owners whose records no longer exist; those of a model that the application does not have any more stay. */
  async missing(owners: readonly Owner[]): Promise<Owner[]> {
    const models = new Map(this.database.models().map((info) => [info.constant, info]));
    const gone: Owner[] = [];
    for (const [type, own] of groupBy(owners, (owner) => owner.type)) {
      const model = models.get(type);
      if (model?.exists) gone.push(...(await this.#missingOf(model, own)));
    }
    return gone;
  }

  async #missingOf(model: ModelInfo, owners: readonly Owner[]): Promise<Owner[]> {
    const keys = owners.flatMap(({ id }) => model.key.parse(id) ?? []);
    const query = this.database.query(model.class);
    if (model.mark) query.withDeleted();
    const found = keys.length === 0 ? [] : await model.key.whereIn(query, keys);
    const there = new Set(found.map((record) => String(ModelInfo.keyOf(record as BaseModel))));
    return owners.filter(({ id }) => !there.has(id));
  }
  #row(content: StoredContent, { owner, field, tenant, alternative }: AttachedTo) {
    return {
      ...content,
      ...{ owner_type: owner.type, owner_id: owner.id, field, tenant, position: 0, alternative },
      ...{ state: this.background.firstState(), thumbnails: this.background.thumbnailsOf(content) },
      ...{ large_key: null, small_key: null, detached_at: null, created_at: new Date() },
    };
  }
  #report(error: unknown, key: string | number): void {
    this.#log().error({ err: error }, `the attachment ${key} could not be deleted: ${messageOf(error)}`);
  }
}
