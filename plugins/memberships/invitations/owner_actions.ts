import type { Finding } from "framewright/host";
import type { Database } from "framewright/plugins/database";
import type { ActionsShown, Registration, ResourceController, Resources } from "framewright/plugins/resources";
import { errors } from "../errors.ts";
import { hasOwner } from "./first_owner.ts";
import { columnsProblem, type InviteOwner, shapeOfFlow } from "./invite_owner.ts";

type OwnerAction = typeof InviteOwner;
type Page = Pick<ResourceController, "registration" | "record" | "request">;

/** The actions of a definition that invite first owners. */
const ownerActions = ({ definition }: Registration): (readonly [key: string, action: OwnerAction])[] =>
  [...definition.actions].flatMap(([key, { interaction }]) =>
    interaction && "invitesOwner" in interaction ? [[key, interaction as unknown as OwnerAction] as const] : [],
  );
const allOwnerActions = ({ registry }: Resources): OwnerAction[] =>
  registry.all().flatMap((one) => ownerActions(one).map(([, action]) => action));

/** Hides the invitation of a first owner on the page of a tenant that has an owner. */
export function hideWithOwner(shown: ActionsShown, page: Page): Promise<void> | undefined {
  const actions = page.record ? ownerActions(page.registration) : [];
  return actions.length > 0 ? hideOwned(actions, shown, page) : undefined;
}

async function hideOwned(
  actions: ReturnType<typeof ownerActions>,
  shown: ActionsShown,
  { record, registration, request }: Page,
): Promise<void> {
  const { knex } = request.kernel.service("database");
  for (const [key, action] of actions) {
    const shape = shapeOfFlow(request.kernel, action, registration.model);
    if (await hasOwner(shape, Number(record!.$id()), knex)) shown.hide(key, record!);
  }
}

/** At boot. @throws FW_MEMBERSHIP_CLASS for an action without its models */
export function checkOwnerActions(resources: Resources): void {
  for (const { name, invitation, membership } of allOwnerActions(resources))
    if (!invitation || !membership)
      throw errors.FW_MEMBERSHIP_CLASS("an InviteOwner with static invitation and static membership", name);
}

/** For `fw doctor`: models of invitations by which no first owner can be invited. Wrong only where an action does. */
export function examineInvitations(database: Database, resources: Resources): Finding[] {
  const used = new Set<object | undefined>(allOwnerActions(resources).map(({ invitation }) => invitation));
  const models = database.models().filter((model) => "perHour" in model.class && model.settled);
  return models.flatMap((model) => {
    const problem = columnsProblem(model);
    if (problem === undefined) return [];
    const { message } = errors.FW_INVITATION_COLUMNS(problem);
    return [{ what: `invitations of ${model.constant}`, ok: !used.has(model.class), detail: message }];
  });
}
