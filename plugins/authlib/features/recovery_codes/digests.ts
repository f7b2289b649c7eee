import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import type { SealedRows } from "../../secret_rotation.ts";

export const table = "recovery_codes";
const derive = promisify<string, string, number, { N: number; r: number; p: number }, Buffer>(scrypt);
/** 4 MiB and some 10 ms a guess: of 59 random bits that is a million years of graphics cards. */
const COST = { N: 4096, r: 8, p: 1 };

/**
 * Digests of codes, with a random salt before a dot. A key from SECRET_KEY_BASE in them would end the codes with that
 * secret, as a digest can't be made anew without its code; so a stolen database is held up by the work of each guess.
 */
export async function digestsOf(subjects: readonly string[]): Promise<string[]> {
  const salt = randomBytes(12).toString("base64url");
  return Promise.all(subjects.map((subject) => salted(subject, salt)));
}

/** What a code may be stored as, beside these that are. Codes that were made together have one salt. */
export async function digestsLike(subject: string, stored: readonly string[]): Promise<string[]> {
  const salts = new Set(stored.filter((digest) => digest.includes(".")).map((digest) => digest.split(".", 1)[0]!));
  return Promise.all([...salts].map((salt) => salted(subject, salt)));
}

const salted = async (subject: string, salt: string): Promise<string> =>
  `${salt}.${(await derive(subject, salt, 32, COST)).toString("base64url")}`;

/** Keyed digests from before: good until their secret goes, and not to be made anew. */
export const keyedCodes: SealedRows = {
  table,
  columns: ["code_digest"],
  unlike: "%.%",
  standing: () => "bound",
};
