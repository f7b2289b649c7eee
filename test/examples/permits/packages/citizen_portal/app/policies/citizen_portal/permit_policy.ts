import type { Associations, Query } from "framewright/plugins/database";
import type Permit from "#app/models/permit.ts";
import FeaturePermitPolicy from "#app/policies/permit_policy.ts";
import ResourcePolicy from "#packages/citizen_portal/app/policies/citizen_portal/resource_policy.ts";

export default class PermitPolicy extends ResourcePolicy(FeaturePermitPolicy) {
  override relationScope(query: Query<Permit>) {
    return query.where("email", this.user.email);
  }
  override permittedAssociations(): Associations<Permit> {
    return ["fees", "notes"];
  }
  override canWithdraw() {
    return true;
  }
  override canCreate() {
    return false;
  }
}
