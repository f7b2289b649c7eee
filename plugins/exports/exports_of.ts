import type { ResourceController } from "framewright/plugins/resources";
import type { Exports } from "./contract.ts";

/** The service of the application. */
export const exportsOf = (controller: ResourceController): Exports => controller.request.kernel.service("exports");

/** Whether the application has what writes files in the background. */
export const isLeftToJobs = (controller: ResourceController): boolean => exportsOf(controller).background !== undefined;
