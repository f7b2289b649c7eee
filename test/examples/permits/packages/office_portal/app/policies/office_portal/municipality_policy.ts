import FeatureMunicipalityPolicy from "#app/policies/municipality_policy.ts";
import ResourcePolicy from "#packages/office_portal/app/policies/office_portal/resource_policy.ts";

export default class MunicipalityPolicy extends ResourcePolicy(FeatureMunicipalityPolicy) {
  override canCreate() {
    return true;
  }
}
