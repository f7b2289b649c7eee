import { randomInt } from "node:crypto";
import type { Reply } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { AccountLine } from "../../account_sections.ts";
import type { AuthlibBase } from "../../base.ts";
import type { FactorSummary } from "../../core/factors.ts";
import type { AuthlibClass } from "../../feature.ts";
import { markSpent } from "../../spent_keys.ts";
import { digestsLike, digestsOf, table } from "./digests.ts";
import type { RecoveryCodesOptions, RecoveryCodesSteps } from "./index.ts";

const SESSION_KEY = "recovery_codes_shown";
const LIFETIME_MS = 10 * 60_000;

/** New codes, stored in the session until the next page shows them. */
interface NewCodes {
  whose: string;
  at: number;
  codes: string[];
}
const letters = "abcdefghjkmnpqrstuvwxyz23456789"; // without look-alikes

/** With fewer codes left, the overview warns. */
const LOW_COUNT = 3;

/** The steps of the feature `recovery_codes`. */
export function steps(Base: AuthlibClass): AuthlibClass<AuthlibBase & RecoveryCodesSteps> {
  return class WithRecoveryCodes extends Base {
    override async listFactors(): Promise<FactorSummary[]> {
      const count = await this.#left();
      return [...(await super.listFactors()), { name: "recovery_codes", page: "recovery-codes", count }];
    }
    override async removeFactors(transaction: Transaction): Promise<string[]> {
      const own = transaction(this.type.table(table)).where({ account_id: this.account!.id });
      const hadCodes = (await own.delete()) > 0; // before the removal of the last factor deletes them
      return [...(await super.removeFactors(transaction)), ...(hadCodes ? ["recovery_codes"] : [])];
    }

    override async accountLines(): Promise<AccountLine[]> {
      const lines = await super.accountLines();
      if (!(await this.hasFactorStored(this.knex))) return lines; // there is no second factor to replace
      const count = await this.#left();
      const own = { section: "protection", name: "recovery_codes", label: this.t("links.recovery_codes") } as const;
      const state = this.t(`account.codes_${count === 0 ? "none" : "low"}`);
      const low = count < LOW_COUNT ? ({ level: "warning", state } as const) : {};
      return [...lines, { ...own, ...low, text: this.t("account.recovery_codes", { count }), page: "recovery-codes" }];
    }

    async recoveryCodesPage(): Promise<Reply> {
      const refused = await this.requireSignIn();
      if (refused) return refused;
      if (this.signIn!.pending === "setup") return this.goTo(this.#setupPath);
      const early = await this.#requireSecondFactor();
      if (early) return early;
      if (this.signIn!.pending) return this.page("recovery_auth", await this.#locals());
      return (await this.confirmFirst()) ?? this.page("recovery_codes", await this.#ownLocals());
    }
    async submitRecoveryCodes(): Promise<Reply> {
      const refused = await this.requireSignIn();
      if (refused) return refused;
      if (this.signIn!.pending === "setup") return this.goTo(this.#setupPath);
      return (await this.#requireSecondFactor()) ?? (this.signIn!.pending ? this.#submitCode() : this.#createCodes());
    }

    /** Refuses codes without a second factor: somebody who created them earlier could bypass the factor later. */
    async #requireSecondFactor(): Promise<Reply | undefined> {
      if (await this.hasSecondFactor()) return undefined;
      const message = this.t("recovery_codes.no_factor");
      if (this.wantsJson) return this.problem(this.invalid({}, message));
      this.request.flash.add("info", message);
      return this.goTo(this.#setupPath);
    }
    get #setupPath(): string {
      return this.type.path(this.type.has("otp") ? "otp-setup" : "webauthn-setup");
    }

    async #submitCode(): Promise<Reply> {
      const code = this.#normalize(this.param("recovery_code") ?? "");
      const isRight = await this.guess("recovery_code", () => this.#spend(this.#subject(code)));
      if (!isRight) {
        const fields = { recovery_code: [this.t("code_wrong")] };
        return this.refuse("recovery_auth", {
          fields,
          status: this.wantsJson ? 401 : 422,
          locals: await this.#locals(),
        });
      }
      await this.emitEvent("recovery_code_used");
      return this.passFactor("recovery_code");
    }
    /** Deletes the code's row. Of parallel requests with one code, only the one that deletes it succeeds. */
    async #spend(subject: string): Promise<boolean> {
      const { digests, database } = this.type.services;
      const codes = () => this.knex(this.type.table(table)).where({ account_id: this.account!.id });
      const rows = await database.rows(codes().select("code_digest"));
      const salted = await digestsLike(
        subject,
        rows.map((row) => String(row.code_digest)),
      );
      return (
        (await codes()
          .whereIn("code_digest", [...salted, ...digests.all(subject)])
          .delete()) > 0
      );
    }
    async #createCodes(): Promise<Reply> {
      const refused = await this.confirmIdentity("recovery_codes", await this.#ownLocals());
      if (refused) return refused;
      const { count = 10 } = this.optionsOf<RecoveryCodesOptions>("recovery_codes");
      const codes = Array.from({ length: count }, () => newCode());
      const now = new Date();
      const digests = await digestsOf(codes.map((code) => this.#subject(this.#normalize(code))));
      const rows = digests.map((code_digest) => ({ account_id: this.account!.id, code_digest, created_at: now }));
      const areStored = await this.changeFactors(async (trx) => {
        if (!(await this.hasFactorStored(trx))) return false; // removed meanwhile
        await trx(this.type.table(table)).where({ account_id: this.account!.id }).delete();
        await trx(this.type.table(table)).insert(rows);
        return true;
      });
      if (!areStored) return this.goTo(this.type.path("recovery-codes"));
      await this.emitEvent("recovery_codes_made");
      if (this.wantsJson) return this.controller.json({ recovery_codes: codes });
      this.session.setExpendable(SESSION_KEY, { whose: this.#whose, at: Date.now(), codes });
      return this.goTo(this.type.path("recovery-codes"));
    }
    /** The codes that were just created: shown once, even with copies of the cookie. */
    async #takeNewCodes(): Promise<string[]> {
      if (this.request.isSpeculative) return [];
      const created = this.session.get(SESSION_KEY) as NewCodes | undefined;
      if (created?.whose !== this.#whose) return []; // codes of another account type stay
      this.session.delete(SESSION_KEY);
      if (Date.now() - created.at > LIFETIME_MS) return [];
      return (await markSpent(this, created.codes.join(), LIFETIME_MS)) ? created.codes : [];
    }
    async #ownLocals() {
      const codes = await this.#takeNewCodes();
      return { ...(await this.#locals()), codes, left: await this.#left() };
    }
    async #left(): Promise<number> {
      const query = this.knex(this.type.table(table)).where({ account_id: this.account!.id }).select("id");
      return (await this.type.services.database.rows(query)).length;
    }
    async #locals() {
      return {
        csrf: this.csrf("recovery-codes"),
        logout_csrf: this.csrf("logout"),
        asks_password: await this.asksForPassword(),
        login: this.loginOf(this.account!),
        ...(await this.secondFactors()),
      };
    }
    /** Identifies the account: several account types share a session, and several people a browser. */
    get #whose(): string {
      return `${this.type.name} ${this.account!.id}`;
    }
    #normalize(code: string): string {
      return code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
    }
    #subject(code: string): string {
      return `recovery ${this.type.name} ${this.account!.id} ${code}`;
    }
  };
}

const newCode = (): string =>
  Array.from(
    { length: 12 },
    (_, at) => `${at > 0 && at % 4 === 0 ? "-" : ""}${letters[randomInt(letters.length)]}`,
  ).join("");
