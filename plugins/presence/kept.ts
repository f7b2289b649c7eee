import { describe } from "framewright/kernel";
import type { ResourceDefinition, ResourceRequest } from "framewright/plugins/resources";
import { errors } from "./errors.ts";

/** Module-level: definitions whose forms show nothing; each belongs to one application, and is forgotten with it. */
const silent = new WeakSet<ResourceDefinition>();

/** `this.presence(false)`. @throws FW_PRESENCE_OPTION for anything but true and false */
export const presenceMacro =
  (definition: ResourceDefinition) =>
  (isShown: boolean): void => {
    if (typeof isShown !== "boolean") throw errors.FW_PRESENCE_OPTION(definition.constructor.name, describe(isShown));
    if (isShown) silent.delete(definition);
    else silent.add(definition);
  };

/** Whether forms of the resource show who else has them open. */
export const isKept = ({ registration }: ResourceRequest): boolean => !silent.has(registration.definition);
