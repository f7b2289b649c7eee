import type { Transaction } from "framewright/plugins/database";
import type { AuthlibBase } from "../base.ts";
import { errors } from "./errors.ts";
import type { Operation } from "./operations.ts";

/** How many factors of one kind were removed. */
export interface RemovedFactors {
  /** The feature that stored them: "otp", "webauthn", "recovery_codes". */
  readonly name: string;
  readonly count: number;
}

/** Removes second factors and passkeys, all or those of one feature, and ends every sign-in, as of a lost device. */
export const removeFactors = (kind?: string): Operation<readonly RemovedFactors[]> => ({
  name: "removeFactors",
  async write(authlib, account, trx) {
    const counts = await countFactors(authlib, trx);
    if (kind !== undefined && !counts.has(kind))
      throw errors.FW_ACCOUNT_FACTOR(authlib.type.name, kind, [...counts.keys()]);
    const removed =
      kind === undefined ? [...new Set(await authlib.removeFactors(trx))] : await removeKind(authlib, kind, trx);
    const value = removed.map((name) => ({ name, count: counts.get(name) ?? 1 }));
    if (value.length > 0) await authlib.killCredentials(account, trx);
    return {
      value,
      events: value.map(({ name, count }) => ["second_factor_removed", { kind: name, count }] as const),
    };
  },
});

async function removeKind(authlib: AuthlibBase, kind: string, transaction: Transaction): Promise<string[]> {
  return (await authlib.removeFactorsOf(kind, transaction)) > 0 ? [kind] : [];
}
/** The number of the account's factors, by feature. */
async function countFactors({ account, type }: AuthlibBase, transaction: Transaction): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name, factors } of type.features.values())
    for (const table of factors) {
      const rows = await transaction(type.table(table)).where({ account_id: account!.id }).select("id");
      counts.set(name, (counts.get(name) ?? 0) + rows.length);
    }
  return counts;
}
