import { ownerLabel, type Registration } from "../registration/registration.ts";
import type { Registrations } from "../registration/registrations.ts";
import { associationsOfNobody } from "./policy_checks.ts";

/** The warnings at boot of associations that a policy permits and whose panels nothing can show; one sentence each. */
export function unroutedPanels(registry: Registrations): string[] {
  return [...registry.all()].flatMap((registration) =>
    // A list of associations leaves the others out on purpose.
    registration.options.associations === undefined ? unroutedOf(registry, registration) : [],
  );
}

function unroutedOf(registry: Registrations, registration: Registration): string[] {
  const { policyClass, model, constant, owner } = registration;
  const routed = new Set(registry.nestedOf(registration).map(({ name }) => name));
  return associationsOfNobody(policyClass).flatMap((name) => {
    if (routed.has(name)) return [];
    const association = model.associations.get(name);
    const target = association?.target.constant;
    const why = !association
      ? `${constant} has no such association`
      : association.kind === "belongsTo"
        ? "only has-many and has-one associations have panels"
        : `${target} is not registered there`;
    const register = association && association.kind !== "belongsTo" ? `Register ${target} there, or name` : "Name";
    return [
      `${policyClass.name} permits the association "${name}" of ${constant} in ${ownerLabel(owner)}, and its page shows nothing of it: ${why}. ${register} in registerResource(…, { associations }) which have routes, or remove it from permittedAssociations().`,
    ];
  });
}
