import { createHash } from "node:crypto";
import { type Database, encodeDate, PluginTable, type Transaction } from "framewright/plugins/database";
import { errors } from "./errors.ts";

const TABLE = "framewright_branding";
/** How long a process uses what it read; another one's change is seen after that. */
const KEPT_MS = 5000;
const MAX_KEPT = 1000;

/** What a tenant has of its own. */
export interface Brand {
  readonly name: string | null;
  /** `#7a1f5c`. */
  readonly accent: string | null;
  readonly logo_hash: string | null;
}
/** A logo as it is sent. */
export interface Logo {
  readonly type: string;
  readonly bytes: Buffer;
}
interface Row extends Brand {
  readonly logo: string | null;
  readonly logo_type: string | null;
}
/** What a form changes; `logo` undefined leaves it, null removes it. */
export interface BrandChange {
  readonly name: string | null;
  readonly accent: string | null;
  readonly logo?: Logo | null | undefined;
}

/** All statements on the table, a row for each tenant that has something of its own. */
export class BrandStore {
  readonly #table: PluginTable<Row>;
  readonly #known = new Map<string, { readonly brand: Promise<Brand | undefined>; readonly until: number }>();

  constructor(database: Database) {
    this.#table = new PluginTable<Row>(database, TABLE, errors.FW_BRANDING_TABLE);
  }

  /** Whether the table is there. @throws 503 when the database is unavailable */
  isInstalled(): Promise<boolean> {
    return this.#table.exists();
  }

  /** What a tenant has, as it was some seconds ago at most. */
  find(tenant: string, now = Date.now()): Promise<Brand | undefined> {
    const known = this.#known.get(tenant);
    if (known && known.until > now) return known.brand;
    const brand = this.read(tenant);
    if (this.#known.size >= MAX_KEPT) this.#known.clear();
    this.#known.set(tenant, { brand, until: now + KEPT_MS });
    brand.catch(() => this.#known.delete(tenant)); // the next call reads it again
    return brand;
  }
  /** What a tenant has now. */
  async read(tenant: string, transaction?: Transaction): Promise<Brand | undefined> {
    const query = this.#table.rows({ tenant }, transaction).select("name", "accent", "logo_hash").first();
    const [row] = await this.#table.read(query.then((one) => (one ? [one] : [])));
    return row;
  }
  async logo(tenant: string): Promise<Logo | undefined> {
    const [row] = await this.#table.read(this.#table.rows({ tenant }).select("logo", "logo_type"));
    if (!row?.logo || !row.logo_type) return undefined;
    return { type: row.logo_type, bytes: Buffer.from(row.logo, "base64") };
  }

  async save(tenant: string, { name, accent, logo }: BrandChange): Promise<void> {
    const values = {
      name,
      accent,
      updated_at: encodeDate(new Date()),
      ...(logo === undefined ? {} : storedLogo(logo)),
    };
    await this.#table.run(
      this.#table
        .rows()
        .insert({ tenant, ...values })
        .onConflict("tenant")
        .merge(values),
    );
    this.#known.delete(tenant);
  }
  async remove(tenant: string): Promise<void> {
    await this.#table.run(this.#table.rows({ tenant }).delete());
    this.#known.delete(tenant);
  }
}

const storedLogo = (logo: Logo | null) =>
  logo === null
    ? { logo: null, logo_type: null, logo_hash: null }
    : { logo: logo.bytes.toString("base64"), logo_type: logo.type, logo_hash: hashOf(logo.bytes) };

/** Twelve signs that change with what is sent. */
export const hashOf = (content: Buffer | string): string =>
  createHash("sha256").update(content).digest("base64url").slice(0, 12);
