import type { ResourceDefinition } from "framewright/plugins/resources";
import { type FileField, type FilesOptions, fileField, type ImageOptions } from "./field_options.ts";
import type { AttachmentHandler } from "./handler.ts";

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
