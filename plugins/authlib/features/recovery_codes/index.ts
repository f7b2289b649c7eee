import { randomInt } from "node:crypto";
import type { Reply } from "framewright/host";
import { checkOptions, option } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import type { AccountLine } from "../../account_sections.ts";
import type { FactorSummary } from "../../core/factors.ts";
import { errors } from "../../errors.ts";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import { markSpent } from "../../spent_keys.ts";
import type { WebauthnOptions } from "../webauthn/index.ts";
import { digestsLike, digestsOf, keyedCodes, table } from "./digests.ts";

const shown = "recovery_codes_shown";
const LIFETIME = 10 * 60_000;

/** New codes on their way to the page that shows them. */
interface Made {
  whose: string;
  at: number;
  codes: string[];
}
const letters = "abcdefghjkmnpqrstuvwxyz23456789"; // none that look alike

export interface RecoveryCodesOptions {
  /** How many codes there are. */
  count?: number;
}
/** What the feature `recovery_codes` adds. */
export interface RecoveryCodesSteps {
  recoveryCodesPage(): Promise<Reply>;
  submitRecoveryCodes(): Promise<Reply>;
}

/** Codes to keep for when the second factor is lost: each signs in once. They are shown when they are made, and never again. */
export function recoveryCodes(options: RecoveryCodesOptions = {}) {
  checkOptions("recoveryCodes", options, { count: option.number });
  return defineFeature<RecoveryCodesSteps>({
    name: "recovery_codes",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    requiresOne: ["otp", "webauthn"],
    check: (type) => {
      const { secondFactor } = (type.features.get("webauthn")?.options ?? {}) as WebauthnOptions;
      if (!type.has("otp") && !secondFactor) throw errors.FW_RECOVERY_CODES(type.name);
    },
    tables: [table],
    sealed: [keyedCodes],
    owned: [table],
    factors: [table],
    routes: [...form("recovery-codes", "anyone", { verified: true })],
    steps,
  });
}

/** With fewer codes left it is time for new ones. */
const LOW = 3;

function steps(Base: AuthlibClass) {
  return class WithRecoveryCodes extends Base {
    override async listFactors(): Promise<FactorSummary[]> {
      const count = await this.#left();
      return [...(await super.listFactors()), { name: "recovery_codes", page: "recovery-codes", count }];
    }
    override async removeFactors(transaction: Transaction): Promise<string[]> {
      const own = transaction(this.type.table(table)).where({ account_id: this.account!.id });
      const hadCodes = (await own.delete()) > 0; // before the last factor takes them along
      return [...(await super.removeFactors(transaction)), ...(hadCodes ? ["recovery_codes"] : [])];
    }

    override async accountLines(): Promise<AccountLine[]> {
      const lines = await super.accountLines();
      if (!(await this.hasFactorStored(this.knex))) return lines; // there is nothing that they could stand in for
      const count = await this.#left();
      const own = { section: "protection", name: "recovery_codes", label: this.t("links.recovery_codes") } as const;
      const state = this.t(`account.codes_${count === 0 ? "none" : "low"}`);
      const low = count < LOW ? ({ level: "warning", state } as const) : {};
      return [...lines, { ...own, ...low, text: this.t("account.recovery_codes", { count }), page: "recovery-codes" }];
    }

    async recoveryCodesPage(): Promise<Reply> {
      const refused = await this.requireSignIn();
      if (refused) return refused;
      if (this.signIn!.pending === "setup") return this.goTo(this.#setupPath);
      const early = await this.#beforeFactor();
      if (early) return early;
      if (this.signIn!.pending) return this.page("recovery_auth", await this.#locals());
      return (await this.confirmFirst()) ?? this.page("recovery_codes", await this.#ownLocals());
    }
    async submitRecoveryCodes(): Promise<Reply> {
      const refused = await this.requireSignIn();
      if (refused) return refused;
      if (this.signIn!.pending === "setup") return this.goTo(this.#setupPath);
      return (await this.#beforeFactor()) ?? (this.signIn!.pending ? this.#use() : this.#make());
    }

    /** Codes from before there is a second factor would open it later to whoever made them. */
    async #beforeFactor(): Promise<Reply | undefined> {
      if (await this.hasSecondFactor()) return undefined;
      const message = this.t("recovery_codes.no_factor");
      if (this.wantsJson) return this.problem(this.invalid({}, message));
      this.request.flash.add("info", message);
      return this.goTo(this.#setupPath);
    }
    get #setupPath(): string {
      return this.type.path(this.type.has("otp") ? "otp-setup" : "webauthn-setup");
    }

    async #use(): Promise<Reply> {
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
    /** Of parallel requests with one code the one that deletes its row is let in. */
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
    async #make(): Promise<Reply> {
      const refused = await this.confirmIdentity("recovery_codes", await this.#ownLocals());
      if (refused) return refused;
      const { count = 10 } = this.optionsOf<RecoveryCodesOptions>("recovery_codes");
      const codes = Array.from({ length: count }, () => newCode());
      const now = new Date();
      const digests = await digestsOf(codes.map((code) => this.#subject(this.#normalize(code))));
      const rows = digests.map((code_digest) => ({ account_id: this.account!.id, code_digest, created_at: now }));
      const isMade = await this.changeFactors(async (trx) => {
        if (!(await this.hasFactorStored(trx))) return false; // removed meanwhile
        await trx(this.type.table(table)).where({ account_id: this.account!.id }).delete();
        await trx(this.type.table(table)).insert(rows);
        return true;
      });
      if (!isMade) return this.goTo(this.type.path("recovery-codes"));
      await this.emitEvent("recovery_codes_made");
      if (this.wantsJson) return this.controller.json({ recovery_codes: codes });
      this.session.setExpendable(shown, { whose: this.#whose, at: Date.now(), codes });
      return this.goTo(this.type.path("recovery-codes"));
    }
    /** The codes that were made just now: shown once, whatever copies of the cookie there are. */
    async #takeMade(): Promise<string[]> {
      if (this.request.isSpeculative) return [];
      const made = this.session.get(shown) as Made | undefined;
      if (made?.whose !== this.#whose) return []; // another account type's are not dropped
      this.session.delete(shown);
      if (Date.now() - made.at > LIFETIME) return [];
      return (await markSpent(this, made.codes.join(), LIFETIME)) ? made.codes : [];
    }
    async #ownLocals() {
      const codes = await this.#takeMade();
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
    /** Several account types share a browser's session, and several people a browser. */
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
