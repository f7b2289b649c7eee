import { decodeDate, type Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { SignIns } from "./sessions.ts";

const table = "password_hashes";
/** Bytes of a password that is tried; more, and its normal form alone would hold everybody up. */
const LONGEST = 4096;
const decoys = new WeakMap<object, Promise<string>>();

/** Passwords: checked, changed, and never told apart by how long that takes. */
export class Passwords extends SignIns {
  /** What is hashed for a password, and what may have been before: a pepper, and its predecessors, go in here. */
  passwordInputs(password: string): readonly [string, ...string[]] {
    return [password.normalize("NFKC")];
  }
  /** Why a password is not taken, one sentence each; empty when it is. */
  async passwordProblems(password: string, _account: AccountRecord | undefined = this.account): Promise<string[]> {
    const length = [...password].length;
    if (length < this.passwordMinimum) return [this.t("password_short", { count: this.passwordMinimum })];
    return Buffer.byteLength(password) > 1024 ? [this.t("password_long")] : [];
  }
  /** Whether a password may be chosen; `passwordProblems` says why not. */
  async passwordMeetsRequirements(password: string): Promise<boolean> {
    return (await this.passwordProblems(password)).length === 0;
  }

  /** The account of a login when the password is its own. It takes the same time whether there is one or not. */
  async verifyCredentials(login: string, password: string): Promise<AccountRecord | undefined> {
    const { account, hash } = await this.findCredentials(login);
    const matched = await this.#matches(password, account && hash);
    if (!account || hash === undefined || matched === undefined) return undefined;
    if (matched > 0 || this.type.services.hasher.needsRehash(hash)) await this.#store(account, password);
    return account;
  }
  /** The account of a login, and its hash. As many queries are made for a login that nobody has. */
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
  /** Whether a password made a hash, whatever its owner has now. */
  async passwordMade(password: string, hash: string): Promise<boolean> {
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
  /** When the account's password was chosen; undefined where it has none. */
  async passwordChosenAt(account: { id: number }): Promise<Date | undefined> {
    const query = this.knex(this.type.table(table)).where({ account_id: account.id }).select("updated_at").limit(1);
    const [row] = await this.type.services.database.rows(query);
    return row && (decodeDate(row.updated_at) as Date);
  }
  hashPassword(password: string): Promise<string> {
    return this.type.services.hasher.hash(this.passwordInputs(password)[0]);
  }
  /**
   * Stores a hash; make it before the transaction begins: it takes a while. `isChosen` is false where it is of the same
   * password, hashed as hashes are now.
   */
  async storeHash(
    account: { id: number },
    hash: string,
    transaction: Transaction,
    how: { isChosen: boolean } = { isChosen: true },
  ): Promise<void> {
    await this.writeHash(account, hash, transaction, how);
  }
  /** Writes a hash down, and no more. Its row was updated when the password was chosen. */
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
  /** From now on the account has no password. */
  async removeHash(account: { id: number }, transaction: Transaction): Promise<void> {
    await transaction(this.type.table(table)).where({ account_id: account.id }).delete();
  }
  /** Sets a new password and ends every other way in, but for the sign-in that is kept. */
  async changePasswordOf(account: AccountRecord, password: string, kept?: this["signIn"]): Promise<void> {
    const hash = await this.hashPassword(password);
    await this.transaction(async (trx) => {
      await this.storeHash(account, hash, trx);
      await this.killCredentials(account, trx, kept);
    });
    await this.tell("password_changed", {}, account);
  }

  /**
   * Which of the inputs fits; without a hash as many are tried against one that is nobody's. Hashes of other systems are
   * tried with the password as it was typed, and their work is done for everybody: how long it takes tells nothing.
   */
  async #matches(password: string, hash: string | undefined): Promise<number | undefined> {
    const { hasher } = this.type.services;
    if (Buffer.byteLength(password) > LONGEST) return undefined;
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
