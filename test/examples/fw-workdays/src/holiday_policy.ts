import { Policy } from "framewright/plugins/resources";
import type { Holiday } from "./holiday.ts";

/** Everybody of the portal reads holidays and writes them; an application's own policy says who else. */
export class HolidayPolicy extends Policy<Holiday> {
  override canRead(): boolean {
    return true;
  }
  override canCreate(): boolean {
    return true;
  }
  override permittedAttributesForCreate(): string[] {
    return ["day", "name"];
  }
  override permittedAttributesForRead(): string[] {
    return ["day", "name"];
  }
}
