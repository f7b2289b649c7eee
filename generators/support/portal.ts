import { usage } from "../errors.ts";
import type { ApplicationFiles } from "./application.ts";
import { choose } from "./terminal.ts";

/** The portal that `--dest` names; asks for it at a terminal. @throws FW_PORTAL_UNKNOWN, FW_ANSWER_MISSING */
export async function portalOf(app: ApplicationFiles, dest: string | undefined): Promise<string> {
  if (dest !== undefined) return app.portal(dest);
  const choices = app.portals().map((value) => ({ value, label: value }));
  if (choices.length === 0) throw usage.FW_PORTAL_UNKNOWN("", []);
  return choose("Which portal?", choices, ["--dest=PORTAL"]);
}
