import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { SealedRows } from "../../secret_rotation.ts";

export const table = "recovery_codes";
const derive = promisify<string, string, number, { N: number; r: number; p: number }, Buffer>(scrypt);
/** 4 MiB and about 10 ms a guess: with 59 random bits, a million GPU years. */
const COST = { N: 4096, r: 8, p: 1 };

/**
 * Digests of codes, as `<salt>.<digest>`. They do not depend on SECRET_KEY_BASE: a rotation would void the codes, since a
 * digest can't be computed again without its code. Instead, the cost of each guess protects a stolen database.
 */
export async function digestsOf(subjects: readonly string[]): Promise<string[]> {
  const salt = randomBytes(12).toString("base64url");
  return Promise.all(subjects.map((subject) => salted(subject, salt)));
}

/** The digests of a code under the salts of the stored digests. Codes that were created together share a salt. */
export async function digestsLike(subject: string, stored: readonly string[]): Promise<string[]> {
  const salts = new Set(stored.filter((digest) => digest.includes(".")).map((digest) => digest.split(".", 1)[0]!));
  return Promise.all([...salts].map((salt) => salted(subject, salt)));
}

const salted = async (subject: string, salt: string): Promise<string> =>
  `${salt}.${(await derive(subject, salt, 32, COST)).toString("base64url")}`;

/** Keyed digests of an earlier release: valid as long as their secret is configured. They can't be re-encrypted. */
export const keyedCodes: SealedRows = {
  table,
  columns: ["code_digest"],
  unlike: "%.%",
  sealState: () => "bound",
};
