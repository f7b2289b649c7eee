import type { BaseController, Params, RequestContext, Tenant, TimeZone } from "framewright/host";
import { Registry } from "framewright/kernel";
import type { BaseModel, ModelInfo } from "framewright/plugins/database";
import type { ListContext } from "../definition/definition_options.ts";
import { allows } from "../definition/policy.ts";
import type { ListShape } from "../pages/list_parts.ts";
import { type ListRequest, readList } from "../registration/list_params.ts";
import { searchOf } from "../registration/list_search.ts";
import type { NamedColumns } from "../registration/read_columns.ts";
import type { Registration } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";
import { type HiddenColumns, hiddenColumns } from "./hidden_columns.ts";

/** The person who requests a list, and where. */
export const listContextOf = (controller: ResourceRequest): ListReader =>
  new ListReader(controller, controller.registration, controller.parent);

/**
 * Who reads a list, and where, as definitions are given it; and which columns are hidden from this person. A class with
 * getters on its prototype: most lists need neither, and V8 keeps literals with accessors alive until a major collection.
 */
export class ListReader implements ListContext {
  readonly currentUser: unknown;
  readonly currentScopedEntity: Tenant | undefined;
  readonly parent: BaseModel | undefined;
  readonly portal: string | undefined;
  readonly #controller: BaseController;
  readonly #registration: Registration;

  constructor(controller: BaseController, registration: Registration, parent?: BaseModel) {
    this.currentUser = controller.currentUser;
    this.currentScopedEntity = controller.currentScopedEntity;
    this.parent = parent;
    this.portal = registration.owner;
    this.#controller = controller;
    this.#registration = registration;
  }
  get timeZone(): TimeZone {
    return this.#request.timeZone;
  }
  get #request(): RequestContext {
    return this.#controller.request;
  }
  /** The columns of the list's resource that the person may not read. */
  get hidden(): HiddenColumns {
    return hiddenColumns(this.#controller, this.#registration);
  }
  /** Whether an attribute of the list's resource is hidden from the person: by its column, or that of its key. */
  hides(name: string): boolean {
    return this.#registration.model.columnsOf(name).some((column) => this.hidden.has(column));
  }
  /** Whether the person may read all these columns; those of a table that no resource of the portal has are not decided about. */
  mayRead({ own, others }: NamedColumns): boolean {
    const isHidden = (column: string) => this.hidden.has(column) && !isMark(this.#registration, column);
    return !own.some(isHidden) && !others.some(([table, column]) => this.#isHiddenIn(table, column));
  }
  #isHiddenIn(table: string, column: string): boolean {
    const { registry } = this.#request.kernel.service("resources");
    for (const registration of registry.of(this.portal).values())
      if (registration.model.table === table)
        return hiddenColumns(this.#controller, registration).has(column) && !isMark(registration, column);
    return false;
  }
  /** Whether the policy of a model leaves records out here. */
  isScoped(target: ModelInfo): boolean {
    return this.#request.kernel.service("resources").isScoped(this.#controller as ResourceRequest, target);
  }
  /** The records of a model that the person may see, as a query that selects nothing yet; undefined where no policy leaves any out. */
  visible(target: ModelInfo) {
    if (!this.isScoped(target)) return undefined;
    return this.#request.kernel.service("resources").visible(this.#controller as ResourceRequest, target);
  }
}

/** Whether a column is empty in all rows that are found: every query names it. */
const isMark = ({ model }: Registration, column: string): boolean => model.mark?.column === column;

/** Whether the list has a search that the policy allows the person; guests search what the definition declares alone. */
export const maySearch = (controller: ResourceRequest, names: readonly string[]): boolean =>
  searchOf(controller.registration, names, listContextOf(controller)) !== undefined &&
  allows(controller.policyFor(), "search");

/** What is requested of the list, read from the parameters of the request or others. @throws HttpError 422 naming the parameter */
export const requestedList = (
  controller: ResourceRequest,
  names: readonly string[],
  params: Params = controller.params,
): ListRequest =>
  readList(params, {
    registration: controller.registration,
    permitted: names,
    sortable: sortableNames(controller, names),
    context: listContextOf(controller),
    maySearch: () => maySearch(controller, names),
    hasShape: (key) => shapesOf(controller, names).has(key),
  });

/** The names of a list that may be sorted by: by a column of what a row belongs to only where the person may read that column. */
export function sortableNames(controller: ResourceRequest, names: readonly string[]): readonly string[] {
  const { definition, model } = controller.registration;
  const isHidden = (name: string): boolean => {
    const by = definition.sorts.get(name)?.by;
    return by !== undefined && !mayRead(controller, model.associations.get(name)!.target, by);
  };
  return names.some(isHidden) ? names.filter((name) => !isHidden(name)) : names;
}

/** Whether a column of a model is shown to the person in this portal; where the model is not registered, nothing denies it. */
function mayRead(controller: ResourceRequest, target: ModelInfo, column: string): boolean {
  const { resources, request } = controller;
  const registration = resources.registry.nearest(request.engine?.name, target);
  return !registration || !hiddenColumns(controller, registration).has(column);
}

/** The shapes that plugins offer a list in, by what its address has: `?shape=board`. */
export function shapesOf(controller: ResourceRequest, permitted: readonly string[]): Registry<ListShape> {
  const adder = () => controller.request.kernel.tapping(shapes);
  const shapes: Registry<ListShape> = new Registry("the shape of lists", adder, { isReplaceable: false });
  const { listShapes } = controller.resources.hooks;
  if (listShapes.isUsed()) listShapes.call(shapes, permitted, controller);
  return shapes;
}
