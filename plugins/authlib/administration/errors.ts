import { camelize } from "framewright/host";
import { errorTable } from "framewright/kernel";

const factory = (feature: string): string => `${camelize(feature).replace(/^./, (letter) => letter.toLowerCase())}()`;
const fixes: Readonly<Record<string, string>> = {
  closed: "Reopen it first: fw authlib:user:reopen",
  unverified: "Verify it first: fw authlib:user:verify",
  open: "There is nothing to do: fw authlib:user:show prints its state",
};

/** Errors of administrators' operations. */
export const errors = errorTable({
  FW_ACCOUNT_MISSING: (type: string, who: string) =>
    `there is no ${type} account "${who}". Give the login as it is stored, or the account's id.`,
  FW_ACCOUNT_SEVERAL: (type: string, login: string, ids: readonly number[]) =>
    `${ids.length} closed ${type} accounts had the login "${login}". Name one by its id: ${ids.join(", ")}.`,
  FW_ACCOUNT_STATE: (type: string, login: string, state: string, operation: string) =>
    `${operation} does not apply to the ${type} account "${login}", which is ${state}. ${fixes[state] ?? fixes.open}.`,
  FW_ACCOUNT_FEATURE: (type: string, operation: string, features: readonly string[]) =>
    `${operation} needs ${features.map((name) => `"${name}"`).join(" or ")}, which the account type "${type}" does not have. Add ${features.map(factory).join(" or ")} to the list in its account plugin.`,
  FW_ACCOUNT_FACTOR: (type: string, kind: string, known: readonly string[]) =>
    `the account type "${type}" has no factors of the kind "${kind}". ${known.length > 0 ? `It has: ${known.join(", ")}.` : "Add otp() or webauthn() to the list in its account plugin."}`,
  FW_ACCOUNT_LOGIN: (type: string, login: string, problem: string) =>
    `"${login}" can't be the login of a ${type} account: ${problem}. Give another.`,
  FW_ACCOUNT_LOGIN_TAKEN: (type: string, login: string, id: number) =>
    `the ${type} account ${id} has the login "${login}". Close it first (fw authlib:user:close ${id}), or choose another login.`,
  FW_ACCOUNT_PASSWORD: (type: string, login: string, problems: readonly string[]) =>
    `the password is refused for the ${type} account "${login}": it ${problems.join(", ")}. Give another.`,
  FW_ACCOUNT_SESSION: (type: string, login: string, id: number) =>
    `the ${type} account "${login}" has no session ${id}. It has ended already, or is another account's.`,
  FW_ACCOUNT_INVITATION: (type: string, login: string, why: "recent" | "refused") =>
    `the invitation of the ${type} account "${login}" can't be sent again: ${why === "recent" ? "it was sent within the last minute. Wait a moment" : "nobody invited it, or its inviter may not invite any more. Invite the address anew"}.`,
  FW_ACCOUNT_MINUTES: (given: number) =>
    `an account can't be locked for ${given} minutes. Give a whole number from 1 to 525600.`,
  FW_ACCOUNT_MODEL: (model: string, types: readonly string[]) =>
    types.length === 0
      ? `accountActions() stands in the definition of ${model}, which no account type has as its model. Move it to the definition of one.`
      : `${model} is the model of several account types: ${types.join(", ")}. Name the one that you mean: accountActions(this, { account: "${types[0]}" }).`,
});
