import { definePortal } from "framewright/plugins/portals";

export const AdminPortal = definePortal("AdminPortal");
