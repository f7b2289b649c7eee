import type { AnyRecord, BaseModel } from "framewright/plugins/database";
import type { ResourceDefinition, ResourceInputOptions } from "framewright/plugins/resources";
import { errors } from "./errors.ts";

/** Options of `this.file(name, { … })`. */
export interface FileOptions
  extends Pick<ResourceInputOptions<BaseModel>, "label" | "hint" | "condition" | "required"> {
  /** `.pdf`, `image/*`, `image/png`: what the bytes have to be, whatever the sender declares. */
  accept?: readonly string[];
  /** The most bytes of a file; `UPLOAD_LIMIT` is that of a whole request. */
  maximum?: number;
}
/** Options of `this.files(name, { … })`. */
export interface FilesOptions extends FileOptions {
  /** How many files a record has at most; 20 by default. */
  most?: number;
}
/** Options of `this.image(name, { … })`. */
export interface ImageOptions extends FileOptions {
  /** The most pixels of a picture; 100,000,000 by default. */
  pixels?: number;
}

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

/** The files of a definition under one name. */
export interface FileField extends FileOptions {
  readonly name: string;
  readonly most: number;
  readonly isMany: boolean;
  readonly pixels: number;
}

/** What browsers show. */
export const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"] as const;
const MAX_FILES = 20;
const MAX_PIXELS = 100_000_000;

const positive = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
const checks: Readonly<Record<string, readonly [check: (value: unknown) => boolean, expected: string]>> = {
  accept: [
    (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      value.every((one) => /^(?:\.[a-z0-9]+|[a-z]+\/(?:\*|[\w.+-]+))$/i.test(String(one))),
    'is not a list such as [".pdf", "image/*"]',
  ],
  maximum: [positive, "is not a number of bytes above zero"],
  most: [positive, "is not a number of files above zero"],
  pixels: [positive, "is not a number of pixels above zero"],
  label: [(value) => typeof value === "string", "is not a text"],
  hint: [(value) => typeof value === "string", "is not a text"],
  condition: [(value) => typeof value === "function", "is not a function"],
  required: [(value) => typeof value === "boolean", "is neither true nor false"],
};
const namesOf = { file: [], files: ["most"], image: ["pixels"] } as const;
const common = ["accept", "maximum", "label", "hint", "condition", "required"];

type Kind = keyof typeof namesOf;

/** What a macro of a definition was given, with its defaults. @throws FW_ATTACHMENT_OPTION */
export function fileField(
  definition: ResourceDefinition,
  kind: Kind,
  name: string,
  options: FileOptions & FilesOptions & ImageOptions,
): FileField {
  const known: readonly string[] = [...common, ...namesOf[kind]];
  for (const [option, value] of Object.entries(options)) {
    const [check, expected] = checks[option] ?? [];
    const problem = !known.includes(option)
      ? "does not exist"
      : value === undefined || check!(value)
        ? undefined
        : expected;
    if (problem) throw errors.FW_ATTACHMENT_OPTION(definition.constructor.name, name, option, problem);
  }
  const accept = options.accept ?? (kind === "image" ? pictureTypes : undefined);
  const isMany = kind === "files";
  return {
    ...options,
    ...(accept && { accept }),
    name,
    isMany,
    most: isMany ? (options.most ?? MAX_FILES) : 1,
    pixels: options.pixels ?? MAX_PIXELS,
  };
}
