import type { Associations, Attributes, ReadAttributes } from "framewright/plugins/database";
import type Permit from "#app/models/permit.ts";
import ResourcePolicy from "#app/policies/resource_policy.ts";

export default class PermitPolicy extends ResourcePolicy<Permit> {
  override canCreate() {
    return this.user !== undefined;
  }
  override canRead() {
    return true;
  }
  canReview() {
    return this.canUpdate();
  }
  canApprove() {
    return this.canUpdate();
  }
  canReject() {
    return this.canUpdate();
  }
  canWithdraw() {
    return this.canUpdate();
  }
  override permittedAttributesForCreate(): Attributes<Permit> {
    return [
      "number",
      "kind",
      "applicant",
      "email",
      "floors",
      "status",
      "received_on",
      "due_on",
      "reason",
      "plans",
      "parcels",
      "municipality",
    ];
  }
  override permittedAttributesForRead(): ReadAttributes<Permit> {
    return [
      "number",
      "kind",
      "applicant",
      "email",
      "floors",
      "status",
      "received_on",
      "due_on",
      "reason",
      "plans",
      "parcels",
      "municipality",
      "created_at",
      "updated_at",
    ];
  }
  override permittedAssociations(): Associations<Permit> {
    return [];
  }
}
