import { BaseController, type PageLocals } from "framewright/host";
import type { ModelClass } from "framewright/plugins/database";
import { type Filter, type FilterScope, unwrap, withFilterHints } from "framewright/plugins/views";
import { ResourceController } from "../controller.ts";
import { ownRecord } from "../operations/ownership.ts";
import { type ResourceUrlOptions, type ResourceUrlSubject, resourcePath } from "./urls.ts";

/** Gives every controller what concerns resources wherever a page stands: all that they need hangs on the request. */
export function addControllerMethods(): void {
  const add = (name: string, value: Function) =>
    Object.defineProperty(BaseController.prototype, name, { value, configurable: true, writable: true });
  add("resourceUrlFor", function (this: BaseController, subject: ResourceUrlSubject, options?: ResourceUrlOptions) {
    return resourcePath(this.request.kernel.service("resources").registry, this.request, subject, options);
  });
  add("ownRecord", function (this: BaseController, model: ModelClass) {
    return ownRecord(this, model);
  });
}

/**
 * Adds actions to all controllers of resources, which applications may override. Their types are declared beside:
 * `declare module "framewright/plugins/resources" { interface ResourceController { archive(): Promise<Reply> } }`
 */
export function addResourceActions(
  actions: Readonly<Record<string, (controller: ResourceController) => unknown>>,
): void {
  for (const [name, action] of Object.entries(actions)) {
    const value = function (this: ResourceController) {
      return action(this);
    };
    Object.defineProperty(ResourceController.prototype, name, { value, configurable: true, writable: true });
  }
}

/** The controller of a page, out of its templates' reach on what they see of the request. */
const shownBy = Symbol("controller");
interface HasController {
  [shownBy]?: BaseController;
}
export function rememberController({ request }: PageLocals, controller: BaseController): void {
  (request as HasController)[shownBy] = controller;
}

function urlInView(request: unknown, subject: unknown, ...args: unknown[]): string {
  const controller = (request as HasController | undefined)?.[shownBy];
  if (!controller) return "";
  const pairs = args.filter((arg): arg is [string, unknown] => Array.isArray(arg));
  const options = Object.fromEntries(pairs.map(([name, value]) => [name, unwrap(value)])) as ResourceUrlOptions;
  return controller.resourceUrlFor(unwrap(subject) as ResourceUrlSubject, options);
}

/** `{{ post | resource_url_for: action: "edit" }}` */
export const resourceUrlFilter: Filter = withFilterHints(
  function (this: FilterScope, subject: unknown, ...args: unknown[]) {
    return urlInView(this.context.getSync(["request"]), subject, ...args);
  } as Filter,
  { reads: ["request"], given: urlInView },
);
