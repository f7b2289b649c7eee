import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { cleanFilename, type UploadedFile, uploadContent } from "framewright/host";

/** What the bytes of a file show that it is. */
export interface FileKind {
  readonly type: string;
  /** The extension that such files have, without a dot; undefined for texts and for what nobody knows. */
  readonly extension: string | undefined;
}

/** Bytes at the start of a file by which its type is found. */
export const HEAD_BYTES = 262_144;
/** Bytes that are of no type that is known, and no text. */
export const UNKNOWN: FileKind = { type: "application/octet-stream", extension: undefined };
/** What texts are called, by the extension of their name. */
const texts: Readonly<Record<string, string>> = {
  csv: "text/csv",
  css: "text/css",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
};
/** Markup is named by what it has, whatever its name: browsers run it. */
const markup: readonly (readonly [RegExp, string])[] = [
  [/<svg[\s>]/i, "image/svg+xml"],
  [/<(?:!doctype\s+html|html|head|body|script)[\s>]/i, "text/html"],
  [/^\s*<\?xml\s/i, "application/xml"],
];

/** Finds the type of a file by its first bytes; of a text by its name as well. */
export async function fileKind(head: Buffer, filename: string): Promise<FileKind> {
  const utf16 = utf16Text(head); // its mark passes for the start of a sound
  if (utf16 !== undefined) return textKind(utf16, filename);
  const { fileTypeFromBuffer } = await import("file-type"); // loaded with the first file
  const found = await fileTypeFromBuffer(head).catch(() => undefined); // a file that ends in the middle of a header
  if (found && found.mime !== "application/xml") return { type: found.mime, extension: found.ext };
  return isText(head) ? textKind(head.toString("utf8"), filename) : UNKNOWN;
}

/** A text of UTF-16, as Windows programs write it, by its mark; undefined for other bytes. */
function utf16Text(head: Buffer): string | undefined {
  const mark = head.length < 2 ? 0 : head.readUInt16BE(0);
  if (mark !== 0xfffe && mark !== 0xfeff) return undefined;
  const pairs = Buffer.from(head.subarray(2, head.length - (head.length % 2)));
  const text = (mark === 0xfeff ? pairs.swap16() : pairs).toString("utf16le");
  return text.includes("\0") ? undefined : text;
}

function textKind(text: string, filename: string): FileKind {
  const [, type] = markup.find(([pattern]) => pattern.test(text)) ?? [];
  if (type !== undefined) return { type, extension: undefined };
  return { type: texts[extensionOf(filename)] ?? "text/plain", extension: undefined };
}

/** UTF-8 without NUL; the last character may be cut off. */
function isText(head: Buffer): boolean {
  if (head.includes(0)) return false;
  return [0, 1, 2, 3].some((cut) => isUtf8(head.subarray(0, head.length - cut)));
}

export const extensionOf = (filename: string): string =>
  /\.([a-z0-9]{1,10})$/i.exec(filename)?.[1]?.toLowerCase() ?? "";

/** Extensions of one kind of file: the bytes of each show the kind of the first. */
const sameKind: Readonly<Record<string, readonly string[]>> = {
  jpg: ["jpeg", "jpe", "jfif"],
  tif: ["tiff"],
  mp4: ["m4v", "m4a", "mov"],
  mov: ["mp4"],
  m4a: ["mp4"],
  ogg: ["oga", "ogv", "opus"],
  opus: ["ogg"],
  mid: ["midi"],
  cfb: ["doc", "xls", "ppt", "msg"],
  gz: ["tgz"],
};
/** Containers of files that have no signature of their own. */
const containers = ["zip", "xml", "cfb"];

/**
 * Whether a file is one of these, with the syntax of `accept` in HTML: `.pdf`, `image/*`, `image/png`. An extension is
 * accepted where the bytes are of such a file.
 */
export async function isAcceptedKind(accept: readonly string[], kind: FileKind, filename: string): Promise<boolean> {
  const { supportedExtensions } = await import("file-type");
  const known = supportedExtensions as ReadonlySet<string>;
  return accept.some((one) => {
    const wanted = one.toLowerCase();
    if (!wanted.startsWith(".")) return matchesType(wanted, kind.type);
    const extension = wanted.slice(1);
    return filename.toLowerCase().endsWith(wanted) && isExtensionOf(extension, kind, known);
  });
}

const matchesType = (wanted: string, type: string): boolean =>
  wanted === "*/*" || (wanted.endsWith("/*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted);

function isExtensionOf(extension: string, { type, extension: found }: FileKind, known: ReadonlySet<string>): boolean {
  if (found === undefined) return !known.has(extension) && isPlain(extension, type);
  if (found === extension || sameKind[found]?.includes(extension)) return true;
  return containers.includes(found) && !known.has(extension);
}

/** Markup passes for no other text, since browsers run it. */
const isPlain = (extension: string, type: string): boolean =>
  type === "image/svg+xml" ? extension === "svg" : type !== "text/html" || /^x?html?$/.test(extension);

/** Whether the bytes of a file that was sent are of one of these, whatever its sender calls it. */
export async function isAcceptedUpload(accept: readonly string[], file: UploadedFile): Promise<boolean> {
  const filename = cleanFilename(file.filename);
  return isAcceptedKind(accept, await fileKind(await headOf(file), filename), filename);
}

async function headOf(file: UploadedFile): Promise<Buffer> {
  const content = uploadContent(file);
  return "bytes" in content ? content.bytes.subarray(0, HEAD_BYTES) : firstBytes(content.stream);
}

/** The bytes at the start of a stream, by which its type is found; the rest is not read. */
export async function firstBytes(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= HEAD_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
}
