import type { BaseModel } from "framewright/plugins/database";
import { fail, Interaction, type Outcome, succeed } from "framewright/plugins/resources";
import type { AccountType, AccountTypes } from "../account_type.ts";
import { type AccountOperation, typeOfRecord } from "../administration/hidden_actions.ts";
import { AccountAdministration, isRefusal } from "../administration/index.ts";
import type { Operation } from "../administration/operations.ts";
import type { AuthlibBase } from "../base.ts";

/** An administrator's action on the account of a record's page. The administrator confirms their identity first. */
export abstract class AccountInteraction<T = void> extends Interaction<BaseModel> {
  static override confirms = true;
  /** Its operation: the action is shown only where it would change something. */
  static accountOperation: AccountOperation | undefined;
  /** The account type, where several have this model. */
  static account: string | undefined;
  /** Whether it is refused on the administrator's own account. */
  static sparesOneself = false;
  abstract readonly operation: Operation<T>;
  #emitEvents: (() => Promise<void>) | undefined;

  async execute(): Promise<Outcome> {
    const { accountOperation, sparesOneself } = this.constructor as typeof AccountInteraction;
    const { request } = this.controller;
    const type = this.accountType;
    const text = (key: string) => request.t(`authlib.administration.${key}`);
    if (sparesOneself && this.#isOneself(type)) return fail({}, text("oneself"));
    const administration = new AccountAdministration(type, {
      actor: this.#actor(this.#types.all()),
      address: request.address,
    });
    try {
      const id = Number(this.record.$id());
      const { emitEvents } = await administration.run(id, this.operation, this.transaction);
      this.#emitEvents = emitEvents;
    } catch (error) {
      const { code } = error as { code?: string };
      if (isRefusal(error)) return fail({}, text("stale"));
      if (code === "FW_ACCOUNT_INVITATION") return fail({}, text("invitation_refused"));
      if (code === "FW_ACCOUNT_LOGIN_TAKEN") return fail({ new_login: [this.library.t("login_taken")] });
      throw error;
    }
    return succeed().withMessage(text(`${accountOperation}_done`));
  }
  override async afterCommit(): Promise<void> {
    await this.#emitEvents?.();
  }
  /** The account type of the record. */
  protected get accountType(): AccountType {
    return typeOfRecord(this.#types, this.record, (this.constructor as typeof AccountInteraction).account);
  }
  /** The steps of the account type, with the texts and the address of the administrator's request. It has no account. */
  protected get library(): AuthlibBase {
    const type = this.accountType;
    return new type.class(this.controller.request, type);
  }
  get #types(): AccountTypes {
    return this.controller.request.kernel.service("auth", "accountActions()").types;
  }

  #isOneself({ model }: AccountType): boolean {
    const { currentUser } = this;
    return currentUser instanceof model.class && currentUser.$id() === this.record.$id();
  }
  /** "admin 3" */
  #actor(types: readonly AccountType[]): string | undefined {
    const user = this.currentUser as BaseModel | undefined;
    const type = types.find(({ model }) => user instanceof model.class);
    return type && `${type.name} ${String(user!.$id())}`;
  }
}
