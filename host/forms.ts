import { createRequire } from "node:module";
import { badRequest, HttpError } from "./errors.ts";
import { cleanJson, type ParamObject } from "./params.ts";

export const MOST_PARAMETERS = 1000;
/** `title`, `post[title]`: what nearly every field of a form is called. */
const SIMPLE = /^([a-z_]\w*)(?:(?:\[|%5B)([a-z_]\w*)(?:\]|%5D))?$/i;
const FORBIDDEN = /^(?:__proto__|constructor|prototype)$/;

/** Parses `a[b]=c` text. @throws HttpError 400 for bad escapes, too many parameters or too deep a nesting */
export function parseForm(text: string): ParamObject {
  if (text === "") return Object.create(null) as ParamObject;
  try {
    return parseSimple(text) ?? (cleanJson(parseAny(text)) as ParamObject);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    throw badRequest("the parameters could not be read.");
  }
}

const decode = (part: string): string => decodeURIComponent(part.replaceAll("+", " "));

/** What qs makes of it, with less in between; undefined where a name is anything but plain, or comes twice. */
function parseSimple(text: string): ParamObject | undefined {
  const values = Object.create(null) as ParamObject;
  const pairs = text.split("&");
  if (pairs.length > MOST_PARAMETERS) return undefined;
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    const [, name, inner] = SIMPLE.exec(equals < 0 ? pair : pair.slice(0, equals)) ?? [];
    if (name === undefined || equals < 0 || FORBIDDEN.test(name) || FORBIDDEN.test(inner ?? "")) return undefined;
    if (!put(values, name, inner, decode(pair.slice(equals + 1)))) return undefined;
  }
  return values;
}

/** False where the name is taken already. */
function put(values: ParamObject, name: string, inner: string | undefined, value: string): boolean {
  if (inner === undefined) {
    if (name in values) return false;
    values[name] = value;
    return true;
  }
  values[name] ??= Object.create(null) as ParamObject;
  const group = values[name];
  if (typeof group !== "object" || inner in (group as ParamObject)) return false;
  (group as ParamObject)[inner] = value;
  return true;
}

const require = createRequire(import.meta.url);
const parseAny = (text: string): unknown =>
  (require("qs") as typeof import("qs")).parse(text, {
    plainObjects: true,
    depth: 8,
    strictDepth: true,
    parameterLimit: MOST_PARAMETERS,
    throwOnLimitExceeded: true,
    arrayLimit: 200,
    decoder: decode,
  });
