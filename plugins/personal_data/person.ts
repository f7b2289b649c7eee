import type { AccountAdministration, AccountKey, AccountRecord, AccountType } from "framewright/plugins/authlib";
import { offlineAuthlib } from "framewright/plugins/authlib";
import type { BaseModel } from "framewright/plugins/database";
import type { Person } from "./contract.ts";

/** The login that an erased account has: that of a closed one whose former login is not known. */
export const erasedLogin = ({ id }: { readonly id: number }): string => `closed.closed-${id}.invalid`;

/** Finds the person of an account. @throws FW_ACCOUNT_MISSING, FW_ACCOUNT_SEVERAL */
export async function personOf(accounts: AccountAdministration, who: AccountKey): Promise<Person> {
  return asPerson(accounts.type, (await accounts.find(who)) as AccountRecord);
}

/** `label`: what an erasure leaves as a name, and so is none. */
export function asPerson(type: AccountType, account: AccountRecord): Person {
  const { model } = type;
  const authlib = offlineAuthlib(type);
  const id = String(account.id);
  const current = authlib.loginOf(account);
  const erased = erasedLogin(account);
  const isErased = current === erased;
  const login = isErased ? "" : (authlib.formerLogin(account) ?? current);
  const label = isErased ? "" : labelOf(account);
  const byName = new Set([type.name, model.constant, model.table]);
  const acted = ` by ${type.name} ${id}`;
  const owns = (owner: unknown, key: unknown): boolean => {
    const text = String(owner ?? "");
    if (text.endsWith(acted)) return true;
    return String(key ?? "") === id && (byName.has(text) || byName.has(text.split(" ")[1] ?? ""));
  };
  const known = [login, current, ...(/\s/.test(label) ? [label] : [])].filter((name) => name !== "" && name !== erased);
  const names = [...new Set(known)].sort((one, other) => other.length - one.length);
  return { type, id, account, login, names, owns };
}

function labelOf(account: AccountRecord): string {
  try {
    return (account as Partial<BaseModel>).toLabel?.() ?? "";
  } catch {
    return ""; // it reads what was not loaded
  }
}

/** A text in which a label takes the place of names, as whole words. */
export function withoutNames(text: string, names: readonly string[], label: string): string {
  if (names.length === 0) return text;
  const any = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, "giu"), () => label);
}
