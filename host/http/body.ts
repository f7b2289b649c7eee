import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Limits } from "../app/settings.ts";
import { badRequest, payloadTooLarge, requestTimeout, unsupportedMedia } from "../errors.ts";
import { parseForm } from "./form_body.ts";
import { readJson } from "./json_body.ts";
import { readLocalNumbers } from "./local_numbers.ts";
import { readLocalTimes } from "./local_times.ts";
import { MAX_FIELDS } from "./nested_form.ts";
import { isParamObject, type ParamObject } from "./params.ts";
import type { UploadedFile, UploadSpool } from "./uploaded_file.ts";

const empty = (): ParamObject => Object.create(null) as ParamObject;

/** Reads a form, multipart or JSON body into nested values; large files of it are in the spool. @throws HttpError 400, 408, 413, 415 */
export async function readBody(req: IncomingMessage, limits: Limits, spool: UploadSpool): Promise<ParamObject> {
  const header = req.headers["content-type"] ?? "";
  const type = header.split(";", 1)[0]!.trim().toLowerCase();
  if (type === "multipart/form-data") return readLocalValues(await readMultipart(req, limits, spool));
  if (!isUnicode(header)) throw unsupportedMedia(header);
  const bytes = await readBytes(req, limits.body);
  if (bytes.length === 0) return empty();
  if (type === "application/x-www-form-urlencoded") return readLocalValues(parseForm(textOf(bytes)));
  if (type === "application/json" || type.endsWith("+json")) return parseJson(bytes);
  throw unsupportedMedia(type);
}

/** The times and numbers of a form, as every language writes them. */
const readLocalValues = (values: ParamObject): ParamObject => readLocalNumbers(readLocalTimes(values));

/** Whether the charset is UTF-8 or a subset of it. */
function isUnicode(contentType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badRequest("the body is not valid UTF-8.");
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text; // a byte order mark is not part of the text
}

function parseJson(bytes: Buffer): ParamObject {
  const value = readJson(textOf(bytes));
  if (!isParamObject(value)) throw badRequest("the body must be a JSON object.");
  return value;
}

/** By events: leaving a `for await` would destroy the request before it can be answered. */
function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(req.headers["content-length"] ?? 0) > limit) return Promise.reject(payloadTooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else reject(payloadTooLarge(limit));
    });
    req.once("end", () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.once("close", () => req.complete || reject(requestTimeout()));
  });
}

async function readMultipart(req: IncomingMessage, limits: Limits, spool: UploadSpool): Promise<ParamObject> {
  if (Number(req.headers["content-length"] ?? 0) > limits.upload) throw payloadTooLarge(limits.upload);
  const { readParts } = await import("./multipart.ts"); // the parser is loaded with the first file
  if (req.destroyed) throw requestTimeout();
  const { query, files } = await readParts(req, { limits, mostFields: MAX_FIELDS, spool });
  return withFiles(parseForm(query), files) as ParamObject;
}

/** Puts the files back where their markers stand in the nested values. */
function withFiles(value: unknown, files: ReadonlyMap<string, UploadedFile>): unknown {
  if (typeof value === "string") return value.startsWith("\0") ? (files.get(value.slice(1)) ?? "") : value;
  if (Array.isArray(value)) return value.map((entry) => withFiles(entry, files));
  if (!isParamObject(value)) return value;
  for (const key of Object.keys(value)) value[key] = withFiles(value[key], files) as ParamObject[string];
  return value;
}
