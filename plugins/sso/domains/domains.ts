import type { AccountType } from "framewright/plugins/authlib";
import { decodeDate, encodeDate, isDuplicate, type Knex, type Transaction } from "framewright/plugins/database";
import type { Domain } from "../contract.ts";
import type { Settled } from "../options.ts";
import { findTxt, newToken, recordOf, type TxtResult } from "./txt_record.ts";

/** How many domains a tenant has at most. */
export const MAX_DOMAINS = 20;
/** How many proofs one run renews. */
const MAX_RENEWED = 200;

/** What came of a proof. */
export type Proof = TxtResult | "taken";
export interface DomainsParts extends Pick<Settled, "dns" | "renewMs" | "graceMs"> {
  /** Whether a tenant still exists. */
  readonly exists: (tenantId: number) => Promise<boolean>;
  /** Notifies those who own a tenant that the proof of a domain has lapsed. */
  readonly announceLapse: (domain: Domain) => Promise<void>;
}

/** The domains of an account type's tenants. */
export class Domains {
  readonly #type: AccountType;
  readonly #parts: DomainsParts;

  constructor(type: AccountType, parts: DomainsParts) {
    this.#type = type;
    this.#parts = parts;
  }

  #rows(connection: Knex = this.#type.services.database.knex) {
    return connection(this.#type.table("sso_domains"));
  }
  async #read(query: ReturnType<Knex>): Promise<Domain[]> {
    return (await this.#type.services.database.rows(query)).map(domainOf);
  }

  /** Those of a tenant, by name. */
  list(tenantId: number): Promise<Domain[]> {
    return this.#read(this.#rows().where({ tenant_id: tenantId }).orderBy("domain").limit(MAX_DOMAINS));
  }
  async find(tenantId: number, id: number): Promise<Domain | undefined> {
    return (await this.#read(this.#rows().where({ tenant_id: tenantId, id }).limit(1)))[0];
  }
  /** Adds a domain, or returns the one that the tenant has; undefined where it has as many as it may. */
  async add(tenantId: number, domain: string): Promise<Domain | undefined> {
    const own = async () => (await this.list(tenantId)).find((one) => one.domain === domain);
    const known = await own();
    if (known) return known;
    if ((await this.list(tenantId)).length >= MAX_DOMAINS) return undefined;
    const row = { tenant_id: tenantId, domain, token: newToken(), created_at: encodeDate(new Date()) };
    try {
      await this.#rows().insert(row);
    } catch (error) {
      if (!isDuplicate(error)) throw error; // added meanwhile
    }
    return own();
  }
  async remove({ id, tenant_id }: Domain): Promise<void> {
    await this.#rows().where({ id, tenant_id }).delete();
  }

  /** The tenant's own domain, or whoever's, that is proven now under this name; its proof is renewed where that is due. */
  async proven(domain: string | undefined, tenantId?: number): Promise<Domain | undefined> {
    if (domain === undefined) return undefined;
    const of = tenantId === undefined ? {} : { tenant_id: tenantId };
    const [found] = await this.#read(
      this.#rows()
        .where({ proven_domain: domain, ...of })
        .limit(1),
    );
    if (!found) return undefined;
    if (!this.#isDue(found)) return found;
    return (await this.renew(found)) ? found : undefined;
  }
  /** The names that a tenant has proven, as they are stored. */
  async provenNames(tenantId: number, connection?: Knex): Promise<string[]> {
    return (await this.#rows(connection)
      .where({ tenant_id: tenantId })
      .whereNotNull("proven_domain")
      .pluck("domain")) as string[];
  }
  #isDue({ checked_at }: Domain): boolean {
    return checked_at === null || Date.now() - checked_at.getTime() > this.#parts.renewMs;
  }

  /** Looks for the record of a domain, and stores that it is the tenant's where it is there. */
  async prove(domain: Domain): Promise<Proof> {
    const result = await this.#find(domain);
    if (result !== "found") return result;
    if (await this.#store(domain)) return "found";
    const [other] = await this.#read(this.#rows().where({ proven_domain: domain.domain }).limit(1));
    if (!other || other.id === domain.id) return "taken";
    const isGone = !(await this.#parts.exists(other.tenant_id));
    if (!isGone && (await this.#find(other)) !== "missing") return "taken";
    if (isGone) await this.#rows().where({ id: other.id }).delete();
    else await this.#lapse(other); // whoever has the domain now has taken the other's record away
    return (await this.#store(domain)) ? "found" : "taken";
  }
  /** Looks for the record of a proven domain again; false where the proof has lapsed. */
  async renew(domain: Domain): Promise<boolean> {
    const own = () => this.#rows().where({ id: domain.id });
    if ((await this.#find(domain)) === "found") {
      await own().update({ checked_at: encodeDate(new Date()), failing_since: null });
      return true;
    }
    const since = domain.failing_since ?? new Date();
    if (Date.now() - since.getTime() > this.#parts.graceMs) {
      await this.#lapse(domain);
      return false;
    }
    if (domain.failing_since === null) await own().update({ failing_since: encodeDate(since) });
    return true;
  }
  /** Renews the proofs that are due, the oldest first. */
  async renewAll(): Promise<void> {
    const due = encodeDate(new Date(Date.now() - this.#parts.renewMs));
    const query = this.#rows().whereNotNull("proven_domain").where("checked_at", "<", due).orderBy("checked_at");
    for (const domain of await this.#read(query.limit(MAX_RENEWED))) await this.renew(domain);
  }

  #find(domain: Domain): Promise<TxtResult> {
    const { name, text } = recordOf(domain);
    return findTxt(name, text, this.#parts.dns);
  }
  /** False where another tenant has proven it. */
  async #store({ id, domain }: Domain): Promise<boolean> {
    const now = encodeDate(new Date());
    const values = { proven_domain: domain, proven_at: now, checked_at: now, failing_since: null, lapsed_at: null };
    try {
      await this.#rows().where({ id }).update(values);
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }
  async #lapse(domain: Domain): Promise<void> {
    const values = { proven_domain: null, proven_at: null, failing_since: null, lapsed_at: encodeDate(new Date()) };
    const isFirst = (await this.#rows().where({ id: domain.id }).whereNotNull("proven_domain").update(values)) > 0;
    if (isFirst) await this.#parts.announceLapse(domain);
  }
  /** Takes all domains of a tenant out of the table. */
  async removeAll(tenantId: number, transaction: Transaction): Promise<void> {
    await this.#rows(transaction).where({ tenant_id: tenantId }).delete();
  }
}

function domainOf(row: Record<string, unknown>): Domain {
  const at = (name: string) => (row[name] == null ? null : (decodeDate(row[name]) as Date));
  return {
    ...{ id: Number(row.id), tenant_id: Number(row.tenant_id), domain: String(row.domain), token: String(row.token) },
    ...{ proven_at: at("proven_at"), checked_at: at("checked_at") },
    ...{ failing_since: at("failing_since"), lapsed_at: at("lapsed_at") },
  };
}
