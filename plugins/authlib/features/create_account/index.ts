import type { FieldErrors, Reply } from "framewright";
import { ValidationError } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

/** What the feature `create_account` adds. */
export interface CreateAccountSteps {
  createAccountPage(): Promise<Reply>;
  submitCreateAccount(): Promise<Reply>;
  /** Further columns of a new account, as from fields that the page was given. */
  newAccountValues(): Record<string, unknown>;
  /** Before an account is made; an answer refuses. */
  beforeCreateAccount(login: string): Promise<Reply | undefined>;
}

/** Signing up. With verify_account, a taken address is answered as a free one is: "look into your mail". */
export function createAccount() {
  return defineFeature<CreateAccountSteps>({
    name: "create_account",
    directory: import.meta.dirname,
    requires: ["login"],
    routes: [...form("create-account", "anyone")],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithCreateAccount extends Base {
    async createAccountPage(): Promise<Reply> {
      if (await this.load()) return this.goTo(await this.loginRedirect());
      return this.page("create_account", { csrf: this.csrf("create-account") });
    }
    async submitCreateAccount(): Promise<Reply> {
      const typed = await this.#typed();
      if ("fields" in typed) return this.#refuse(typed.fields);
      const { login, password } = typed;
      const { limits } = this.type.services;
      await limits.take("mail", this.limitKey(login), this.request.address);
      const refused = await this.beforeCreateAccount(login);
      if (refused) return refused;
      const hash = await this.hashPassword(password);
      const made = await this.#makeUnlessTaken(login, hash);
      if ("fields" in made) return this.#refuse(made.fields);
      await this.afterSignUp(hash);
      return made.account && this.newAccountStatus !== "unverified"
        ? this.login(made.account, "password")
        : this.lookIntoYourMail(this.type.has("verify_account") ? "verify-account" : "create-account");
    }
    newAccountValues(): Record<string, unknown> {
      return {};
    }
    async beforeCreateAccount(_login: string): Promise<Reply | undefined> {
      return undefined;
    }

    async #typed(): Promise<{ login: string; password: string } | { fields: FieldErrors }> {
      const login = this.normalizeLogin(this.param("login") ?? "");
      const problem = login === "" ? this.t("blank") : this.loginProblem(login);
      const password = await this.chosenPassword(undefined);
      const fields = {
        ...(problem === undefined ? {} : { login: [problem] }),
        ...(typeof password === "string" ? {} : password),
      };
      return Object.keys(fields).length > 0 ? { fields } : { login, password: password as string };
    }
    #refuse(fields: FieldErrors): Reply {
      return this.refuse("create_account", { fields, locals: { csrf: this.csrf("create-account") } });
    }
    /** A taken address is found by the insert: everything else about it was looked at as for a free one. */
    async #makeUnlessTaken(
      login: string,
      hash: string,
    ): Promise<{ account: AccountRecord | undefined } | { fields: FieldErrors }> {
      try {
        return { account: await this.#make(login, hash) };
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        const { [this.type.class.loginColumn]: own, ...others } = error.fields;
        const isHidden = own !== undefined && this.newAccountStatus === "unverified" && (await this.#isTaken(login));
        if (!isHidden || Object.keys(others).length > 0)
          return { fields: { ...others, ...(own && !isHidden ? { login: own } : {}) } };
        return { account: await this.#again(await this.findAccountByLogin(login), hash) };
      }
    }
    /** As the database's own constraint sees it. */
    async #isTaken(login: string): Promise<boolean> {
      const { model, class: cls, services } = this.type;
      const query = this.knex(model.table).where(cls.loginColumn, login).select("id").limit(1);
      return (await services.database.rows(query)).length > 0;
    }
    async #make(login: string, hash: string): Promise<AccountRecord> {
      const { model } = this.type;
      const values = {
        ...this.newAccountValues(),
        [this.type.class.loginColumn]: login,
        account_status: this.newAccountStatus,
      };
      const account = await this.transaction(async (trx) => {
        const made = (await model.class.query(trx).insert(values as never)) as unknown as AccountRecord;
        await this.storeHash(made, hash, trx);
        await this.afterCreateAccount(made, trx);
        return made;
      });
      await this.tell("created", {}, account);
      return account;
    }
    /** Somebody signs up with an address that is taken: its owner is told by mail, the visitor sees what everybody sees. */
    async #again(account: AccountRecord | undefined, hash: string): Promise<undefined> {
      if (!account) return;
      await this.transaction(async (trx) => {
        if (this.isUnverified(account)) {
          await this.storeHash(account, hash, trx);
          await this.afterCreateAccount(account, trx);
          return;
        }
        await trx(this.type.table("password_hashes")).where({ account_id: 0 }).update({ password_hash: hash }); // as many statements
        await trx(this.type.table("active_session_keys")).where({ account_id: 0 }).delete();
        const locals = { url: this.mailUrl("login"), isClosed: !this.isOpen(account) };
        await this.mail(this.loginOf(account), "account_exists", locals, { account, transaction: trx });
      });
      return undefined;
    }
  };
}
