import { isUploadedFile } from "framewright/host";
import type { BaseModel, Transaction } from "framewright/plugins/database";
import { tenantKey } from "framewright/plugins/portals";
import type { ResourceRequest } from "framewright/plugins/resources";
import { AttributeInvalid } from "framewright/plugins/resources/toolkit";
import { type FileKind, sizeText, UNKNOWN } from "framewright/plugins/storage";
import { acceptedText } from "./accepted_text.ts";
import type { Attachment } from "./contract.ts";
import type { FileField } from "./field_options.ts";
import type { HandledWrite } from "./handled.ts";
import { type FileProblem, type IncomingFile, inspectFile } from "./incoming_file.ts";
import { ownerOf, ownerType } from "./owner.ts";
import { refusedUploads } from "./refused_uploads.ts";
import { arrange, type SentFiles } from "./sent_files.ts";
import type { AttachmentService } from "./service.ts";

/** The files of one field that are written with a record. */
export class WrittenFiles {
  readonly #service: AttachmentService;
  readonly #controller: ResourceRequest;
  readonly #field: FileField;
  readonly #sent: SentFiles;
  readonly #stored: Attachment[] = [];
  /** What browsers have sent to the storage by themselves: copies of it are attached. */
  #pending: readonly string[] = [];
  #leaving: readonly Attachment[] = [];

  constructor(service: AttachmentService, controller: ResourceRequest, field: FileField, sent: SentFiles) {
    this.#service = service;
    this.#controller = controller;
    this.#field = field;
    this.#sent = sent;
  }

  /** Stores the bytes of files, each with a row that is of no record yet. What is wrong with them, by their names. */
  async store(incoming: readonly IncomingFile[], fresh: readonly unknown[]): Promise<string[]> {
    const problems: string[] = [];
    this.#pending = incoming.flatMap(({ pending }) => pending ?? []);
    for (const [index, file] of incoming.entries()) {
      const problem = await this.#storeGood(file, problems.length === 0);
      if (!problem) continue;
      const text = this.#textOf(problem);
      problems.push(this.#field.isMany ? `${file.filename}: ${text}` : text);
      const upload = fresh[index - (incoming.length - fresh.length)];
      if (isUploadedFile(upload)) refusedUploads.add(upload);
    }
    return problems;
  }
  /** Stores a file, unless something is wrong with it, or `isStored` is false since something was with another. */
  async #storeGood(file: IncomingFile, isStored: boolean): Promise<FileProblem | undefined> {
    if (file.pending !== undefined) return this.#takePending(file);
    const inspected = await inspectFile(file, this.#field);
    if ("problem" in inspected) return inspected;
    if (isStored) await this.#storeOne(file, inspected.kind);
    return undefined;
  }
  /** A file that lies in the storage is copied first: its browser may still replace it, and what was looked at is attached. */
  async #takePending(file: IncomingFile): Promise<FileProblem | undefined> {
    const { storage, store } = this.#service;
    const copied = await this.#storeOne(file, UNKNOWN);
    const { id, storage_key: key } = copied;
    if ((await storage.direct?.size(key)) !== file.size) return { problem: "errors.file_expired", vars: {} };
    const inspected = await inspectFile({ ...file, open: (range) => storage.stream(key, range) }, this.#field);
    if ("problem" in inspected) return inspected;
    await store.update(id, { type: inspected.kind.type });
    return undefined;
  }
  #textOf({ problem, vars }: FileProblem): string {
    const t = (key: string, more?: Record<string, unknown>) => this.#controller.t(`attachments.form.${key}`, more);
    return this.#controller.t(problem, { ...vars, types: acceptedText(this.#field.accept ?? [], t) });
  }
  async #storeOne(file: IncomingFile, kind: FileKind): Promise<Attachment> {
    const { registration, currentScopedEntity } = this.#controller;
    const tenant = tenantKey(currentScopedEntity);
    const { alternative = null } = file;
    const to = { alternative, owner: { type: ownerType(registration.model), id: "" }, field: this.#field.name, tenant };
    try {
      const stored = await this.#service.reserve({ file, kind }, to);
      this.#stored.push(stored);
      return stored;
    } catch (error) {
      await this.undo();
      throw error;
    }
  }

  write(before: BaseModel | undefined): HandledWrite {
    return {
      write: (record, transaction) => this.#write(record, transaction, before === undefined),
      committed: async () => {
        await this.#service.purge(this.#leaving);
        await this.#service.deleteBytes(this.#pending);
        await this.#service.background.add(this.#stored.map(({ id }) => id));
      },
      undone: () => this.undo(),
    };
  }
  /** Nothing was written: what was stored for it is needed no more. */
  undo(): Promise<void> {
    return this.#service.purge(this.#stored.splice(0));
  }

  async #write(record: BaseModel, transaction: Transaction, isNew: boolean): Promise<boolean> {
    const { store } = this.#service;
    const { name, isMany, most } = this.#field;
    const owner = ownerOf(record);
    if (isNew) await store.detach({ ...owner, field: name }, transaction); // another record had its key
    if (isNew && this.#stored.length === 0) return false;
    const all = await store.find({ type: owner.type, ids: [owner.id] }, transaction);
    const own = all.filter(({ field }) => field === name);
    const arranged = arrange(own, this.#sent.changes);
    const isReplaced = !isMany && this.#stored.length > 0;
    const [staying, leaving] = isReplaced ? [[], own] : [arranged.staying, arranged.leaving];
    if (this.#stored.length > 0 && staying.length + this.#stored.length > most)
      throw this.#invalid("too_many", { count: most }); // others have added files meanwhile
    this.#leaving = leaving;
    if (leaving.length > 0)
      await store.detach(
        leaving.map(({ id }) => id),
        transaction,
      );
    let isChanged = leaving.length > 0 || this.#stored.length > 0;
    for (const [position, file] of staying.entries()) {
      const { alternative = file.alternative } = this.#sent.changes.get(file.id) ?? {};
      if (alternative === file.alternative && position === file.position) continue;
      await store.update(file.id, { alternative, position }, transaction);
      isChanged = true;
    }
    for (const [index, { id }] of this.#stored.entries()) {
      const position = staying.length + index;
      await store.update(id, { owner_id: owner.id, position, detached_at: null }, transaction);
    }
    const others = all.filter((one) => !leaving.includes(one));
    this.#checkTotal([...others, ...this.#stored]);
    return isChanged;
  }
  /** @throws AttributeInvalid where the files of the record are too large together */
  #checkTotal(files: readonly Attachment[]): void {
    const { perRecord } = this.#service;
    const total = files.reduce((sum, { size }) => sum + size, 0);
    if (this.#stored.length === 0 || total <= perRecord) return;
    throw this.#invalid("too_much", { size: sizeText(perRecord) });
  }
  #invalid(problem: string, vars: Record<string, unknown>): AttributeInvalid {
    return new AttributeInvalid({ [this.#field.name]: [this.#controller.t(`attachments.errors.${problem}`, vars)] });
  }
}
