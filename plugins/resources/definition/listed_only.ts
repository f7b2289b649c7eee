import { type PolicyClass, predicatesOfPortal } from "./policy.ts";

const denied = "canShow canCreate canNew canUpdate canEdit canDestroy canTypeahead canImport".split(" ");

/** The policy of records that nothing identifies, as those of a view: they are listed and exported, whatever else it permits. */
export function listedOnly(given: PolicyClass): PolicyClass {
  const Listed = class extends given {};
  for (const name of denied) Object.defineProperty(Listed.prototype, name, { value: () => false });
  Object.defineProperty(Listed, "name", { value: given.name });
  const ofPortal = predicatesOfPortal.get(given);
  if (ofPortal) predicatesOfPortal.set(Listed, ofPortal);
  return Listed;
}
