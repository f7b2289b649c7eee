import { BaseController, type ControllerClass, type Mixin, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { standardFace, type WizardFace } from "./pages/customization.ts";

/**
 * Everything that a controller of wizards needs; `concern(ApplicationController, WizardController,
 * Authlib("user"))` is complete. Each step that an application may want otherwise is a method of its own.
 */
export const WizardController: Mixin<WizardFace> = (Base) => {
  class ServesWizards extends (Base as ControllerClass) {
    static readonly servesWizards = true;
    static viewPath: string | undefined = "wizards";

    wizardHome(): string {
      return standardFace.wizardHome(this);
    }
    wizardAnchor(method: string): Promise<BaseModel | undefined> {
      return standardFace.wizardAnchor(this, method);
    }
    wizardLocals(): Record<string, unknown> {
      return standardFace.wizardLocals(this);
    }
    wizardEnded(location: string): Reply {
      return standardFace.wizardEnded(this, location);
    }
  }
  return ServesWizards as never;
};

const Ready = WizardController(BaseController) as ControllerClass<BaseController & WizardFace>;

/** A ready-made base for wizards, for applications that need no base of their own: `class WizardsController extends concern(WizardBaseController, Authlib("user")) {}`. */
export class WizardBaseController extends Ready {}
