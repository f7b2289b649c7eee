import { type Application, type Engine, notFound, type Route } from "framewright/host";
import { portalController } from "./portal_controller.ts";

/** The 404 of a portal for signed-in people, with its navigation; undefined in a portal without a base controller. */
export function unknownPage(application: Application, { name }: Engine): Route | undefined {
  const controller = portalController(application, name, "unknown_page");
  if (!controller) return undefined;
  function showUnknownPage(): never {
    throw notFound();
  }
  return {
    verb: "GET",
    pattern: "/",
    segments: [],
    parameters: [],
    name: undefined,
    controller,
    action: showUnknownPage,
    metadata: { policy: "(none)" },
  };
}
