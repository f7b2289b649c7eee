import { csrfField, isParamObject, type RequestContext } from "framewright/host";
import { isCredential } from "framewright/plugins/resources/names";

const SECRET_NAME = /(?:^|[_\W])(?:token|key|secret|code|codes|session|cookie|csrf|authorization|credential)s?$/;
const PERSONAL_NAME = /(?:^|[_\W])(?:e?mail|login)$/;
/** Texts of 16 signs and more with digits and capitals, or of hexadecimal digits alone: they look random. */
const LOOKS_RANDOM = /(?=[\w+/=.-]*\d)(?=[\w+/=.-]*[A-Z])[\w+/=.-]{16,}|[\da-f]{24,}/;
const MAX_VALUE_CHARS = 60;
const MIN_SECRET_CHARS = 4;

/** Whether values of this name are shown nowhere: of a column, a parameter, a cookie. */
export function isSecretName(name: string): boolean {
  const last = name.toLowerCase().replace(/\]$/, "").split(/[.[]/).at(-1) ?? "";
  return isCredential(last) || SECRET_NAME.test(last);
}

/** A text under a name as it is shown: shortened, and its kind alone where it is a secret, may be one, or is a person's address. */
export function shownText(name: string, value: string): string {
  if (isSecretName(name)) return "[secret]";
  if (PERSONAL_NAME.test(name) || /\S@\S+\.\S/.test(value)) return "[email]";
  if (/^\s*[[{]/.test(value)) return `[document of ${value.length} characters]`;
  if (LOOKS_RANDOM.test(value)) return "[random]";
  return value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS)}…` : value;
}

/** The secrets that a request brought: whatever keeps its texts leaves these out, wherever they came into them. */
export function secretsOf(request: RequestContext): readonly string[] {
  const found = new Set<string>();
  const add = (text: unknown) => {
    if (typeof text === "string" && text.length >= MIN_SECRET_CHARS) found.add(text);
  };
  const addParams = (name: string, value: unknown) => {
    if (Array.isArray(value)) for (const one of value) addParams(name, one);
    else if (isParamObject(value)) for (const [key, inner] of Object.entries(value)) addParams(key, inner);
    else if (name === csrfField || isSecretName(name)) add(value);
  };
  for (const [name, value] of new URLSearchParams(request.search)) addParams(name, value); // request.query may throw
  addParams("", request.body.toObject());
  addParams("", request.routeParams);
  for (const value of Object.values(request.cookies)) add(value);
  add(request.header("authorization")?.replace(/^\S+\s+/, ""));
  return [...found].sort((a, b) => b.length - a.length); // one that contains another goes first
}

/** A text without these secrets. */
export function scrub(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => (left.includes(secret) ? left.replaceAll(secret, "[secret]") : left), text);
}
