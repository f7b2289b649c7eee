import type { BaseController, RequestContext } from "framewright/host";
import type { RecordedTarget } from "./recorded_request.ts";

/** The route, action, portal, person and tenant of a request, by their names and ids alone. */
export function targetOf(request: RequestContext): RecordedTarget {
  const { route, engine, controller, application, mountPath } = request;
  const { constants } = application;
  const constant = controller && constants.of(controller.constructor);
  const name = constant?.name ?? controller?.constructor.name;
  return {
    route: route && `${route.verb} ${mountPath.slice(0, 100)}/${route.pattern.replace(/^\//, "")}`,
    action: controller && `${name}#${controller.actionName}`,
    file: constant?.file,
    portal: engine?.name,
    person: controller && personOf(controller),
    tenant: tenantOf(controller?.currentScopedEntity, (entity) => constants.of(entity)?.name ?? entity.name),
  };
}

function personOf({ currentUser, request }: BaseController): string | undefined {
  if (currentUser === undefined) return undefined;
  const { account, mode = "account" } = request.authentication ?? {};
  return `${account ?? mode} ${idOf(currentUser)}`.trim();
}

const tenantOf = (entity: object | undefined, nameOf: (entity: Function) => string): string | undefined =>
  entity && `${nameOf(entity.constructor)} ${idOf(entity)}`.trim();

function idOf(record: object): string {
  const { id } = record as { id?: unknown };
  return typeof id === "number" || typeof id === "string" ? String(id) : "";
}
