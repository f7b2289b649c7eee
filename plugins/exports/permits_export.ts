import { Policy, type Registration } from "framewright/plugins/resources";

/** Whether a resource has a list, and a policy that permits somebody its exports. */
export const permitsExport = ({ policyClass, singular }: Registration): boolean =>
  !singular && policyClass.prototype.canExport !== Policy.prototype.canExport;
