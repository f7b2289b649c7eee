import type { Params, RequestContext, TimeZone } from "framewright/host";
import { BaseModel, type ModelInfo } from "framewright/plugins/database";
import type { ResourceController } from "../controller.ts";
import type { ListContext } from "../definition/definition.ts";
import { allows } from "../definition/policy.ts";
import { labelColumn } from "../registration/label_column.ts";
import { searchedColumns } from "../registration/list_conventions.ts";
import { type ListRequest, readList } from "../registration/list_params.ts";

/** Who asks for the list of a request, and where. */
export const listContextOf = (controller: ResourceController): ListContext => new RequestedContext(controller);

/** A class with the getter on its prototype: most lists need no time zone, and V8 keeps literals with accessors alive until a major collection. */
class RequestedContext implements ListContext {
  readonly currentUser: unknown;
  readonly currentScopedEntity: unknown;
  readonly parent: BaseModel | undefined;
  readonly portal: string | undefined;
  readonly #request: RequestContext;

  constructor({ currentUser, currentScopedEntity, parent, registration, request }: ResourceController) {
    this.currentUser = currentUser;
    this.currentScopedEntity = currentScopedEntity;
    this.parent = parent;
    this.portal = registration.owner;
    this.#request = request;
  }
  get timeZone(): TimeZone {
    return this.#request.timeZone;
  }
}

/** Whether the list has a search that the policy allows the person; guests search what the definition says alone. */
export function maySearch(controller: ResourceController, names: readonly string[]): boolean {
  const { registration, currentUser } = controller;
  const isOffered =
    registration.definition.searcher !== undefined ||
    (currentUser !== undefined && searchedColumns(registration, names).length > 0);
  return isOffered && allows(controller.policyFor(), "search");
}

/** What is asked of the list, read from the parameters of the request or others. @throws HttpError 422 naming the parameter */
export const requestedList = (
  controller: ResourceController,
  names: readonly string[],
  params: Params = controller.params,
): ListRequest =>
  readList(params, {
    registration: controller.registration,
    permitted: names,
    sortable: sortableNames(controller, names),
    context: listContextOf(controller),
    maySearch: () => maySearch(controller, names),
  });

/** The names of a list that may be sorted by: by a column of what a row belongs to only where the person may read that column. */
export function sortableNames(controller: ResourceController, names: readonly string[]): readonly string[] {
  const { definition, model } = controller.registration;
  const isHidden = (name: string): boolean => {
    const by = definition.sorts.get(name)?.by;
    return by !== undefined && !mayRead(controller, model.associations.get(name)!.target, by);
  };
  return names.some(isHidden) ? names.filter((name) => !isHidden(name)) : names;
}

/** Whether a column of a model is shown to the person in this portal; where the model is not registered, nothing denies it. */
function mayRead(controller: ResourceController, target: ModelInfo, column: string): boolean {
  const { resources, request } = controller;
  const registration = resources.registry.nearest(request.engine?.name, target);
  if (!registration) return true;
  const policy = resources.policy(controller, registration.policyClass, undefined);
  const lists = ["Index", "Show"] as const;
  return lists.some((list) => registration.permitted(policy, list).includes(column)) || isLabel(target, column);
}
const isLabel = (target: ModelInfo, column: string): boolean =>
  column === labelColumn(target) && target.class.prototype.toLabel === BaseModel.prototype.toLabel;
