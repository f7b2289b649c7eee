import { drawRoutes } from "framewright";
import { AdminPortal } from "../packages/admin_portal/lib/engine.ts";

export default drawRoutes((routes) => routes.mount(AdminPortal, { at: "/admin" }));
