import { badRequest, nestedTooDeep, tooManyValues } from "../errors.ts";
import { cleanJson, MAX_JSON_DEPTH, type ParamValue } from "./params.ts";

/** Limits of JSON from clients: parsing and walking more would block the event loop for others. */
const MAX_JSON_KEYS = 5000;
const MAX_JSON_VALUES = 20_000;
/** A shorter text can't exceed the limits. */
const MIN_COUNTED_CHARS = MAX_JSON_KEYS * 2;

/**
 * Reads JSON that a client sent, as a body or as the text of a field. Keys that reach a prototype are dropped.
 * @throws HttpError 400 for malformed or too deeply nested JSON, 413 for too many values, 422 for half of a character
 */
export function readJson(text: string): ParamValue {
  if (text.length >= MIN_COUNTED_CHARS) checkJsonSize(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest("the body is not valid JSON.");
  }
  return cleanJson(value);
}

/** Counts keys and values outside of strings, before anything is parsed. */
function checkJsonSize(text: string): void {
  let isInString = false;
  let keys = 0;
  let values = 1;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) isInString = !isInString;
    else if (isInString) index += code === 0x5c ? 1 : 0;
    else if (code === 0x3a) keys++;
    else if (code === 0x2c) values++;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_JSON_DEPTH + 1) throw nestedTooDeep();
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  if (keys > MAX_JSON_KEYS || values > MAX_JSON_VALUES) throw tooManyValues(MAX_JSON_KEYS, MAX_JSON_VALUES);
}
