import type { FieldErrors, Reply } from "framewright/host";
import { checkOptions, type OptionRule } from "framewright/kernel";
import { type Transaction, ValidationError } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import { checkFields, type SignUpField, signUpFields } from "./fields.ts";

export interface CreateAccountOptions {
  /** Columns that the form asks for besides login and password. */
  fields?: readonly string[];
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
  checkOptions("createAccount", options, { fields: namesRule });
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

/** The feature's own newAccountValues(): an application that overrides it provides the required columns itself. */
const ownSteps = new WeakSet<() => unknown>();

function steps(Base: AuthlibClass) {
  class WithCreateAccount extends Base {
    #emitted: Promise<void> | undefined;

    async createAccountPage(): Promise<Reply> {
      if (await this.load()) return this.goTo(await this.loginRedirect());
      return this.page("create_account", this.#locals());
    }
    async submitCreateAccount(): Promise<Reply> {
      const typed = await this.#typed();
      if ("fields" in typed) return this.#refuse(typed.fields);
      const { login, password } = typed;
      await this.takeMail("create-account", login);
      const refused = await this.beforeCreateAccount(login);
      if (refused) return refused;
      const hash = await this.hashPassword(password);
      let account: AccountRecord | undefined;
      try {
        const values = this.newAccountValues();
        account = await this.transaction((transaction) => this.signUp({ login, hash, values, transaction }));
      } catch (error) {
        if (error instanceof ValidationError) return this.#refuse(this.#fieldsOf(error));
        throw error;
      }
      await this.#emitted;
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
      const login = this.normalizeLogin(this.param("login") ?? "");
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
      return { fields: this.#fields, csrf: this.csrf("create-account") };
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

    async #create({ login, hash, values, transaction }: SignUp): Promise<AccountRecord> {
      const row = { ...values, [this.type.class.loginColumn]: login, account_status: this.newAccountStatus };
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
