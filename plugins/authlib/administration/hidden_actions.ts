import type { BaseModel } from "framewright/plugins/database";
import type { ActionsShown, ResourceController } from "framewright/plugins/resources";
import type { AccountRecord, AccountType, AccountTypes } from "../account_type.ts";
import { offlineAuthlib } from "../create_accounts.ts";
import { errors } from "./errors.ts";
import { type AccountStatus, statusOf } from "./status.ts";

/** The actions on an account's page. Each is shown only where it would change something. */
export type AccountOperation =
  | "end_session"
  | "end_sessions"
  | "remove_factors"
  | "mail_password_reset"
  | "resend_invitation"
  | "verify_account"
  | "change_login"
  | "lock_account"
  | "unlock_account"
  | "close_account"
  | "reopen_account";
/** The static members of such an action's interaction. */
interface OperationAction {
  readonly accountOperation?: AccountOperation;
  readonly account?: string | undefined;
}

type Page = Pick<ResourceController, "registration" | "record">;

const isApplicable: Readonly<Record<AccountOperation, (status: AccountStatus, type: AccountType) => boolean>> = {
  end_session: (_, type) => type.has("active_sessions"),
  end_sessions: ({ sessions, rememberedDevices }) => sessions + rememberedDevices > 0,
  remove_factors: ({ factors }) => factors.some(({ count }) => count > 0),
  mail_password_reset: ({ state }, type) => state === "open" && type.has("reset_password"),
  resend_invitation: ({ invitedAt }) => invitedAt !== undefined,
  verify_account: ({ state, invitedAt }) => state === "unverified" && invitedAt === undefined,
  change_login: ({ state }, type) => state !== "closed" && (type.has("change_login") || type.has("security_mails")),
  lock_account: ({ state, lockedUntil }, type) => state === "open" && lockedUntil === undefined && type.has("lockout"),
  unlock_account: ({ lockedUntil, codesLockedUntil }) => (lockedUntil ?? codesLockedUntil) !== undefined,
  close_account: ({ state }) => state !== "closed",
  reopen_account: ({ state }) => state === "closed",
};

/** The account type of a record: by name, else the one with its model. @throws FW_ACCOUNT_MODEL */
export function typeOfRecord(types: AccountTypes, record: object, name?: string): AccountType {
  if (name !== undefined) return types.get(name, "accountActions()");
  return onlyType(
    types.all().filter(({ model }) => record instanceof model.class),
    record.constructor.name,
  );
}
const typeOfModel = (types: AccountTypes, model: Page["registration"]["model"]): AccountType =>
  onlyType(
    types.all().filter((type) => type.model === model),
    model.constant,
  );
function onlyType(found: readonly AccountType[], model: string): AccountType {
  if (found.length === 1) return found[0]!;
  const names = found.map((type) => type.name);
  throw errors.FW_ACCOUNT_MODEL(model, names);
}

/** Module-level: found by the actions of a definition, and freed with it. */
const operations = new WeakMap<object, readonly (readonly [key: string, action: OperationAction])[]>();

/** The actions of a definition that are operations on accounts; looked for once. */
function operationsOf({ actions }: Page["registration"]["definition"]) {
  let found = operations.get(actions);
  if (!found) {
    found = [...actions].flatMap(([key, { interaction }]) => {
      const action = interaction as OperationAction | undefined;
      return action?.accountOperation ? [[key, action] as const] : [];
    });
    operations.set(actions, found);
  }
  return found;
}

/** The account type whose records a definition is of, by its action for an operation; undefined without the action. @throws FW_ACCOUNT_MODEL */
export function typeByAction(
  types: AccountTypes,
  { definition, model }: Page["registration"],
  operation: AccountOperation,
): AccountType | undefined {
  const [, action] = operationsOf(definition).find(([, one]) => one.accountOperation === operation) ?? [];
  if (!action) return undefined;
  return action.account === undefined ? typeOfModel(types, model) : types.get(action.account, "accountActions()");
}

/** Hides the actions on an account's page that would change nothing. */
export function hideActions(types: AccountTypes, shown: ActionsShown, controller: Page): Promise<void> | undefined {
  const actions = operationsOf(controller.registration.definition);
  const record = actions.length > 0 ? controller.record : undefined;
  return record ? hideIdle(types, shown, record, actions) : undefined;
}

async function hideIdle(
  types: AccountTypes,
  shown: ActionsShown,
  record: BaseModel,
  actions: ReturnType<typeof operationsOf>,
): Promise<void> {
  let status: AccountStatus | undefined;
  for (const [key, { accountOperation, account }] of actions) {
    const type = typeOfRecord(types, record, account);
    status ??= await statusOf(offlineAuthlib(type), record as unknown as AccountRecord);
    const applies = isApplicable[accountOperation!](status, type);
    if (!applies) shown.hide(key, record);
    else if (accountOperation === "change_login") await type.referrers(); // which its transaction can't read
  }
}
