import type { ActionsShown, ResourceController } from "framewright/plugins/resources";
import type { AccountRecord, AccountType, AccountTypes } from "../account_type.ts";
import { offlineAuthlib } from "../create_accounts.ts";
import { errors } from "./errors.ts";
import { type AccountStatus, statusOf } from "./status.ts";

/** What the actions on an account's page do: each is shown where it changes something. */
export type AccountDeed =
  | "end_sessions"
  | "remove_factors"
  | "mail_password_reset"
  | "unlock_account"
  | "close_account"
  | "reopen_account";
/** The static members of an action's interaction that say so. */
interface Doing {
  readonly accountDeed?: AccountDeed;
  readonly account?: string | undefined;
}

type Page = Pick<ResourceController, "registration" | "record">;

const applies: Readonly<Record<AccountDeed, (status: AccountStatus, type: AccountType) => boolean>> = {
  end_sessions: ({ sessions, rememberedDevices }) => sessions + rememberedDevices > 0,
  remove_factors: ({ factors }) => factors.some(({ count }) => count > 0),
  mail_password_reset: ({ state }, type) => state === "open" && type.has("reset_password"),
  unlock_account: ({ lockedUntil, codesLockedUntil }) => (lockedUntil ?? codesLockedUntil) !== undefined,
  close_account: ({ state }) => state !== "closed",
  reopen_account: ({ state }) => state === "closed",
};

/** The account type whose record something is: that of its name, else the one that has its model. @throws FW_ACCOUNT_MODEL */
export function typeOfRecord(types: AccountTypes, record: object, name?: string): AccountType {
  if (name !== undefined) return types.get(name, "accountActions()");
  const found = types.all().filter(({ model }) => record instanceof model.class);
  if (found.length === 1) return found[0]!;
  const names = found.map((type) => type.name);
  throw errors.FW_ACCOUNT_MODEL(record.constructor.name, names);
}

/** Hides the actions that would change nothing about an account, on its page; of other pages no record is looked at. */
export async function hideActions(types: AccountTypes, shown: ActionsShown, controller: Page): Promise<void> {
  const doing = [...controller.registration.definition.actions].flatMap(([key, { interaction }]): [string, Doing][] =>
    (interaction as Doing | undefined)?.accountDeed ? [[key, interaction as Doing]] : [],
  );
  const record = doing.length > 0 ? controller.record : undefined;
  if (!record) return;
  let status: AccountStatus | undefined;
  for (const [key, { accountDeed, account }] of doing) {
    const type = typeOfRecord(types, record, account);
    status ??= await statusOf(offlineAuthlib(type), record as unknown as AccountRecord);
    if (!applies[accountDeed!](status, type)) shown.hide(key, record);
  }
}
