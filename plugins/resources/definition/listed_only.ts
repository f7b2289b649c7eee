import { type PolicyClass, predicatesOfPortal } from "./policy.ts";

/** The policy of records that nothing identifies, as those of a view: they are listed and exported, whatever else it permits. */
export function listedOnly(given: PolicyClass): PolicyClass {
  const Listed = class extends given {
    override canShow(): boolean {
      return false;
    }
    override canCreate(): boolean {
      return false;
    }
    override canNew(): boolean {
      return false;
    }
    override canUpdate(): boolean {
      return false;
    }
    override canEdit(): boolean {
      return false;
    }
    override canDestroy(): boolean {
      return false;
    }
    override canTypeahead(): boolean {
      return false;
    }
    override canImport(): boolean {
      return false;
    }
  };
  Object.defineProperty(Listed, "name", { value: given.name });
  const ofPortal = predicatesOfPortal.get(given);
  if (ofPortal) predicatesOfPortal.set(Listed, ofPortal);
  return Listed;
}
