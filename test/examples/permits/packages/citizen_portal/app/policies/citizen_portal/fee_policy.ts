import type { Query } from "framewright/plugins/database";
import type Fee from "#app/models/fee.ts";
import Permit from "#app/models/permit.ts";
import FeatureFeePolicy from "#app/policies/fee_policy.ts";
import ResourcePolicy from "#packages/citizen_portal/app/policies/citizen_portal/resource_policy.ts";

export default class FeePolicy extends ResourcePolicy(FeatureFeePolicy) {
  override relationScope(query: Query<Fee>) {
    return query.whereIn("permit_id", Permit.query().select("id").where("email", this.user.email));
  }
  override canCreate() {
    return false;
  }
}
