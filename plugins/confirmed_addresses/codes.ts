import { randomInt } from "node:crypto";
import type { Digests } from "framewright/host";
import { type Database, mapTableErrors, type Transaction } from "framewright/plugins/database";
import { errors } from "./errors.ts";

const TABLE = "framewright_address_codes";
const KEY = ["run_id", "field"];
/** In place of the digest of a code that was entered. */
const USED = "";
/** Milliseconds that a confirmed address may wait for the rest of its step. */
const CONFIRMED_MS = 86_400_000;

/** Where an address is entered: in a run, by `step.field`. */
export interface Place {
  readonly run: number;
  readonly field: string;
}
/** What the code of a place is good for. */
export type CodeState = "none" | "open" | "used_up" | "confirmed";

/** The codes that were mailed: one for each place, stored as a keyed digest with its run, its field and its address. */
export class Codes {
  readonly #database: Database;
  readonly #digests: Digests;
  readonly #digits: number;
  readonly #attempts: number;

  constructor(database: Database, digests: Digests, { digits, attempts }: { digits: number; attempts: number }) {
    this.#database = database;
    this.#digests = digests;
    this.#digits = digits;
    this.#attempts = attempts;
  }

  /** Stores a new code, which ends the one before it, and returns it. */
  async create(place: Place, address: string, expiresAt: number, transaction: Transaction): Promise<string> {
    const code = String(randomInt(10 ** this.#digits)).padStart(this.#digits, "0");
    const row = {
      run_id: place.run,
      field: place.field,
      address_digest: this.#digests.digest(addressText(place, address)),
      code_digest: this.#digests.digest(codeText(place, address, code)),
      attempts: 0,
      expires_at: expiresAt,
    };
    await runQuery(transaction(TABLE).where("expires_at", "<", Date.now()).delete());
    await runQuery(transaction(TABLE).insert(row).onConflict(KEY).merge());
    return code;
  }
  async state(place: Place, address: string): Promise<CodeState> {
    const row = await this.#find(place, address);
    if (!row) return "none";
    if (row.code_digest === USED) return "confirmed";
    return row.attempts < this.#attempts ? "open" : "used_up";
  }
  /** Counts an attempt, then compares: of parallel ones no more are compared than are allowed. */
  async enter(place: Place, address: string, code: string): Promise<boolean> {
    const row = await this.#find(place, address);
    if (!row || row.code_digest === USED) return row !== undefined;
    const same = () => this.#rows(place).where("code_digest", row.code_digest);
    const open = same().where("attempts", "<", this.#attempts).where("expires_at", ">", Date.now());
    if ((await runQuery(open.increment("attempts", 1))) !== 1) return this.#confirmed(place, address);
    if (!this.#digests.all(codeText(place, address, code)).includes(row.code_digest)) return false;
    const change = { code_digest: USED, expires_at: Date.now() + CONFIRMED_MS };
    return (await runQuery(same().update(change))) === 1 || this.#confirmed(place, address);
  }
  /** Whether a parallel request entered the code since the row was read. */
  async #confirmed(place: Place, address: string): Promise<boolean> {
    return (await this.state(place, address)) === "confirmed";
  }

  async #find(place: Place, address: string): Promise<{ code_digest: string; attempts: number } | undefined> {
    const digests = this.#digests.all(addressText(place, address));
    const query = this.#rows(place).whereIn("address_digest", digests).where("expires_at", ">", Date.now());
    const row: { code_digest: string; attempts: unknown } | undefined = await runQuery(
      query.first("code_digest", "attempts"),
    );
    return row && { code_digest: row.code_digest, attempts: Number(row.attempts) };
  }
  #rows({ run, field }: Place) {
    return this.#database.knex(TABLE).where({ run_id: run, field });
  }
}

const addressText = ({ run, field }: Place, address: string): string => JSON.stringify([run, field, address]);
const codeText = ({ run, field }: Place, address: string, code: string): string =>
  JSON.stringify([run, field, address, code]);

const runQuery = mapTableErrors(errors.FW_CONFIRMED_ADDRESSES_TABLE);
