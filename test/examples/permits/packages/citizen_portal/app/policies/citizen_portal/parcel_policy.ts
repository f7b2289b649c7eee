import type { Query } from "framewright/plugins/database";
import type Parcel from "#app/models/parcel.ts";
import Permit from "#app/models/permit.ts";
import FeatureParcelPolicy from "#app/policies/parcel_policy.ts";
import ResourcePolicy from "#packages/citizen_portal/app/policies/citizen_portal/resource_policy.ts";

export default class ParcelPolicy extends ResourcePolicy(FeatureParcelPolicy) {
  override relationScope(query: Query<Parcel>) {
    return query.whereIn("permit_id", Permit.query().select("id").where("email", this.user.email));
  }
  override canCreate() {
    return false;
  }
}
