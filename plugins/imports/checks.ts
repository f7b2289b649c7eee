import { Policy, type Registration } from "framewright/plugins/resources";

/** Whether files are imported into a list: where its policy has `canImport()`. */
export const hasImport = ({ policyClass, singular }: Registration): boolean =>
  policyClass.prototype.canImport !== Policy.prototype.canImport && !singular;
