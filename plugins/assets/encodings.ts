import { extname } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Encodings of a body, as `Content-Encoding` names them; "identity" is none. */
export type Encoding = "br" | "gzip" | "identity";
export type CompressedEncoding = Exclude<Encoding, "identity">;

/** Those that a file is compressed to, the smaller first, with the ending of the file that a build writes. */
export const ENDINGS: Readonly<Record<CompressedEncoding, string>> = { br: ".br", gzip: ".gz" };
export const COMPRESSED = Object.keys(ENDINGS) as CompressedEncoding[];

const COMPRESSIBLE = new Set([".css", ".js", ".json", ".svg"]);
export const isCompressible = (name: string): boolean => COMPRESSIBLE.has(extname(name));

/** How much work is put into it: all of it in a build (a second for Tabler's styles), a tenth of that in a server. */
export type Effort = "most" | "little";
const BROTLI_QUALITY = { most: 11, little: 6 };

const zip = promisify<Buffer, object, Buffer>(gzip);
const brotli = promisify<Buffer, object, Buffer>(brotliCompress);

/** The bytes in an encoding, compressed in a thread of Node's pool. */
export function encoded(bytes: Buffer, encoding: CompressedEncoding, effort: Effort): Promise<Buffer> {
  if (encoding === "gzip") return zip(bytes, { level: 9 });
  const quality = BROTLI_QUALITY[effort];
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotli(bytes, { params });
}
