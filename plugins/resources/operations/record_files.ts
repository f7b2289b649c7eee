import { uploadContent } from "framewright/host";
import { messageOf } from "framewright/kernel";
import { type BaseModel, ModelInfo } from "framewright/plugins/database";
import { type FileForm, isFile, isStoredFile } from "framewright/plugins/fields/toolkit";
import { type Attribute, isFileField } from "../definition/attributes.ts";
import type { ResourceRequest } from "../request.ts";

/** The files that the form of a record asks for. */
export const recordForm = (
  { registration: { owner, constant, key } }: ResourceRequest,
  record: BaseModel | undefined,
  attributes: readonly Attribute[],
): FileForm => ({
  form: [owner, constant, "record", record ? String(ModelInfo.keyOf(record)) : ""].join(" "),
  key,
  names: attributes.filter(isFileField).map(({ name }) => name),
});

/** The files that are written with a record: stored before the transaction, and removed where it fails. */
export class RecordFiles {
  readonly #controller: ResourceRequest;
  readonly #names: readonly string[];
  readonly #stored: string[] = [];
  #replaced: string[] = [];

  constructor(controller: ResourceRequest, names: readonly string[]) {
    this.#controller = controller;
    this.#names = names;
  }

  get areAny(): boolean {
    return this.#names.length > 0;
  }
  /** Puts stored files in the place of sent ones. @throws FW_STORAGE_WRITE, once what was stored before is deleted */
  async store(columns: Record<string, unknown>): Promise<void> {
    for (const name of this.#names) {
      const given = columns[name];
      if (!isFile(given)) continue;
      const file = { filename: given.filename, type: given.mimeType, ...uploadContent(given) };
      try {
        const stored = await this.#controller.request.kernel.service("storage").put(file);
        this.#stored.push(stored.key);
        columns[name] = stored;
      } catch (error) {
        await this.undo();
        throw error;
      }
    }
  }
  /** The record as it is stored now, of which these columns are written over. */
  replace(record: BaseModel, columns: Record<string, unknown>): void {
    const files = this.#names.filter((name) => name in columns).map((name) => (record as never)[name] as unknown);
    this.#replaced = files.filter(isStoredFile).map(({ key }) => key);
  }
  /** Nothing was written: what was stored for it is needed no more. */
  undo(): Promise<void> {
    return remove(this.#controller, this.#stored);
  }
  /** It was written: what stood there before is needed no more. */
  finish(): Promise<void> {
    return remove(this.#controller, this.#replaced);
  }
}

/** The keys of a record's files. */
export function filesOf({ registration }: ResourceRequest, record: BaseModel): string[] {
  const names = [...registration.definition.inputs.keys()].filter((name) => isFileField(registration.attribute(name)));
  const files = names.map((name) => (record as never)[name] as unknown).filter(isStoredFile);
  return files.map(({ key }) => key);
}

/** Removes the files of a record whose row was deleted. */
export function removeFilesOf(controller: ResourceRequest, record: BaseModel): Promise<void> {
  return remove(controller, controller.registration.model.mark ? [] : filesOf(controller, record));
}

/** A file that can't be deleted changes no answer: its record is deleted or changed already. */
async function remove(controller: ResourceRequest, keys: readonly string[]): Promise<void> {
  const { kernel } = controller.request;
  for (const key of kernel.has("storage") ? keys : [])
    await kernel
      .service("storage")
      .delete(key)
      .catch((error: unknown) => {
        controller.request.application.log.error(
          { err: error },
          `the file ${key} could not be deleted: ${messageOf(error)}`,
        );
      });
}
