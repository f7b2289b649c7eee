import { BaseController, type ControllerClass, type Mixin, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { standardCustomization, type WizardCustomization } from "./pages/customization.ts";

/**
 * The concern for controllers that serve wizards: `concern(ApplicationController, WizardController, Authlib("user"))`.
 * Each method may be overridden.
 */
export const WizardController: Mixin<WizardCustomization> = (Base) => {
  class ServesWizards extends (Base as ControllerClass) {
    static readonly servesWizards = true;
    static viewPath: string | undefined = "wizards";

    wizardHome(): string {
      return standardCustomization.wizardHome(this);
    }
    wizardAnchor(method: string): Promise<BaseModel | undefined> {
      return standardCustomization.wizardAnchor(this, method);
    }
    wizardLocals(): Record<string, unknown> {
      return standardCustomization.wizardLocals(this);
    }
    wizardEnded(location: string): Reply {
      return standardCustomization.wizardEnded(this, location);
    }
  }
  return ServesWizards as never;
};

const Base = WizardController(BaseController) as ControllerClass<BaseController & WizardCustomization>;

/** A base for wizard controllers of applications without a base of their own: `class WizardsController extends concern(WizardBaseController, Authlib("user")) {}`. */
export class WizardBaseController extends Base {}
