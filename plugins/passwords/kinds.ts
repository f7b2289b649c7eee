import { createHash } from "node:crypto";
import type { ForeignHash, ForeignHashes, ForeignOptions } from "./foreign.ts";
import { parse } from "./phc.ts";
import type { Pbkdf2Task } from "./tasks.ts";

const ALPHABET = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/** bcrypt ignores further bytes of a password. */
const BCRYPT_BYTES = 72;

const bytesOf = (text: string) =>
  Buffer.from(
    text.replace(/./g, (letter) => STANDARD[ALPHABET.indexOf(letter)]!),
    "base64",
  );

/** `$2b$12$` + 22 letters of salt + 31 of digest; `input` is what was hashed for a password. */
function bcryptHash(hash: string, input = (password: string) => password): ForeignHash | undefined {
  const [, cost, salt, digest] = /^\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})$/.exec(hash) ?? [];
  if (salt === undefined || digest === undefined) return undefined;
  const given = { algorithm: "bcrypt", costFactor: Number(cost), salt: bytesOf(salt) } as const;
  const task = (password: string) => ({ ...given, password: Buffer.from(input(password)).subarray(0, BCRYPT_BYTES) });
  return { task, digest: bytesOf(digest) };
}

type Pbkdf2 = Pick<Pbkdf2Task, "digest" | "iterations"> & { salt: string | Buffer };
function pbkdf2Hash({ digest: name, iterations, salt }: Pbkdf2, digest: Buffer): ForeignHash {
  const given = { algorithm: "pbkdf2", digest: name, iterations, salt: Buffer.from(salt as string) } as const;
  return { task: (password) => ({ ...given, password, hashLength: digest.length }), digest };
}

interface Scrypt {
  cost: readonly [number: string, blockSize: string, parallelism: string];
  salt: string;
}
function scryptHash({ cost, salt }: Scrypt, digest: Buffer): ForeignHash {
  const [costFactor, blockSize, parallelism] = cost.map(Number) as [number, number, number];
  const given = { algorithm: "scrypt", costFactor, blockSize, parallelism, salt: Buffer.from(salt) } as const;
  return { task: (password) => ({ ...given, password, hashLength: digest.length }), digest };
}

/** Options of `bcryptHashes()`. */
export interface BcryptOptions extends ForeignOptions {
  /** The suffix of the password before hashing: `config.pepper` of Devise. */
  pepper?: string;
}
/** bcrypt, as Devise, Rodauth, Laravel and most others store it: `$2b$12$…`. */
export function bcryptHashes({ like = `$2b$12$${"A".repeat(53)}`, pepper = "" }: BcryptOptions = {}): ForeignHashes {
  return { name: "bcryptHashes", like, read: (hash) => bcryptHash(hash, (password) => password + pepper) };
}

const hexOf = (password: string) => createHash("sha256").update(password).digest("hex");
/** What Django stores: `pbkdf2_sha256$…`, `pbkdf2_sha1$…`, `scrypt$…`, `bcrypt$…`, `bcrypt_sha256$…` and `argon2$…`. */
export function djangoHashes({
  like = `pbkdf2_sha256$1000000$salt$${"A".repeat(43)}=`,
}: ForeignOptions = {}): ForeignHashes {
  return { name: "djangoHashes", like, read: readDjango };
}
function readDjango(hash: string): ForeignHash | undefined {
  const [kind, ...parts] = hash.split("$") as [string, ...string[]];
  const rest = hash.slice(kind.length + 1);
  if (kind === "bcrypt") return bcryptHash(rest);
  if (kind === "bcrypt_sha256") return bcryptHash(rest, hexOf);
  if (kind === "argon2") {
    const found = parse(`$${rest}`);
    return found && { task: (password) => ({ ...found.task, password }), digest: found.digest };
  }
  const digest = Buffer.from(parts.at(-1) ?? "", "base64");
  if (digest.length < 16) return undefined;
  const [, name] = /^pbkdf2_(sha1|sha256)$/.exec(kind) ?? [];
  if (name !== undefined && parts.length === 3)
    return pbkdf2Hash({ digest: name as "sha1", iterations: Number(parts[0]), salt: parts[1]! }, digest);
  if (kind !== "scrypt" || parts.length !== 5) return undefined;
  return scryptHash({ cost: [parts[0]!, parts[2]!, parts[3]!], salt: parts[1]! }, digest);
}

/** What Werkzeug, and so Flask, stores: `scrypt:32768:8:1$…` and `pbkdf2:sha256:600000$…`. */
export function werkzeugHashes({
  like = `scrypt:32768:8:1$salt$${"0".repeat(128)}`,
}: ForeignOptions = {}): ForeignHashes {
  return { name: "werkzeugHashes", like, read: readWerkzeug };
}
function readWerkzeug(hash: string): ForeignHash | undefined {
  const [, method, salt, hex] = /^([a-z0-9:]+)\$([^$]+)\$((?:[0-9a-f]{2}){16,64})$/.exec(hash) ?? [];
  const [kind, first = "", second = "", third = ""] = (method ?? "").split(":");
  if (salt === undefined || hex === undefined) return undefined;
  const digest = Buffer.from(hex, "hex");
  if (kind === "scrypt") return scryptHash({ cost: [first, second, third], salt }, digest);
  if (kind !== "pbkdf2" || !/^sha(?:1|256|512)$/.test(first)) return undefined;
  return pbkdf2Hash({ digest: first as "sha1", iterations: Number(second), salt }, digest);
}

const functions = ["sha1", "sha256", "sha512"] as const;
const head = (name: number, iterations: number) => {
  const bytes = Buffer.alloc(13, 1);
  for (const [at, value] of [name, iterations, 16].entries()) bytes.writeUInt32BE(value, 1 + at * 4);
  return bytes;
};
/** What ASP.NET Core Identity stores, in base64: version 3, and version 2 of before it. */
export function aspNetHashes({
  like = Buffer.concat([head(2, 100_000), Buffer.alloc(48)]).toString("base64"),
}: ForeignOptions = {}): ForeignHashes {
  return { name: "aspNetHashes", like, read: readAspNet };
}
function readAspNet(hash: string): ForeignHash | undefined {
  if (!/^A[A-Za-z0-9+/]{50,200}={0,2}$/.test(hash)) return undefined;
  const bytes = Buffer.from(hash, "base64");
  if (bytes[0] === 0 && bytes.length === 49)
    return pbkdf2Hash({ digest: "sha1", iterations: 1000, salt: bytes.subarray(1, 17) }, bytes.subarray(17));
  if (bytes[0] !== 1) return undefined;
  const [name, iterations, length] = [1, 5, 9].map((at) => bytes.readUInt32BE(at)) as [number, number, number];
  const [digest, salt, rest] = [functions[name], bytes.subarray(13, 13 + length), bytes.subarray(13 + length)];
  if (digest === undefined || length < 16 || rest.length < 16) return undefined;
  return pbkdf2Hash({ digest, iterations, salt }, rest);
}
