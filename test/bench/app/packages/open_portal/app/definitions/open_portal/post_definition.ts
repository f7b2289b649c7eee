import { contains, ResourceDefinition } from "framewright/plugins/resources";
import type Post from "../../../../../app/models/post.ts";

/** Guests are offered no search by default: the pages that are compared have the same toolbar. */
export default class PostDefinition extends ResourceDefinition<Post> {
  override configure() {
    super.configure();
    this.search((query, term) => contains(query, "title", term), { reads: ["title"] });
  }
}
