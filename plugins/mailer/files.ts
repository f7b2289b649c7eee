import type { FileContent } from "framewright/host";
import { errors } from "./errors.ts";

/** A file whose name and type can be headers. */
export interface CheckedFile {
  readonly filename: string;
  readonly content: Buffer;
  readonly type: string | undefined;
}
/** A file in the payload of a job. */
export interface StoredFile {
  readonly filename: string;
  readonly base64: string;
  readonly type?: string;
}

/** Bytes of all files of a mail: a job stores them, and mail servers take some ten megabytes, a third more than the files. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_NAME = 200;
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/** @throws FW_MAIL_FILE */
export function checkedFiles(files: readonly FileContent[] = []): CheckedFile[] {
  const checked = files.map(checkedFile);
  const bytes = checked.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > MAX_BYTES)
    throw errors.FW_MAIL_FILE(`the files of a mail have ${bytes} bytes, more than ${MAX_BYTES}. Send a link to them`);
  return checked;
}

function checkedFile({ filename, content, type }: FileContent): CheckedFile {
  const name = String(filename)
    .replace(/^.*[\\/]/s, "")
    .replaceAll(/\p{C}|[\u2028\u2029]/gu, "")
    .trim();
  if (name === "") throw errors.FW_MAIL_FILE("a file of a mail has no name. Give it one, as in invoice.pdf");
  if (typeof content !== "string" && !(content instanceof Uint8Array))
    throw errors.FW_MAIL_FILE(`the content of "${name}" is neither a text nor bytes. Pass a string or a Buffer`);
  if (type !== undefined && !MEDIA_TYPE.test(type))
    throw errors.FW_MAIL_FILE(`the type of "${name}" is no media type. Write one, as in application/pdf`);
  return { filename: name.slice(-MAX_NAME), content: Buffer.from(content), type };
}

export const storedFile = ({ filename, content, type }: CheckedFile): StoredFile => ({
  filename,
  base64: content.toString("base64"),
  ...(type === undefined ? {} : { type }),
});
export const restoredFile = ({ base64, ...rest }: StoredFile): FileContent => ({
  ...rest,
  content: Buffer.from(base64, "base64"),
});
