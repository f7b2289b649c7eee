import { usage } from "../errors.ts";
import { type ApplicationFiles, MAIN_APP, packageName } from "./application.ts";
import { choose } from "./terminal.ts";

/** The portal that `--dest` names; asks for it at a terminal. @throws FW_PORTAL_UNKNOWN, FW_PORTAL_NONE, FW_ANSWER_MISSING */
export async function portalOf(app: ApplicationFiles, dest: string | undefined): Promise<string> {
  if (dest !== undefined) return app.portal(dest);
  const choices = app.portals().map((value) => ({ value, label: value }));
  if (choices.length === 0) throw usage.FW_PORTAL_NONE();
  return choose("Which portal?", choices, ["--dest=PORTAL"]);
}

/** The portal that `--dest` names, or undefined for main_app. @throws FW_PORTAL_UNKNOWN, FW_PORTAL_FEATURE, FW_ANSWER_MISSING */
export async function portalOrMainApp(app: ApplicationFiles, dest: string | undefined): Promise<string | undefined> {
  const wanted = dest === undefined ? undefined : packageName(dest);
  if (wanted === MAIN_APP) return undefined;
  const isFeature = wanted !== undefined && app.packages().includes(wanted) && app.portalNamed(wanted) === undefined;
  if (isFeature) throw usage.FW_PORTAL_FEATURE(dest!, app.portals());
  return portalOf(app, dest);
}
