import { belongsTo, Model } from "framewright/plugins/database";

export default class Inspection extends Model("inspections") {
  static override associations = { permit: belongsTo() };
  static override enums = { result: ["open", "passed", "failed"] };
  static override validations = { at: { presence: true } };
  static override labelAssociations = ["permit"];
  override toLabel(): string {
    return this.permit?.toLabel() ?? super.toLabel();
  }
}
