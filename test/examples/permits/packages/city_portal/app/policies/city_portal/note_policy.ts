import FeatureNotePolicy from "#app/policies/note_policy.ts";
import ResourcePolicy from "#packages/city_portal/app/policies/city_portal/resource_policy.ts";

export default class NotePolicy extends ResourcePolicy(FeatureNotePolicy) {
  override canCreate() {
    return this.atLeast("clerk");
  }
}
