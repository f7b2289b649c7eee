import type { Query } from "framewright/plugins/database";
import type Note from "#app/models/note.ts";
import Permit from "#app/models/permit.ts";
import FeatureNotePolicy from "#app/policies/note_policy.ts";
import ResourcePolicy from "#packages/citizen_portal/app/policies/citizen_portal/resource_policy.ts";

export default class NotePolicy extends ResourcePolicy(FeatureNotePolicy) {
  override relationScope(query: Query<Note>) {
    return query
      .where("internal", false)
      .whereIn("permit_id", Permit.query().select("id").where("email", this.user.email));
  }
  override canCreate() {
    return false;
  }
}
