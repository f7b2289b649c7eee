import type { Finding, Sealer } from "framewright/host";
import { isDuplicate } from "framewright/plugins/database";
import type { AccountType, AccountTypes } from "./account_type.ts";
import { sealers } from "./purpose_encryption.ts";

type Row = Record<string, unknown>;
const BATCH = 500;
const SAMPLE = 20;
const SIGN_IN_DAYS = 60;
/** Features that say by an option for how long what they give out is good, and how many of its units a day has. */
const giving = {
  remember: ["days", 1],
  invitation: ["days", 1],
  verify_account: ["days", 1],
  jwt_refresh: ["lifetime", 86_400],
} as const;

/** What tells how a row stands: the sealers of a purpose under every configured secret, and under the current one alone. */
export interface SealKeys {
  readonly type: AccountType;
  readonly any: (purpose: string) => Sealer;
  readonly current: (purpose: string) => Sealer;
}
/**
 * "current": it needs no previous secret. "bound": it ends with the secret that it was made under. "lost": no configured
 * secret opens it. Else what is to be written, so that it outlives the previous secret.
 */
export type Standing = "current" | "bound" | "lost" | Row;

/** Rows of a feature that depend on SECRET_KEY_BASE, and are kept for longer than a rotation takes. */
export interface SealedRows {
  /** After the account's name: `otp_keys`. */
  readonly table: string;
  /** What is asked of a row besides its id; the first is what the secret is in. */
  readonly columns: readonly [string, ...string[]];
  /** The values of the first column that need no work, as a pattern of SQL's LIKE: their rows are not read. */
  readonly unlike?: string;
  standing(row: Row, secrets: SealKeys): Standing;
}
/** How the rows of one table stand, or what was done to them. */
export interface SealedCount {
  readonly type: string;
  readonly table: string;
  /** Rows that a previous secret is needed for, or that one was needed for until now. */
  moved: number;
  bound: number;
  lost: number;
}

/** Finds what depends on previous secrets, and moves it to the current one. */
export class Resealing {
  readonly #types: AccountTypes;
  readonly #isRotating: boolean;
  readonly #current: (purpose: string) => Sealer;

  constructor(types: AccountTypes, secrets: readonly string[]) {
    this.#types = types;
    this.#isRotating = secrets.length > 1;
    this.#current = sealers(secrets.slice(0, 1));
  }

  /** Moves every row that can be moved; may be stopped and run again at any time. */
  async reseal(): Promise<SealedCount[]> {
    const counts: SealedCount[] = [];
    for (const type of this.#types.all()) counts.push(...(await this.#tables(type, true)));
    return counts;
  }
  /** What `fw doctor` says; undefined for a type that stores nothing of the kind. */
  async examine(type: AccountType): Promise<Finding | undefined> {
    const counts = await this.#tables(type, false).catch(() => undefined); // without its tables: another finding says so
    if (!counts || counts.length === 0) return undefined;
    const isRotating = this.#isRotating;
    const lines = counts.flatMap((count) => linesOf(count, isRotating));
    if (isRotating) lines.push(ending(type));
    const ok = counts.every(({ lost, moved }) => lost === 0 && (moved === 0 || !isRotating));
    const detail = lines.join("; ") || "nothing that stays depends on SECRET_KEY_BASE_PREVIOUS";
    return { what: `secrets of account type ${type.name}`, ok, detail };
  }
  /** A warning for each table of whose oldest and newest rows some open under no secret: after a secret was taken away too early. */
  async warnings(type: AccountType): Promise<string[]> {
    const found: string[] = [];
    for (const [sealed, table] of await this.#sealed(type)) {
      if (sealed.unlike !== undefined) continue; // digests: none of them is opened
      const read = (order: "asc" | "desc") => type.services.database.rows(this.#query(type, sealed, table, order));
      const rows = [...(await read("asc")), ...(await read("desc"))];
      if (rows.some((row) => this.#standing(type, sealed, row) === "lost")) found.push(lost(table, "some"));
    }
    return found;
  }

  async #tables(type: AccountType, writes: boolean): Promise<SealedCount[]> {
    const counts: SealedCount[] = [];
    for (const [sealed, table] of await this.#sealed(type)) counts.push(await this.#walk(type, sealed, table, writes));
    return counts;
  }
  /** What the features seal, as far as the tables are there. */
  async #sealed(type: AccountType): Promise<[SealedRows, string][]> {
    const tables = new Set(await type.services.database.tables());
    const all = [...type.features.values()].flatMap((feature) => feature.sealed);
    return all
      .map((sealed): [SealedRows, string] => [sealed, type.table(sealed.table)])
      .filter(([, table]) => tables.has(table));
  }
  /** Batch by batch in the order of ids, so that no more than one is in memory. */
  async #walk(type: AccountType, sealed: SealedRows, table: string, writes: boolean): Promise<SealedCount> {
    const count: SealedCount = { type: type.name, table, moved: 0, bound: 0, lost: 0 };
    const { database } = type.services;
    for (let last: unknown = 0, rows: Row[] = []; ; last = rows.at(-1)!.id) {
      rows = await database.rows(this.#query(type, sealed, table, "asc", BATCH).where("id", ">", Number(last)));
      for (const row of rows) {
        const standing = this.#standing(type, sealed, row);
        if (standing === "current") continue;
        if (typeof standing === "string") count[standing] += 1;
        else if (!writes) count.moved += 1;
        else count[await this.#write(type, sealed, { table, row, standing })] += 1;
      }
      if (rows.length < BATCH) return count;
    }
  }
  /** Only where nobody wrote meanwhile: who did, wrote it under the current secret. What another row has already stays. */
  async #write(
    type: AccountType,
    { columns: [first] }: SealedRows,
    { table, row, standing }: { table: string; row: Row; standing: Row },
  ): Promise<"moved" | "bound"> {
    const rows = type.services.database.knex(table).where({ id: row.id, [first]: row[first] });
    try {
      await rows.update(standing);
      return "moved";
    } catch (error) {
      if (isDuplicate(error)) return "bound";
      throw error;
    }
  }
  #query(type: AccountType, { columns, unlike }: SealedRows, table: string, order: "asc" | "desc", size = SAMPLE) {
    const query = type.services.database
      .knex(table)
      .select("id", ...columns)
      .orderBy("id", order)
      .limit(size);
    return unlike === undefined ? query : query.whereNot(columns[0], "like", unlike);
  }
  #standing(type: AccountType, sealed: SealedRows, row: Row): Standing {
    return sealed.standing(row, { type, any: type.services.sealer, current: this.#current });
  }
}

const lost = (table: string, many: number | "some") =>
  `${many} row${many === 1 ? "" : "s"} of ${table} open under no configured secret. Put the secret that they were made under into SECRET_KEY_BASE_PREVIOUS, then run: npx fw authlib:reseal`;

function linesOf({ table, moved, bound, lost: dead }: SealedCount, isRotating: boolean): string[] {
  const lines: string[] = [];
  const before = isRotating ? "before SECRET_KEY_BASE_PREVIOUS is taken away" : "before SECRET_KEY_BASE is changed";
  if (moved > 0) lines.push(`${moved} of ${table} depend on a secret: run npx fw authlib:reseal ${before}`);
  if (bound > 0) lines.push(`${bound} of ${table} can't be moved, and end with the secret that they were made under`);
  if (dead > 0) lines.push(lost(table, dead));
  return lines;
}

/** What is short-lived is found under previous secrets, and is not counted: when the last of it ends is known. */
function ending({ features }: AccountType): string {
  const days = Object.entries(giving).map(([name, [option, units]]) => {
    const options = features.get(name)?.options as Record<string, number | undefined> | undefined;
    return Math.ceil((options?.[option] ?? 0) / units);
  });
  return `sign-ins, remembered devices, refresh tokens and mailed links from before end by themselves within ${Math.max(SIGN_IN_DAYS, ...days)} days`;
}
