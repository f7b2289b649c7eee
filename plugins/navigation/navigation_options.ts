import type { BaseController } from "framewright/host";
import { describe } from "framewright/kernel";
import type { AnyRecord, BaseModel, QueryOf } from "framewright/plugins/database";
import type { Badge } from "framewright/plugins/portals";
import type { ResourceDefinition } from "framewright/plugins/resources";
import { errors } from "./errors.ts";

/** What counts the records that the person may see, narrowed, or is a short text; undefined: nothing. */
type BadgeFunction<M extends AnyRecord> = (
  query: QueryOf<M>,
  controller: BaseController,
) => QueryOf<M> | Badge | undefined | Promise<Badge | undefined>;

/** The position of a resource in the sidebar, and its badge. */
export interface NavigationOptions<M extends AnyRecord = BaseModel> {
  /** Before the lines without one, which have 50, or after them. */
  order?: number;
  /** `true` counts the records that the person may see; a function narrows them, or returns a short text. */
  badge?: true | BadgeFunction<M>;
}

declare module "framewright/plugins/resources" {
  interface DefinitionMacros<M extends AnyRecord> {
    /** The line of the sidebar: `this.navigation({ order: 10, badge: (posts) => posts.where("status", "draft") })`. */
    navigation(options: NavigationOptions<M>): void;
  }
}

const known = ["order", "badge"];

/** Module-level: found by a definition, and freed with it. */
const declared = new WeakMap<object, NavigationOptions>();

/** The options that a definition declares; undefined for none. */
export const navigationOf = (definition: ResourceDefinition): NavigationOptions | undefined => declared.get(definition);

/** The macro `navigation` of one definition; a later call changes what it names. @throws FW_NAVIGATION_SHAPE */
export const navigationMacro =
  (definition: ResourceDefinition) =>
  (options: NavigationOptions): void => {
    const refuse = (what: string) => errors.FW_NAVIGATION_SHAPE(definition.constructor.name, what);
    if (typeof options !== "object" || options === null) throw refuse(`is given ${describe(options)}`);
    const unknown = Object.keys(options).find((key) => !known.includes(key));
    if (unknown !== undefined) throw refuse(`has the option "${unknown}". There are: ${known.join(", ")}`);
    const { order, badge } = options;
    if (order !== undefined && !Number.isFinite(order)) throw refuse(`has the order ${describe(order)}, no number`);
    if (badge !== undefined && badge !== true && typeof badge !== "function")
      throw refuse(`has the badge ${describe(badge)}, neither true nor a function`);
    declared.set(definition, { ...declared.get(definition), ...options });
  };
