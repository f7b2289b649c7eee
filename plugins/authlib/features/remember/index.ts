import { checkOptions, option } from "framewright/kernel";
import type { AccountRecord } from "../../account_type.ts";
import type { SignIn } from "../../core/sessions.ts";
import { type AuthlibClass, defineFeature } from "../../feature.ts";

const DAY = 86_400_000;
const table = "remember_keys";

export interface RememberOptions {
  /** Days for which a device stays signed in. */
  days?: number;
}
/** What the feature `remember` adds. */
export interface RememberSteps {
  /** Whether this sign-in is to be remembered: the box on the login page, unless told. */
  wantsToBeRemembered(): boolean;
}

/** Stays signed in on a device after the browser was closed, by a key in a cookie of its own. */
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
      return this.param("remember") !== undefined;
    }
    override load(): Promise<AccountRecord | undefined> {
      this.#loading ??= super.load().then((account) => account ?? this.#loadRemembered());
      return this.#loading;
    }
    override async afterLogin(account: AccountRecord, key: string): Promise<void> {
      this.#loading = undefined;
      if (this.keepsSession) await this.#forget();
      if (this.keepsSession && this.wantsToBeRemembered()) await this.#remember(account);
      await super.afterLogin(account, key);
    }
    /** A device whose session is ended from elsewhere must not come back by its key. */
    override async endSession(id: number): Promise<boolean> {
      await this.knex(this.type.table(table)).where({ account_id: this.account!.id }).delete();
      return super.endSession(id);
    }
    override async closeSession(): Promise<void> {
      await this.#forget();
      this.#loading = Promise.resolve(undefined);
      await super.closeSession();
    }

    /** The answer shows who would be signed in; nothing is stored for it. */
    #seen(account: AccountRecord, pending: SignIn["pending"]): AccountRecord | undefined {
      const now = new Date();
      this.account = account;
      this.signIn = { id: 0, factors: ["remember"], pending, createdAt: now, lastUse: now };
      return pending === undefined ? account : undefined;
    }
    /** The device is not remembered any more, for whomever it was. */
    async #forget(): Promise<void> {
      const token = this.request.cookie(this.#cookie);
      if (token === undefined) return;
      const { digests } = this.type.services;
      await this.knex(this.type.table(table)).whereIn("key_digest", digests.all(token)).delete();
      this.request.setCookie(this.#cookie, "", 0);
    }
    get #cookie(): string {
      return `fw_${this.type.name}_remember`;
    }
    get #days(): number {
      return this.optionsOf<RememberOptions>("remember").days ?? 14;
    }
    async #remember(account: AccountRecord): Promise<void> {
      const { digests } = this.type.services;
      const token = digests.token();
      const now = new Date();
      const deadline = new Date(now.getTime() + this.#days * DAY);
      const row = { account_id: account.id, key_digest: digests.digest(token), deadline, created_at: now };
      await this.knex(this.type.table(table)).where("deadline", "<", now).delete();
      await this.knex(this.type.table(table)).insert(row);
      this.request.setCookie(this.#cookie, token, (this.#days * DAY) / 1000);
    }
    /** By looking at a page alone: an unsafe request needs a form's token, and so a session. */
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
      if (!account || !this.isOpen(account)) {
        this.request.setCookie(this.#cookie, "", 0);
        return undefined;
      }
      const pending = await this.pendingFor(account, ["remember"]);
      if (this.request.onlyLooks) return this.#seen(account, pending);
      this.keepSession(await this.openSession(account, ["remember"], pending));
      await this.tell("login", { by: "remember" });
      return pending === undefined ? account : undefined;
    }
  };
}
