import type { Finding, Sealer } from "framewright/host";
import { isDuplicate } from "framewright/plugins/database";
import type { AccountType, AccountTypes } from "./account_type.ts";
import { sealersByPurpose } from "./purpose_encryption.ts";

type Row = Record<string, unknown>;
const BATCH_ROWS = 500;
const SAMPLE_ROWS = 20;
const SIGN_IN_DAYS = 60;
/** Features whose keys expire: the option with their lifetime, and how many of its units make a day. */
const lifetimeOptions = {
  remember: ["days", 1],
  invitation: ["days", 1],
  verify_account: ["days", 1],
  jwt_refresh: ["lifetime", 86_400],
} as const;

/** The sealers of a purpose: with every configured secret, and with the current one alone. */
export interface SealKeys {
  readonly type: AccountType;
  readonly any: (purpose: string) => Sealer;
  readonly current: (purpose: string) => Sealer;
}
/**
 * "current": it needs no previous secret. "bound": it can't be re-encrypted, and ends with its secret. "lost": no
 * configured secret opens it. Else the columns to write, so that it no longer needs the previous secret.
 */
export type SealState = "current" | "bound" | "lost" | Row;

/** Rows of a feature that depend on SECRET_KEY_BASE and outlive a rotation. */
export interface SealedRows {
  /** Without the account's prefix: `otp_keys`. */
  readonly table: string;
  /** The columns to read besides the id; the first contains the secret. */
  readonly columns: readonly [string, ...string[]];
  /** An SQL LIKE pattern of first-column values that need no work: their rows are skipped. */
  readonly unlike?: string;
  /** How a row depends on the secrets. */
  sealState(row: Row, secrets: SealKeys): SealState;
}
/** The rows of one table by state, counted or moved. */
export interface SealedCount {
  readonly type: string;
  readonly table: string;
  /** Rows that need a previous secret, or that needed one until now. */
  moved: number;
  bound: number;
  lost: number;
}

/** Finds rows that depend on previous secrets, and moves them to the current one. */
export class SecretRotation {
  readonly #types: AccountTypes;
  readonly #isRotating: boolean;
  readonly #current: (purpose: string) => Sealer;

  constructor(types: AccountTypes, secrets: readonly string[]) {
    this.#types = types;
    this.#isRotating = secrets.length > 1;
    this.#current = sealersByPurpose(secrets.slice(0, 1));
  }

  /** Moves every row that can be moved; may be stopped and run again at any time. */
  async reseal(): Promise<SealedCount[]> {
    const counts: SealedCount[] = [];
    for (const type of this.#types.all()) counts.push(...(await this.#tables(type, true)));
    return counts;
  }
  /** The finding of `fw doctor`; undefined for a type without such rows. */
  async examine(type: AccountType): Promise<Finding | undefined> {
    const counts = await this.#tables(type, false).catch(() => undefined); // tables are missing: another finding reports it
    if (!counts || counts.length === 0) return undefined;
    const isRotating = this.#isRotating;
    const lines = counts.flatMap((count) => linesOf(count, isRotating));
    if (isRotating) lines.push(expiryNote(type));
    const ok = counts.every(({ lost, moved }) => lost === 0 && (moved === 0 || !isRotating));
    const detail = lines.join("; ") || "no stored row depends on SECRET_KEY_BASE_PREVIOUS";
    return { what: `secrets of account type ${type.name}`, ok, detail };
  }
  /** A warning for each table with unreadable rows among its oldest and newest: a secret was removed too early. */
  async warnings(type: AccountType): Promise<string[]> {
    const found: string[] = [];
    for (const [sealed, table] of await this.#sealed(type)) {
      if (sealed.unlike !== undefined) continue; // digests are not encrypted
      const read = (order: "asc" | "desc") => type.services.database.rows(this.#query(type, sealed, table, order));
      const rows = [...(await read("asc")), ...(await read("desc"))];
      if (rows.some((row) => this.#sealState(type, sealed, row) === "lost")) found.push(lost(table, "some"));
    }
    return found;
  }

  async #tables(type: AccountType, writes: boolean): Promise<SealedCount[]> {
    const counts: SealedCount[] = [];
    for (const [sealed, table] of await this.#sealed(type)) counts.push(await this.#walk(type, sealed, table, writes));
    return counts;
  }
  /** The features' sealed rows whose tables exist. */
  async #sealed(type: AccountType): Promise<[SealedRows, string][]> {
    const tables = new Set(await type.services.database.tables());
    const all = [...type.features.values()].flatMap((feature) => feature.sealed);
    return all
      .map((sealed): [SealedRows, string] => [sealed, type.table(sealed.table)])
      .filter(([, table]) => tables.has(table));
  }
  /** Reads in batches by id, to limit memory. */
  async #walk(type: AccountType, sealed: SealedRows, table: string, writes: boolean): Promise<SealedCount> {
    const count: SealedCount = { type: type.name, table, moved: 0, bound: 0, lost: 0 };
    const { database } = type.services;
    for (let last: unknown = 0, rows: Row[] = []; ; last = rows.at(-1)!.id) {
      rows = await database.rows(this.#query(type, sealed, table, "asc", BATCH_ROWS).where("id", ">", Number(last)));
      for (const row of rows) {
        const sealState = this.#sealState(type, sealed, row);
        if (sealState === "current") continue;
        if (typeof sealState === "string") count[sealState] += 1;
        else if (!writes) count.moved += 1;
        else count[await this.#write(type, sealed, { table, row, sealState })] += 1;
      }
      if (rows.length < BATCH_ROWS) return count;
    }
  }
  /** Writes only where the row is unchanged: a concurrent write already used the current secret. Keeps a row whose new value another row has. */
  async #write(
    type: AccountType,
    { columns: [first] }: SealedRows,
    { table, row, sealState }: { table: string; row: Row; sealState: Row },
  ): Promise<"moved" | "bound"> {
    const rows = type.services.database.knex(table).where({ id: row.id, [first]: row[first] });
    try {
      await rows.update(sealState);
      return "moved";
    } catch (error) {
      if (isDuplicate(error)) return "bound";
      throw error;
    }
  }
  #query(type: AccountType, { columns, unlike }: SealedRows, table: string, order: "asc" | "desc", size = SAMPLE_ROWS) {
    const query = type.services.database
      .knex(table)
      .select("id", ...columns)
      .orderBy("id", order)
      .limit(size);
    return unlike === undefined ? query : query.whereNot(columns[0], "like", unlike);
  }
  #sealState(type: AccountType, sealed: SealedRows, row: Row): SealState {
    return sealed.sealState(row, { type, any: type.services.sealer, current: this.#current });
  }
}

const lost = (table: string, many: number | "some") =>
  `${many} row${many === 1 ? "" : "s"} of ${table} open under no configured secret. Put the secret that they were written with into SECRET_KEY_BASE_PREVIOUS, then run: npx fw authlib:reseal`;

function linesOf({ table, moved, bound, lost: dead }: SealedCount, isRotating: boolean): string[] {
  const lines: string[] = [];
  const before = isRotating ? "before SECRET_KEY_BASE_PREVIOUS is removed" : "before SECRET_KEY_BASE is changed";
  if (moved > 0) lines.push(`${moved} of ${table} depend on a secret: run npx fw authlib:reseal ${before}`);
  if (bound > 0) lines.push(`${bound} of ${table} can't be moved, and end with the secret that they were written with`);
  if (dead > 0) lines.push(lost(table, dead));
  return lines;
}

/** Short-lived rows are read with previous secrets and not counted; this states when the last of them expires. */
function expiryNote({ features }: AccountType): string {
  const days = Object.entries(lifetimeOptions).map(([name, [option, units]]) => {
    const options = features.get(name)?.options as Record<string, number | undefined> | undefined;
    return Math.ceil((options?.[option] ?? 0) / units);
  });
  return `sign-ins, remembered devices, refresh tokens and mailed links from before expire within ${Math.max(SIGN_IN_DAYS, ...days)} days`;
}
