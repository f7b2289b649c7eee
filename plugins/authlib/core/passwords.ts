import { decodeDate, type Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { SignIns } from "./sessions.ts";

const table = "password_hashes";
/** Longer passwords are refused unchecked: normalizing them would block the event loop. */
const MAX_TYPED_BYTES = 4096;
/** Module-level: found by a hasher: making one takes as long as checking a password. */
const decoys = new WeakMap<object, Promise<string>>();

/** Checks and changes passwords, in constant time for existing and absent accounts. */
export class Passwords extends SignIns {
  /** The text that is hashed for a password, then earlier variants. A pepper and its predecessors are applied here. */
  passwordInputs(password: string): readonly [string, ...string[]] {
    return [password.normalize("NFKC")];
  }
  /** Why a password is refused, one sentence each; empty when it is accepted. */
  async passwordProblems(password: string, _account: AccountRecord | undefined = this.account): Promise<string[]> {
    const length = [...password].length;
    if (length < this.passwordMinimum) return [this.t("password_short", { count: this.passwordMinimum })];
    return Buffer.byteLength(password) > 1024 ? [this.t("password_long")] : [];
  }
  /** Whether a password is accepted; `passwordProblems` gives the reasons. */
  async passwordMeetsRequirements(password: string): Promise<boolean> {
    return (await this.passwordProblems(password)).length === 0;
  }

  /** The account of a login where the password matches. It takes the same time whether the account exists or not. */
  async verifyCredentials(login: string, password: string): Promise<AccountRecord | undefined> {
    const { account, hash } = await this.findCredentials(login);
    const matched = await this.#matches(password, account && hash);
    if (!account || hash === undefined || matched === undefined) return undefined;
    if (matched > 0 || this.type.services.hasher.needsRehash(hash)) await this.#store(account, password);
    return account;
  }
  /** The account of a login and its hash. The number of queries does not depend on whether it exists. */
  async findCredentials(login: string): Promise<{ account?: AccountRecord; hash?: string }> {
    const { model, services, class: cls } = this.type;
    const query = this.knex(model.table)
      .leftJoin({ h: this.type.table(table) }, "h.account_id", `${model.table}.id`)
      .where(`${model.table}.${cls.loginColumn}`, this.normalizeLogin(login))
      .select(`${model.table}.*`, { fw_hash: "h.password_hash" })
      .limit(1);
    const [{ fw_hash: hash, ...row } = {} as Record<string, unknown>] = await services.database.rows(query);
    const account = row.id === undefined ? undefined : this.recordOf(row);
    if (!account || !this.isLoginOf(account, login)) return {};
    return typeof hash === "string" ? { account, hash } : { account };
  }
  async passwordMatches(account: AccountRecord, password: string): Promise<boolean> {
    return (await this.#matches(password, await this.passwordHashOf(account))) !== undefined;
  }
  /** Whether a password matches a given hash, as an earlier one of the account. */
  async passwordMatchesHash(password: string, hash: string): Promise<boolean> {
    return (await this.#matches(password, hash)) !== undefined;
  }
  async hasPassword(account: AccountRecord): Promise<boolean> {
    return (await this.passwordHashOf(account)) !== undefined;
  }
  async passwordHashOf(account: { id: number }): Promise<string | undefined> {
    const query = this.knex(this.type.table(table)).where({ account_id: account.id }).limit(1);
    const [row] = await this.type.services.database.rows(query);
    return row?.password_hash as string | undefined;
  }
  /** When the account's password was chosen; undefined without a password. */
  async passwordChosenAt(account: { id: number }): Promise<Date | undefined> {
    const query = this.knex(this.type.table(table)).where({ account_id: account.id }).select("updated_at").limit(1);
    const [row] = await this.type.services.database.rows(query);
    return row && (decodeDate(row.updated_at) as Date);
  }
  hashPassword(password: string): Promise<string> {
    return this.type.services.hasher.hash(this.passwordInputs(password)[0]);
  }
  /**
   * Stores a hash. Hash before the transaction starts, as it is slow. `isChosen` is false where the same password was only
   * hashed again with current parameters.
   */
  async storeHash(
    account: { id: number },
    hash: string,
    transaction: Transaction,
    how: { isChosen: boolean } = { isChosen: true },
  ): Promise<void> {
    await this.writeHash(account, hash, transaction, how);
  }
  /** Writes the hash and nothing else. `updated_at` is when the password was chosen. */
  async writeHash(
    account: { id: number },
    hash: string,
    transaction: Transaction,
    { isChosen }: { isChosen: boolean },
  ): Promise<void> {
    const now = new Date();
    const changed = await transaction(this.type.table(table))
      .where({ account_id: account.id })
      .update({ password_hash: hash, ...(isChosen ? { updated_at: now } : {}) });
    if (changed > 0) return;
    const row = { account_id: account.id, password_hash: hash, created_at: now, updated_at: now };
    await transaction(this.type.table(table)).insert(row);
  }
  /** Removes the account's password. */
  async removeHash(account: { id: number }, transaction: Transaction): Promise<void> {
    await transaction(this.type.table(table)).where({ account_id: account.id }).delete();
  }
  /** Sets a new password and revokes all credentials, except the sign-in `kept`. */
  async changePasswordOf(
    account: AccountRecord,
    password: string,
    kept?: this["signIn"],
    also: (transaction: Transaction) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const hash = await this.hashPassword(password);
    await this.transaction(async (trx) => {
      await this.storeHash(account, hash, trx);
      await this.killCredentials(account, trx, kept);
      await also(trx);
    });
    await this.emitEvent("password_changed", {}, account);
  }

  /**
   * The index of the input that matches. Without a hash, a decoy hash is checked as often. Hashes of other systems are
   * checked with the password as typed, and their work is always done, so that the time reveals nothing.
   */
  async #matches(password: string, hash: string | undefined): Promise<number | undefined> {
    const { hasher } = this.type.services;
    if (Buffer.byteLength(password) > MAX_TYPED_BYTES) return undefined;
    if (!decoys.has(hasher)) decoys.set(hasher, hasher.hash("nobody's password"));
    const decoy = await decoys.get(hasher)!;
    const isForeign = hash !== undefined && hasher.foreign?.accepts(hash) === true;
    const own = isForeign ? undefined : hash;
    const inputs = this.passwordInputs(password);
    for (const [index, input] of inputs.entries()) {
      const isRight = await hasher.verify(input, own ?? decoy);
      if (isRight && own !== undefined) return index;
    }
    return (await hasher.foreign?.verify(password, isForeign ? hash : undefined)) ? inputs.length : undefined;
  }
  async #store(account: AccountRecord, password: string): Promise<void> {
    const hash = await this.hashPassword(password);
    await this.transaction((trx) => this.storeHash(account, hash, trx, { isChosen: false }));
  }
}
