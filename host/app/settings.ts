import { existsSync, readFileSync } from "node:fs";
import type { BlockList } from "node:net";
import { join } from "node:path";
import { errors } from "../errors.ts";
import { networksOf } from "../http/forwarded.ts";
import { zoneOf } from "../support/time_zone.ts";

/** What `NODE_ENV` or `FW_ENV` selects. */
export type Environment = "development" | "test" | "production";

/** Limits of requests: bytes and milliseconds. */
export interface Limits {
  /** Bytes of a body without files. */
  body: number;
  /** Bytes of a body with files. */
  upload: number;
  /** Milliseconds for the header to arrive. */
  headersTimeout: number;
  /** Milliseconds for the whole request to arrive. */
  requestTimeout: number;
  /** Milliseconds after which a request is answered with 503, whatever it still waits for; 0: never. */
  deadline: number;
  /** Milliseconds that requests in flight may take once the server is to stop. */
  shutdown: number;
}

declare module "framewright/kernel" {
  /** Everything that is configured from outside, read and checked once. */
  interface Settings {
    root: string;
    env: Environment;
    host: string;
    port: number;
    /** The current secret first, then the previous ones; at least 32 bytes each. */
    secrets: readonly string[];
    /** The address people reach the application at; links in mails are made of it, never of a request's Host. */
    appUrl: URL | undefined;
    /** The path of APP_URL, below which all is served: "/back"; empty for the whole host. */
    basePath: string;
    /** Where cookies are sent, and how their names begin. */
    cookies: { readonly path: string; readonly prefix: string };
    /** Host names that are served, `*.shop.example` for all below one; empty: any. */
    allowedHosts: readonly string[];
    /** How many proxies in front may be believed; 0: none. */
    trustProxy: number;
    /** The addresses of proxies that may be believed, instead of their number. */
    trustedProxies: BlockList | undefined;
    /** Whether pages, JSON and downloads of text are compressed: `auto` does so in production where no proxy is named. With `off` style sheets and scripts are not either. */
    compress: "auto" | "on" | "off";
    secureCookies: boolean;
    databaseUrl: string | undefined;
    smtp: { address: string; port: number; user: string | undefined; password: string | undefined } | undefined;
    logLevel: string;
    /** The time zone of people whose own is not known, as the IANA database calls it: "Europe/Berlin". */
    timeZone: string;
    limits: Limits;
    /** Which of how many processes of one `fw start --workers` this is, from 1; 1 of 1 without. */
    worker: { readonly index: number; readonly count: number };
    /** What an application's own names say, as in `values.PARTNER_API_KEY`: from the environment and its files. */
    values: Readonly<Record<string, string | undefined>>;
  }
}

import type { Settings } from "framewright/kernel";

type Values = Record<string, string | undefined>;

/**
 * Reads the settings: the given values win over `.env.<environment>`, which wins over `.env`.
 * @throws FW_SETTING_MISSING, FW_SETTING_INVALID
 */
export function readSettings({ root, values = process.env }: { root: string; values?: Values }): Settings {
  const env = environment(values.FW_ENV ?? values.NODE_ENV ?? "development");
  const all: Values = { ...readEnvFile(join(root, ".env")), ...readEnvFile(join(root, `.env.${env}`)), ...values };
  const appUrl = url("APP_URL", all.APP_URL);
  return withoutJson({
    root,
    env,
    host: all.HOST || "127.0.0.1",
    port: integer("PORT", all.PORT, 3000, 65_535),
    secrets: secrets(all, env),
    appUrl,
    allowedHosts: hostNames(all.ALLOWED_HOSTS),
    trustProxy: integer("TRUST_PROXY", all.TRUST_PROXY === "true" ? "1" : all.TRUST_PROXY, 0, 10),
    trustedProxies: proxies(all),
    compress: compress(all.COMPRESS),
    ...placeOf(appUrl),
    databaseUrl: databaseUrl(all.DATABASE_URL),
    smtp: smtp(all),
    logLevel: logLevel(all.LOG_LEVEL, env),
    timeZone: timeZone(all.TIME_ZONE),
    limits: {
      body: integer("BODY_LIMIT", all.BODY_LIMIT, 1_048_576),
      upload: integer("UPLOAD_LIMIT", all.UPLOAD_LIMIT, 26_214_400),
      headersTimeout: integer("HEADERS_TIMEOUT", all.HEADERS_TIMEOUT, 10_000),
      requestTimeout: integer("REQUEST_TIMEOUT", all.REQUEST_TIMEOUT, 30_000),
      deadline: integer("REQUEST_DEADLINE", all.REQUEST_DEADLINE, 60_000),
      shutdown: integer("SHUTDOWN_TIMEOUT", all.SHUTDOWN_TIMEOUT, 25_000),
    },
    worker: workerOf(all.FW_WORKER),
    values: all,
  });
}

/** Services refer to the settings: whoever writes one of them as JSON into a log or an answer writes no secrets with it. */
const withoutJson = (settings: Settings): Settings =>
  Object.defineProperty(settings, "toJSON", { value: () => `settings of ${settings.env}` });

/** The path of an address, and the cookies of what is served there: names with `__Host-` are for a whole host alone. */
function placeOf(appUrl: URL | undefined): Pick<Settings, "basePath" | "secureCookies" | "cookies"> {
  const basePath = appUrl?.pathname.replace(/\/+$/, "") ?? "";
  if (!/^(?:\/[\w~.-]+)*$/.test(basePath))
    throw errors.FW_SETTING_INVALID(
      "APP_URL",
      `an address whose path has letters, digits, "-", "_", "." and "~" alone`,
    );
  const secureCookies = appUrl?.protocol === "https:";
  const prefix = secureCookies ? (basePath === "" ? "__Host-" : "__Secure-") : "";
  return { basePath, secureCookies, cookies: { path: basePath || "/", prefix } };
}

/** As the supervisor sets it: `2/4`. */
function workerOf(text: string | undefined): Settings["worker"] {
  const [, index = 1, count = 1] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text ?? "") ?? [];
  return { index: Number(index), count: Number(count) };
}

/** The lines `NAME=value` of an environment file; quotes around a value are taken off, `#` begins a comment line. */
export function readEnvFile(path: string): Values {
  if (!existsSync(path)) return {};
  const values: Values = {};
  for (const line of readFileSync(path, "utf8").split(/\r?\n/)) {
    const found = /^\s*(?:export\s+)?([A-Z_][A-Z0-9_]*)\s*=\s*(.*?)\s*$/i.exec(line);
    if (found) values[found[1]!] = found[2]!.replace(/^(["'])(.*)\1$/, "$2");
  }
  return values;
}

function environment(name: string): Environment {
  if (name === "development" || name === "test" || name === "production") return name;
  throw errors.FW_SETTING_INVALID("NODE_ENV", `development, test or production, got "${name}"`);
}

function secrets(values: Values, env: Environment): string[] {
  const current = values.SECRET_KEY_BASE;
  if (!current) {
    throw errors.FW_SETTING_MISSING(
      "SECRET_KEY_BASE",
      `Put 64 random hexadecimal digits into .env.${env} or the environment; fw new does so.`,
    );
  }
  const all = [current, ...listOf(values.SECRET_KEY_BASE_PREVIOUS)];
  if (all.some((secret) => Buffer.byteLength(secret) < 32)) {
    throw errors.FW_SETTING_INVALID("SECRET_KEY_BASE", "at least 32 bytes");
  }
  if (env === "production" && all.some(isGuessable)) {
    throw errors.FW_SETTING_INVALID(
      "SECRET_KEY_BASE",
      "a random one: it has a known word, repeats itself or counts up. fw secret prints a good one",
    );
  }
  return all;
}

/** What examples and templates have where a secret should be. */
const KNOWN_WORDS =
  /change.?me|secret|passwor[dt]|example|insecure|default|placeholder|replace|your.?key|test.?key|qwert|letmein/i;

function isGuessable(secret: string): boolean {
  if (entropyBits(secret) < MIN_SECRET_BITS || KNOWN_WORDS.test(secret)) return true;
  return isRepeated(secret) || isCounted(secret);
}

/** Whether a text is a part of half its length at most, over and over; the last one may be cut. */
function isRepeated(text: string): boolean {
  for (let size = 1; size <= text.length / 2; size++) if (text.startsWith(text.slice(size))) return true;
  return false;
}

/** Whether most characters follow, equal or precede the one before, as in abcdef or 987654. */
function isCounted(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at++) if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) <= 1) steps++;
  return steps > text.length / 2;
}

/** What a secret of 32 random hexadecimal digits has at the least; one letter 32 times has none. */
const MIN_SECRET_BITS = 100;
/** How hard a text is to guess at best, by how often its characters come. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const { length } = text;
  return [...counts.values()].reduce((bits, count) => bits - count * Math.log2(count / length), 0);
}

function proxies(values: Values): BlockList | undefined {
  const named = listOf(values.TRUSTED_PROXIES);
  if (named.length === 0) return undefined;
  const wrong = (expected: string) => errors.FW_SETTING_INVALID("TRUSTED_PROXIES", expected);
  if (integer("TRUST_PROXY", values.TRUST_PROXY === "true" ? "1" : values.TRUST_PROXY, 0) > 0)
    throw wrong("given instead of TRUST_PROXY: one counts proxies, the other names them");
  const list = networksOf(named);
  if (list) return list;
  throw wrong(`addresses and networks such as 10.0.0.0/8 or ::1, got "${values.TRUSTED_PROXIES}"`);
}

function compress(text = "auto"): Settings["compress"] {
  if (text === "auto" || text === "on" || text === "off") return text;
  throw errors.FW_SETTING_INVALID("COMPRESS", `auto, on or off, got "${text}"`);
}

const listOf = (text: string | undefined) =>
  (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);

function hostNames(text: string | undefined): string[] {
  const names = listOf(text).map((name) => name.toLowerCase());
  const wrong = names.find((name) => !/^(?:\*\.)?[\w-]+(?:\.[\w-]+)*$|^\[[0-9a-f:]+\]$/.test(name));
  if (wrong !== undefined)
    throw invalidHost(`names such as shop.example or *.shop.example, without a port, got "${wrong}"`);
  const wide = names.find((name) => /^\*\.(?:[\w-]+|.*\.\d+)$/.test(name) && name !== "*.localhost");
  if (wide === undefined) return names;
  throw invalidHost(`a name of one's own after "*.", as in *.shop.example, got "${wide}"`);
}
const invalidHost = (expected: string) => errors.FW_SETTING_INVALID("ALLOWED_HOSTS", expected);

function integer(name: string, text: string | undefined, otherwise: number, most = Number.MAX_SAFE_INTEGER): number {
  if (text === undefined || text === "") return otherwise;
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  throw errors.FW_SETTING_INVALID(name, `a whole number of at most ${most}, got "${text}"`);
}

function url(name: string, text: string | undefined): URL | undefined {
  if (!text) return undefined;
  const value = URL.canParse(text) ? new URL(text) : undefined;
  if (value?.protocol === "http:" || value?.protocol === "https:") return value;
  throw errors.FW_SETTING_INVALID(name, "an address such as https://shop.example");
}

/** Which schemes there are the plugin of the database knows, when it connects. */
function databaseUrl(text: string | undefined): string | undefined {
  if (!text || /^[a-z][a-z0-9+.-]*:/i.test(text)) return text || undefined;
  throw errors.FW_SETTING_INVALID("DATABASE_URL", "an address that begins with its scheme, as mysql: or sqlite:"); // never quoted: it may hold a password
}

function smtp(values: Values): Settings["smtp"] {
  if (!values.SMTP_ADDRESS) return undefined;
  const port = integer("SMTP_PORT", values.SMTP_PORT, 587, 65_535);
  return { address: values.SMTP_ADDRESS, port, user: values.SMTP_USER, password: values.SMTP_PASSWORD };
}

function timeZone(text: string | undefined): string {
  if (!text) return "UTC";
  const zone = zoneOf(text);
  if (zone) return zone.name;
  throw errors.FW_SETTING_INVALID("TIME_ZONE", `a name of the IANA database such as Europe/Berlin, got "${text}"`);
}

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
function logLevel(text: string | undefined, env: Environment): string {
  if (text === undefined) return env === "test" ? "silent" : "info";
  if (levels.includes(text)) return text;
  throw errors.FW_SETTING_INVALID("LOG_LEVEL", `one of ${levels.join(", ")}, got "${text}"`);
}
