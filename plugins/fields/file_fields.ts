import { isUploadedFile, type ParamValue, uploadSize } from "framewright/host";
import { isAccepted, isAcceptedUpload, type StoredFile, sizeText } from "framewright/plugins/storage";
import type { Coerced, Refused } from "./coerce.ts";

/** The limits of a file that is sent. */
export interface FileRules {
  /** `.pdf`, `image/*`, `image/png`. */
  accept?: readonly string[];
  /** Its most bytes. */
  maximum?: number;
}

/** Reads a file that was sent, or nothing. */
export function readFile({ accept, maximum }: FileRules, given: ParamValue): Coerced {
  if (given === null || given === "") return { value: null };
  if (!isUploadedFile(given)) return { problem: "errors.wrong_shape" };
  if (accept && !isAccepted(accept, given))
    return { problem: "errors.not_accepted", vars: { types: accept.join(", ") } };
  if (maximum !== undefined && uploadSize(given) > maximum)
    return { problem: "errors.file_too_large", vars: { size: sizeText(maximum) } };
  return { value: given };
}

/** What is wrong with files that were read, by their bytes: their names and types are what the sender calls them. */
export async function refusedFiles(
  fields: readonly { readonly name: string; readonly input: FileRules }[],
  values: Readonly<Record<string, unknown>>,
): Promise<Record<string, Refused>> {
  const refused: Record<string, Refused> = {};
  for (const { name, input } of fields) {
    const { accept } = input;
    const file = values[name];
    if (accept && isUploadedFile(file) && !(await isAcceptedUpload(accept, file)))
      refused[name] = { problem: "errors.not_accepted", vars: { types: accept.join(", ") } };
  }
  return refused;
}

export { isUploadedFile as isFile } from "framewright/host";

/** A file as a column stores it. */
export const isStoredFile = (value: unknown): value is StoredFile =>
  typeof value === "object" && value !== null && "key" in value && typeof value.key === "string" && "filename" in value;

/** What people may know of a stored file: where its bytes lie is nobody's to see. */
export function publicFile(value: unknown): unknown {
  if (!isStoredFile(value)) return null;
  const { filename, type, size } = value;
  return { filename, type, size };
}
