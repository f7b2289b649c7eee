import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_CONTROLLER_OPEN: (controller: string, route: string, lacks: string) =>
    `${controller}, which serves ${route}, has no ${lacks} in its chain. Extend it through the portal's concern: class … extends Controller(…), with PublicAccess, CurrentUser or Authlib in it.`,
  FW_PORTAL_NAME: (name: string) => `definePortal takes a name such as "AdminPortal", got ${JSON.stringify(name)}.`,
});
