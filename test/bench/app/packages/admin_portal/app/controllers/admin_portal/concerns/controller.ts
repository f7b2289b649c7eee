import { type ControllerClass, concern } from "framewright";
import { Authlib } from "framewright/plugins/authlib";
import { PortalController } from "framewright/plugins/portals";

export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, Authlib("admin"));
