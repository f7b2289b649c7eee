import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { stringifySetCookie } from "cookie";
import { BoundedCache, randomPool, Session, type SessionData, type SessionValue } from "framewright/host";
import type { Settings } from "framewright/kernel";
import type { Sessions } from "./contract.ts";
import { errors } from "./errors.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;
const CACHED_COOKIES = 500;
/** Browsers drop a cookie of more than 4,096 bytes, name and attributes included. */
const MAX_COOKIE_BYTES = 4000;
/** Bytes of JSON that fit into it, encrypted: base64url takes 4 characters for 3 bytes. */
const MAX_JSON_BYTES =
  Math.floor((MAX_COOKIE_BYTES * 3) / 4) - IV_BYTES - TAG_BYTES - '{"d":,"b":0000000000000,"s":0000000000000}'.length;

interface Lifetimes {
  idle: number;
  absolute: number;
}
/** The cookie's content: the data, its start and its last write, in milliseconds since 1970. */
interface Sealed {
  d: SessionData;
  b: number;
  s: number;
}

const keyOf = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(hkdfSync("sha256", secret, "", "framewright session", 32)));

const drawIv = randomPool(IV_BYTES);

function seal(value: Sealed, key: KeyObject): string {
  const iv = Buffer.allocUnsafe(IV_BYTES);
  drawIv(iv);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const text = cipher.update(JSON.stringify(value), "utf8");
  cipher.final(); // adds nothing to the text in this mode, but makes the tag
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
}

/** The decrypted text of a cookie; undefined where no key opens it. */
function unseal(cookie: string, keys: readonly KeyObject[]): string | undefined {
  const bytes = Buffer.from(cookie, "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
  for (const key of keys) {
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    } catch {
      // encrypted with another secret, or tampered with
    }
  }
  return undefined;
}

/** Caches decrypted cookies, as a browser sends the same one until it changes. Each request gets a copy of the data. */
function unsealer(keys: readonly KeyObject[]): (cookie: string) => Sealed | undefined {
  const opened = new BoundedCache<Sealed | undefined>(CACHED_COOKIES);
  const open = (cookie: string) => {
    const text = unseal(cookie, keys);
    return text === undefined ? undefined : (JSON.parse(text) as Sealed);
  };
  return (cookie) => {
    const sealed = opened.getOrMake(cookie, () => open(cookie));
    return sealed && { d: copyOf(sealed.d) as SessionData, b: sealed.b, s: sealed.s };
  };
}

/** A deep copy of a JSON value: much faster than parsing it again. */
function copyOf(value: SessionValue): SessionValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const copy: SessionData = {};
  for (const key in value) if (key !== "__proto__") copy[key] = copyOf(value[key]!); // an assignment would set the copy's prototype
  return copy;
}

/** Encrypts with the current secret, decrypts also with the previous ones. */
export function sealedCookies(settings: Settings, { idle, absolute }: Lifetimes): Sessions {
  const keys = settings.secrets.map(keyOf);
  const open = unsealer(keys);
  const name = `${settings.cookies.prefix}fw_session`;
  const startedAt = new WeakMap<Session, number>();
  const attributes = stringifySetCookie({
    name,
    value: "",
    path: settings.cookies.path,
    httpOnly: true,
    sameSite: "lax",
    secure: settings.secureCookies,
    maxAge: Math.floor(absolute / 1000),
  }).slice(`${name}=`.length);
  return {
    cookieNames: [name],
    open(request) {
      const cookie = request.cookies[name];
      if (cookie === undefined) return new Session(undefined, MAX_JSON_BYTES);
      const session: Session = new Session(() => {
        const sealed = open(cookie);
        const now = Date.now();
        if (!sealed || now - sealed.s > idle || now - sealed.b > absolute) return undefined;
        startedAt.set(session, sealed.b);
        if (now - sealed.s > idle / 20 && !request.isUnattended) queueMicrotask(() => session.touch()); // an active session must not expire as idle
        return sealed.d;
      }, MAX_JSON_BYTES);
      return session;
    },
    save(session) {
      const now = Date.now();
      const sealed = () => seal({ d: session.toJSON(), b: startedAt.get(session) ?? now, s: now }, keys[0]!);
      let value = sealed();
      while (value.length > MAX_COOKIE_BYTES && session.dropOldest()) value = sealed();
      if (value.length > MAX_COOKIE_BYTES) throw errors.FW_SESSION_OVERFLOW(value.length, MAX_COOKIE_BYTES);
      return `${name}=${value}${attributes}`; // base64url needs no encoding
    },
  };
}
