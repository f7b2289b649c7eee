import FeatureFeePolicy from "#app/policies/fee_policy.ts";
import ResourcePolicy from "#packages/city_portal/app/policies/city_portal/resource_policy.ts";

export default class FeePolicy extends ResourcePolicy(FeatureFeePolicy) {
  override canCreate() {
    return this.atLeast("clerk");
  }
}
