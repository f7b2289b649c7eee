import { raw, type SafeHtml } from "framewright/host";
import type { BaseModel, Query } from "framewright/plugins/database";
import { hidden } from "framewright/plugins/fields/toolkit";
import type { ResourceAction } from "../definition/actions.ts";
import { narrowingOf } from "../pages/list_urls.ts";
import { numberText } from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { chosenQuery, isOnList, listOf, listQuery } from "./targets.ts";

/** Module-level: found by a controller, and freed with it. */
const chosen = new WeakMap<ResourceRequest, Chosen>();

/** The rows of a list that a request is about: records by their ids, or all that match. */
export class Chosen {
  readonly ids: readonly string[];
  readonly all: boolean;
  /** Where the action on them is, below the address of the list: `bulk/publish`. */
  readonly path: string;

  constructor({ ids, all, path }: Pick<Chosen, "ids" | "all" | "path">) {
    this.ids = ids;
    this.all = all;
    this.path = path;
  }
  /** What a request chose; undefined where it is not about rows of a list. */
  static of(controller: ResourceRequest): Chosen | undefined {
    return chosen.get(controller);
  }
  /** Remembers it for the request. */
  rememberFor(controller: ResourceRequest): this {
    chosen.set(controller, this);
    return this;
  }
  /** As fields of a form, so that it outlives a form that is refused. */
  get fields(): SafeHtml {
    return raw(this.all ? hidden("all", "1") : this.ids.map((id) => hidden("ids[]", id)).join(""));
  }
  /** The records, of those that the person sees. @throws HttpError 403, 422 */
  query(controller: ResourceRequest): Query<BaseModel> {
    return this.all ? listQuery(controller) : chosenQuery(controller, this.ids);
  }
  /** How many they are. @throws HttpError 403, 422 */
  count(controller: ResourceRequest): Promise<number> {
    return controller.resources.database.count(this.query(controller));
  }
}

/** What the form of an action on a list adds to its address: the search, scope and filters that it was opened with. */
export function targetsSearch(controller: ResourceRequest, action: ResourceAction): string {
  if (!isOnList(action) && !Chosen.of(controller)) return "";
  const list = listOf(controller);
  return narrowingOf(list, list.askedScope);
}

/** What is shown of an action before it is done, and on how many records of the list that will be. */
export async function describeTargets(
  controller: ResourceRequest,
  action: ResourceAction,
  text: string,
): Promise<string> {
  const rows = Chosen.of(controller);
  if (!isOnList(action) && !rows) return text;
  const number = await (rows?.count(controller) ?? controller.resources.database.count(listQuery(controller)));
  const count = number < 1000 ? number : numberText(controller, number); // a text has no plural but the usual one
  return `${text} ${controller.t(rows?.all === false ? "resource.bulk.targets" : "resource.background.targets", { count })}`.trim();
}
