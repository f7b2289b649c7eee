import { drawRoutes } from "framewright";
import { authenticate } from "framewright/plugins/authlib";
import { AdminPortal } from "../packages/admin_portal/lib/engine.ts";
import { OpenPortal } from "../packages/open_portal/lib/engine.ts";

export default drawRoutes((routes) => {
  routes.constraints(authenticate("admin"), (r) => r.mount(AdminPortal, { at: "/admin" }));
  routes.mount(OpenPortal, { at: "/open" });
});
