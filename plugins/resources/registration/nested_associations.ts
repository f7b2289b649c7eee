import { suggest } from "framewright/kernel";
import type { AssociationInfo } from "framewright/plugins/database";
import { errors } from "../errors.ts";
import type { Registration } from "./registration.ts";
import type { Registrations } from "./registrations.ts";

/** Which associations of a resource get nested routes. @throws FW_ASSOCIATION_UNROUTABLE, FW_ASSOCIATIONS_UNDECLARED */
export function nestedAssociations(
  registry: Registrations,
  registration: Registration,
  mode: "all" | "declared",
): AssociationInfo[] {
  const { model, options, constant, owner } = registration;
  const all = [...model.associations.values()];
  const whyNot = ({ kind, target }: AssociationInfo): string | undefined => {
    if (kind === "belongsTo") return "belongs to its target: only has-many and has-one associations are nested";
    return registry.has(owner, target)
      ? undefined
      : `leads to ${target.constant}, which is not registered in the same portal`;
  };
  const routable = all.filter((association) => whyNot(association) === undefined);
  if (options.associations === undefined) {
    if (mode === "declared" && routable.length > 0)
      throw errors.FW_ASSOCIATIONS_UNDECLARED(
        constant,
        routable.map(({ name }) => name),
      );
    return routable;
  }
  return [...new Set(options.associations)].map((name) => {
    const association = model.associations.get(name);
    const why = association ? whyNot(association) : "the model does not have";
    if (why !== undefined)
      throw errors.FW_ASSOCIATION_UNROUTABLE(
        constant,
        name,
        why,
        suggest(
          name,
          routable.map((one) => one.name),
        ),
      );
    return association!;
  });
}
