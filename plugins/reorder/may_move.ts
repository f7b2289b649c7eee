import { allows, type Policy, type ResourceController } from "framewright/plugins/resources";

/** Whether the person may write the column that the records are ordered by, of the record of the policy. */
export function mayMove(controller: ResourceController, policy: Policy): boolean {
  const { registration, resources } = controller;
  const { reorderedBy } = registration.definition;
  if (reorderedBy === undefined || !allows(policy, "update")) return false;
  return resources.fields(registration.permitted(policy, "Update"), registration, controller).includes(reorderedBy);
}
