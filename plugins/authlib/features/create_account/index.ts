import { type FieldErrors, HttpError, type Reply } from "framewright/host";
import { checkOptions, type OptionRule, option } from "framewright/kernel";
import { type Transaction, ValidationError } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import { clearProvenLogin } from "../../core/proven_login.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import { checkFields, type SignUpField, signUpFields } from "./fields.ts";

export interface CreateAccountOptions {
  /** Columns that the form asks for besides login and password. */
  fields?: readonly string[];
  /** Only people who opened an invitation to their address may sign up. */
  invitedOnly?: boolean;
}
const namesRule: OptionRule = {
  expected: 'a list of columns, as in ["name"]',
  check: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
};

/** A sign-up. `hash` is that of the password; without it, the mailed link asks for a password. */
export interface SignUp {
  login: string;
  hash?: string | undefined;
  /** More columns of the account. */
  values?: Record<string, unknown>;
  transaction: Transaction;
}
/** What the feature `create_account` adds. */
export interface CreateAccountSteps {
  createAccountPage(): Promise<Reply>;
  submitCreateAccount(): Promise<Reply>;
  /** More columns of a new account: the typed values of `fields`. Override it for values that the form does not ask for. */
  newAccountValues(): Record<string, unknown>;
  /**
   * Creates an account, as the form does, in an open transaction. Undefined where the login is taken: its owner gets a
   * mail, and the reply must not differ from that for a free one. @throws ValidationError for other columns
   */
  signUp(who: SignUp): Promise<AccountRecord | undefined>;
  /** Called before an account is created. Return a reply to refuse. */
  beforeCreateAccount(login: string): Promise<Reply | undefined>;
}

/** Signs up. With verifyAccount(), a taken address gets the same reply as a free one: "Check your inbox". */
export function createAccount(options: CreateAccountOptions = {}) {
  checkOptions("createAccount", options, { fields: namesRule, invitedOnly: option.boolean });
  const { fields = [] } = options;
  return defineFeature<CreateAccountSteps>({
    name: "create_account",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    routes: [...form("create-account", "anyone")],
    check: (type) => {
      const { newAccountValues } = type.class.prototype as unknown as CreateAccountSteps;
      checkFields(type, fields, !ownSteps.has(newAccountValues));
    },
    steps,
  });
}

/** Module-level: marks the feature's own newAccountValues(): an application that overrides it provides the required columns itself. */
const ownSteps = new WeakSet<() => unknown>();

function steps(Base: AuthlibClass) {
  class WithCreateAccount extends Base {
    #emitted: Promise<void> | undefined;

    async createAccountPage(): Promise<Reply> {
      if (await this.load()) return this.goTo(await this.loginRedirect());
      if (!this.#mayEnter) return this.#requireInvitation();
      return this.page("create_account", this.#locals());
    }
    async submitCreateAccount(): Promise<Reply> {
      if (!this.#mayEnter) return this.#requireInvitation();
      const typed = await this.#typed();
      if ("fields" in typed) return this.#refuse(typed.fields);
      const { login, password } = typed;
      const isProven = login === this.provenLogin;
      await this.takeMail("create-account", login);
      const refused = await this.beforeCreateAccount(login);
      if (refused) return refused;
      const hash = await this.hashPassword(password);
      let account: AccountRecord | undefined;
      try {
        const values = this.newAccountValues();
        account = await this.transaction((transaction) =>
          isProven
            ? this.#signUpProven({ login, hash, values, transaction })
            : this.signUp({ login, hash, values, transaction }),
        );
      } catch (error) {
        if (error instanceof ValidationError) return this.#refuse(this.#fieldsOf(error));
        throw error;
      }
      await this.#emitted;
      if (isProven) return this.#enterProven(account);
      await this.afterSignUp(hash);
      return account && this.signsInAtOnce
        ? this.login((await this.findAccountById(account.id))!, "password")
        : this.checkYourMail(this.type.has("verify_account") ? "verify-account" : "create-account");
    }
    newAccountValues(): Record<string, unknown> {
      const typed = this.#fields.map(({ name, isNumber }) => [name, this.#text(name), isNumber] as const);
      const filled = typed.filter(([, text]) => text !== "");
      return Object.fromEntries(filled.map(([name, text, isNumber]) => [name, isNumber ? Number(text) : text]));
    }
    async beforeCreateAccount(_login: string): Promise<Reply | undefined> {
      return undefined;
    }

    async #typed(): Promise<{ login: string; password: string } | { fields: FieldErrors }> {
      const login = this.provenLogin ?? this.normalizeLogin(this.param("login") ?? "");
      const problem = login === "" ? this.t("blank") : this.loginProblem(login);
      const password = await this.chosenPassword(undefined);
      const fields = {
        ...(problem === undefined ? {} : { login: [problem] }),
        ...(typeof password === "string" ? {} : password),
        ...this.#fieldProblems(),
      };
      return Object.keys(fields).length > 0 ? { fields } : { login, password: password as string };
    }
    get #fields(): SignUpField[] {
      return signUpFields(this.type, this.optionsOf<CreateAccountOptions>("create_account").fields ?? []);
    }
    #text(name: string): string {
      const value = this.request.body.get(name);
      return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
    }
    #fieldProblems(): FieldErrors {
      const problems = this.#fields.flatMap(({ name, isNumber, optional }): [string, string[]][] => {
        const text = this.#text(name);
        if (text === "") return optional ? [] : [[name, [this.t("blank")]]];
        return isNumber && !Number.isFinite(Number(text)) ? [[name, [this.t("number_invalid")]]] : [];
      });
      return Object.fromEntries(problems);
    }
    #locals() {
      const { provenLogin: proven_login, provenReason: proven_reason } = this;
      const fields = this.#fields.map((field) => ({
        ...field,
        label: this.request.tOr(`fields.${field.name}`, field.label),
      }));
      return { fields, csrf: this.csrf("create-account"), proven_login, proven_reason };
    }
    /** The errors, with the login under the form's name for it. */
    #fieldsOf({ fields }: ValidationError): FieldErrors {
      const { [this.type.class.loginColumn]: login, ...others } = fields;
      return login === undefined ? others : { ...others, login };
    }
    #refuse(fields: FieldErrors): Reply {
      return this.refuse("create_account", { fields, locals: this.#locals() });
    }
    async signUp({ login, hash, values = {}, transaction }: SignUp): Promise<AccountRecord | undefined> {
      this.signUpHash = hash;
      try {
        return await this.#create({ login, hash, values, transaction });
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        const { [this.type.class.loginColumn]: own, ...others } = error.problems;
        const hides = own !== undefined && this.newAccountStatus === "unverified";
        if (!hides || !(await this.#isTaken(login, transaction))) throw error;
        if (Object.keys(others).length > 0) throw new ValidationError(this.type.model.constant, others);
        await this.#signUpAgain(await this.findAccountByLogin(login, transaction), transaction);
        return undefined;
      }
    }

    get #mayEnter(): boolean {
      const { invitedOnly = false } = this.optionsOf<CreateAccountOptions>("create_account");
      return !invitedOnly || this.provenLogin !== undefined;
    }
    #requireInvitation(): Reply {
      const message = this.t("create_account.invited_only");
      if (this.wantsJson) return this.problem(new HttpError(403, "FW_INVITED_ONLY", message));
      if (!this.request.isSpeculative) this.request.flash.add("info", message);
      return this.goTo(this.type.path("login"));
    }
    /**
     * A sign-up with an address that the browser has proven. It takes over an account that was signed up for and never
     * verified. Undefined where the address has another account.
     */
    async #signUpProven({ login, hash, values, transaction }: SignUp): Promise<AccountRecord | undefined> {
      const found = await this.findAccountByLogin(login, transaction);
      if (found?.account_status === "closed") await this.freeLogin(found, transaction);
      else if (found && !(await this.isUnclaimed(found, transaction))) return undefined;
      else if (found) {
        await this.closeCredentials(found, transaction);
        await this.type.model.class
          .query(transaction)
          .patch({ ...values } as never)
          .findById(found.id);
        await this.updateAccount(found, { account_status: "verified" }, transaction);
        await this.storeHash(found, hash!, transaction);
        return found;
      }
      return this.#create({ login, hash, values, transaction, status: "verified" });
    }
    async #enterProven(account: AccountRecord | undefined): Promise<Reply> {
      clearProvenLogin(this.session, this.type.name);
      if (!account) return this.done(this.t("create_account.exists"), this.type.path("login"));
      await this.emitEvent("verified", { by: "invitation" }, account);
      return this.login((await this.findAccountById(account.id))!, "password");
    }

    async #create({ login, hash, values, transaction, status }: SignUp & { status?: string }): Promise<AccountRecord> {
      const account_status = status ?? this.newAccountStatus;
      const row = { ...values, [this.type.class.loginColumn]: login, account_status };
      const created = (await this.type.model.class.query(transaction).insert(row as never)) as unknown as AccountRecord;
      if (hash !== undefined) await this.storeHash(created, hash, transaction);
      await this.afterCreateAccount(created, transaction);
      this.#emitted = transaction.executionPromise?.then(
        () => this.emitEvent("created", {}, created),
        () => undefined, // not after a rollback
      );
      this.#emitted?.catch(() => undefined); // submitCreateAccount() awaits it and gets the error
      return created;
    }
    /** Whether the login is taken, by the database's collation as its unique index. */
    async #isTaken(login: string, transaction: Transaction): Promise<boolean> {
      const { model, class: cls } = this.type;
      return (await transaction(model.table).where(cls.loginColumn, login).select("id").limit(1)).length > 0;
    }
    /** A sign-up with a taken address: mails its owner. The visitor gets the usual reply. */
    async #signUpAgain(account: AccountRecord | undefined, trx: Transaction): Promise<void> {
      if (!account) return;
      if (this.isUnverified(account)) await this.afterCreateAccount(account, trx);
      else await this.mailAccountExists(account, trx);
    }
  }
  ownSteps.add(WithCreateAccount.prototype.newAccountValues);
  return WithCreateAccount;
}
