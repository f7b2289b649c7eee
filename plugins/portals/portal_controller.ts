import { type Application, type BackLink, type ControllerClass, camelize } from "framewright/host";
import { portalLabel } from "./concerns.ts";

/** Controllers of a portal that can serve as a base, in order of preference. */
const bases = ["base_controller", "resource_controller", "dashboard_controller"];

/** A controller of a portal that has its concern, as the base of what a plugin serves there; undefined where it has none. */
export function portalBaseController({ constants }: Application, path: string): ControllerClass | undefined {
  return bases
    .map((name) => constants.byPath(`${path}/${name}`) as ControllerClass | undefined)
    .find((base) => base && "inPortal" in base);
}

/** Module-level: by application, for plugins that each request a class of the same portal. */
const classes = new WeakMap<Application, Map<string, ControllerClass>>();

/**
 * The controller of what a plugin serves in a portal: a class on the portal's base, with its authentication, tenant and
 * layout, one for each name. Undefined in a portal without a base.
 * @example portalController(host, "AdminPortal", "wizards", WizardController)
 */
export function portalController(
  application: Application,
  portal: string,
  name: string,
  mixin: (Base: ControllerClass) => ControllerClass = (Base) => Base,
): ControllerClass | undefined {
  const known = classes.get(application) ?? new Map<string, ControllerClass>();
  classes.set(application, known);
  const key = `${portal} ${name}`;
  const found = known.get(key);
  if (found) return found;
  const Base = portalBaseController(application, application.engines.get(portal)!.path);
  if (!Base) return undefined;
  const made = withoutResource(mixin(Base), name);
  known.set(key, made);
  return made;
}

/** Without the record that the base of a resource loads; its pages of errors lead to the portal's first page. */
export function withoutResource(Base: ControllerClass, name: string): ControllerClass {
  return named(
    class extends Base {
      enterResource(): void {}
      override backLink(): BackLink {
        const { request } = this;
        const name = request.engine ? portalLabel(request.engine, request) : "";
        return { url: request.mountPath || "/", label: request.t("errors.back_to", { name }) };
      }
    },
    name,
  );
}

/** Module-level: the plugin of a class that this file creates. */
const providers = new WeakMap<ControllerClass, string>();

/** The plugin or part that a class without a name of its own serves: no file has the name that errors call it by. */
export const providerOf = (controller: ControllerClass): string | undefined => providers.get(controller);

/** For errors; a class that has a name keeps it. */
export function named<C extends ControllerClass>(made: C, name: string): C {
  if (made.name !== "") return made;
  providers.set(made, name);
  return Object.defineProperty(made, "name", { value: `${camelize(name.replaceAll("-", "_"))}Controller` });
}
