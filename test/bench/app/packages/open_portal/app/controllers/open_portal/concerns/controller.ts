import { type ControllerClass, concern } from "framewright";
import { PortalController, PublicAccess } from "framewright/plugins/portals";

export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, PublicAccess);
