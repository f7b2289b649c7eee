import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import {
  badRequest,
  nestedTooDeep,
  payloadTooLarge,
  requestTimeout,
  tooManyValues,
  unsupportedMedia,
} from "./errors.ts";
import { MOST_PARAMETERS, parseForm } from "./forms.ts";
import { cleanJson, isParamObject, MAX_JSON_DEPTH, type ParamObject, type UploadedFile } from "./params.ts";
import type { Limits } from "./settings.ts";

/** Keys and commas of a JSON body: parsing and walking more would hold up everybody else. */
const MAX_JSON_KEYS = 5000;
const MAX_JSON_VALUES = 20_000;
/** Smaller bodies can't hold too many. */
const COUNTED_FROM_BYTES = MAX_JSON_KEYS * 2;

const empty = (): ParamObject => Object.create(null) as ParamObject;

/** Reads a body of any type that is understood into nested values. @throws HttpError 400, 408, 413, 415 */
export async function readBody(req: IncomingMessage, limits: Limits): Promise<ParamObject> {
  const header = req.headers["content-type"] ?? "";
  const type = header.split(";", 1)[0]!.trim().toLowerCase();
  if (type === "multipart/form-data") return readMultipart(req, limits);
  if (!isUnicode(header)) throw unsupportedMedia(header);
  const bytes = await readBytes(req, limits.body);
  if (bytes.length === 0) return empty();
  if (type === "application/x-www-form-urlencoded") return parseForm(textOf(bytes));
  if (type === "application/json" || type.endsWith("+json")) {
    checkJsonSize(bytes);
    return parseJson(textOf(bytes));
  }
  throw unsupportedMedia(type);
}

/** Only UTF-8, and what is a part of it, is understood. */
function isUnicode(contentType: string): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(contentType)?.[1];
  return charset === undefined || /^(?:utf-?8|us-ascii)$/i.test(charset);
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw badRequest("the body is not valid UTF-8.");
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text; // a mark of the byte order is no part of the text
}

/** Counts what stands outside of strings, before anything is made of it. @throws HttpError 400 when nested too deep, 413 */
function checkJsonSize(bytes: Buffer): void {
  if (bytes.length < COUNTED_FROM_BYTES) return;
  let isInString = false;
  let keys = 0;
  let values = 1;
  let depth = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === 0x22) isInString = !isInString;
    else if (isInString) index += byte === 0x5c ? 1 : 0;
    else if (byte === 0x3a) keys++;
    else if (byte === 0x2c) values++;
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_JSON_DEPTH + 1) throw nestedTooDeep();
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  if (keys > MAX_JSON_KEYS || values > MAX_JSON_VALUES) throw tooManyValues(MAX_JSON_KEYS, MAX_JSON_VALUES);
}

function parseJson(text: string): ParamObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest("the body is not valid JSON.");
  }
  const clean = cleanJson(value);
  if (!isParamObject(clean)) throw badRequest("the body must be a JSON object.");
  return clean;
}

/** By events: leaving a `for await` would destroy the request, and with it the way to say why. */
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

async function readMultipart(req: IncomingMessage, limits: Limits): Promise<ParamObject> {
  if (Number(req.headers["content-length"] ?? 0) > limits.upload) throw payloadTooLarge(limits.upload);
  const { readParts } = await import("./multipart.ts"); // its parser is read when the first file comes
  if (req.destroyed) throw requestTimeout();
  const { query, files } = await readParts(req, limits, MOST_PARAMETERS);
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
