import Author from "../../../app/models/author.ts";
import Post from "../../../app/models/post.ts";
import { OpenPortal } from "../lib/engine.ts";

export default OpenPortal.routes.draw((routes) => {
  routes.registerResource(Post);
  routes.registerResource(Author);
});
