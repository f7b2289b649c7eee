import FeatureParcelPolicy from "#app/policies/parcel_policy.ts";
import ResourcePolicy from "#packages/city_portal/app/policies/city_portal/resource_policy.ts";

export default class ParcelPolicy extends ResourcePolicy(FeatureParcelPolicy) {
  override canCreate() {
    return this.atLeast("clerk");
  }
  override canImport() {
    return this.canCreate();
  }
}
