import type { Application, ControllerClass } from "framewright/host";

/** Controllers of a portal that can serve as a base, in order of preference. */
const bases = ["base_controller", "resource_controller", "dashboard_controller"];

/** A controller of a portal that has its concern, as the base of what a plugin serves there; undefined where it has none. */
export function portalBaseController({ constants }: Application, path: string): ControllerClass | undefined {
  return bases
    .map((name) => constants.byPath(`${path}/${name}`) as ControllerClass | undefined)
    .find((base) => base && "inPortal" in base);
}
