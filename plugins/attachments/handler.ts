import { type FieldErrors, isUploadedFile } from "framewright/host";
import type { BaseModel, Transaction } from "framewright/plugins/database";
import type { ResourceRequest } from "framewright/plugins/resources";
import { type AttributeHandler, AttributeInvalid, type Entry, tenantKey } from "framewright/plugins/resources/toolkit";
import { sizeText } from "framewright/plugins/storage";
import { shownFile } from "./access.ts";
import type { Attachment } from "./contract.ts";
import { fieldsOf } from "./definition_macros.ts";
import { drawFiles } from "./draw_files.ts";
import type { FileField } from "./field_options.ts";
import { groupBy } from "./group_by.ts";
import type { Attribute, HandledForm, HandledInput, HandledRead, HandledView, HandledWrite } from "./handled.ts";
import { type FileProblem, type IncomingFile, inspectFile, storeContent, uploadedFile } from "./incoming_file.ts";
import { placeOf, readKept } from "./kept_files.ts";
import { ownerOf, ownerType } from "./owner.ts";
import { refusedUploads } from "./refused_uploads.ts";
import { arrange, readSent, type SentFiles } from "./sent_files.ts";
import type { AttachmentService } from "./service.ts";

/** Serves the files of records as attributes. */
export class AttachmentHandler implements AttributeHandler {
  readonly plugin = "attachments";
  readonly isNew = true;
  readonly #service: () => AttachmentService;

  constructor(service: () => AttachmentService) {
    this.#service = service;
  }

  async load(entries: readonly Entry[], { registration }: ResourceRequest, { name }: Attribute): Promise<unknown[]> {
    const field = fieldsOf(registration.definition).get(name)!;
    const ids = entries.map(({ id }) => String(id));
    const found = await this.#service().store.find({ type: ownerType(registration.model), ids, fields: [name] });
    const byOwner = groupBy(found, ({ owner_id }) => owner_id);
    return entries.map((entry, index) => {
      const shown = (byOwner.get(ids[index]!) ?? []).map((file) => shownFile(entry.url(), file));
      return field.isMany ? shown : (shown[0] ?? null);
    });
  }

  async read(form: HandledForm): Promise<HandledRead> {
    const { controller, attribute, record, sent } = form;
    const { name } = attribute;
    const field = fieldsOf(controller.registration.definition).get(name)!;
    const given = sent.get(name);
    if (given === undefined && record) return undefined;
    const stored = record ? await this.#service().of(record, name) : [];
    const read = given === undefined ? nothing : readSent(given, stored, field.isMany);
    if (!read) return refused(controller, name, { problem: "errors.wrong_shape", vars: {} });
    return this.#prepare(form, field, stored, read);
  }

  draw(input: HandledInput): Promise<HandledView> {
    const field = fieldsOf(input.controller.registration.definition).get(input.attribute.name)!;
    return drawFiles(this.#service(), field, input);
  }

  async #prepare(
    { controller, record }: HandledForm,
    field: FileField,
    stored: readonly Attachment[],
    sent: SentFiles,
  ): Promise<HandledWrite | { readonly errors: FieldErrors }> {
    const service = this.#service();
    const incoming: IncomingFile[] = [];
    for (const sealed of sent.kept) {
      const kept = await readKept(controller, service.storage, sealed, placeOf(controller, field.name));
      if (!kept) return refused(controller, field.name, { problem: "errors.file_expired", vars: {} });
      incoming.push(kept);
    }
    incoming.push(...sent.fresh.map(uploadedFile));
    const { staying } = arrange(stored, sent.changes);
    const remaining = field.isMany || incoming.length === 0 ? staying.length : 0;
    const problem = countProblem(field, remaining + incoming.length);
    if (problem) return refused(controller, field.name, problem);
    const written = new WrittenFiles(service, controller, field, sent);
    const problems = await written.store(incoming, sent.fresh);
    if (problems.length === 0) return written.write(record);
    await written.undo();
    return { errors: { [field.name]: problems } };
  }
}

const nothing: SentFiles = { fresh: [], kept: [], changes: new Map() };

function countProblem({ most, required }: FileField, count: number): FileProblem | undefined {
  if (count > most) return { problem: "attachments.errors.too_many", vars: { count: most } };
  return required && count === 0 ? { problem: "errors.blank", vars: {} } : undefined;
}

const refused = (controller: ResourceRequest, name: string, { problem, vars }: FileProblem) => ({
  errors: { [name]: [controller.t(problem, vars)] },
});

/** The files of one field that are written with a record. */
class WrittenFiles {
  readonly #service: AttachmentService;
  readonly #controller: ResourceRequest;
  readonly #field: FileField;
  readonly #sent: SentFiles;
  readonly #stored: Attachment[] = [];
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
    for (const [index, file] of incoming.entries()) {
      const inspected = await inspectFile(file, this.#field);
      if ("problem" in inspected) {
        const text = this.#controller.t(inspected.problem, inspected.vars);
        problems.push(this.#field.isMany ? `${file.filename}: ${text}` : text);
        const upload = fresh[index - (incoming.length - fresh.length)];
        if (isUploadedFile(upload)) refusedUploads.add(upload);
      } else if (problems.length === 0) await this.#storeOne(file, inspected.kind);
    }
    return problems;
  }
  async #storeOne(file: IncomingFile, kind: Parameters<typeof storeContent>[2]): Promise<void> {
    const { registration, currentScopedEntity } = this.#controller;
    const tenant = tenantKey(currentScopedEntity);
    const { alternative = null } = file;
    const to = { alternative, owner: { type: ownerType(registration.model), id: "" }, field: this.#field.name, tenant };
    try {
      const content = await storeContent(this.#service.storage, file, kind);
      this.#stored.push(await this.#service.reserve(content, to));
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
    const { name, isMany } = this.#field;
    const owner = ownerOf(record);
    if (isNew) await store.detach({ ...owner, field: name }, transaction); // another record had its key
    if (isNew && this.#stored.length === 0) return false;
    const all = await store.find({ type: owner.type, ids: [owner.id] }, transaction);
    const own = all.filter(({ field }) => field === name);
    const arranged = arrange(own, this.#sent.changes);
    const isReplaced = !isMany && this.#stored.length > 0;
    const [staying, leaving] = isReplaced ? [[], own] : [arranged.staying, arranged.leaving];
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
    const text = this.#controller.t("attachments.errors.too_much", { size: sizeText(perRecord) });
    throw new AttributeInvalid({ [this.#field.name]: [text] });
  }
}
