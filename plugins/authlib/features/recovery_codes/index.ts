import { randomInt } from "node:crypto";
import type { Reply } from "framewright";
import { checkOptions, option } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";
import { spendOnce } from "../../once.ts";

const table = "recovery_codes";
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
    requires: ["otp"],
    tables: [table],
    owned: [table],
    factors: [table],
    routes: [...form("recovery-codes", "anyone")],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithRecoveryCodes extends Base {
    async recoveryCodesPage(): Promise<Reply> {
      const refused = await this.requireSignIn();
      if (refused) return refused;
      if (this.signIn!.pending === "setup") return this.goTo(this.type.path("otp-setup"));
      const early = await this.#beforeFactor();
      if (early) return early;
      return this.signIn!.pending
        ? this.page("recovery_auth", await this.#locals())
        : this.page("recovery_codes", await this.#ownLocals());
    }
    async submitRecoveryCodes(): Promise<Reply> {
      const refused = await this.requireSignIn();
      if (refused) return refused;
      if (this.signIn!.pending === "setup") return this.goTo(this.type.path("otp-setup"));
      return (await this.#beforeFactor()) ?? (this.signIn!.pending ? this.#use() : this.#make());
    }

    /** Codes from before there is a second factor would open it later to whoever made them. */
    async #beforeFactor(): Promise<Reply | undefined> {
      if (await this.hasSecondFactor()) return undefined;
      const message = this.t("recovery_codes.no_factor");
      if (this.wantsJson) return this.problem(this.invalid({}, message));
      this.request.flash.add("info", message);
      return this.goTo(this.type.path("otp-setup"));
    }

    async #use(): Promise<Reply> {
      const code = this.#normalize(this.param("recovery_code") ?? "");
      const digests = this.type.services.digests.all(this.#subject(code));
      const codes = this.knex(this.type.table(table)).where({ account_id: this.account!.id });
      const isRight = await this.guess(async () => (await codes.whereIn("code_digest", digests).delete()) > 0);
      if (!isRight) {
        const fields = { recovery_code: [this.t("code_wrong")] };
        return this.refuse("recovery_auth", {
          fields,
          status: this.wantsJson ? 401 : 422,
          locals: await this.#locals(),
        });
      }
      await this.tell("recovery_code_used");
      return this.passFactor("recovery_code");
    }
    async #make(): Promise<Reply> {
      const refused = await this.confirmIfAsked("recovery_codes", await this.#ownLocals());
      if (refused) return refused;
      const { count = 10 } = this.optionsOf<RecoveryCodesOptions>("recovery_codes");
      const codes = Array.from({ length: count }, () => newCode());
      const now = new Date();
      const rows = codes.map((code) => ({
        account_id: this.account!.id,
        code_digest: this.type.services.digests.digest(this.#subject(this.#normalize(code))),
        created_at: now,
      }));
      const isMade = await this.changeFactors(async (trx) => {
        if (!(await this.#hasFactor(trx))) return false; // removed meanwhile
        await trx(this.type.table(table)).where({ account_id: this.account!.id }).delete();
        await trx(this.type.table(table)).insert(rows);
        return true;
      });
      if (!isMade) return this.goTo(this.type.path("recovery-codes"));
      await this.tell("recovery_codes_made");
      if (this.wantsJson) return this.controller.json({ recovery_codes: codes });
      this.session.setExpendable(shown, { whose: this.#whose, at: Date.now(), codes });
      return this.goTo(this.type.path("recovery-codes"));
    }
    async #hasFactor(trx: Transaction): Promise<boolean> {
      const names = ["otp_keys", ...(this.type.has("webauthn") ? ["webauthn_keys"] : [])];
      for (const name of names)
        if (await trx(this.type.table(name)).where({ account_id: this.account!.id }).first("id")) return true;
      return false;
    }
    /** The codes that were made just now: shown once, whatever copies of the cookie there are. */
    async #takeMade(): Promise<string[]> {
      if (this.request.onlyLooks) return [];
      const made = this.session.get(shown) as Made | undefined;
      if (made?.whose !== this.#whose) return []; // another account type's are not dropped
      this.session.delete(shown);
      if (Date.now() - made.at > LIFETIME) return [];
      return (await spendOnce(this, made.codes.join(), LIFETIME)) ? made.codes : [];
    }
    async #ownLocals() {
      const codes = await this.#takeMade();
      const query = this.knex(this.type.table(table)).where({ account_id: this.account!.id }).select("id");
      const left = (await this.type.services.database.rows(query)).length;
      return { ...(await this.#locals()), codes, left };
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
