import { checkOptions, option } from "framewright/kernel";
import type { Knex, Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import { readSignIn, type SignIn, startSignIn } from "../../core/sign_in.ts";
import { type AuthlibClass, defineFeature } from "../../feature.ts";

const DAY_MS = 86_400_000;
const table = "remember_keys";
const sessions = "active_session_keys";
/** The session entry of a sign-in that is to be remembered once its second factor is shown. */
const SESSION_KEY = "account_remember";

/** Options of `remember()`. */
export interface RememberOptions {
  /** How many days a device stays signed in. */
  days?: number;
}
/** What the feature `remember` adds. */
export interface RememberSteps {
  /** Whether to remember this sign-in: by default the checkbox on the login page. */
  wantsToBeRemembered(): boolean;
}

/** Keeps a device signed in after the browser was closed, by a key in a separate cookie. */
export function remember(options: RememberOptions = {}) {
  checkOptions("remember", options, { days: option.number });
  return defineFeature<RememberSteps>({
    name: "remember",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables: [table],
    credentials: [table],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithRemember extends Base {
    #loading: Promise<AccountRecord | undefined> | undefined;

    wantsToBeRemembered(): boolean {
      return this.param("remember") !== undefined || this.#choices[this.type.name] === this.signIn?.id;
    }
    override load(): Promise<AccountRecord | undefined> {
      this.#loading ??= super.load().then((account) => account ?? this.#loadRemembered());
      return this.#loading;
    }
    /** Deletes the device's earlier key, and stores the choice until the sign-in is complete. */
    override async afterFirstFactor(account: AccountRecord, key: string): Promise<void> {
      this.#loading = undefined;
      if (this.keepsSession) await this.#forget();
      if (this.keepsSession && this.signIn!.pending !== undefined && this.wantsToBeRemembered())
        this.session.setExpendable(SESSION_KEY, { ...this.#choices, [this.type.name]: this.signIn!.id });
      await super.afterFirstFactor(account, key);
    }
    override async afterLogin(account: AccountRecord, key: string): Promise<void> {
      if (this.keepsSession && this.wantsToBeRemembered()) await this.#remember(account, this.knex);
      this.#clearChoice();
      await super.afterLogin(account, key);
    }
    /** Also deletes the device's key, so that a session ended from elsewhere does not return. */
    override async endSession(id: number, transaction?: Transaction): Promise<boolean> {
      const account_id = this.account!.id;
      const own = (transaction ?? this.knex)(this.type.table(sessions)).where({ account_id, id });
      const found = (await own.first("remember_key_id")) as { remember_key_id: number | null } | undefined;
      if (found) await this.#endKeyOf(account_id, found.remember_key_id, transaction);
      return super.endSession(id, transaction);
    }
    override async closeSession(): Promise<void> {
      await this.#forget();
      this.#loading = Promise.resolve(undefined);
      await super.closeSession();
    }
    /** The device of the sign-in `kept` stays remembered, under a new key, which revokes copies of the old one. */
    override async killCredentials(account: { id: number }, transaction: Transaction, kept?: SignIn): Promise<void> {
      await super.killCredentials(account, transaction, kept);
      const isRemembered = kept?.rememberKeyId !== undefined && kept.id === this.signIn?.id && this.keepsSession;
      if (isRemembered) await this.#remember(account, transaction);
    }

    get #choices(): Record<string, number> {
      return (this.session.get(SESSION_KEY) ?? {}) as Record<string, number>;
    }
    #clearChoice(): void {
      const { [this.type.name]: own, ...others } = this.#choices;
      if (own === undefined) return;
      if (Object.keys(others).length === 0) this.session.delete(SESSION_KEY);
      else this.session.setExpendable(SESSION_KEY, others);
    }
    /** A sign-in without a key may be older than the column: then deletes every key that no sign-in refers to. */
    async #endKeyOf(account_id: number, id: number | null, transaction?: Transaction): Promise<void> {
      const connection = transaction ?? this.knex;
      const linked = connection(this.type.table(sessions)).where({ account_id }).whereNotNull("remember_key_id");
      const end = () => {
        const keys = connection(this.type.table(table)).where({ account_id });
        const ended =
          id === null ? keys.whereNotIn("id", linked.clone().select("remember_key_id")) : keys.where({ id });
        return ended.delete();
      };
      await (transaction ? end() : this.statement(end));
    }
    /** For a speculative request: the account that would be signed in, without storing anything. */
    #previewSignIn(account: AccountRecord, pending: SignIn["pending"]): AccountRecord | undefined {
      this.account = account;
      this.signIn = startSignIn(0, ["remember"], pending);
      return pending === undefined ? account : undefined;
    }
    /** Deletes the device's key, of whichever account. */
    async #forget(): Promise<void> {
      const token = this.request.cookie(this.#cookie);
      if (token === undefined) return;
      const { digests } = this.type.services;
      const keys = () => this.knex(this.type.table(table)).whereIn("key_digest", digests.all(token));
      await this.statement(() => keys().delete());
      this.request.setCookie(this.#cookie, "", 0);
    }
    get #cookie(): string {
      return `fw_${this.type.name}_remember`;
    }
    get #days(): number {
      return this.optionsOf<RememberOptions>("remember").days ?? 14;
    }
    async #remember(account: { id: number }, connection: Knex): Promise<void> {
      const { digests } = this.type.services;
      const token = digests.token();
      const now = new Date();
      const deadline = new Date(now.getTime() + this.#days * DAY_MS);
      const row = { account_id: account.id, key_digest: digests.digest(token), deadline, created_at: now };
      await connection(this.type.table(table)).where("deadline", "<", now).delete();
      const [id] = await connection(this.type.table(table)).insert(row);
      await this.#linkKey(Number(id), connection);
      this.request.setCookie(this.#cookie, token, (this.#days * DAY_MS) / 1000);
    }
    async #linkKey(id: number, connection: Knex): Promise<void> {
      this.signIn!.rememberKeyId = id;
      await connection(this.type.table(sessions)).where({ id: this.signIn!.id }).update({ remember_key_id: id });
    }
    /** Deletes expired sign-ins of the device. One that another tab has just opened stays. */
    async #replaceEnded({ id: account_id }: AccountRecord, remember_key_id: number): Promise<void> {
      const own = () => this.knex(this.type.table(sessions)).where({ account_id, remember_key_id });
      const rows = await this.type.services.database.rows(own().limit(20));
      const ended = rows.map((row) => readSignIn(row)).filter((signIn) => !this.isAlive(signIn));
      const ids = ended.map(({ id }) => id);
      if (ids.length > 0) await this.statement(() => own().whereIn("id", ids).delete());
    }
    /** Signs in by the device's key, only for GET and HEAD: other requests need a CSRF token, and so a session. */
    async #loadRemembered(): Promise<AccountRecord | undefined> {
      const { method } = this.request.raw;
      const token = method === "GET" || method === "HEAD" ? this.request.cookie(this.#cookie) : undefined;
      if (token === undefined || this.signIn) return undefined;
      const { digests, database } = this.type.services;
      const query = this.knex(this.type.table(table))
        .whereIn("key_digest", digests.all(token))
        .where("deadline", ">", new Date());
      const [row] = await database.rows(query.limit(1));
      const account = row && (await this.findAccountById(Number(row.account_id)));
      if (!account || !(await this.maySignIn(account))) {
        this.request.setCookie(this.#cookie, "", 0);
        return undefined;
      }
      const pending = await this.pendingFor(account, ["remember"]);
      if (this.request.isSpeculative) return this.#previewSignIn(account, pending);
      return this.#signInAgain(account, Number(row.id), pending);
    }
    async #signInAgain(account: AccountRecord, keyId: number, pending: SignIn["pending"]) {
      await this.#replaceEnded(account, keyId);
      const key = await this.openSession(account, ["remember"], pending);
      await this.#linkKey(keyId, this.knex);
      this.keepSession(key);
      const by = { by: "remember" };
      if (pending !== undefined) await this.emitEvent("first_factor_passed", by);
      else await this.emitEvent("login", { ...by, factors: "remember" });
      return pending === undefined ? account : undefined;
    }
  };
}
