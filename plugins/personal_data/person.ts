import type { AccountAdministration, AccountKey, AccountRecord, AccountType } from "framewright/plugins/authlib";
import { offlineAuthlib } from "framewright/plugins/authlib";
import type { BaseModel, Transaction } from "framewright/plugins/database";
import type { Person } from "./contract.ts";

/** The login that an erased account has: that of a closed one whose former login is not known. */
export const erasedLogin = ({ id }: { readonly id: number }): string => `closed.closed-${id}.invalid`;

/** Finds the person of an account. @throws FW_ACCOUNT_MISSING, FW_ACCOUNT_SEVERAL */
export async function personOf(accounts: AccountAdministration, who: AccountKey): Promise<Person> {
  return asPerson(accounts.type, (await accounts.find(who)) as AccountRecord);
}

/**
 * The person of an account. What an erasure leaves as a name is none. Nothing is found by a login that is not verified, nor by that
 * of a closed account which somebody else has since: it is theirs.
 */
export async function asPerson(type: AccountType, account: AccountRecord, transaction?: Transaction): Promise<Person> {
  const { model } = type;
  const authlib = offlineAuthlib(type);
  const id = String(account.id);
  const current = authlib.loginOf(account);
  const isErased = wasErased(type, account);
  const former = isErased ? undefined : authlib.formerLogin(account);
  const isTaken = former !== undefined && (await authlib.findAccountByLogin(former, transaction)) !== undefined;
  const login = isErased || isTaken || authlib.isUnverified(account) ? "" : (former ?? current);
  const label = isErased ? "" : labelOf(account).trim();
  const byName = new Set([type.name, model.constant, model.table]);
  const acted = ` by ${type.name} ${id}`;
  const owns = (owner: unknown, key: unknown): boolean => {
    const text = String(owner ?? "");
    if (text.endsWith(acted)) return true;
    return String(key ?? "") === id && (byName.has(text) || byName.has(text.split(" ")[1] ?? ""));
  };
  const known = [login, isErased ? "" : current, ...(/\s/.test(label) ? [label] : [])].filter((name) => name !== "");
  const names = [...new Set(known)].sort((one, other) => other.length - one.length);
  return { type, id, account, login, names, owns };
}
export const wasErased = (type: AccountType, account: AccountRecord): boolean =>
  offlineAuthlib(type).loginOf(account) === erasedLogin(account);

function labelOf(account: AccountRecord): string {
  try {
    return (account as Partial<BaseModel>).toLabel?.() ?? "";
  } catch {
    return ""; // it reads what was not loaded
  }
}

/** A text in which a label takes the place of names, as whole ones: not in "Ann Lee-Jones" or "mary.ann@shop.example". */
export function withoutNames(text: string, names: readonly string[], label: string): string {
  if (names.length === 0) return text;
  const any = names.map(patternOf).join("|");
  return text.replace(new RegExp(any, "giu"), () => label);
}
const LETTER = "[\\p{L}\\p{N}\\p{M}]";
/** A name where neither letters nor what joins them to it make another name of it: a hyphen, and in addresses more. */
function patternOf(name: string): string {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const [before, after] = name.includes("@") ? ["[-._+%&'’]{0,2}", "[-.]{0,2}"] : ["-?", "-?"];
  return `(?<!${LETTER}${before})${escaped}(?!${after}${LETTER})`;
}
