import type { AnyRecord, BaseModel } from "framewright/plugins/database";
import {
  fail,
  Interaction,
  type Outcome,
  type ResourceController,
  type ResourceDefinition,
  succeed,
} from "framewright/plugins/resources";

/** The action's key, and the predicate of the policy: `canImpersonate()`. */
const KEY = "impersonate";

/** The administrator acts for the person of the record. They confirm their identity first. */
export class Impersonate extends Interaction<BaseModel> {
  static override confirms = true;
  #enter: (() => Promise<void>) | undefined;

  async execute(): Promise<Outcome> {
    const controller = this.controller as ResourceController;
    const { request } = controller;
    if (request.acting) return fail({}, request.t("impersonation.nested"));
    const impersonations = request.kernel.service("impersonation", "impersonateAction()");
    const sides = impersonations.sidesOf(controller, this.record);
    if (!sides) return fail({}, request.t("impersonation.refused"));
    const { home, enter } = await impersonations.begin(controller, sides, KEY, this.transaction);
    this.#enter = enter;
    const person = this.record.toLabel();
    return succeed().withMessage(request.t("impersonation.started", { person })).withRedirect(home);
  }
  override async afterCommit(): Promise<void> {
    await this.#enter?.();
  }
}

/**
 * Adds the button to the page of an account's record, where the policy's `canImpersonate()` allows it, which by default is
 * nowhere: `configure() { super.configure(); impersonateAction(this); }` in the definition of the account's model.
 */
export function impersonateAction<M extends AnyRecord>(definition: ResourceDefinition<M>): void {
  definition.action(KEY, {
    interaction: Impersonate,
    icon: "user",
    category: "secondary",
    position: 59,
    policy: KEY,
    collectionRecordAction: false,
    confirmation: true,
  });
}
