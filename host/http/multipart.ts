import type { IncomingMessage } from "node:http";
import { Busboy } from "@fastify/busboy";
import type { Limits } from "../app/settings.ts";
import { badRequest, payloadTooLarge, requestTimeout, tooManyFiles } from "../errors.ts";
import type { UploadedFile, UploadSpool } from "./uploaded_file.ts";

const MAX_FILES = 50;

/** A multipart body: its fields as a query string, in which `\0file:0` is a file. */
export interface Parts {
  query: string;
  files: ReadonlyMap<string, UploadedFile>;
}

/** What a multipart body may take, and where its large files go. */
export interface PartsOptions {
  readonly limits: Limits;
  readonly mostFields: number;
  readonly spool: UploadSpool;
}

/** Reads a multipart body; all fields together may take what a body without files may. @throws HttpError 400, 408, 413 */
export function readParts(req: IncomingMessage, { limits, mostFields, spool }: PartsOptions): Promise<Parts> {
  return new Promise((resolve, reject) => {
    const parser = openParser(req, limits, mostFields);
    const fields: string[] = [];
    const files = new Map<string, UploadedFile>();
    const reading: Promise<void>[] = [];
    let [size, text] = [0, 0];
    const fail = (error: Error) => {
      req.unpipe(parser);
      reject(error);
    };
    const malformed = () => fail(badRequest("the multipart body is malformed."));
    const add = (name: string, value: string) => {
      try {
        fields.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
      } catch {
        malformed(); // half a surrogate pair, as UTF-16 brings it
      }
    };
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.upload) fail(payloadTooLarge(limits.upload));
    });
    req.once("close", () => req.complete || fail(requestTimeout()));
    parser.on("field", (name, value, nameCut, valueCut) => {
      text += value.length;
      if (nameCut || valueCut || text > limits.body) fail(payloadTooLarge(limits.body));
      else if (!isNamed(name) || value.startsWith("\0")) malformed();
      else add(name, value);
    });
    parser.on("file", (name, stream, filename, _encoding, mimeType) => {
      stream.on("error", malformed); // the body ends inside a file
      stream.on("limit", () => fail(payloadTooLarge(limits.upload)));
      if (filename === undefined || filename === "") return void stream.resume();
      if (!isNamed(name)) return malformed();
      const key = `file:${reading.length}`;
      add(name, `\0${key}`);
      const claimed = { filename: filename.replace(/^.*[\\/]/, ""), mimeType };
      const read = async () => void files.set(key, await spool.read(claimed, stream));
      reading.push(read());
      reading.at(-1)!.catch(fail);
    });
    parser.on("filesLimit", () => fail(tooManyFiles(MAX_FILES)));
    for (const limited of ["partsLimit", "fieldsLimit"] as const) {
      parser.on(limited, () => fail(badRequest("the form has too many parts.")));
    }
    parser.on("error", malformed);
    parser.once("finish", () => {
      Promise.all(reading).then(() => resolve({ query: fields.join("&"), files }), fail);
    });
    req.pipe(parser);
  });
}

/** Whether a part has a name: the parser passes on parts without one, whatever its types say. */
const isNamed = (name: unknown): boolean => typeof name === "string";

function openParser(req: IncomingMessage, { upload, body }: Limits, mostFields: number) {
  try {
    const headers = { ...req.headers, "content-type": req.headers["content-type"]! };
    const limits = {
      fields: mostFields,
      files: MAX_FILES,
      parts: mostFields + MAX_FILES,
      fieldSize: body,
      fileSize: upload,
    };
    return new Busboy({ headers, limits });
  } catch {
    throw badRequest("the multipart body has no boundary.");
  }
}
