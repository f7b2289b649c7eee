import { HttpError, nestedTooDeep, unprocessable } from "../errors.ts";
import { isUploadedFile, type UploadedFile } from "./uploaded_file.ts";

/** A parameter: text from forms, any JSON value from JSON, or a file. */
export type ParamValue = string | number | boolean | null | UploadedFile | ParamValue[] | ParamObject;
/** Nested parameters, on a null prototype. */
export interface ParamObject {
  [name: string]: ParamValue;
}

const forbidden = new Set(["__proto__", "constructor", "prototype"]);

/** Parameters of a request from path, query and body: nested, without keys that reach a prototype. */
export class Params {
  readonly #values: ParamObject;
  readonly #path: string;

  constructor(values: ParamObject = Object.create(null) as ParamObject, path = "") {
    this.#values = values;
    this.#path = path;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#values, name);
  }

  get(name: string): ParamValue | undefined {
    return this.has(name) ? this.#values[name] : undefined;
  }

  /** @throws HttpError 422 naming the field, when it is there and not text */
  string(name: string): string | undefined {
    const value = this.get(name);
    if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    throw this.#wrongShape(name);
  }

  /** The nested values under a name, empty when there are none. @throws HttpError 422 when it is not an object */
  nested(name: string): Params {
    const value = this.get(name);
    if (value === undefined || value === null || value === "") return new Params(undefined, this.#label(name));
    if (!isParamObject(value)) throw this.#wrongShape(name);
    return new Params(value, this.#label(name));
  }

  /** As nested, but it must be there. @throws HttpError 400 naming what is missing */
  require(name: string): Params {
    if (!this.has(name))
      throw new HttpError(400, "FW_PARAM_MISSING", `the parameter "${this.#label(name)}" is missing.`);
    return this.nested(name);
  }

  keys(): string[] {
    return Object.keys(this.#values);
  }

  /** A shallow copy with a null prototype. */
  toObject(): ParamObject {
    return Object.assign(Object.create(null) as ParamObject, this.#values);
  }

  #label(name: string): string {
    return this.#path ? `${this.#path}[${name}]` : name;
  }

  #wrongShape(name: string): HttpError {
    return unprocessable(`"${this.#label(name)}" has the wrong shape.`, { [name]: ["has the wrong shape"] });
  }
}

/** Whether a value is nested parameters, and neither a list nor a file. */
export function isParamObject(value: unknown): value is ParamObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return !isUploadedFile(value);
}

/** Nesting of objects and lists in a JSON body. */
export const MAX_JSON_DEPTH = 16;

/**
 * Copies parsed JSON onto null prototypes and drops keys that reach a prototype.
 * @throws HttpError 400 when nested too deep, 422 naming the key for text that holds half of a character
 */
export function cleanJson(value: unknown, key = "", depth = 0): ParamValue {
  if (depth > MAX_JSON_DEPTH) throw nestedTooDeep();
  if (typeof value === "string" && !value.isWellFormed()) throw malformedText(key);
  if (Array.isArray(value)) return value.map((entry) => cleanJson(entry, key, depth + 1));
  if (typeof value !== "object" || value === null) return value as ParamValue;
  const clean = Object.create(null) as ParamObject;
  for (const [name, entry] of Object.entries(value)) {
    if (!name.isWellFormed()) throw malformedText(key);
    if (!forbidden.has(name)) clean[name] = cleanJson(entry, name, depth + 1);
  }
  return clean;
}

/** JSON can escape one half of a surrogate pair, which no database stores as it came. */
function malformedText(key: string): HttpError {
  const fields = key === "" ? {} : { [key]: ["is not valid text"] };
  return unprocessable(`${key === "" ? "the body" : `"${key}"`} holds half of a surrogate pair.`, fields);
}
