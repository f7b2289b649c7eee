import type { Associations } from "framewright/plugins/database";
import type Permit from "#app/models/permit.ts";
import FeaturePermitPolicy from "#app/policies/permit_policy.ts";
import ResourcePolicy from "#packages/city_portal/app/policies/city_portal/resource_policy.ts";

export default class PermitPolicy extends ResourcePolicy(FeaturePermitPolicy) {
  override canCreate() {
    return this.atLeast("clerk");
  }
  override canExport() {
    return true;
  }
  override canImport() {
    return this.canCreate();
  }
  override canShareViews() {
    return this.canCreate();
  }
  override permittedAssociations(): Associations<Permit> {
    return ["fees", "notes", "inspections"];
  }
}
