import type { ResourceRequest } from "framewright/plugins/resources";
import type { AttributeHandler, Entry } from "framewright/plugins/resources/toolkit";
import { shownFile } from "./access.ts";
import type { Attachment } from "./contract.ts";
import { fieldsOf } from "./definition_macros.ts";
import { drawFiles } from "./draw_files.ts";
import type { FileField } from "./field_options.ts";
import { groupBy } from "./group_by.ts";
import type { Attribute, HandledForm, HandledInput, HandledRead, HandledView } from "./handled.ts";
import { type FileProblem, type IncomingFile, uploadedFile } from "./incoming_file.ts";
import { placeOf, readKept } from "./kept_files.ts";
import { ownerType } from "./owner.ts";
import { arrange, changesNothing, readSent, type SentFiles } from "./sent_files.ts";
import type { AttachmentService } from "./service.ts";
import type { ListedFile } from "./store.ts";
import { WrittenFiles } from "./written_files.ts";

type FilesByOwner = ReadonlyMap<string, readonly ListedFile[]>;

/** Serves the files of records as attributes. */
export class AttachmentHandler implements AttributeHandler {
  readonly plugin = "attachments";
  readonly isNew = true;
  readonly #service: () => AttachmentService;
  /** By the entries of a page, and freed with them: its files, which each field takes its own of. */
  readonly #pages = new WeakMap<readonly Entry[], Promise<FilesByOwner>>();

  constructor(service: () => AttachmentService) {
    this.#service = service;
  }

  async load(entries: readonly Entry[], { registration }: ResourceRequest, { name }: Attribute): Promise<unknown[]> {
    const field = fieldsOf(registration.definition).get(name)!;
    const reading = this.#pages.get(entries) ?? this.#read(entries, ownerType(registration.model));
    this.#pages.set(entries, reading);
    const byOwner = await reading;
    return entries.map((entry) => {
      const files = (byOwner.get(String(entry.id)) ?? []).filter((file) => file.field === name);
      const shown = files.map((file) => shownFile(entry.url(), file));
      return field.isMany ? shown : (shown[0] ?? null);
    });
  }
  /** The files of all fields at once. */
  async #read(entries: readonly Entry[], type: string): Promise<FilesByOwner> {
    const found = await this.#service().store.findShown(
      type,
      entries.map(({ id }) => String(id)),
    );
    return groupBy(found, ({ owner_id }) => owner_id);
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
  ): Promise<HandledRead> {
    const service = this.#service();
    const incoming: IncomingFile[] = [];
    for (const sealed of new Set(keptIn(sent, field))) {
      const kept = await readKept(controller, service.storage, sealed, placeOf(controller, field.name, record));
      if (!kept) return refused(controller, field.name, { problem: "errors.file_expired", vars: {} });
      incoming.push(kept);
    }
    incoming.push(...sent.fresh.map(uploadedFile));
    const { staying } = arrange(stored, sent.changes);
    const remaining = field.isMany || incoming.length === 0 ? staying.length : 0;
    const problem = countProblem(field, remaining + incoming.length);
    if (problem) return refused(controller, field.name, problem);
    if (record && incoming.length === 0 && changesNothing(stored, sent.changes)) return undefined;
    const written = new WrittenFiles(service, controller, field, sent);
    const problems = await written.store(incoming, sent.fresh);
    if (problems.length === 0) return written.write(record);
    await written.undo();
    return { errors: { [field.name]: problems } };
  }
}

const nothing: SentFiles = { fresh: [], kept: [], changes: new Map() };

/** The files of tries before; where there is one file, a later one takes its place. */
const keptIn = ({ kept, fresh }: SentFiles, { isMany }: FileField): readonly string[] =>
  isMany ? kept : fresh.length > 0 ? [] : kept.slice(-1);

function countProblem({ most, required }: FileField, count: number): FileProblem | undefined {
  if (count > most) return { problem: "attachments.errors.too_many", vars: { count: most } };
  return required && count === 0 ? { problem: "errors.blank", vars: {} } : undefined;
}

const refused = (controller: ResourceRequest, name: string, { problem, vars }: FileProblem) => ({
  errors: { [name]: [controller.t(problem, vars)] },
});
