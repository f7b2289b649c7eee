import Author from "../../../app/models/author.ts";
import Post from "../../../app/models/post.ts";
import OrderWizard from "../../../app/wizards/order_wizard.ts";
import { AdminPortal } from "../lib/engine.ts";

export default AdminPortal.routes.draw((routes) => {
  routes.root({ to: "dashboard#index" });
  routes.registerResource(Post);
  routes.registerResource(Author);
  routes.registerWizard(OrderWizard, { at: "order" });
});
