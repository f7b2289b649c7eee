import { belongsTo, Model } from "framewright/plugins/database";

export default class Post extends Model("posts") {
  static override associations = { author: belongsTo() };
  static override enums = { status: ["draft", "live"] };
  static override defaults = { status: "draft" };
  static override validations = { title: { presence: true, length: { maximum: 200 } } };
}
