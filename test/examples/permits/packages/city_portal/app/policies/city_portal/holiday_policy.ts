import FeatureHolidayPolicy from "#app/policies/holiday_policy.ts";
import ResourcePolicy from "#packages/city_portal/app/policies/city_portal/resource_policy.ts";

export default class HolidayPolicy extends ResourcePolicy(FeatureHolidayPolicy) {
  override canCreate() {
    return this.atLeast("clerk");
  }
}
