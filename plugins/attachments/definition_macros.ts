import type { AnyRecord } from "framewright/plugins/database";
import type { ResourceDefinition } from "framewright/plugins/resources";
import { type FileField, type FileOptions, type FilesOptions, fileField, type ImageOptions } from "./field_options.ts";
import type { AttachmentHandler } from "./handler.ts";

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** One file of a record: `this.file("plan", { accept: [".pdf"], maximum: 5_000_000 })`. The policy permits its name. */
    file(name: string, options?: FileOptions): void;
    /** Several files of a record, in an order of their own: `this.files("photos", { accept: ["image/*"], most: 12 })`. */
    files(name: string, options?: FilesOptions): void;
    /** One picture of a record, shown as such: `this.image("cover")`. */
    image(name: string, options?: ImageOptions): void;
  }
}

/** Module-level: found by a definition, and freed with it: its files, by name. */
const fieldsByDefinition = new WeakMap<object, Map<string, FileField>>();
const none: ReadonlyMap<string, FileField> = new Map();
export const fieldsOf = (definition: object): ReadonlyMap<string, FileField> =>
  fieldsByDefinition.get(definition) ?? none;

/** A macro of one definition. @throws FW_ATTACHMENT_OPTION */
export const fileMacro =
  (kind: "file" | "files" | "image", handler: AttachmentHandler) =>
  (definition: ResourceDefinition) =>
  (name: string, options: FilesOptions & ImageOptions = {}): void => {
    const field = fileField(definition, kind, name, options);
    const known = fieldsByDefinition.get(definition) ?? new Map<string, FileField>();
    fieldsByDefinition.set(definition, known.set(name, field));
    definition.handle(name, handler);
    const { label, hint, condition, required } = options;
    const shared = {
      as: field.isMany ? "attachments" : "attachment",
      ...(label === undefined ? {} : { label }),
    } as const;
    definition.input(name, {
      ...shared,
      ...(hint === undefined ? {} : { hint }),
      ...(condition ? { condition: condition as never } : {}),
      ...(required === undefined ? {} : { required }),
    });
  };
