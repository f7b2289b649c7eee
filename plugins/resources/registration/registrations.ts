import type { Application } from "framewright/host";
import type { MacroTable } from "framewright/kernel";
import type { AssociationInfo, ModelClass, ModelInfo } from "framewright/plugins/database";
import type { FieldTypeTable } from "framewright/plugins/fields";
import type { ResourceDefinition } from "../definition/definition.ts";
import type { PolicyClass } from "../definition/policy.ts";
import type { Registration, ResourceRoute } from "./registration.ts";

/** Which models are served where, and what each drawn route of a resource is about. */
export interface Registrations {
  readonly application: Application;
  readonly routes: WeakMap<object, ResourceRoute>;
  /** The types of fields. */
  readonly types: FieldTypeTable;
  /** The macros that plugins add to definitions. */
  readonly definitionMacros: MacroTable<ResourceDefinition>;
  /** The resources of a portal, in the order in which they were registered. */
  of(owner: string | undefined): ReadonlyMap<string, Registration>;
  all(): Registration[];
  has(owner: string | undefined, model: ModelInfo): boolean;
  /** What serves a model in a portal: its own resource, else that of a class which it extends and shares its table with. */
  nearest(owner: string | undefined, model: ModelInfo): Registration | undefined;
  /**
   * What records of a model belong to, by name, where the policy of the portal hides some of it (`relationScope`): decided
   * once, when all is registered.
   */
  scopedReferences(owner: string | undefined, model: ModelInfo): ReadonlyMap<string, readonly ModelInfo[]>;
  /** @throws FW_RESOURCE_UNREGISTERED */
  find(owner: string | undefined, cls: ModelClass): Registration;
  /** The associations of a resource that have nested routes. */
  nestedOf(registration: Registration): readonly AssociationInfo[];
  /** The portal's policy of a model, else the feature's, else the application's base, which denies. */
  policyClass(owner: string | undefined, model: ModelInfo): PolicyClass;
}
