import { randomBytes } from "node:crypto";
import type { AccountType, SealedRows } from "framewright/plugins/authlib";
import { decodeDate, encodeDate, isDuplicate, type Knex, type Transaction } from "framewright/plugins/database";
import type { Connection, ConnectionValues, RoleOfValue } from "../contract.ts";

const PURPOSE = "sso secret";
const TABLE = "sso_connections";
const whose = (type: AccountType, tenantId: unknown): string => `${type.name} ${Number(tenantId)}`;

/** The secrets that providers have issued, which a rotation of SECRET_KEY_BASE encrypts anew. */
export const sealedSecrets: SealedRows = {
  table: TABLE,
  columns: ["secret", "tenant_id"],
  sealState({ secret, tenant_id }, { type, any, current }) {
    const [sealed, bound] = [String(secret), whose(type, tenant_id)];
    if (current(PURPOSE).open(sealed, bound) !== undefined) return "current";
    const text = any(PURPOSE).open(sealed, bound);
    return text === undefined ? "lost" : { secret: current(PURPOSE).seal(text, bound) };
  },
};

/** The providers of an account type's tenants, one each. */
export class Connections {
  readonly #type: AccountType;

  constructor(type: AccountType) {
    this.#type = type;
  }
  #rows(connection: Knex = this.#type.services.database.knex, table = TABLE) {
    return connection(this.#type.table(table));
  }

  async find(tenantId: number): Promise<Connection | undefined> {
    const query = this.#rows().where({ tenant_id: tenantId }).limit(1);
    const [row] = await this.#type.services.database.rows(query);
    return row && connectionOf(row);
  }
  /** The provider in a transaction, where it is still the one that a sign-in was started with. */
  async lock(
    { id, revision }: Pick<Connection, "id" | "revision">,
    transaction: Transaction,
  ): Promise<Connection | undefined> {
    const row = (await this.#rows(transaction).where({ id, revision }).forUpdate().first()) as object | undefined;
    return row && connectionOf(row as Record<string, unknown>);
  }
  /** The secret of a tenant's provider; undefined where no configured key opens it. */
  async secretOf({ tenant_id }: Connection): Promise<string | undefined> {
    const query = this.#rows().where({ tenant_id }).select("secret").limit(1);
    const [row] = await this.#type.services.database.rows(query);
    return row && this.#type.services.sealer(PURPOSE).open(String(row.secret), whose(this.#type, tenant_id));
  }

  /**
   * Stores a tenant's provider. Another issuer takes the identities of the one before out; another issuer or client ends what was
   * started, and has to be tried again. `secret`: undefined leaves the one that is there. False where somebody else was first.
   */
  async save(
    tenantId: number,
    values: ConnectionValues,
    secret: string | undefined,
    before?: Connection,
  ): Promise<boolean> {
    const now = encodeDate(new Date());
    const isOther = before?.issuer !== values.issuer || before.client_id !== values.client_id;
    const sealed = secret === undefined ? {} : { secret: this.#seal(tenantId, secret) };
    const fresh = isOther || secret !== undefined ? { revision: randomBytes(12).toString("hex"), used_at: null } : {};
    const row = { ...values, roles: JSON.stringify(values.roles), ...sealed, ...fresh, updated_at: now };
    return this.#type.services.database.transaction(async (transaction) => {
      if (before) {
        const own = { id: before.id, revision: before.revision };
        if ((await this.#rows(transaction).where(own).update(row)) === 0) return false;
        if (before.issuer !== values.issuer) await this.#forget(before, transaction);
        return true;
      }
      try {
        await transaction.transaction((inner) =>
          this.#rows(inner).insert({ ...row, tenant_id: tenantId, enforced: false, created_at: now }),
        );
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    });
  }
  /** Removes a tenant's provider, with the identities of its people. */
  async remove(connection: Connection): Promise<void> {
    await this.#type.services.database.transaction(async (transaction) => {
      await this.#forget(connection, transaction);
      await this.#rows(transaction).where({ id: connection.id }).delete();
    });
  }
  async noteUse({ id, revision }: Pick<Connection, "id" | "revision">, connection?: Knex): Promise<void> {
    await this.#rows(connection)
      .where({ id, revision })
      .update({ used_at: encodeDate(new Date()) });
  }
  async setEnforced({ id }: Connection, enforced: boolean, transaction: Transaction): Promise<void> {
    await this.#rows(transaction).where({ id }).update({ enforced });
  }

  /** Stores that a sign-in came from a provider. */
  async bind(accountId: number, signInId: number, { id }: Pick<Connection, "id">, connection?: Knex): Promise<void> {
    await this.#rows(connection, "sso_sessions").insert({
      account_id: accountId,
      sign_in_id: signInId,
      connection_id: id,
    });
  }
  async isBound(signInId: number, { id }: Connection): Promise<boolean> {
    const query = this.#rows(undefined, "sso_sessions").where({ sign_in_id: signInId, connection_id: id });
    return (await this.#type.services.database.rows(query.select("id").limit(1))).length > 0;
  }

  /** The sign-ins and identities of a provider end with it. */
  async #forget({ id, tenant_id }: Connection, transaction: Transaction): Promise<void> {
    const signIns = this.#rows(transaction, "sso_sessions").where({ connection_id: id }).select("sign_in_id");
    const ids = (await signIns).map((row: { sign_in_id: unknown }) => Number(row.sign_in_id));
    for (let at = 0; at < ids.length; at += 500)
      await this.#rows(transaction, "active_session_keys")
        .whereIn("id", ids.slice(at, at + 500))
        .delete();
    await this.#rows(transaction, "oidc_identities")
      .where({ provider: providerName(tenant_id) })
      .delete();
  }
  #seal(tenantId: number, secret: string): string {
    return this.#type.services.sealer(PURPOSE).seal(secret, whose(this.#type, tenantId));
  }
}

/** The name of a tenant's provider in addresses; a provider of the options has no hyphen in its name. */
export const providerName = (tenantId: number): string => `tenant-${tenantId}`;
/** The tenant of such a name. */
export function tenantOfProvider(name: string | undefined): number | undefined {
  const id = /^tenant-([1-9]\d{0,14})$/.exec(name ?? "")?.[1];
  return id === undefined ? undefined : Number(id);
}

function connectionOf(row: Record<string, unknown>): Connection {
  const text = (name: string) => String(row[name]);
  const is = (name: string) => row[name] === true || Number(row[name]) === 1;
  return {
    ...{ id: Number(row.id), tenant_id: Number(row.tenant_id), revision: text("revision") },
    ...{ issuer: text("issuer"), client_id: text("client_id"), default_role: text("default_role") },
    roles_claim: row.roles_claim == null ? null : text("roles_claim"),
    roles: JSON.parse(text("roles")) as RoleOfValue[],
    ...{ provisions: is("provisions"), refreshes_roles: is("refreshes_roles"), enforced: is("enforced") },
    used_at: row.used_at == null ? null : (decodeDate(row.used_at) as Date),
  };
}
