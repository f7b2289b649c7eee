import FeaturePostPolicy from "../../../../../app/policies/post_policy.ts";

/** Guests may do here what people may do who are known: the two pages that are compared are the same. */
export default class PostPolicy extends FeaturePostPolicy {
  override canCreate() {
    return true;
  }
  override canUpdate() {
    return true;
  }
  override canDestroy() {
    return true;
  }
}
