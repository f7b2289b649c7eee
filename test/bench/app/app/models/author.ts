import { hasMany, Model } from "framewright/plugins/database";

export default class Author extends Model("authors") {
  static override associations = { posts: hasMany() };
}
