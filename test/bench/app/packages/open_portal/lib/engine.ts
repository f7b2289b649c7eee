import { definePortal } from "framewright/plugins/portals";

/** The same pages for everybody: what signing in costs is the difference. */
export const OpenPortal = definePortal("OpenPortal");
