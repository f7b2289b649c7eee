import { type BaseController, raw } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { SectionOptions, SectionPage } from "framewright/plugins/resources";
import type { AccountLine } from "./account_sections.ts";
import { AuthlibBase } from "./base.ts";

/** A line of the section. */
type Row = Omit<AccountLine, "section" | "page"> & { url?: string };

/**
 * A section of a profile's page: how its account signs in and what protects it, each with its state and the page that
 * changes it, for the features that the account type has. It is shown to the account itself, and left out for others, such
 * as administrators, and in portals without account sign-in.
 *
 *     this.section("security", SecuritySection);
 */
export const SecuritySection: SectionOptions = {
  title: ({ controller }) => controller.request.t("authlib.account.security"),
  async content({ controller, record }: SectionPage) {
    const authlib = authlibOfPage(controller);
    if (!authlib || !isOwn(authlib, controller, record)) return undefined;
    const { kernel, engine, timeZone, locale } = controller.request;
    const views = kernel.service("views", "SecuritySection");
    const request = { time_zone: timeZone, locale };
    const locals = { ...controller.pageLocals(), request, lines: await rowsOf(authlib) };
    return raw(views.render({ portal: engine?.path, names: ["authlib/security_section"], locals }));
  },
};

function authlibOfPage(controller: BaseController): AuthlibBase | undefined {
  const { authlib } = controller as { authlib?: unknown };
  return authlib instanceof AuthlibBase ? authlib : undefined;
}

/** Whether the record belongs to the account that is signed in. */
function isOwn({ type, account }: AuthlibBase, controller: BaseController, record: BaseModel): boolean {
  const database = controller.request.kernel.service("database", "SecuritySection");
  const owners = [...database.model(record.constructor as never).associations.values()].filter(
    ({ kind, target }) => kind === "belongsTo" && target === type.model,
  );
  return account !== undefined && owners.some(({ key }) => String(key.of(record)) === String(account.id));
}

/** The lines of the account's overview without its history, then the pages that no line leads to. */
async function rowsOf(authlib: AuthlibBase): Promise<Row[]> {
  const sections = (await authlib.accountSections()).filter(({ name }) => name !== "history");
  const lines: Row[] = sections.flatMap((section) => section.lines);
  const linked = new Set(lines.map(({ url }) => url));
  const open = authlib.t("account.open");
  const more = authlib
    .links()
    .filter(({ url, page }) => !linked.has(url) && !outside.has(page))
    .map(({ page, label, hint, url }) => ({ name: page, label, text: hint, url, action: open }));
  return [...lines, ...more];
}
/** Pages of the account that are not about its security. */
const outside = new Set(["invite", "held-form"]);
