import { checkOptions, type OptionRule } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../../account_type.ts";
import { type AuthlibClass, defineFeature } from "../../feature.ts";

const table = "previous_password_hashes";
const whole: OptionRule = {
  expected: "a whole number from 1 to 24",
  check: (value) => Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= 24,
};

/** Options of `disallowPasswordReuse()`. */
export interface DisallowPasswordReuseOptions {
  /** How many passwords before the current one are refused. */
  previous?: number;
}

/** Refuses earlier passwords of the account. Stores their hashes for it. */
export function disallowPasswordReuse(options: DisallowPasswordReuseOptions = {}) {
  checkOptions("disallowPasswordReuse", options, { previous: whole });
  return defineFeature<object>({
    name: "disallow_password_reuse",
    directory: import.meta.dirname,
    options,
    requires: ["login"],
    tables: [table],
    owned: [table],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithoutReuse extends Base {
    get #count(): number {
      return this.optionsOf<DisallowPasswordReuseOptions>("disallow_password_reuse").previous ?? 6;
    }
    /** Checks every stored hash, each as slow as a sign-in. The caller counts the attempt. */
    override async reuseProblem(account: AccountRecord, password: string): Promise<string | undefined> {
      const problem = await super.reuseProblem(account, password);
      if (problem !== undefined) return problem;
      const rows = this.knex(this.type.table(table)).where({ account_id: account.id });
      const query = rows.select("password_hash").orderBy("id", "desc").limit(this.#count);
      for (const { password_hash } of await this.type.services.database.rows(query))
        if (await this.passwordMatchesHash(password, String(password_hash)))
          return this.t("password_reused", { count: this.#count });
      return undefined;
    }
    /** Stores the replaced hash, and deletes the oldest. */
    override async storeHash(
      account: { id: number },
      hash: string,
      transaction: Transaction,
      how = { isChosen: true },
    ): Promise<void> {
      if (how.isChosen) await this.#storeCurrent(account, transaction);
      await super.storeHash(account, hash, transaction, how);
    }
    async #storeCurrent({ id }: { id: number }, transaction: Transaction): Promise<void> {
      const own = () => transaction(this.type.table(table)).where({ account_id: id });
      const current = await transaction(this.type.table("password_hashes"))
        .where({ account_id: id })
        .forUpdate()
        .first();
      if (!current) return;
      const row = { account_id: id, password_hash: current.password_hash, created_at: new Date() };
      await transaction(this.type.table(table)).insert(row);
      const old = await own().select("id").orderBy("id", "desc").offset(this.#count).limit(1000);
      const ids = old.map((one: { id: number }) => one.id);
      if (ids.length > 0) await own().whereIn("id", ids).delete();
    }
  };
}
