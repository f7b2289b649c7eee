import { streamReply } from "framewright/host";
import type { AccountType } from "framewright/plugins/authlib";
import type { AnyRecord, BaseModel } from "framewright/plugins/database";
import {
  fail,
  Interaction,
  type InteractionAttributes,
  type Outcome,
  type ResourceController,
  type ResourceDefinition,
  succeed,
} from "framewright/plugins/resources";
import { exportName } from "./account_page.ts";
import type { PersonalBy } from "./contract.ts";

/** An administrator's action on the account of a record's page, after the administrator has confirmed their identity. */
abstract class PersonalDataAction extends Interaction<BaseModel> {
  static override confirms = true;

  get service() {
    return this.controller.request.kernel.service("personal_data", "personalDataActions()");
  }
  text(key: string): string {
    return this.controller.request.t(`personal_data.${key}`);
  }
  get #types(): readonly AccountType[] {
    return this.controller.request.kernel.service("auth", "personalDataActions()").types.all();
  }
  /** The account type of the record, where there is one only; a portal of a tenant would show what is other tenants'. */
  accountType(): AccountType | string {
    if (this.controller.request.engine?.tenantRule !== undefined) return this.text("tenant");
    const found = this.#types.filter(({ model }) => this.record instanceof model.class);
    return found.length === 1 ? found[0]! : this.text("several");
  }
  /** "admin 3", and the administrator's address. */
  get by(): PersonalBy {
    const user = this.currentUser as BaseModel | undefined;
    const type = this.#types.find(({ model }) => user instanceof model.class);
    const { address } = this.controller.request;
    return { actor: type ? `${type.name} ${String(user!.$id())}` : "an administrator", address };
  }
}

/** Sends the administrator the person's data as a ZIP. */
export class ExportPersonalData extends PersonalDataAction {
  static override download = true;

  async execute(): Promise<Outcome> {
    const type = this.accountType();
    return typeof type === "string" ? fail({}, type) : succeed().withMessage(this.text("exported"));
  }
  override async afterCommit(): Promise<void> {
    const type = this.accountType();
    if (typeof type === "string") return;
    const id = Number(this.record.$id());
    const chunks = this.service.export(type.name, id, this.by);
    const reply = streamReply({ filename: exportName(type.name, id), type: "application/zip", chunks });
    (this.controller as ResourceController).answer(reply);
  }
}

/** Closes the account and erases the person; the administrator types the login. */
export class ErasePerson extends PersonalDataAction {
  static override attributes: InteractionAttributes = {
    login: {
      as: "string",
      required: true,
      length: { maximum: 255 },
      hint: ({ t }) => t("personal_data.erase_hint"),
    },
  };
  #emitEvents: (() => Promise<void>) | undefined;

  async execute(): Promise<Outcome> {
    const type = this.accountType();
    if (typeof type === "string") return fail({}, type);
    const { currentUser } = this;
    if (currentUser instanceof type.model.class && currentUser.$id() === this.record.$id())
      return fail({}, this.text("oneself"));
    const login = String((this.values as { login?: unknown }).login ?? "").trim();
    const stored = String(Reflect.get(this.record, type.class.loginColumn));
    if (login.toLowerCase() !== stored.toLowerCase()) return fail({ login: [this.text("login_wrong")] });
    const id = Number(this.record.$id());
    try {
      const { emitEvents } = await this.service.erase(type.name, id, { ...this.by, transaction: this.transaction });
      this.#emitEvents = emitEvents;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "FW_PERSONAL_REFERENCED") return fail({}, this.text("referenced")); // which rolls back what was written
      throw error;
    }
    return succeed().withMessage(this.text("erased"));
  }
  override async afterCommit(): Promise<void> {
    await this.#emitEvents?.();
  }
}

const actions = [
  ["export_personal_data", ExportPersonalData, "download", "secondary", 66],
  ["erase_person", ErasePerson, "user-x", "danger", 67],
] as const;

/**
 * Adds the two actions to the page of an account's record, where the policy's `canExportPersonalData()` and `canErasePerson()`
 * allow them, which by default is nowhere: `configure() { super.configure(); personalDataActions(this); }` in the definition of
 * the account's model. In a portal of a tenant they are refused.
 */
export function personalDataActions<M extends AnyRecord>(definition: ResourceDefinition<M>): void {
  for (const [key, interaction, icon, category, position] of actions) {
    const options = { interaction, icon, category, position, policy: key, collectionRecordAction: false };
    definition.action(key, { ...options, confirmation: true });
  }
}
