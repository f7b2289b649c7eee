import { Policy } from "framewright/plugins/resources";
import type Post from "../models/post.ts";

export default class PostPolicy extends Policy<Post> {
  override canRead() {
    return true;
  }
  override canCreate() {
    return true;
  }
  override permittedAttributesForCreate() {
    return ["title", "body", "author", "status"];
  }
  override permittedAttributesForRead() {
    return ["title", "body", "author", "status", "created_at", "updated_at"];
  }
  override permittedAttributesForIndex() {
    return ["title", "author", "status", "created_at"];
  }
}
