import { BaseController, type PageLocals } from "framewright/host";
import { Registry } from "framewright/kernel";
import type { ModelClass } from "framewright/plugins/database";
import { type Filter, type FilterScope, unwrap, withFilterHints } from "framewright/plugins/views";
import { ResourceController } from "../controller.ts";
import { ownRecord } from "../operations/ownership.ts";
import type { ResourceRequest } from "../request.ts";
import { type ResourceUrlOptions, type ResourceUrlSubject, resourcePath } from "./urls.ts";

/** Gives every controller what concerns resources wherever a page is: all that they need hangs on the request. */
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

type Actions = Readonly<Record<string, (controller: ResourceRequest) => unknown>>;
/** Marks methods that plugins add: the next application of this process adds them again. */
const added = Symbol("added");

/** The actions that plugins add to all controllers of resources, by plugin; those of the framework are taken. */
export class AddedActions {
  readonly #names: Registry<undefined>;

  constructor(registrant: () => string | undefined) {
    this.#names = new Registry("the action of resources", registrant, { isReplaceable: false });
    for (const base of [ResourceController, BaseController])
      for (const name of Object.getOwnPropertyNames(base.prototype))
        if (!isAdded(base.prototype, name) && !this.#names.has(name)) this.#names.add(name, undefined);
  }
  /** @throws FW_REGISTRY_TAKEN */
  add(actions: Actions): void {
    for (const [name, action] of Object.entries(actions)) {
      this.#names.add(name, undefined);
      const value = function (this: ResourceController) {
        return action(this);
      };
      Object.defineProperty(value, added, { value: true });
      Object.defineProperty(ResourceController.prototype, name, { value, configurable: true, writable: true });
    }
  }
}
const isAdded = (prototype: object, name: string): boolean =>
  added in ((Object.getOwnPropertyDescriptor(prototype, name)?.value as object | undefined) ?? {});

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
