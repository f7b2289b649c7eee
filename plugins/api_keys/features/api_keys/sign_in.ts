import { problemReply, type Reply } from "framewright/host";
import type { AccountRecord, AuthlibBase, AuthlibClass, SignIn } from "framewright/plugins/authlib";
import type { Transaction } from "framewright/plugins/database";
import { closedToKeys } from "../../errors.ts";
import { isApiKey } from "../../key.ts";
import { keysOf } from "../../keys_of.ts";
import type { ApiKeysOptions } from "./index.ts";
import { ApiKeyStore, table } from "./store.ts";

/** Accounts by the keys of requests. A key is no sign-in: pages of the account, and actions that require a confirmation, stay closed. */
export function withKeySignIn(Base: AuthlibClass): AuthlibClass {
  return class WithKeySignIn extends Base {
    #byKey: Promise<AccountRecord | undefined> | undefined;

    /** A key takes precedence over cookies, as a token does. */
    override load(): Promise<AccountRecord | undefined> {
      const key = this.#key;
      if (key === undefined) return super.load();
      this.#byKey ??= this.#load(key);
      return this.#byKey;
    }
    get #key(): string | undefined {
      const { bearer } = this.request;
      return bearer !== undefined && isApiKey(bearer) ? bearer : undefined;
    }
    async #load(key: string): Promise<AccountRecord | undefined> {
      const { request, type } = this;
      const keys = keysOf(request, `the account type "${type.name}" has the feature "api_keys"`);
      const store = new ApiKeyStore(this);
      const found = await store.find(key);
      if (!found || !(await this.#mayUseKeys(found.account))) {
        await keys.refuse(request);
        return undefined;
      }
      const { id, name, scopes } = found.listed;
      if (!keys.grant(request, { id: `${type.name} ${id}`, name, scopes })) return undefined;
      await store.noteUse(found.listed);
      this.account = found.account;
      return found.account;
    }
    async #mayUseKeys(account: AccountRecord): Promise<boolean> {
      if (this.isUnverified(account) || !(await this.maySignIn(account))) return false;
      if (this.optionsOf<ApiKeysOptions>("api_keys").worksWhileLocked) return true;
      return (await this.lockedUntil(this.normalizeLogin(this.loginOf(account)))) === undefined;
    }

    /** Whatever ends all sign-ins, the current one included, revokes the keys: somebody else may have created them. */
    override async killCredentials(account: { id: number }, transaction: Transaction, kept?: SignIn): Promise<void> {
      await super.killCredentials(account, transaction, kept);
      if (!kept) await transaction(this.type.table(table)).where({ account_id: account.id }).delete();
    }

    override async confirmed(...options: Parameters<AuthlibBase["confirmed"]>): Promise<Reply | undefined> {
      return this.#key === undefined ? super.confirmed(...options) : this.problem(closedToKeys());
    }
    override problem(error: Error): Reply {
      if (this.#key === undefined) return super.problem(error);
      const reply = problemReply(error, this.application, this.request);
      if (reply.status === 401) reply.headers["www-authenticate"] ??= this.challenge;
      return reply;
    }
    override async requireAuthentication(): Promise<Reply> {
      return this.#key === undefined ? super.requireAuthentication() : this.problem(this.unauthorized());
    }
    /** RFC 6750, as of tokens. */
    override get challenge(): string {
      return this.#key === undefined ? super.challenge : `Bearer realm="${this.type.plural}", error="invalid_token"`;
    }
  };
}
